"""Keys and proofs checked in the exponent: with known toxic waste every point has a known discrete logarithm.

The polynomials are evaluated here from their definition, in plain integers.
"""

from __future__ import annotations

import pytest

from groth16.conftest import Known, Make, chain
from proverd.circuits.library import Synthetic
from proverd.curves import Curve, reference
from proverd.curves.curve import G1Point, G2Point
from proverd.formats import Zkey
from proverd.groth16.proof import Blinding
from proverd.groth16.prove import prove
from proverd.groth16.quotient import odd_coset
from proverd.ops.points import g1_from_words, g2_from_words
from proverd.ops.vec import words_to_integers


def g1(curve: Curve, logarithm: int) -> G1Point:
    return reference.g1(curve).multiply(logarithm % curve.fr.modulus, curve.g1)


def g2(curve: Curve, logarithm: int) -> G2Point:
    return reference.g2(curve).multiply(logarithm % curve.fr.modulus, curve.g2)


def lagrange(curve: Curve, n: int, root: int, x: int) -> list[int]:
    """Lᵢ(x) by the product formula."""
    r = curve.fr.modulus
    points = [pow(root, i, r) for i in range(n)]
    out = []
    for i in range(n):
        top = bottom = 1
        for j in range(n):
            if j != i:
                top = top * (x - points[j]) % r
                bottom = bottom * (points[i] - points[j]) % r
        out.append(top * pow(bottom, -1, r) % r)
    return out


class Exponents:
    """u, v, w of each wire at τ, and what follows from them."""

    def __init__(self, known: Known) -> None:
        curve, shape = known.curve, known.shape
        self.r = r = curve.fr.modulus
        self.n = known.circuit.key.n
        root = curve.fr.root_of_unity(curve.snarkjs_root_base, known.circuit.key.log_n)
        self.basis = lagrange(curve, self.n, root, known.waste.tau)
        self.u, self.v, self.w = ([0] * shape.n_wires for _ in range(3))
        for column, matrix in zip((self.u, self.v, self.w), shape.matrices(), strict=True):
            values = words_to_integers(matrix.value) if len(matrix.value) else []
            for row in range(shape.n_constraints):
                for entry in range(matrix.row_start[row], matrix.row_start[row + 1]):
                    wire = int(matrix.column[entry])
                    column[wire] = (column[wire] + values[entry] * self.basis[row]) % r
        for i in range(shape.n_public + 1):
            self.u[i] = (self.u[i] + self.basis[shape.n_constraints + i]) % r


@pytest.mark.parametrize("circuit", [chain(5, 2), chain(1, 0), Synthetic(9, n_public=3).synthesize])
def test_key(make: Make, curve: Curve, circuit) -> None:  # type: ignore[no-untyped-def]
    known = make(curve, circuit)
    e, waste, shape = Exponents(known), known.waste, known.shape
    r, inverse = e.r, pow(waste.delta, -1, e.r)
    with Zkey.open(known.path) as zkey:
        assert zkey.unsafe_dev is not None
        head = zkey.header
        assert head.alpha_g1 == g1(curve, waste.alpha)
        assert head.beta_g1 == g1(curve, waste.beta)
        assert head.beta_g2 == g2(curve, waste.beta)
        assert head.gamma_g2 == curve.g2
        assert head.delta_g1 == g1(curve, waste.delta)
        assert head.delta_g2 == g2(curve, waste.delta)
        assert g1_from_words(curve, zkey.a_query) == [g1(curve, u) for u in e.u]
        assert g1_from_words(curve, zkey.b_g1_query) == [g1(curve, v) for v in e.v]
        assert g2_from_words(curve, zkey.b_g2_query) == [g2(curve, v) for v in e.v]
        sums = [waste.beta * u + waste.alpha * v + w for u, v, w in zip(e.u, e.v, e.w, strict=True)]
        public = shape.n_public + 1
        assert g1_from_words(curve, zkey.ic) == [g1(curve, s) for s in sums[:public]]
        assert g1_from_words(curve, zkey.l_query) == [g1(curve, s * inverse) for s in sums[public:]]
        # the Lagrange basis of the domain of 2n points, at its odd points
        root = odd_coset(curve, curve.snarkjs_root_base, known.circuit.key.log_n)
        twice = lagrange(curve, 2 * e.n, root, waste.tau)
        assert g1_from_words(curve, zkey.h_query) == [g1(curve, x * inverse % r) for x in twice[1::2]]


@pytest.mark.parametrize("circuit", [chain(6, 2), Synthetic(11, n_public=1).synthesize])
def test_proof(make: Make, curve: Curve, circuit) -> None:  # type: ignore[no-untyped-def]
    known = make(curve, circuit)
    e, waste, z = Exponents(known), known.waste, known.values
    r, blinding = e.r, Blinding(r=12345, s=e.r - 678)
    proof = prove(known.circuit, known.circuit.assignment(z), blinding=blinding)

    def total(column: list[int]) -> int:
        return sum(x * y for x, y in zip(z, column, strict=True)) % r

    u, v, w = total(e.u), total(e.v), total(e.w)
    a = waste.alpha + u + blinding.r * waste.delta
    b = waste.beta + v + blinding.s * waste.delta
    first = known.shape.n_public + 1
    l_sum = sum(z[i] * (waste.beta * e.u[i] + waste.alpha * e.v[i] + e.w[i]) for i in range(first, len(z)))
    h_times_z = u * v - w  # h(τ)·Z(τ)
    inverse = pow(waste.delta, -1, r)
    c = (
        (l_sum + h_times_z) * inverse
        + blinding.s * a
        + blinding.r * b
        - blinding.r * blinding.s * waste.delta
    )
    assert proof.a == g1(curve, a)
    assert proof.b == g2(curve, b)
    assert proof.c == g1(curve, c)
