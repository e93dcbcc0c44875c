"""What a curve page declares, and the few quantities that every layer reads off it.

Plain Python integers only: this module is imported by readers that must start instantly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

Fp2Element = tuple[int, int]  #: (c0, c1) stands for c0 + c1·u, u² = −1
G1Point = tuple[int, int] | None  #: canonical affine coordinates (x, y); None is infinity
G2Point = tuple[Fp2Element, Fp2Element] | None


@dataclass(frozen=True)
class PrimeField:
    """A prime field and its Montgomery form (R = 2^(64·limbs))."""

    name: str
    modulus: int

    @cached_property
    def bits(self) -> int:
        return self.modulus.bit_length()

    @cached_property
    def limbs(self) -> int:
        """64-bit words of one element, in memory and in files."""
        return -(-self.bits // 64)

    @cached_property
    def nbytes(self) -> int:
        """Bytes of one element, in memory and in files."""
        return 8 * self.limbs

    @cached_property
    def r(self) -> int:
        """R mod p: one in Montgomery form."""
        return (1 << (64 * self.limbs)) % self.modulus

    @cached_property
    def r2(self) -> int:
        """R² mod p: the factor that takes a canonical value to Montgomery form in one multiplication."""
        return self.r * self.r % self.modulus

    @cached_property
    def r_inverse(self) -> int:
        return pow(self.r, -1, self.modulus)

    @cached_property
    def two_adicity(self) -> int:
        """The largest s such that 2^s divides p − 1."""
        odd_part_shift = (self.modulus - 1) & -(self.modulus - 1)
        return odd_part_shift.bit_length() - 1

    def to_montgomery(self, value: int) -> int:
        return value * self.r % self.modulus

    def from_montgomery(self, residue: int) -> int:
        return residue * self.r_inverse % self.modulus

    def root_of_unity(self, base: int, log_n: int) -> int:
        """A primitive 2^log_n-th root of unity, derived from the quadratic non-residue ``base``.

        Different libraries derive it from different non-residues, and keys are tied to the choice:
        see ``Curve.snarkjs_root_base`` and ``Curve.bellman_root_base``.
        """
        if not 0 <= log_n <= self.two_adicity:
            raise ValueError(f"{self.name} has no root of unity of order 2^{log_n}")
        return pow(base, (self.modulus - 1) >> log_n, self.modulus)


@dataclass(frozen=True)
class Curve:
    """A pairing-friendly curve y² = x³ + b with a sextic twist over Fp2 = Fp[u]/(u² + 1)."""

    name: str  #: proverd's name: ``bn254``, ``bls12_381``
    snarkjs_name: str  #: the word in snarkjs's JSON files: ``bn128``, ``bls12381``
    aliases: tuple[str, ...]  #: other spellings accepted on input, lower case
    fp: PrimeField
    fr: PrimeField
    family: Literal["BN", "BLS12"]
    seed: int  #: the family's parameter x (negative on BLS12-381)
    b: int  #: G1: y² = x³ + b
    xi: Fp2Element  #: Fp6 = Fp2[v]/(v³ − ξ), Fp12 = Fp6[w]/(w² − v)
    twist: Literal["D", "M"]  #: ``D``: b₂ = b/ξ;  ``M``: b₂ = b·ξ
    g1: tuple[int, int]
    g2: tuple[Fp2Element, Fp2Element]
    snarkjs_root_base: int  #: non-residue of Fr behind the roots of unity of ``.zkey`` and ``.ptau``
    bellman_root_base: int  #: the same for ``.params`` (bellman, arkworks, gnark)

    @cached_property
    def b2(self) -> Fp2Element:
        """G2: y² = x³ + b₂."""
        p = self.fp.modulus
        c0, c1 = self.xi
        if self.twist == "M":
            return (self.b * c0 % p, self.b * c1 % p)
        norm_inverse = pow(c0 * c0 + c1 * c1, -1, p)
        return (self.b * c0 * norm_inverse % p, -self.b * c1 * norm_inverse % p)

    @cached_property
    def miller_loop_count(self) -> int:
        """The s of the optimal ate pairing's f_{s,Q}(P): 6x + 2 (BN), x (BLS12). eprint 2008/096."""
        return 6 * self.seed + 2 if self.family == "BN" else self.seed

    @cached_property
    def g1_nbytes(self) -> int:
        """Bytes of an uncompressed affine point of G1: x, y."""
        return 2 * self.fp.nbytes

    @cached_property
    def g2_nbytes(self) -> int:
        """Bytes of an uncompressed affine point of G2: x.c0, x.c1, y.c0, y.c1."""
        return 4 * self.fp.nbytes
