"""Vectors of affine points: conversion from and to integers, and checks of whole queries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from proverd.backend.api import Backend, Group, PointVector, Words
from proverd.curves import Curve
from proverd.curves.curve import G1Point, G2Point
from proverd.errors import BadArgument
from proverd.ops.vec import integers_to_words, words_to_integers


def put(backend: Backend, curve: Curve, group: Group, words: Words) -> PointVector:
    """Words (n, point words) as a vector of the backend; the CPU shares their memory."""
    if words.ndim != 2 or words.shape[1] != group.point_words(curve) or words.dtype.itemsize != 8:
        raise BadArgument(f"expected uint64 words of shape (n, {group.point_words(curve)})")
    return PointVector(backend, curve, group, backend.put(words))


def g1_to_words(curve: Curve, points: Sequence[G1Point]) -> Words:
    """Points of G1 as Montgomery words (n, 2·limbs)."""
    return _to_words(curve, [(0, 0) if point is None else point for point in points], 2)


def g2_to_words(curve: Curve, points: Sequence[G2Point]) -> Words:
    """Points of G2 as Montgomery words (n, 4·limbs): x.c0, x.c1, y.c0, y.c1."""
    flat = [(0, 0, 0, 0) if point is None else (*point[0], *point[1]) for point in points]
    return _to_words(curve, flat, 4)


def g1_from_words(curve: Curve, words: Words) -> list[G1Point]:
    """The inverse of ``g1_to_words``; accepts (words,) for one point."""
    rows = _from_words(curve, words, 2)
    return [None if not any(row) else (row[0], row[1]) for row in rows]


def g2_from_words(curve: Curve, words: Words) -> list[G2Point]:
    """The inverse of ``g2_to_words``; accepts (words,) for one point."""
    rows = _from_words(curve, words, 4)
    return [None if not any(row) else ((row[0], row[1]), (row[2], row[3])) for row in rows]


def _to_words(curve: Curve, rows: Sequence[tuple[int, ...]], coordinates: int) -> Words:
    flat = [curve.fp.to_montgomery(value) for row in rows for value in row]
    return integers_to_words(flat, curve.fp).reshape(len(rows), coordinates * curve.fp.limbs)


def _from_words(curve: Curve, words: Words, coordinates: int) -> list[list[int]]:
    flat = words_to_integers(np.ascontiguousarray(words).reshape(-1, curve.fp.limbs))
    values = [curve.fp.from_montgomery(value) for value in flat]
    return [values[i : i + coordinates] for i in range(0, len(values), coordinates)]


def canonical_words(points: PointVector) -> Words:
    """The coordinates as canonical values, words (n, point words) of their own on the host."""
    out = points.backend.empty(len(points), points.group.point_words(points.curve))
    points.backend.points_from_montgomery(points.curve, points.group, out, points.data)
    words: Words = points.backend.get(out)
    return words


def first_not_canonical(points: PointVector) -> int:
    """Index of the first point with a coordinate not below p, or −1."""
    return points.backend.first_not_canonical(points.curve, points.group, points.data)


def first_off_curve(points: PointVector) -> int:
    """Index of the first point that is neither on the curve nor infinity, or −1. Coordinates canonical."""
    return points.backend.first_off_curve(points.curve, points.group, points.data)


def first_outside_subgroup(points: PointVector) -> int:
    """Index of the first point outside the subgroup of order r, or −1. Points on the curve."""
    return points.backend.first_outside_subgroup(points.curve, points.group, points.data)
