"""Checks of points: the index of the first that is not canonical, off the curve, outside the subgroup."""

from __future__ import annotations

import random
from typing import Any

import pytest

from curves.samples import groups
from kernels.points import group_of, multiples, put, to_words, uniform
from proverd.backend import Backend, Group
from proverd.curves import CURVES, Curve
from proverd.ops import points

N = 9000  # more than one block of a thread


@pytest.fixture
def good(curve: Curve, group: Group, backend: Backend) -> Any:
    """Words of N points of the subgroup, infinity among them."""
    scalars = uniform(random.Random(1), curve, 50)
    scalars[7] = 0
    return multiples(backend, curve, group, (scalars * (N // 50)))


def test_nothing_wrong(good: Any) -> None:
    for check in (points.first_not_canonical, points.first_off_curve, points.first_outside_subgroup):
        assert check(good) == -1


@pytest.mark.parametrize("bad", [[0], [N - 1], [5000, 4095, 8192], [4096, 4097]])
def test_first_off_the_curve(good: Any, curve: Curve, group: Group, bad: list[int]) -> None:
    for i in bad:
        good.data[i, -curve.fp.limbs] ^= 2
    assert points.first_off_curve(good) == min(bad)


@pytest.mark.parametrize("coordinate", range(4))
def test_first_not_canonical(good: Any, curve: Curve, group: Group, coordinate: int) -> None:
    """p itself, and the largest number that fits, in each coordinate."""
    limbs = curve.fp.limbs
    coordinate %= 2 * group.value
    p = [curve.fp.modulus >> (64 * i) & (2**64 - 1) for i in range(limbs)]
    place = slice(coordinate * limbs, (coordinate + 1) * limbs)
    good.data[8000, place] = 2**64 - 1
    assert points.first_not_canonical(good) == 8000
    good.data[300, place] = p
    assert points.first_not_canonical(good) == 300
    good.data[300, place] = [p[0] - 1, *p[1:]]
    assert points.first_not_canonical(good) == 8000


def strays(curve: Curve, group: Group) -> list[Any]:
    """Points on the curve and outside the subgroup, some of small order where there are such."""
    arithmetic = group_of(curve, group)
    found: list[Any] = []
    x = 0
    while len(found) < 4:
        x += 1
        point: Any = arithmetic.point_with_x(x if group is Group.G1 else (x, 1))
        if point is not None and not arithmetic.in_subgroup(point):
            found.append(point)
    return [
        *found,
        arithmetic.add(found[0], arithmetic.generator),
        arithmetic.multiply(curve.fr.modulus, found[0]),
    ]


def test_first_outside_the_subgroup(good: Any, curve: Curve, group: Group) -> None:
    if curve.name == "bn254" and group is Group.G1:
        pytest.skip("every point of the curve is in the subgroup")
    words = to_words(curve, group, strays(curve, group))
    for i, word in zip((8999, 8191, 4097, 4096, 33, 0), words, strict=True):
        good.data[i] = word
        assert points.first_outside_subgroup(good) == i
    assert points.first_off_curve(good) == -1


def test_every_point_of_bn254_g1_is_in_the_subgroup(backend: Backend) -> None:
    curve = CURVES["bn254"]
    arithmetic = groups(curve)[0]
    found = [point for x in range(1, 40) if (point := arithmetic.point_with_x(x)) is not None]
    assert len(found) > 5
    assert (
        points.first_outside_subgroup(put(backend, curve, Group.G1, to_words(curve, Group.G1, found))) == -1
    )


def test_no_points(curve: Curve, group: Group, backend: Backend) -> None:
    none = put(
        backend, curve, group, to_words(curve, group, [curve.g1 if group is Group.G1 else curve.g2])[:0]
    )
    for check in (points.first_not_canonical, points.first_off_curve, points.first_outside_subgroup):
        assert check(none) == -1
