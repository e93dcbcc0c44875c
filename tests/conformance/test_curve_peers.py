"""Sums of points, subgroup checks and pairings against py_ecc and arkworks."""

from __future__ import annotations

import random
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from py_ecc import optimized_bls12_381, optimized_bn128

from proverd.backend import Backend, Group, get_backend
from proverd.curves import CURVES, Curve
from proverd.curves.curve import Fp2Element, G1Point, G2Point
from proverd.ops import pairing, points, vec
from proverd.ops.msm import msm

BLS12_381 = CURVES["bls12_381"]


@dataclass(frozen=True)
class Peer:
    """py_ecc's arithmetic of one curve, spoken to in our points."""

    curve: Curve
    module: ModuleType

    def __str__(self) -> str:
        return self.curve.name

    def g1(self, point: G1Point) -> Any:
        m = self.module
        return m.Z1 if point is None else (m.FQ(point[0]), m.FQ(point[1]), m.FQ(1))

    def g2(self, point: G2Point) -> Any:
        m = self.module
        return m.Z2 if point is None else (m.FQ2(point[0]), m.FQ2(point[1]), m.FQ2((1, 0)))

    def from_g1(self, point: Any) -> G1Point:
        if self.module.is_inf(point):
            return None
        x, y = self.module.normalize(point)
        return int(x.n), int(y.n)

    def from_g2(self, point: Any) -> G2Point:
        if self.module.is_inf(point):
            return None
        x, y = self.module.normalize(point)
        return pair(x), pair(y)


def pair(value: Any) -> Fp2Element:
    c0, c1 = value.coeffs
    return int(c0), int(c1)


PEERS = [Peer(CURVES["bn254"], optimized_bn128), Peer(BLS12_381, optimized_bls12_381)]
each_peer = pytest.mark.parametrize("peer", PEERS, ids=str)


@pytest.fixture(scope="module")
def backend() -> Backend:
    return get_backend("cpu", threads=2)


