"""Multiples of one base and short linear combinations, against the reference."""

from __future__ import annotations

import random

import numpy as np
import pytest

from kernels.points import from_words, group_of, multiple, multiples, put, to_words, uniform
from proverd.backend import Backend, Group, get_backend
from proverd.curves import Curve
from proverd.errors import BadArgument
from proverd.ops import vec
from proverd.ops.msm import combine, fixed_base


def test_small_and_largest_scalars(curve: Curve, group: Group, backend: Backend) -> None:
    """0, 1, 2, … and −1, −2, …, each by one addition of the reference."""
    arithmetic = group_of(curve, group)
    expected = [None]
    for _ in range(40):
        expected.append(arithmetic.add(expected[-1], arithmetic.generator))
    r = curve.fr.modulus
    ours = multiples(backend, curve, group, [*range(41), *(r - i for i in range(1, 41))])
    negated = [arithmetic.negate(point) for point in expected[1:]]
    assert from_words(curve, group, ours.data) == expected + negated


@pytest.mark.parametrize("n", [0, 1, 2, 3, 33, 1025])
def test_uniform_scalars(curve: Curve, group: Group, backend: Backend, n: int) -> None:
    """Of many, the first and last and those where blocks meet are looked at."""
    scalars = uniform(random.Random(n), curve, n)
    ours = multiples(backend, curve, group, scalars).data
    chosen = [i for i in (0, 1, 2, 32, 1023, 1024) if i < n]
    assert from_words(curve, group, ours[chosen]) == [multiple(curve, group, scalars[i]) for i in chosen]


def test_any_base(curve: Curve, group: Group, backend: Backend) -> None:
    scalars = vec.from_integers(backend, curve, [0, 1, 5, curve.fr.modulus - 1])
    for k in (0, 7, curve.fr.modulus - 1):
        base = to_words(curve, group, [multiple(curve, group, k)])[0]
        ours = fixed_base(backend, curve, group, base, scalars)
        assert from_words(curve, group, ours.data) == [multiple(curve, group, k * s) for s in (0, 1, 5, -1)]


def test_every_number_of_threads_gives_the_same(curve: Curve, group: Group) -> None:
    scalars = uniform(random.Random(3), curve, 3000)
    several = [multiples(get_backend("cpu", threads=n), curve, group, scalars).data for n in (1, 2, 5)]
    assert (several[0] == several[1]).all()
    assert (several[0] == several[2]).all()


def test_combinations(curve: Curve, group: Group, backend: Backend) -> None:
    """Rows of none, one and several entries; scalars small, negative and large; sums that cancel."""
    rng = random.Random(4)
    r = curve.fr.modulus
    logarithms = [0, *uniform(rng, curve, 9)]
    points = multiples(backend, curve, group, logarithms)
    rows = [
        [],
        [(0, 5)],
        [(1, 1)],
        [(2, r - 1)],
        [(3, 0)],
        [(1, 2), (1, r - 2)],
        [(i, rng.randrange(r)) for i in range(10)],
        [(9, r - 7), (4, 3), (9, 7)],
    ] * 200
    row_start = np.cumsum([0, *map(len, rows)], dtype=np.int64)
    entries = [entry for row in rows for entry in row]
    column = np.array([column for column, _ in entries], dtype=np.uint32)
    scalars = vec.from_integers(backend, curve, [scalar for _, scalar in entries])
    ours = from_words(curve, group, combine(points, row_start, column, scalars).data)
    expected = [multiple(curve, group, sum(logarithms[i] * s for i, s in row)) for row in rows[:8]]
    assert ours == expected * 200


def test_combinations_refuse_indices_out_of_range(curve: Curve, backend: Backend) -> None:
    points = put(backend, curve, Group.G1, to_words(curve, Group.G1, [curve.g1]))
    scalar = vec.from_integers(backend, curve, [1])
    for row_start, column in (([0, 1], [1]), ([0, 2], [0]), ([1, 1], [0])):
        with pytest.raises(BadArgument):
            combine(points, np.array(row_start, np.int64), np.array(column, np.uint32), scalar)
