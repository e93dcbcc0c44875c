"""The numbers on the curve pages have the properties that the rest of proverd takes for granted."""

from __future__ import annotations

import random

import pytest

from curves import samples
from proverd.curves import CURVES, Curve, curve_by_name
from proverd.curves import reference as ref


def is_probably_prime(n: int, rounds: int = 40) -> bool:
    """Miller–Rabin; a composite passes with probability below 4^−rounds."""
    rng = random.Random(n)
    shift = ((n - 1) & -(n - 1)).bit_length() - 1

    def passes(base: int) -> bool:
        x = pow(base, (n - 1) >> shift, n)
        return x == 1 or any(pow(x, 1 << i, n) == n - 1 for i in range(shift))

    return all(passes(rng.randrange(2, n - 1)) for _ in range(rounds))


def test_moduli_are_prime(curve: Curve) -> None:
    assert is_probably_prime(curve.fp.modulus)
    assert is_probably_prime(curve.fr.modulus)


def test_sizes_of_elements(curve: Curve) -> None:
    assert (curve.fr.limbs, curve.fr.nbytes) == (4, 32)
    assert curve.fp.limbs == {"bn254": 4, "bls12_381": 6}[curve.name]
    assert (curve.g1_nbytes, curve.g2_nbytes) == (2 * curve.fp.nbytes, 4 * curve.fp.nbytes)


def test_top_bit_of_a_modulus_is_free(curve: Curve) -> None:
    """What lets the kernels add two residues without a carry out of the top limb."""
    for field in (curve.fp, curve.fr):
        assert field.bits < 64 * field.limbs


def test_embedding_degree_is_12(curve: Curve) -> None:
    r = curve.fr.modulus
    assert [k for k in range(1, 13) if pow(curve.fp.modulus, k, r) == 1] == [12]


def test_tower_has_no_zero_divisors(curve: Curve) -> None:
    """−1 is no square in Fp, ξ neither square nor cube in Fp2: u² + 1, v³ − ξ and w² − v are irreducible."""
    p, fp2 = curve.fp.modulus, ref.fp12(curve).fp6.fp2
    assert pow(-1, (p - 1) // 2, p) == p - 1
    assert fp2.power(curve.xi, (p * p - 1) // 2) != fp2.one
    assert fp2.power(curve.xi, (p * p - 1) // 3) != fp2.one


def test_generators_have_order_r(curve: Curve) -> None:
    for group in samples.groups(curve):
        assert group.contains(group.generator)
        assert group.in_subgroup(group.generator)


def test_every_point_is_killed_by_the_order_of_the_curve(curve: Curve) -> None:
    orders = samples.g1_curve_order(curve), samples.g2_curve_order(curve)
    for group, order in zip(samples.groups(curve), orders, strict=True):
        points = [group.point_with_x(x) for x in (group.field.zero, group.field.one, group.generator[1])]
        found = [point for point in points if point is not None]
        assert found
        assert all(group.multiply(order, point) is None for point in found)
        assert order % curve.fr.modulus == 0
        assert order % curve.fr.modulus**2 != 0, "more than one subgroup of order r"


def test_roots_of_unity_have_their_exact_order(curve: Curve) -> None:
    r = curve.fr.modulus
    for base in (curve.snarkjs_root_base, curve.bellman_root_base):
        for log_n in range(1, curve.fr.two_adicity + 1):
            root = curve.fr.root_of_unity(base, log_n)
            assert pow(root, 1 << (log_n - 1), r) == r - 1
        assert curve.fr.root_of_unity(base, 0) == 1
    assert (r - 1) % 2**curve.fr.two_adicity == 0
    assert (r - 1) % 2 ** (curve.fr.two_adicity + 1) != 0


@pytest.mark.parametrize("log_n", [-1, 33])
def test_roots_of_unity_end_at_the_two_adicity(curve: Curve, log_n: int) -> None:
    with pytest.raises(ValueError, match="no root of unity"):
        curve.fr.root_of_unity(5, log_n)


def test_snarkjs_derives_roots_from_the_smallest_non_residue(curve: Curve) -> None:
    r = curve.fr.modulus
    assert next(n for n in range(1, 20) if pow(n, (r - 1) // 2, r) != 1) == curve.snarkjs_root_base


def test_bls12_381_has_two_conventions_of_roots_and_bn254_one() -> None:
    different = {
        curve.name: curve.fr.root_of_unity(curve.snarkjs_root_base, 10)
        != curve.fr.root_of_unity(curve.bellman_root_base, 10)
        for curve in CURVES.values()
    }
    assert different == {"bn254": False, "bls12_381": True}


def test_montgomery_form(curve: Curve) -> None:
    for field in (curve.fp, curve.fr):
        p = field.modulus
        assert field.r * field.r_inverse % p == 1
        assert field.r == field.to_montgomery(1)
        for value in (0, 1, 2, p - 1, p // 3):
            residue = field.to_montgomery(value)
            assert field.from_montgomery(residue) == value
            assert residue == value * 2 ** (64 * field.limbs) % p
            assert value * field.r2 * field.r_inverse % p == residue


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("bn128", "bn254"),
        ("BN254", "bn254"),
        ("alt_bn128", "bn254"),
        ("bls12381", "bls12_381"),
        ("BLS12-381", "bls12_381"),
    ],
)
def test_curves_are_found_by_the_names_others_use(name: str, expected: str) -> None:
    assert curve_by_name(name).name == expected


@pytest.mark.parametrize("name", ["", "bn", "bls12_377", "secp256k1"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(KeyError):
        curve_by_name(name)


def test_every_curve_is_found_by_its_own_names() -> None:
    for curve in CURVES.values():
        assert curve_by_name(curve.name) is curve
        assert curve_by_name(curve.snarkjs_name) is curve
