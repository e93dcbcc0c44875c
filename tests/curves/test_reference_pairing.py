"""The reference pairing: bilinear, not degenerate, snarkjs's, and a known power of py_ecc's."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from py_ecc import optimized_bls12_381, optimized_bn128

from curves.samples import g2_curve_order
from proverd.curves import BLS12_381, CURVES, Curve, curve_by_name
from proverd.curves import reference as ref
from proverd.curves.reference import Fp12Element

VECTORS = Path(__file__).parents[1] / "vectors"
PY_ECC = {"bn254": optimized_bn128, "bls12_381": optimized_bls12_381}


@cache
def pairing_of_generators(curve: Curve) -> Fp12Element:
    return ref.pairing(curve, curve.g1, curve.g2)


def test_pairing_is_not_degenerate_and_has_order_r(curve: Curve) -> None:
    field, e = ref.fp12(curve), pairing_of_generators(curve)
    assert e != field.one
    assert field.power(e, curve.fr.modulus) == field.one


@pytest.mark.parametrize(("a", "b"), [(2, 3), (-1, 1), (2**200 + 7, 2**123 - 5)])
def test_pairing_is_bilinear(curve: Curve, a: int, b: int) -> None:
    P = ref.g1(curve).multiply(a, curve.g1)
    Q = ref.g2(curve).multiply(b, curve.g2)
    expected = ref.fp12(curve).power(pairing_of_generators(curve), a * b % curve.fr.modulus)
    assert ref.pairing(curve, P, Q) == expected


def test_infinity_pairs_to_one(curve: Curve) -> None:
    one = ref.fp12(curve).one
    assert ref.pairing(curve, None, curve.g2) == one
    assert ref.pairing(curve, curve.g1, None) == one
    assert ref.pairing_product(curve, []) == one


def test_products_of_pairings(curve: Curve) -> None:
    """e(5P, Q)·e(P, −2Q)·e(−3P, Q) = 1, and with one factor less e(P, Q)³."""
    g1, g2, field = ref.g1(curve), ref.g2(curve), ref.fp12(curve)
    pairs = [
        (g1.multiply(5, curve.g1), curve.g2),
        (curve.g1, g2.multiply(-2, curve.g2)),
        (g1.multiply(-3, curve.g1), curve.g2),
    ]
    assert ref.pairing_product(curve, pairs) == field.one
    assert ref.pairing_product(curve, pairs[:2]) == field.power(pairing_of_generators(curve), 3)


def test_a_point_of_small_order_is_refused() -> None:
    """The Miller loop meets infinity for a point of order 13 of BLS12-381's twist."""
    group, order = ref.g2(BLS12_381), g2_curve_order(BLS12_381)
    point = ref.g2(BLS12_381).point_with_x((1, 1))
    point = group.multiply(order // 13**2, point)
    assert point is not None
    assert group.multiply(13, point) is None
    with pytest.raises(ValueError, match="not of order r"):
        ref.pairing(BLS12_381, BLS12_381.g1, point)


def integers(value: Any) -> Any:
    """Nested lists of decimal strings as nested tuples of integers."""
    return int(value) if isinstance(value, str) else tuple(integers(item) for item in value)


@pytest.mark.parametrize(
    "vector", ["product_bn128", "no_public_bn128", "product_bls12381", "no_public_bls12381"]
)
def test_pairing_equals_that_of_snarkjs(vector: str) -> None:
    """e(α, β) of a verifying key, which snarkjs states as ``vk_alphabeta_12``."""
    key = json.loads((VECTORS / vector / "verification_key.json").read_text())
    curve = curve_by_name(key["curve"])
    alpha, beta = integers(key["vk_alpha_1"][:2]), integers(key["vk_beta_2"][:2])
    assert ref.pairing(curve, alpha, beta) == integers(key["vk_alphabeta_12"])


def from_py_ecc(curve: Curve, element: Any) -> Fp12Element:
    """py_ecc has Fp12 = Fp[w] with w⁶ = ξ = XI + u: Σ cₖwᵏ over k < 12 is Σ (cₖ + c₍ₖ₊₆₎·ξ)·wᵏ over k < 6."""
    p, c = curve.fp.modulus, [int(value) for value in element.coeffs]
    assert curve.xi[1] == 1
    return ref.fp12(curve).from_powers_of_w(
        {k: ((c[k] + c[k + 6] * curve.xi[0]) % p, c[k + 6]) for k in range(6)}
    )


#: The sign of the Miller loop's count: py_ecc takes |x| where x is negative, which inverts the pairing.
PY_ECC_SIGN = {"bn254": 1, "bls12_381": -1}


def test_pairing_equals_a_power_of_py_ecc() -> None:
    for curve in CURVES.values():
        module = PY_ECC[curve.name]
        theirs = from_py_ecc(curve, module.pairing(module.G2, module.G1))
        power = PY_ECC_SIGN[curve.name] * ref.final_exponent_multiple(curve)
        assert pairing_of_generators(curve) == ref.fp12(curve).power(theirs, power)


def test_exponent_of_the_final_exponentiation_is_prime_to_r(curve: Curve) -> None:
    """Else the pairing would be degenerate."""
    assert ref.final_exponent_multiple(curve) % curve.fr.modulus != 0
