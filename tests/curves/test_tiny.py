"""Everything there is to try on the tiny curve: all its points, all pairs of the subgroup, all transforms."""

from __future__ import annotations

from collections import Counter
from itertools import product

from proverd.curves.reference import Fp, Group, Point, dft
from proverd.curves.tiny import TINY_COFACTOR, TINY_FIELD, TINY_GROUP, TINY_ROOT_BASE

P = TINY_FIELD.modulus


def points_of(group: Group[int]) -> list[Point[int]]:
    """All points of the curve, found by comparing both sides of its equation at every x and y."""
    roots: dict[int, list[int]] = {}
    for y in range(P):
        roots.setdefault(y * y % P, []).append(y)
    finite = [(x, y) for x in range(P) for y in roots.get((x**3 + group.b) % P, [])]
    return [None, *finite]


def test_field_is_prime_and_has_its_roots() -> None:
    assert all(P % d for d in range(2, 254))
    assert P > 253**2
    assert P - 1 == 63 * 2**10
    assert (TINY_FIELD.bits, TINY_FIELD.limbs, TINY_FIELD.two_adicity) == (16, 1, 10)
    squares = {y * y % P for y in range(1, P)}
    assert next(n for n in range(1, P) if n not in squares) == TINY_ROOT_BASE


def test_count_of_points_and_of_the_subgroup() -> None:
    everything = points_of(TINY_GROUP)
    assert len(everything) == TINY_GROUP.order * TINY_COFACTOR == 65_017
    assert all(TINY_GROUP.contains(point) for point in everything)
    point: Point[int] = None
    subgroup = set()
    for _ in range(TINY_GROUP.order):
        subgroup.add(point)
        point = TINY_GROUP.add(point, TINY_GROUP.generator)
    assert point is None
    assert len(subgroup) == 823
    assert all(TINY_GROUP.in_subgroup(point) for point in subgroup)
    assert all((point in subgroup) == TINY_GROUP.in_subgroup(point) for point in everything[::10])


def test_addition_is_that_of_integers_modulo_the_order_for_all_pairs() -> None:
    n, G = TINY_GROUP.order, TINY_GROUP.generator
    multiples: list[Point[int]] = [None]
    for _ in range(n - 1):
        multiples.append(TINY_GROUP.add(multiples[-1], G))
    assert all(
        TINY_GROUP.add(multiples[i], multiples[j]) == multiples[(i + j) % n]
        for i, j in product(range(n), repeat=2)
        if i <= j
    )
    assert all(TINY_GROUP.multiply(k, G) == multiples[k % n] for k in range(-n, 2 * n))


def test_points_of_order_two_and_three() -> None:
    """On y² = x³ + 1 they exist: doubling with y = 0, tripling with x = 0."""
    group = Group(Fp(P), b=1, generator=(0, 1), order=3)
    assert group.multiply(3, (0, 1)) is None
    assert group.add((0, 1), (0, 1)) == (0, P - 1)
    order_two = [point for point in points_of(group) if point is not None and point[1] == 0]
    assert len(order_two) == 3
    assert all(group.add(point, point) is None for point in order_two)
    assert group.sum(order_two) is None, "the three make, with infinity, a group of four"


def test_transform_of_full_size() -> None:
    """x ↦ x^k has the values rootⁱᵏ; all of the 1,024 points are different."""
    root = TINY_FIELD.root_of_unity(TINY_ROOT_BASE, 10)
    values = [0] * 1024
    values[3] = 1
    result = dft(values, root, P)
    assert result == [pow(root, 3 * i, P) for i in range(1024)]
    assert Counter(result).most_common(1)[0][1] == 1
