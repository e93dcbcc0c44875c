"""The proving key: five lists of points and a few single ones.

For wire i let uᵢ, vᵢ, wᵢ be the polynomials whose values on the domain are column i of A, B, C. With toxic
waste τ, α, β, γ, δ the key holds

    a_query     [uᵢ(τ)]₁                              all wires
    b_g1_query  [vᵢ(τ)]₁, b_g2_query [vᵢ(τ)]₂         all wires
    l_query     [(β·uᵢ(τ) + α·vᵢ(τ) + wᵢ(τ))/δ]₁      wires behind the public ones
    ic          [(β·uᵢ(τ) + α·vᵢ(τ) + wᵢ(τ))/γ]₁      wire 0 and the public ones (in the verifying key)
    h_query     what meets h, by ``reduction`` (see quotient.py)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from proverd.backend import Group, PointVector
from proverd.backend.api import Backend, Words
from proverd.curves import Curve
from proverd.formats import VerifyingKey, Zkey
from proverd.ops import points

Reduction = Literal["quotient_odd_coset", "quotient_coset"]


@dataclass(frozen=True, eq=False)
class ProvingKey:
    """Queries on a backend, single points as Montgomery words on the host."""

    backend: Backend
    curve: Curve
    n_wires: int
    n_public: int
    log_n: int
    reduction: Reduction
    root_base: int  #: the non-residue behind the domain's roots of unity
    verifying_key: VerifyingKey
    alpha_g1: Words
    beta_g1: Words
    delta_g1: Words
    beta_g2: Words
    delta_g2: Words
    a_query: PointVector
    b_g1_query: PointVector
    b_g2_query: PointVector
    l_query: PointVector
    h_query: PointVector

    @property
    def n(self) -> int:
        """Points of the domain."""
        return 1 << self.log_n


def key_from_zkey(backend: Backend, zkey: Zkey) -> ProvingKey:
    """A key whose queries are the mapped file's own memory on the CPU."""
    header, curve = zkey.header, zkey.curve

    def query(words: Words, group: Group = Group.G1) -> PointVector:
        return points.put(backend, curve, group, words)

    alpha_g1, beta_g1, delta_g1 = points.g1_to_words(
        curve, [header.alpha_g1, header.beta_g1, header.delta_g1]
    )
    beta_g2, delta_g2 = points.g2_to_words(curve, [header.beta_g2, header.delta_g2])
    return ProvingKey(
        backend=backend,
        curve=curve,
        n_wires=header.n_wires,
        n_public=header.n_public,
        log_n=header.log_n,
        reduction="quotient_odd_coset",
        root_base=curve.snarkjs_root_base,
        verifying_key=zkey.verifying_key(),
        alpha_g1=alpha_g1,
        beta_g1=beta_g1,
        delta_g1=delta_g1,
        beta_g2=beta_g2,
        delta_g2=delta_g2,
        a_query=query(zkey.a_query),
        b_g1_query=query(zkey.b_g1_query),
        b_g2_query=query(zkey.b_g2_query, Group.G2),
        l_query=query(zkey.l_query),
        h_query=query(zkey.h_query),
    )
