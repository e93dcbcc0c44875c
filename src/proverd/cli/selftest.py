"""A quick check that this machine computes rightly: small cases whose answers plain integers give."""

from __future__ import annotations

import time
from collections.abc import Callable

from proverd.backend import Backend, Group, get_backend
from proverd.curves import CURVES, Curve
from proverd.curves.curve import G1Point
from proverd.errors import SelfCheckFailed
from proverd.ops import msm, ntt, pairing, points, vec

LOG_SIZE = 6  # an odd and an even number of passes of a transform, several windows of an MSM
SIZE = 1 << LOG_SIZE


def run_self_test(threads: int | None) -> float:
    """Seconds taken. Raises SelfCheckFailed naming curve and operation."""
    backend = get_backend("cpu", threads)
    started = time.perf_counter()
    for curve in CURVES.values():
        for name, is_right in CHECKS.items():
            if not is_right(backend, curve):
                raise SelfCheckFailed(f"self-test: {name} on {curve.name} is wrong on this machine")
    return time.perf_counter() - started


def _numbers(curve: Curve) -> list[int]:
    """SIZE numbers below r without a pattern, among them 0 and r − 1."""
    r = curve.fr.modulus
    return [0, r - 1, *(pow(0x9E3779B97F4A7C15, 3 + i, r) for i in range(SIZE - 2))]


def _ntt_is_right(backend: Backend, curve: Curve) -> bool:
    """Against the values Σ cᵢ·ωⁱʲ, by Horner's rule, and back."""
    r = curve.fr.modulus
    coefficients = _numbers(curve)
    domain = ntt.Domain(backend, curve, LOG_SIZE, curve.snarkjs_root_base)
    expected = [_evaluate(coefficients, pow(domain.root, j, r), r) for j in range(SIZE)]
    x = vec.from_integers(backend, curve, coefficients)
    vec.to_montgomery(x)
    domain.reorder(x)
    domain.forward(x)
    values = vec.integers(x)
    domain.inverse(x)
    domain.reorder(x)
    return values == expected and vec.integers(x) == coefficients


def _evaluate(coefficients: list[int], x: int, modulus: int) -> int:
    value = 0
    for c in reversed(coefficients):
        value = (value * x + c) % modulus
    return value


def _msm_is_right(backend: Backend, curve: Curve) -> bool:
    """Σ sᵢ·(i + 1)·G against (Σ sᵢ·(i + 1) mod r)·G, with points added by the textbook formula."""
    multiples: list[G1Point] = [curve.g1]
    while len(multiples) < SIZE:
        multiples.append(_add(curve, multiples[-1], curve.g1))
    scalars = _numbers(curve)
    factor = sum(s * (i + 1) for i, s in enumerate(scalars)) % curve.fr.modulus
    bases = points.put(backend, curve, Group.G1, points.g1_to_words(curve, multiples))
    result = msm.msm(bases, vec.from_integers(backend, curve, scalars))
    return points.g1_from_words(curve, result) == [_multiply(curve, factor, curve.g1)]


def _multiply(curve: Curve, factor: int, point: G1Point) -> G1Point:
    result: G1Point = None
    for bit in f"{factor:b}":
        result = _add(curve, result, result)
        if bit == "1":
            result = _add(curve, result, point)
    return result


def _add(curve: Curve, left: G1Point, right: G1Point) -> G1Point:
    """The sum of two affine points of y² = x³ + b."""
    if left is None or right is None:
        return right if left is None else left
    p = curve.fp.modulus
    (x1, y1), (x2, y2) = left, right
    if x1 == x2 and (y1 + y2) % p == 0:
        return None
    slope = 3 * x1 * x1 * pow(2 * y1, -1, p) if x1 == x2 else (y2 - y1) * pow(x2 - x1, -1, p)
    x3 = (slope * slope - x1 - x2) % p
    return (x3, (slope * (x1 - x3) - y1) % p)


def _pairing_is_right(backend: Backend, curve: Curve) -> bool:
    """e(a·G, b·H)·e(−ab·G, H) = 1, and not for another factor than −ab."""
    a, b = 0xC0FFEE, 0xBADC0DE
    b_g2 = msm.linear_combination(backend, curve, Group.G2, points.g2_to_words(curve, [curve.g2]), [b])
    g2 = points.g2_to_words(curve, [*points.g2_from_words(curve, b_g2), curve.g2])

    def holds(factor: int) -> bool:
        left = [_multiply(curve, a, curve.g1), _multiply(curve, factor % curve.fr.modulus, curve.g1)]
        return pairing.product_is_one(backend, curve, points.g1_to_words(curve, left), g2)

    return holds(-a * b) and not holds(-a * b + 1)


CHECKS: dict[str, Callable[[Backend, Curve], bool]] = {
    "NTT": _ntt_is_right,
    "MSM": _msm_is_right,
    "pairing": _pairing_is_right,
}
