"""Both quotients against division of polynomials by its definition."""

from __future__ import annotations

import random

import pytest

from proverd.backend import FieldVector, Form, get_backend
from proverd.curves import Curve
from proverd.groth16.quotient import odd_coset, quotient_coset, quotient_odd_coset
from proverd.ops import vec
from proverd.ops.ntt import Domain


def evaluate(coefficients: list[int], x: int, r: int) -> int:
    value = 0
    for c in reversed(coefficients):
        value = (value * x + c) % r
    return value


def interpolate(domain: Domain, values: list[int]) -> list[int]:
    """Coefficients by the inverse DFT's definition."""
    r, n = domain.curve.fr.modulus, domain.n
    inverse = pow(domain.root, -1, r)
    return [
        sum(v * pow(inverse, i * j, r) for j, v in enumerate(values)) * pow(n, -1, r) % r for i in range(n)
    ]


def make(curve: Curve, log_n: int, base: int) -> tuple[Domain, list[int], list[int], list[list[int]]]:
    domain = Domain(get_backend("cpu", 2), curve, log_n, base)
    rng = random.Random(log_n)
    a, b = ([rng.randrange(curve.fr.modulus) for _ in range(domain.n)] for _ in range(2))
    c = [x * y % curve.fr.modulus for x, y in zip(a, b, strict=True)]
    return domain, a, b, [interpolate(domain, values) for values in (a, b, c)]


def vector(domain: Domain, values: list[int]) -> FieldVector:
    x = vec.from_integers(domain.backend, domain.curve, values)
    vec.to_montgomery(x)
    return x


@pytest.mark.parametrize("log_n", [0, 1, 2, 5])
def test_odd_coset(curve: Curve, log_n: int) -> None:
    r = curve.fr.modulus
    domain, a, b, (u, v, w) = make(curve, log_n, curve.snarkjs_root_base)
    h = quotient_odd_coset(domain, vector(domain, a), vector(domain, b))
    shift = odd_coset(curve, curve.snarkjs_root_base, log_n)
    assert pow(shift, domain.n, r) == r - 1  # odd roots: Z is −2 there
    points = [shift * pow(domain.root, i, r) % r for i in range(domain.n)]
    assert h.form is Form.CANONICAL
    assert vec.integers(h) == [
        (evaluate(u, x, r) * evaluate(v, x, r) - evaluate(w, x, r)) % r for x in points
    ]


@pytest.mark.parametrize("log_n", [1, 2, 5])
def test_coset(curve: Curve, log_n: int) -> None:
    r = curve.fr.modulus
    domain, a, b, (u, v, w) = make(curve, log_n, curve.bellman_root_base)
    n = domain.n
    h = vec.integers(quotient_coset(domain, vector(domain, a), vector(domain, b)))
    assert len(h) == n - 1
    for x in (2, 3, r - 11):
        z = (pow(x, n, r) - 1) % r
        assert evaluate(h, x, r) * z % r == (evaluate(u, x, r) * evaluate(v, x, r) - evaluate(w, x, r)) % r


def test_shift_at_full_two_adicity(curve: Curve) -> None:
    """There is no 2n-th root: snarkjs takes the square of the non-residue."""
    base, full = curve.snarkjs_root_base, curve.fr.two_adicity
    assert odd_coset(curve, base, full) == base * base
    r = curve.fr.modulus
    assert pow(odd_coset(curve, base, full - 1), 1 << (full - 1), r) == r - 1
    assert pow(base * base, 1 << full, r) != 1  # off the domain
