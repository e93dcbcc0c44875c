"""What the formats carry between files and the prover: plain Python integers, canonical."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from proverd.curves import Curve
from proverd.curves.curve import G1Point, G2Point
from proverd.formats.points import g1_bytes, g2_bytes


@dataclass(frozen=True)
class Proof:
    """A Groth16 proof: [A]₁, [B]₂, [C]₁ (eprint 2016/260)."""

    curve: Curve
    a: G1Point
    b: G2Point
    c: G1Point


@dataclass(frozen=True)
class VerifyingKey:
    """What verification needs: e(A, B) = e(α, β)·e(ic₀ + Σ xᵢ·icᵢ₊₁, γ)·e(C, δ) for public inputs x."""

    curve: Curve
    alpha_g1: G1Point
    beta_g2: G2Point
    gamma_g2: G2Point
    delta_g2: G2Point
    ic: tuple[G1Point, ...]

    @property
    def n_public(self) -> int:
        """Number of public inputs, without the leading 1."""
        return len(self.ic) - 1

    def digest(self) -> str:
        """SHA-256 of the curve's name and the key's points as a proving key holds them, in hexadecimal."""
        points = [
            g1_bytes(self.curve, self.alpha_g1),
            *(g2_bytes(self.curve, point) for point in (self.beta_g2, self.gamma_g2, self.delta_g2)),
            *(g1_bytes(self.curve, point) for point in self.ic),
        ]
        return hashlib.sha256(self.curve.name.encode() + b"".join(points)).hexdigest()
