"""Transforms against evaluation of the polynomial by its definition."""

from __future__ import annotations

import random

import pytest

from proverd.backend import Backend, FieldVector, Form, Order
from proverd.curves import Curve
from proverd.errors import BadArgument, WrongLength
from proverd.ops import vec
from proverd.ops.ntt import Domain


def random_values(curve: Curve, n: int) -> list[int]:
    rng = random.Random(n)
    edges = [0, 1, curve.fr.modulus - 1]
    return [edges[i] if i < 3 else rng.randrange(curve.fr.modulus) for i in range(n)]


def montgomery(backend: Backend, curve: Curve, values: list[int]) -> FieldVector:
    x = vec.from_integers(backend, curve, values)
    vec.to_montgomery(x)
    return x


def evaluate(coefficients: list[int], x: int, modulus: int) -> int:
    value = 0
    for c in reversed(coefficients):
        value = (value * x + c) % modulus
    return value


@pytest.mark.parametrize("log_n", range(9))
def test_small_transforms_by_definition(backend: Backend, curve: Curve, log_n: int) -> None:
    r = curve.fr.modulus
    for base in {curve.snarkjs_root_base, curve.bellman_root_base}:
        domain = Domain(backend, curve, log_n, base)
        values = random_values(curve, domain.n)
        x = montgomery(backend, curve, values)
        domain.inverse(x)
        assert x.order is Order.BIT_REVERSED
        domain.reorder(x)
        coefficients = vec.integers(x)
        assert [evaluate(coefficients, pow(domain.root, j, r), r) for j in range(domain.n)] == values
        coset = 1234567
        domain.reorder(x)
        domain.forward(x, coset)
        assert x.order is Order.NATURAL
        expected = [evaluate(coefficients, coset * pow(domain.root, j, r) % r, r) for j in range(domain.n)]
        assert vec.integers(x) == expected


@pytest.mark.parametrize("log_n", [11, 12, 13, 14, 15, 16])
def test_large_transforms_at_random_points(backend: Backend, curve: Curve, log_n: int) -> None:
    r = curve.fr.modulus
    domain = Domain(backend, curve, log_n, curve.snarkjs_root_base)
    x = montgomery(backend, curve, random_values(curve, domain.n))
    values = vec.integers(x)
    domain.inverse(x)
    domain.reorder(x)
    coefficients = vec.integers(x)
    rng = random.Random(log_n)
    for j in (0, 1, domain.n - 1, rng.randrange(domain.n)):
        assert evaluate(coefficients, pow(domain.root, j, r), r) == values[j]
    domain.reorder(x)
    domain.forward(x, 7)
    shifted = vec.integers(x)
    for j in (0, 1, domain.n - 1, rng.randrange(domain.n)):
        assert evaluate(coefficients, 7 * pow(domain.root, j, r) % r, r) == shifted[j]


def test_threads_do_not_change_the_result(curve: Curve) -> None:
    from proverd.backend import get_backend

    results = []
    for threads in (1, 2, 7):
        backend = get_backend("cpu", threads)
        domain = Domain(backend, curve, 14, curve.snarkjs_root_base)
        x = vec.powers(backend, curve, 3, 5, domain.n)
        domain.inverse(x)
        domain.forward(x, 11)
        results.append(backend.get(x.data).tobytes())
    assert len(set(results)) == 1


def test_wrong_state_is_refused(backend: Backend, curve: Curve) -> None:
    domain = Domain(backend, curve, 3, curve.snarkjs_root_base)
    x = vec.powers(backend, curve, 1, 2, 8)
    with pytest.raises(BadArgument, match="natural order"):
        domain.forward(x)
    with pytest.raises(WrongLength):
        domain.inverse(vec.powers(backend, curve, 1, 2, 4))
    with pytest.raises(BadArgument, match="canonical"):
        domain.inverse(vec.empty(backend, curve, 8, Form.CANONICAL))
    with pytest.raises(BadArgument, match=f"2\\^{curve.fr.two_adicity + 1}"):
        Domain(backend, curve, curve.fr.two_adicity + 1, curve.snarkjs_root_base)
