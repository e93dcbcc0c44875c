"""Computes every constant the kernels need from the curve pages and writes it as a C++ header.

    python -m proverd.curves.derive            # rewrites kernels/generated/ where content changed
    python -m proverd.curves.derive --check    # exit 1 if a header is stale

Nothing is pasted: limbs, Montgomery constants, Frobenius factors and loop counts follow from the few
numbers on a curve page. ``tests/curves/test_derive.py`` proves of each the property it is used for.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from proverd.curves import CURVES
from proverd.curves.curve import Curve, Fp2Element, PrimeField
from proverd.curves.reference import fp12, g1

GENERATED = Path(__file__).resolve().parent.parent / "kernels" / "generated"

# --- mathematics ------------------------------------------------------------------------------------


def frobenius_factor(curve: Curve, power: int, k: int) -> Fp2Element:
    """ξ^(k(q − 1)/6), q = p^power: what the coefficient of wᵏ meets in x ↦ x^q, after its own Frobenius.

    (c·wᵏ)^q = c^q·wᵏ·(w⁶)^(k(q − 1)/6) and w⁶ = ξ.
    """
    q = curve.fp.modulus**power
    return fp12(curve).fp6.fp2.power(curve.xi, k * (q - 1) // 6)


def psi_factors(curve: Curve) -> tuple[Fp2Element, Fp2Element]:
    """(a, b) of ψ(x, y) = (a·x̄, b·ȳ), untwist, Frobenius, twist: w^(±2(p − 1)) and w^(±3(p − 1)).

    + on the D-twist, where untwisting multiplies by w² and w³; − on the M-twist, where it divides.
    Galbraith and Scott, eprint 2008/117.
    """
    factors = frobenius_factor(curve, 1, 2), frobenius_factor(curve, 1, 3)
    if curve.twist == "D":
        return factors
    inverse = fp12(curve).fp6.fp2.inverse
    return inverse(factors[0]), inverse(factors[1])


def phi_factor(curve: Curve) -> int:
    """The cube root of unity β of φ(x, y) = (β·x, y) with φ(P) = −x²·P on G1 of a BLS12 curve (x the seed).

    φ has the two eigenvalues of λ² + λ + 1 = 0 mod r, and −x² is one as r = x⁴ − x² + 1. Which of the two
    primitive cube roots belongs to it is decided on the generator. Scott, eprint 2021/1130.
    """
    p = curve.fp.modulus
    image = g1(curve).multiply(-(curve.seed**2), curve.g1)
    assert image is not None
    return image[0] * pow(curve.g1[0], -1, p) % p


def non_adjacent_form(n: int) -> list[int]:
    """Digits in {−1, 0, 1} of n > 0, least significant first, no two neighbours nonzero."""
    digits = []
    while n:
        digit = 2 - n % 4 if n % 2 else 0
        digits.append(digit)
        n = (n - digit) // 2
    return digits


def miller_digits(curve: Curve) -> list[int]:
    """|s| of the Miller loop in signed digits, most significant first: the non-adjacent form where that has
    fewer nonzero digits than the binary one, for each costs a step of the loop."""
    count = abs(curve.miller_loop_count)
    binary = [int(bit) for bit in bin(count)[2:]]
    signed = non_adjacent_form(count)[::-1]
    return min(binary, signed, key=lambda digits: len(digits) - digits.count(0))


# --- C++ --------------------------------------------------------------------------------------------

CONSTEXPR = "static PROVERD_HD constexpr"


def words(value: int, count: int) -> str:
    """A Words<count>: little-endian 32-bit words."""
    return "{{" + ", ".join(f"0x{value >> (32 * i) & 0xFFFFFFFF:08x}" for i in range(count)) + "}}"


def fp_element(field: PrimeField, value: int) -> str:
    return words(field.to_montgomery(value), 2 * field.limbs)


def fp2_element(field: PrimeField, value: Fp2Element) -> str:
    """A WordsPair: c0, c1."""
    return "{" + ", ".join(fp_element(field, c) for c in value) + "}"


def constant(result: str, name: str, value: str, comment: str) -> str:
    return f"  // {comment}\n  {CONSTEXPR} {result} {name}() {{ return {value}; }}\n"


def table(result: str, name: str, rows: Sequence[str], comment: str) -> str:
    """A function of an index; the array is local because device code cannot name a static member array."""
    return (
        f"  // {comment}\n"
        f"  {CONSTEXPR} {result} {name}(int i) {{\n"
        f"    constexpr {result} rows[{len(rows)}] = {{\n"
        + "".join(f"        {row},\n" for row in rows)
        + "    };\n"
        "    return rows[i];\n"
        "  }\n"
    )


def field_struct(struct: str, field: PrimeField) -> str:
    n = 2 * field.limbs
    p = field.modulus
    neg_inv = -pow(p, -1, 1 << 64) % (1 << 64)
    return (
        f"struct {struct} {{\n"
        f"  static constexpr int BITS = {field.bits};\n"
        f"  static constexpr int WORDS = {n};  // 32-bit words\n"
        f"  static constexpr u64 NEG_INV = 0x{neg_inv:016x};  // -1/p mod 2^64\n"
        + constant(f"Words<{n}>", "modulus", words(p, n), "p")
        + constant(f"Words<{n}>", "one", words(field.r, n), "R mod p")
        + constant(f"Words<{n}>", "r2", words(field.r2, n), "R^2 mod p")
        + "};\n"
    )


def curve_facts(curve: Curve) -> str:
    fp, n = curve.fp, 2 * curve.fp.limbs
    assert curve.xi[1] == 1, "the header's XI stands for ξ = XI + u"
    return (
        f"  static constexpr bool IS_BN = {str(curve.family == 'BN').lower()};  // else BLS12\n"
        f"  static constexpr bool D_TWIST = {str(curve.twist == 'D').lower()};  // b2 = b/xi; else M, b xi\n"
        f"  static constexpr u64 SEED = 0x{abs(curve.seed):016x};  // |x|\n"
        f"  static constexpr bool SEED_NEGATIVE = {str(curve.seed < 0).lower()};\n"
        f"  static constexpr int XI = {curve.xi[0]};  // xi = XI + u\n"
        + constant(f"Words<{n}>", "b", fp_element(fp, curve.b), "E: y^2 = x^3 + b")
        + constant(f"WordsPair<{n}>", "b2", fp2_element(fp, curve.b2), "E': y^2 = x^3 + b2")
    )


def miller_loop(curve: Curve) -> str:
    digits = miller_digits(curve)
    count = "6x + 2" if curve.family == "BN" else "x"
    return (
        f"  static constexpr int MILLER_DIGITS = {len(digits)};\n"
        f"  // signed digits of |{count}|, most significant first\n"
        f"  {CONSTEXPR} int miller_digit(int i) {{\n"
        f"    constexpr signed char digits[MILLER_DIGITS] = {{{', '.join(map(str, digits))}}};\n"
        "    return digits[i];\n"
        "  }\n"
    )


def frobenius_maps(curve: Curve) -> str:
    fp, n = curve.fp, 2 * curve.fp.limbs
    return table(
        f"WordsPair<{n}>",
        "frobenius",
        [fp2_element(fp, frobenius_factor(curve, 1, k)) for k in range(6)],
        "xi^(i(p - 1)/6): x -> x^p conjugates the coefficient of w^i and multiplies it by this",
    ) + table(
        f"Words<{n}>",
        "frobenius_squared",
        [fp_element(fp, frobenius_factor(curve, 2, k)[0]) for k in range(6)],
        "xi^(i(p^2 - 1)/6), in Fp: x -> x^(p^2) multiplies the coefficient of w^i by this",
    )


def endomorphisms(curve: Curve) -> str:
    fp, n = curve.fp, 2 * curve.fp.limbs
    x, y = (fp2_element(fp, factor) for factor in psi_factors(curve))
    text = constant(f"WordsPair<{n}>", "psi_x", x, "psi(x, y) = (psi_x conj(x), psi_y conj(y)) on E'")
    text += constant(f"WordsPair<{n}>", "psi_y", y, "the factor of conj(y), see psi_x")
    if curve.family == "BLS12":
        comment = "phi(x, y) = (phi_x x, y) on E, which is multiplication by -x^2 (x the seed) on G1"
        text += constant(f"Words<{n}>", "phi_x", fp_element(fp, phi_factor(curve)), comment)
    return text


def curve_struct(curve: Curve) -> str:
    """The curve, its tower and its endomorphisms; elements of Fp and Fp2 in Montgomery form."""
    parts = (curve_facts, miller_loop, frobenius_maps, endomorphisms)
    return "struct CurveParams {\n" + "".join(part(curve) for part in parts) + "};\n"


def header(curve: Curve) -> str:
    return (
        f"// Generated by `python -m proverd.curves.derive` from curves/{curve.name}.py. Do not edit.\n"
        "#pragma once\n"
        '#include "../core.h"\n\n'
        f"namespace proverd::{curve.name} {{\n\n"
        + field_struct("FpParams", curve.fp)
        + "\n"
        + field_struct("FrParams", curve.fr)
        + "\n"
        + curve_struct(curve)
        + f"\n}}  // namespace proverd::{curve.name}\n"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a header is stale")
    check = parser.parse_args(arguments).check
    stale = []
    for curve in CURVES.values():
        path = GENERATED / f"constants_{curve.name}.h"
        content = header(curve)
        if not path.exists() or path.read_text() != content:
            stale.append(path.name)
            if not check:
                path.write_text(content)
    for name in stale:
        print(f"{'stale' if check else 'written'}: {name}")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
