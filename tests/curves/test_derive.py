"""The generated headers are fresh, and each constant in them has the property it is used for.

The constants are read back from the text of the header, so that word order and Montgomery form count too.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from math import gcd
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curves.samples import curve_points, each_example, elements, g1_curve_order, g2_curve_order, trace
from proverd.curves import CURVES, Curve, PrimeField, derive
from proverd.curves import reference as ref
from proverd.curves.curve import Fp2Element, G1Point, G2Point
from proverd.curves.reference import Fp12Element


class Header:
    """The constants of a generated header, by struct and name."""

    def __init__(self, text: str) -> None:
        self.structs = dict(re.findall(r"struct (\w+) \{\n(.*?)\n\};", text, re.DOTALL))

    def integer(self, struct: str, name: str) -> int:
        found = re.search(rf"static constexpr \w+ {name} = (\w+);", self.structs[struct])
        assert found is not None, name
        return int(found[1].replace("true", "1").replace("false", "0"), 0)

    def words(self, struct: str, name: str) -> list[int]:
        """The constants in a function's body, each a row of little-endian 32-bit words, as integers."""
        functions = self.structs[struct].split("static PROVERD_HD constexpr ")
        (body,) = (text for text in functions if re.match(rf"\w+(<\d+>)? {name}\(", text))
        rows = re.findall(r"0x[0-9a-f]{8}(?:, 0x[0-9a-f]{8})*", body)
        return [sum(int(word, 16) << (32 * i) for i, word in enumerate(row.split(", "))) for row in rows]

    def elements(self, curve: Curve, name: str) -> list[int]:
        """Elements of Fp from their Montgomery form, which must be reduced."""
        residues = self.words("CurveParams", name)
        assert all(residue < curve.fp.modulus for residue in residues)
        return [curve.fp.from_montgomery(residue) for residue in residues]

    def pairs(self, curve: Curve, name: str) -> list[Fp2Element]:
        values = self.elements(curve, name)
        return list(zip(values[::2], values[1::2], strict=True))


@cache
def header(curve: Curve) -> Header:
    return Header(derive.header(curve))


FIELDS = [(curve, struct) for curve in CURVES.values() for struct in ("FpParams", "FrParams")]


@pytest.mark.parametrize(("curve", "struct"), FIELDS, ids=lambda value: getattr(value, "name", value))
def test_montgomery_constants(curve: Curve, struct: str) -> None:
    field: PrimeField = getattr(curve, struct[:2].lower())
    constants = header(curve)
    (p,), (one,), (r2,) = (constants.words(struct, name) for name in ("modulus", "one", "r2"))
    bits = 32 * constants.integer(struct, "WORDS")
    assert p == field.modulus
    assert constants.integer(struct, "BITS") == p.bit_length() < bits
    assert constants.integer(struct, "NEG_INV") * p % 2**64 == 2**64 - 1
    assert one * pow(2**bits, -1, p) % p == 1
    assert r2 * pow(2**bits, -2, p) % p == 1
    assert max(one, r2) < p


def test_generators_are_on_the_curves_of_the_header(curve: Curve) -> None:
    constants, p, fp2 = header(curve), curve.fp.modulus, ref.fp12(curve).fp6.fp2
    (b,), (b2,) = constants.elements(curve, "b"), constants.pairs(curve, "b2")
    (x, y), (x2, y2) = curve.g1, curve.g2
    assert (y * y - x**3 - b) % p == 0
    assert fp2.square(y2) == fp2.add(fp2.power(x2, 3), b2)


def test_seed_and_family(curve: Curve) -> None:
    """With the header's seed and family the family's polynomials give r: what the kernels' chains rely on."""
    constants = header(curve)
    x = constants.integer("CurveParams", "SEED")
    x = -x if constants.integer("CurveParams", "SEED_NEGATIVE") else x
    is_bn = constants.integer("CurveParams", "IS_BN")
    assert curve.fr.modulus == (36 * x**4 + 36 * x**3 + 18 * x**2 + 6 * x + 1 if is_bn else x**4 - x**2 + 1)
    assert (constants.integer("CurveParams", "XI"), 1) == curve.xi


