"""Multi-scalar multiplication Σ sᵢ·Pᵢ and products of single points."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from proverd.backend.api import Backend, FieldVector, Form, Group, PointVector, Words
from proverd.curves import Curve
from proverd.errors import BadArgument, CurveMismatch
from proverd.ops import points, vec
from proverd.ops.checks import require, same_length


def msm(bases: PointVector, scalars: FieldVector) -> Words:
    """Σ scalarsᵢ·basesᵢ as one affine point, Montgomery words (point words,); infinity is all zero.

    Scalars are canonical, in [0, r). Not constant-time: zero scalars are skipped.
    """
    _check(bases.backend, bases.curve, scalars)
    same_length("scalars", scalars, len(bases))
    return bases.backend.msm(bases.curve, bases.group, bases.data, scalars.data)


def linear_combination(
    backend: Backend, curve: Curve, group: Group, words: Words, scalars: Sequence[int]
) -> Words:
    """Σ scalarsᵢ·pointsᵢ of a few points, words (n, point words); scalars are reduced mod r."""
    reduced = [scalar % curve.fr.modulus for scalar in scalars]
    return msm(points.put(backend, curve, group, words), vec.from_integers(backend, curve, reduced))


def fixed_base(
    backend: Backend, curve: Curve, group: Group, base: Words, scalars: FieldVector
) -> PointVector:
    """(scalarsᵢ·base)ᵢ, affine; scalars canonical."""
    _check(backend, curve, scalars)
    out = backend.empty(len(scalars), group.point_words(curve))
    backend.fixed_base(curve, group, out, base, scalars.data)
    return PointVector(backend, curve, group, out)


def combine(
    points: PointVector, row_start: NDArray[np.int64], column: NDArray[np.uint32], scalars: FieldVector
) -> PointVector:
    """(Σ scalar·points[column] over row i)ᵢ, affine, for a CSR matrix of canonical scalars.

    Cheap for scalars that are small, or small below r; for short rows (an MSM serves long ones).
    """
    backend, curve, group = points.backend, points.curve, points.group
    _check(backend, curve, scalars)
    same_length("scalars", scalars, len(column))
    if not backend.check_csr(row_start, column, len(points)):
        raise BadArgument("CSR indices: row starts must ascend to the number of entries, columns be in range")
    out = backend.empty(len(row_start) - 1, group.point_words(curve))
    backend.combine(curve, group, out, row_start, column, scalars.data, points.data)
    return PointVector(backend, curve, group, out)


def _check(backend: Backend, curve: Curve, scalars: FieldVector) -> None:
    require(scalars, Form.CANONICAL)
    if scalars.curve is not curve:
        raise CurveMismatch(f"bases over {curve.name}, scalars over {scalars.curve.name}")
    if scalars.backend is not backend:
        raise BadArgument("bases and scalars live on different backends")
