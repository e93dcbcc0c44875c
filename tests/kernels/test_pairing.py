"""Products of pairings against the reference, snarkjs's value of e(α, β), and bilinearity."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from kernels.points import to_words
from proverd.backend import Backend, Group, get_backend
from proverd.curves import Curve, reference
from proverd.ops import pairing

VECTORS = Path(__file__).parents[1] / "vectors"

Pair = tuple[Any, Any]


def words(curve: Curve, pairs: list[Pair]) -> tuple[Any, Any]:
    g1 = to_words(curve, Group.G1, [p for p, _ in pairs] or [None])[: len(pairs)]
    g2 = to_words(curve, Group.G2, [q for _, q in pairs] or [None])[: len(pairs)]
    return g1, g2


def value(backend: Backend, curve: Curve, pairs: list[Pair]) -> list[int]:
    return pairing.product(backend, curve, *words(curve, pairs))


def is_one(backend: Backend, curve: Curve, pairs: list[Pair]) -> bool:
    return pairing.product_is_one(backend, curve, *words(curve, pairs))


def coefficients(element: Any) -> list[int]:
    return [element] if isinstance(element, int) else [c for part in element for c in coefficients(part)]


def random_pairs(curve: Curve, n: int, seed: int = 5) -> list[Pair]:
    rng = random.Random(seed)
    g1, g2 = reference.g1(curve), reference.g2(curve)
    return [
        (g1.multiply(rng.randrange(1 << 128), curve.g1), g2.multiply(rng.randrange(1 << 128), curve.g2))
        for _ in range(n)
    ]


def test_one_pair(curve: Curve, backend: Backend) -> None:
    for pair in [(curve.g1, curve.g2), *random_pairs(curve, 2)]:
        assert value(backend, curve, [pair]) == coefficients(reference.pairing(curve, *pair))


@pytest.mark.parametrize("threads", [1, 2, 3, 16])
def test_product_of_pairs(curve: Curve, backend: Backend, threads: int) -> None:
    pairs = random_pairs(curve, 5)
    pairs[2] = (None, pairs[2][1])
    expected = coefficients(reference.pairing_product(curve, pairs))
    assert value(get_backend("cpu", threads=threads), curve, pairs) == expected


def test_infinity_and_no_pairs_give_one(curve: Curve, backend: Backend) -> None:
    one = coefficients(reference.fp12(curve).one)
    for pairs in ([], [(None, None)], [(curve.g1, None)], [(None, curve.g2)]):
        assert value(backend, curve, pairs) == one
        assert is_one(backend, curve, pairs)


def test_bilinear(curve: Curve, backend: Backend) -> None:
    """e(aP, bQ)·e(−abP, Q) = 1, also where points repeat or are opposite."""
    g1, g2 = reference.g1(curve), reference.g2(curve)
    for a, b in [(1, 1), (2, 3), (curve.fr.modulus - 1, 5), (123456789, 987654321)]:
        p, q = g1.multiply(a, curve.g1), g2.multiply(b, curve.g2)
        opposite = g1.negate(g1.multiply(a * b, curve.g1))
        assert is_one(backend, curve, [(p, q), (opposite, curve.g2)])
        assert not is_one(backend, curve, [(p, q), (g1.add(opposite, curve.g1), curve.g2)])
    assert not is_one(backend, curve, [(curve.g1, curve.g2)])
    assert is_one(backend, curve, [(curve.g1, curve.g2), (curve.g1, g2.negate(curve.g2))])


def test_value_of_snarkjs(curve: Curve, backend: Backend) -> None:
    """``vk_alphabeta_12`` of a verifying key that snarkjs exported."""
    path = VECTORS / f"product_{curve.snarkjs_name}" / "verification_key.json"
    key = json.loads(path.read_text())
    alpha = tuple(int(c) for c in key["vk_alpha_1"][:2])
    beta = tuple(tuple(int(c) for c in coordinate) for coordinate in key["vk_beta_2"][:2])
    expected = [int(c) for c6 in key["vk_alphabeta_12"] for c2 in c6 for c in c2]
    assert value(backend, curve, [(alpha, beta)]) == expected