def test_twist_type_is_that_of_b2(curve: Curve) -> None:
    """b₂·ξ = b on a D-twist, b₂ = b·ξ on an M-twist."""
    constants, fp2 = header(curve), ref.fp12(curve).fp6.fp2
    (b,), (b2,) = constants.elements(curve, "b"), constants.pairs(curve, "b2")
    xi = (constants.integer("CurveParams", "XI"), 1)
    if constants.integer("CurveParams", "D_TWIST"):
        assert fp2.multiply(b2, xi) == (b, 0)
    else:
        assert b2 == fp2.multiply((b, 0), xi)


def test_miller_digits_are_the_loop_count(curve: Curve) -> None:
    text = header(curve).structs["CurveParams"]
    found = re.search(r"digits\[MILLER_DIGITS\] = \{(.*?)\}", text)
    assert found is not None
    digits = [int(digit) for digit in found[1].split(", ")]
    assert len(digits) == header(curve).integer("CurveParams", "MILLER_DIGITS")
    assert set(digits) <= {-1, 0, 1}
    assert digits[0] == 1, "the loop starts at T = Q"
    assert sum(digit << i for i, digit in enumerate(reversed(digits))) == abs(curve.miller_loop_count)
    assert len(digits) - digits.count(0) <= bin(abs(curve.miller_loop_count)).count("1")


@given(n=st.integers(1, 2**70))
def test_non_adjacent_form(n: int) -> None:
    digits = derive.non_adjacent_form(n)
    assert sum(digit << i for i, digit in enumerate(digits)) == n
    assert set(digits) <= {-1, 0, 1}
    assert all(a == 0 or b == 0 for a, b in pairwise(digits))
    assert digits[-1] == 1


def test_loop_count_gives_the_optimal_ate_pairing(curve: Curve) -> None:
    """Vercauteren's λ = Σ cᵢpⁱ is a multiple of r: 6x + 2 + p − p² + p³ (BN), x − p (BLS12)."""
    p, r, s = curve.fp.modulus, curve.fr.modulus, curve.miller_loop_count
    assert (s + p - p**2 + p**3 if curve.family == "BN" else s - p) % r == 0


# --- Frobenius maps ---------------------------------------------------------------------------------


