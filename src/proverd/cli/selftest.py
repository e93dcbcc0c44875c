"""A quick check that this machine computes rightly: small cases against exact arithmetic in integers."""

from __future__ import annotations

import time
from collections.abc import Callable

from proverd.backend import Backend, Group, get_backend
from proverd.curves import CURVES, Curve, reference
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
    """Against the values Σ cᵢ·ωⁱʲ, and back."""
    coefficients = _numbers(curve)
    domain = ntt.Domain(backend, curve, LOG_SIZE, curve.snarkjs_root_base)
    x = vec.from_integers(backend, curve, coefficients)
    vec.to_montgomery(x)
    domain.reorder(x)
    domain.forward(x)
    values = vec.integers(x)
    domain.inverse(x)
    domain.reorder(x)
    expected = reference.dft(coefficients, domain.root, curve.fr.modulus)
    return values == expected and vec.integers(x) == coefficients


def _msm_is_right(backend: Backend, curve: Curve) -> bool:
    """Σ sᵢ·(i + 1)·G against (Σ sᵢ·(i + 1) mod r)·G."""
    group, scalars = reference.g1(curve), _numbers(curve)
    multiples = [group.multiply(i + 1, group.generator) for i in range(SIZE)]
    factor = sum(s * (i + 1) for i, s in enumerate(scalars)) % curve.fr.modulus
    bases = points.put(backend, curve, Group.G1, points.g1_to_words(curve, multiples))
    result = msm.msm(bases, vec.from_integers(backend, curve, scalars))
    return points.g1_from_words(curve, result) == [group.multiply(factor, group.generator)]


def _pairing_is_right(backend: Backend, curve: Curve) -> bool:
    """e(a·G, b·H)·e(−ab·G, H) = 1, and not for another factor than −ab."""
    a, b = 0xC0FFEE, 0xBADC0DE
    g1, g2 = reference.g1(curve), reference.g2(curve)
    right = points.g2_to_words(curve, [g2.multiply(b, g2.generator), g2.generator])

    def holds(factor: int) -> bool:
        left = [g1.multiply(a, g1.generator), g1.multiply(factor, g1.generator)]
        return pairing.product_is_one(backend, curve, points.g1_to_words(curve, left), right)

    return holds(-a * b) and not holds(-a * b + 1)


CHECKS: dict[str, Callable[[Backend, Curve], bool]] = {
    "NTT": _ntt_is_right,
    "MSM": _msm_is_right,
    "pairing": _pairing_is_right,
}