def scalars_with_edges(rng: random.Random, r: int, n: int) -> list[int]:
    """0, 1, r − 1, small and repeated values among uniform ones."""
    chosen = [0, 1, r - 1, 2, r // 2, 1, 2**64, 2**128 - 1]
    return (chosen + [rng.randrange(r) for _ in range(n)])[:n]


def test_sums_in_g1_of_each_curve_equal_py_ecc(backend: Backend) -> None:
    for peer in PEERS:
        rng = random.Random(1)
        m, r = peer.module, peer.curve.fr.modulus
        bases = [m.multiply(m.G1, rng.randrange(1, r)) for _ in range(16)]
        bases += [bases[0], m.neg(bases[1]), m.Z1]
        scalars = scalars_with_edges(rng, r, len(bases))
        expected = m.Z1
        for base, scalar in zip(bases, scalars, strict=True):
            expected = m.add(expected, m.multiply(base, scalar))
        words = points.g1_to_words(peer.curve, [peer.from_g1(base) for base in bases])
        total = msm(
            points.put(backend, peer.curve, Group.G1, words),
            vec.from_integers(backend, peer.curve, scalars),
        )
        assert points.g1_from_words(peer.curve, total) == [peer.from_g1(expected)]


@each_peer
def test_sums_in_g2_equal_py_ecc(peer: Peer, backend: Backend) -> None:
    rng = random.Random(2)
    m, r = peer.module, peer.curve.fr.modulus
    bases = [m.multiply(m.G2, rng.randrange(1, r)) for _ in range(8)] + [m.Z2]
    bases += [bases[0], m.neg(bases[0])]
    scalars = scalars_with_edges(rng, r, len(bases))
    expected = m.Z2
    for base, scalar in zip(bases, scalars, strict=True):
        expected = m.add(expected, m.multiply(base, scalar))
    words = points.g2_to_words(peer.curve, [peer.from_g2(base) for base in bases])
    total = msm(
        points.put(backend, peer.curve, Group.G2, words), vec.from_integers(backend, peer.curve, scalars)
    )
    assert points.g2_from_words(peer.curve, total) == [peer.from_g2(expected)]


def arkworks_point(kind: Any, coordinates: tuple[int, ...]) -> Any:
    return kind.from_xy_bytes_unchecked_le(b"".join(value.to_bytes(48, "little") for value in coordinates))


def arkworks_coordinates(point: Any, group: Group) -> list[int]:
    data = bytes(point.to_xy_bytes_le())
    assert len(data) == (96 if group is Group.G1 else 192)
    return [int.from_bytes(data[i : i + 48], "little") for i in range(0, len(data), 48)]


@pytest.mark.parametrize("n", [1, 33, 1025])
@pytest.mark.parametrize("group", Group, ids=lambda group: group.name)
def test_sums_equal_arkworks(group: Group, n: int, backend: Backend) -> None:
    arkworks = pytest.importorskip("py_arkworks_bls12381")
    kind = arkworks.G1Point if group is Group.G1 else arkworks.G2Point
    rng = random.Random(n)
    r = BLS12_381.fr.modulus
    bases, step, current = [], kind() * arkworks.Scalar(rng.randrange(r)), kind()
    for _ in range(n):
        bases.append(current)
        current = current + step
    scalars = [rng.randrange(r) for _ in range(n)] if n == 1 else scalars_with_edges(rng, r, n)
    theirs = kind.multiexp_unchecked(bases, [arkworks.Scalar(value) for value in scalars])
    coordinates = [arkworks_coordinates(base, group) for base in bases]
    if group is Group.G1:
        words = points.g1_to_words(BLS12_381, [(x, y) for x, y in coordinates])
    else:
        words = points.g2_to_words(BLS12_381, [((a, b), (c, d)) for a, b, c, d in coordinates])
    ours = msm(points.put(backend, BLS12_381, group, words), vec.from_integers(backend, BLS12_381, scalars))
    read = vec.words_to_integers(ours.reshape(-1, BLS12_381.fp.limbs))
    assert [BLS12_381.fp.from_montgomery(value) for value in read] == arkworks_coordinates(theirs, group)


def square_root(m: ModuleType, value: Any, p: int) -> Any | None:
    """Of an element of Fp or Fp2, p ≡ 3 mod 4 (eprint 2012/685, algorithm 9), or None."""
    if isinstance(value, m.FQ):
        root = value ** ((p + 1) // 4)
    else:
        first = value ** ((p - 3) // 4)
        alpha, root = first * first * value, first * value
        minus_one = m.FQ2((p - 1, 0))
        root = (
            m.FQ2((0, 1)) * root if alpha == minus_one else (alpha + m.FQ2((1, 0))) ** ((p - 1) // 2) * root
        )
    return root if root * root == value else None


def points_of_the_curve(peer: Peer, group: Group, count: int) -> list[Any]:
    """Points with x = 1, 2, …: outside the subgroup unless the cofactor is one."""
    m, p = peer.module, peer.curve.fp.modulus
    found: list[Any] = []
    i = 0
    while len(found) < count:
        i += 1
        x, b, one = (m.FQ(i), m.b, m.FQ(1)) if group is Group.G1 else (m.FQ2((i, 1)), m.b2, m.FQ2((1, 0)))
        y = square_root(m, x * x * x + b, p)
        if y is not None:
            found.append((x, y, one))
    return found


@each_peer
@pytest.mark.parametrize("group", Group, ids=lambda group: group.name)
def test_subgroup_checks_equal_multiplication_by_the_order(
    peer: Peer, group: Group, backend: Backend
) -> None:
    m, r = peer.module, peer.curve.fr.modulus
    strays = points_of_the_curve(peer, group, 4)
    generator = m.G1 if group is Group.G1 else m.G2
    candidates = [*strays, *(m.multiply(generator, k) for k in (1, 5, r - 1)), m.add(strays[0], generator)]
    for point in candidates:
        if group is Group.G1:
            words = points.g1_to_words(peer.curve, [peer.from_g1(point)])
        else:
            words = points.g2_to_words(peer.curve, [peer.from_g2(point)])
        vector = points.put(backend, peer.curve, group, words)
        assert points.first_off_curve(vector) == -1
        inside = m.is_inf(m.multiply(point, r))
        assert points.first_outside_subgroup(vector) == (-1 if inside else 0)


def test_subgroup_checks_equal_arkworks(backend: Backend) -> None:
    arkworks = pytest.importorskip("py_arkworks_bls12381")
    peer = PEERS[1]
    assert peer.curve is BLS12_381
    for x, y, _ in points_of_the_curve(peer, Group.G1, 6):
        stray = arkworks_point(arkworks.G1Point, (int(x.n), int(y.n)))
        vector = points.put(
            backend, BLS12_381, Group.G1, points.g1_to_words(BLS12_381, [(int(x.n), int(y.n))])
        )
        assert (points.first_outside_subgroup(vector) == -1) == stray.is_in_subgroup()


@each_peer
def test_pairing_products_that_are_one_and_nearly_one(peer: Peer, backend: Backend) -> None:
    rng = random.Random(3)
    m, curve, r = peer.module, peer.curve, peer.curve.fr.modulus
    a, b = rng.randrange(r), rng.randrange(r)
    g2 = points.g2_to_words(curve, [peer.from_g2(m.multiply(m.G2, b)), curve.g2, curve.g2, None])

    def is_one(last: int) -> bool:
        multiples = (a, r - a * b % r, last)
        g1 = [peer.from_g1(m.multiply(m.G1, k)) for k in multiples] + [curve.g1]
        return pairing.product_is_one(backend, curve, points.g1_to_words(curve, g1), g2)

    assert is_one(0)
    assert not is_one(1)


def exponent_over_py_ecc(curve: Curve) -> int:
    """k in our e(P, Q) = (py_ecc's)^k.

    py_ecc raises to (p¹² − 1)/r exactly, where fast final exponentiations have a multiple of it; and it takes
    the loop count of BLS12-381 without its sign, which inverts the result.
    """
    x = curve.seed
    return 2 * x * (6 * x**2 + 3 * x + 1) % curve.fr.modulus if curve.name == "bn254" else -3


@each_peer
def test_pairing_is_a_fixed_power_of_py_eccs(peer: Peer, backend: Backend) -> None:
    m, curve, p = peer.module, peer.curve, peer.curve.fp.modulus
    for multiple in (1, 7):
        g1, g2 = peer.from_g1(m.multiply(m.G1, multiple)), curve.g2
        flat = pairing.product(
            backend, curve, points.g1_to_words(curve, [g1]), points.g2_to_words(curve, [g2])
        )
        theirs = m.pairing(peer.g2(g2), peer.g1(g1))
        assert m.FQ12(as_polynomial_in_w(flat, curve, p)) == theirs ** (
            exponent_over_py_ecc(curve) % curve.fr.modulus
        )


def as_polynomial_in_w(flat: list[int], curve: Curve, p: int) -> list[int]:
    """Coefficients over the tower (w² = v, v³ = ξ = ξ₀ + u) as those of 1, w, …, w¹¹, where u = w⁶ − ξ₀."""
    assert curve.xi[1] == 1
    low, high = [0] * 6, [0] * 6
    fp2 = np.array(flat, dtype=object).reshape(2, 3, 2)
    for half in range(2):
        for j in range(3):
            c0, c1 = fp2[half, j]
            low[2 * j + half] = (c0 - curve.xi[0] * c1) % p
            high[2 * j + half] = c1
    return low + high