def powers_of_w(a: Fp12Element) -> list[Fp2Element]:
    """The coefficients of w⁰ … w⁵."""
    return [a[k % 2][k // 2] for k in range(6)]


def frobenius(curve: Curve, a: Fp12Element) -> Fp12Element:
    """aᵖ from the header's factors."""
    field = ref.fp12(curve)
    fp2, factors = field.fp6.fp2, header(curve).pairs(curve, "frobenius")
    return field.from_powers_of_w(
        {k: fp2.multiply(fp2.conjugate(c), factors[k]) for k, c in enumerate(powers_of_w(a))}
    )


@given(data=st.data())
@settings(each_example, max_examples=5)
def test_frobenius_factors_make_the_p_power(curve: Curve, data: st.DataObject) -> None:
    a = data.draw(elements(ref.fp12(curve)))
    assert frobenius(curve, a) == ref.fp12(curve).power(a, curve.fp.modulus)


@given(data=st.data())
@each_example
def test_frobenius_squared_factors_make_two_frobenius_maps(curve: Curve, data: st.DataObject) -> None:
    field = ref.fp12(curve)
    fp2, factors = field.fp6.fp2, header(curve).elements(curve, "frobenius_squared")
    a = data.draw(elements(field))
    image = {k: fp2.multiply(c, (factors[k], 0)) for k, c in enumerate(powers_of_w(a))}
    assert field.from_powers_of_w(image) == frobenius(curve, frobenius(curve, a))


# --- endomorphisms ----------------------------------------------------------------------------------


def psi(curve: Curve, point: G2Point) -> G2Point:
    """ψ from the header's factors."""
    if point is None:
        return None
    fp2, (x, y) = ref.fp12(curve).fp6.fp2, point
    (factor_x,), (factor_y,) = header(curve).pairs(curve, "psi_x"), header(curve).pairs(curve, "psi_y")
    return fp2.multiply(fp2.conjugate(x), factor_x), fp2.multiply(fp2.conjugate(y), factor_y)


def phi(curve: Curve, point: G1Point) -> G1Point:
    """φ from the header's factor."""
    (factor,) = header(curve).elements(curve, "phi_x")
    return None if point is None else (point[0] * factor % curve.fp.modulus, point[1])


@given(data=st.data())
@each_example
def test_psi_of_the_header_is_that_of_the_definition(curve: Curve, data: st.DataObject) -> None:
    point = data.draw(curve_points(ref.g2(curve)))
    assert psi(curve, point) == ref.psi(curve, point)


def psi_eigenvalue(curve: Curve) -> int:
    """t − 1, to which p is congruent modulo r: 6x² (BN), x (BLS12)."""
    return 6 * curve.seed**2 if curve.family == "BN" else curve.seed


def test_psi_tells_g2_from_the_rest_of_the_twist(curve: Curve) -> None:
    """ψ(Q) = kQ holds on G2 and nowhere else on E', k = t − 1.

    Where it holds, ψ² − tψ + p = 0 makes (k² − tk + p)·Q = 0. That number and the order of E' have only r in
    common, and r² does not divide the order, so Q is in G2. Scott, eprint 2021/1130.
    """
    k, r, t, p = psi_eigenvalue(curve), curve.fr.modulus, trace(curve), curve.fp.modulus
    assert k == t - 1
    assert gcd(k * k - t * k + p, g2_curve_order(curve)) == r
    assert g2_curve_order(curve) % (r * r) != 0
    group = ref.g2(curve)
    member = group.multiply(0xC0FFEE, curve.g2)
    assert psi(curve, member) == group.multiply(k, member)
    other = group.point_with_x((3, 1)) or group.point_with_x((4, 1))
    assert other is not None
    assert not group.in_subgroup(other)
    assert psi(curve, other) != group.multiply(k, other)


BLS12 = [curve for curve in CURVES.values() if curve.family == "BLS12"]


@pytest.mark.parametrize("curve", BLS12, ids=lambda curve: curve.name)
def test_phi_tells_g1_from_the_rest_of_the_curve(curve: Curve) -> None:
    """φ(P) = −x²P holds on G1 and nowhere else on E.

    φ³ = 1 and φ ≠ 1, so φ² + φ + 1 = 0 on all of E; where φ(P) = −x²P, then, (x⁴ − x² + 1)·P = rP = 0.
    Scott, eprint 2021/1130.
    """
    (factor,) = header(curve).elements(curve, "phi_x")
    p, x, group = curve.fp.modulus, curve.seed, ref.g1(curve)
    assert factor != 1
    assert pow(factor, 3, p) == 1
    assert x**4 - x**2 + 1 == curve.fr.modulus
    member = group.multiply(0xC0FFEE, curve.g1)
    assert phi(curve, member) == group.multiply(-(x**2), member)
    other = group.point_with_x(4) or group.point_with_x(5)
    assert other is not None
    assert not group.in_subgroup(other)
    assert phi(curve, other) != group.multiply(-(x**2), other)


def test_g1_needs_no_check_on_a_bn_curve() -> None:
    """Which is why its header has no φ: the curve has r points."""
    for curve in CURVES.values():
        has_phi = " phi_x(" in header(curve).structs["CurveParams"]
        assert has_phi == (g1_curve_order(curve) != curve.fr.modulus)


# --- the program ------------------------------------------------------------------------------------


def test_headers_are_fresh(capsys: pytest.CaptureFixture[str]) -> None:
    assert derive.main(["--check"]) == 0, capsys.readouterr().out


def test_headers_are_written_only_when_they_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(derive, "GENERATED", tmp_path)
    names = [f"constants_{name}.h" for name in CURVES]
    assert derive.main(["--check"]) == 1
    assert capsys.readouterr().out.split() == [word for name in names for word in ("stale:", name)]
    assert list(tmp_path.iterdir()) == [], "--check writes nothing"

    assert derive.main([]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    assert derive.main(["--check"]) == 0
    capsys.readouterr()

    edited, untouched = (tmp_path / name for name in names)
    edited.write_text(edited.read_text() + "\n")
    written_at = untouched.stat().st_mtime_ns
    assert derive.main(["--check"]) == 1
    assert derive.main([]) == 0
    assert untouched.stat().st_mtime_ns == written_at
    assert capsys.readouterr().out == f"stale: {edited.name}\nwritten: {edited.name}\n"
