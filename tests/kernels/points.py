"""What the tests of sums and multiples share: points with known discrete logarithms, and their groups."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from proverd.backend import Backend, Group, PointVector
from proverd.curves import Curve
from proverd.curves import reference as ref
from proverd.ops import points, vec
from proverd.ops.msm import fixed_base

Words = Any


def group_of(curve: Curve, group: Group) -> ref.Group[Any]:
    """The reference arithmetic of G1 or G2."""
    return ref.g1(curve) if group is Group.G1 else ref.g2(curve)


def to_words(curve: Curve, group: Group, several: Sequence[Any]) -> Words:
    convert: Any = points.g1_to_words if group is Group.G1 else points.g2_to_words
    return convert(curve, several)


def from_words(curve: Curve, group: Group, words: Words) -> list[Any]:
    convert: Any = points.g1_from_words if group is Group.G1 else points.g2_from_words
    return list(convert(curve, words))


def put(backend: Backend, curve: Curve, group: Group, words: Words) -> PointVector:
    return points.put(backend, curve, group, words)


def multiples(backend: Backend, curve: Curve, group: Group, scalars: Sequence[int]) -> PointVector:
    """Multiples of the generator."""
    generator = to_words(curve, group, [group_of(curve, group).generator])[0]
    return fixed_base(backend, curve, group, generator, vec.from_integers(backend, curve, scalars))


def multiple(curve: Curve, group: Group, scalar: int) -> Any:
    """scalar·generator by the reference."""
    arithmetic = group_of(curve, group)
    return arithmetic.multiply(scalar % curve.fr.modulus, arithmetic.generator)


def uniform(rng: random.Random, curve: Curve, n: int) -> list[int]:
    return [rng.randrange(curve.fr.modulus) for _ in range(n)]
