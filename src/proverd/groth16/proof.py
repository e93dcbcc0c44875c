"""Assembly of a proof from its sums, and the blinding that makes it zero-knowledge."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

import numpy as np

from proverd.backend import Group
from proverd.curves import Curve
from proverd.formats import Proof
from proverd.groth16.key import ProvingKey
from proverd.groth16.queries import QuerySums
from proverd.ops.msm import linear_combination
from proverd.ops.points import g1_from_words, g2_from_words


@dataclass(frozen=True, repr=False)
class Blinding:
    """r and s of one proof: secret, and never used twice (two proofs with one blinding leak the witness)."""

    r: int
    s: int

    @classmethod
    def fresh(cls, curve: Curve) -> Blinding:
        """Uniform below the group order, by rejection, from the operating system's CSPRNG."""
        return cls(secrets.randbelow(curve.fr.modulus), secrets.randbelow(curve.fr.modulus))


def assemble(key: ProvingKey, sums: QuerySums, blinding: Blinding) -> Proof:
    """The proof (eprint 2016/260, section 3.2):

    A = [α]₁ + ΣA + r·[δ]₁        B = [β]₂ + ΣB₂ + s·[δ]₂        B₁ = [β]₁ + ΣB₁ + s·[δ]₁
    C = ΣL + ΣH + s·A + r·B₁ − rs·[δ]₁
    """
    backend, curve, r, s = key.backend, key.curve, blinding.r, blinding.s
    a = linear_combination(
        backend, curve, Group.G1, np.stack([key.alpha_g1, sums.a, key.delta_g1]), [1, 1, r]
    )
    b = linear_combination(
        backend, curve, Group.G2, np.stack([key.beta_g2, sums.b_g2, key.delta_g2]), [1, 1, s]
    )
    b_g1 = linear_combination(
        backend, curve, Group.G1, np.stack([key.beta_g1, sums.b_g1, key.delta_g1]), [1, 1, s]
    )
    c = linear_combination(
        backend, curve, Group.G1, np.stack([sums.l, sums.h, a, b_g1, key.delta_g1]), [1, 1, s, r, -r * s]
    )
    return Proof(curve, g1_from_words(curve, a)[0], g2_from_words(curve, b)[0], g1_from_words(curve, c)[0])
