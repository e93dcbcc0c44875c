"""Verification: what is refused, what is False, and batches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from groth16.conftest import Known, Make, chain
from proverd.curves import BLS12_381, BN254, Curve, reference
from proverd.errors import (
    BadArgument,
    CurveMismatch,
    NotInSubgroup,
    NotOnCurve,
    UnsafeKey,
    ValueOutOfRange,
    WrongLength,
)
from proverd.formats import Proof
from proverd.groth16.verify import batch_verify, verify


@pytest.fixture
def known(make: Make, curve: Curve) -> Known:
    return make(curve, chain(9, 2))


def test_wrong_inputs_and_proofs_are_false(known: Known) -> None:
    key, curve = known.circuit.verifying_key, known.curve
    result = known.circuit.prove(known.values)
    public, proof = result.public_inputs, result.proof
    assert verify(key, public, proof)
    assert not verify(key, (public[0] + 1, public[1]), proof)
    assert not verify(key, (public[1], public[0]), proof)
    assert not verify(key, public, replace(proof, a=proof.c))
    assert not verify(key, public, replace(proof, b=curve.g2))
    assert not verify(key, public, replace(proof, c=None))
    assert not verify(key, public, Proof(curve, None, None, None))
    for name in ("alpha_g1", "beta_g2"):
        point = curve.g1 if name.endswith("g1") else curve.g2
        assert not verify(replace(key, **{name: point}), public, proof)


def test_proofs_can_be_rerandomised(known: Known) -> None:
    """(k·A, B/k, C) verifies as well: a proof's bytes identify nothing."""
    result = known.circuit.prove(known.values)
    curve, proof = known.curve, result.proof
    k = 5
    a = reference.g1(curve).multiply(k, proof.a)
    b = reference.g2(curve).multiply(pow(k, -1, curve.fr.modulus), proof.b)
    assert verify(known.circuit.verifying_key, result.public_inputs, replace(proof, a=a, b=b))


@pytest.mark.parametrize("wrong", [-1, "r", "r + 1", 1.0])
def test_inputs_out_of_range(known: Known, wrong: object) -> None:
    result = known.circuit.prove(known.values)
    r = known.curve.fr.modulus
    value = {"r": r, "r + 1": r + result.public_inputs[0]}.get(wrong, wrong)  # type: ignore[call-overload]
    with pytest.raises(ValueOutOfRange, match="public input 0"):
        verify(known.circuit.verifying_key, (value, result.public_inputs[1]), result.proof)


def test_number_of_inputs(known: Known) -> None:
    result = known.circuit.prove(known.values)
    for public in ((), result.public_inputs[:1], (*result.public_inputs, 0)):
        with pytest.raises(WrongLength, match=f"expected 2, found {len(public)}"):
            verify(known.circuit.verifying_key, public, result.proof)


def test_points_off_the_curve_and_outside_the_subgroup(known: Known) -> None:
    key, curve = known.circuit.verifying_key, known.curve
    result = known.circuit.prove(known.values)
    public, proof, p = result.public_inputs, result.proof, known.curve.fp.modulus
    x, y = proof.a  # type: ignore[misc]
    with pytest.raises(NotOnCurve, match="a "):
        verify(key, public, replace(proof, a=(x, y + 1)))
    with pytest.raises(ValueOutOfRange, match="a: a coordinate"):
        verify(key, public, replace(proof, a=(x + p, y)))
    with pytest.raises(NotOnCurve, match=r"ic\[1\]"):
        verify(replace(key, ic=(key.ic[0], (1, 1), key.ic[2])), public, proof)
    outside = point_outside(curve)
    with pytest.raises(NotInSubgroup, match="b "):
        verify(key, public, replace(proof, b=outside))
    with pytest.raises(NotInSubgroup, match="delta_g2"):
        verify(replace(key, delta_g2=outside), public, proof)


def point_outside(curve: Curve):  # type: ignore[no-untyped-def]
    group = reference.g2(curve)
    for x in range(1, 100):
        point = group.point_with_x((x, 0))
        if point is not None and not group.in_subgroup(point):
            return point
    raise AssertionError("no such point")


def test_unsafe_keys_are_refused_unless_allowed(known: Known) -> None:
    key = known.circuit.verifying_key
    result = known.circuit.prove(known.values)
    public, proof = result.public_inputs, result.proof
    for unsafe in (
        replace(key, delta_g2=key.gamma_g2),
        replace(key, gamma_g2=key.delta_g2, delta_g2=key.curve.g2),
        replace(key, delta_g2=None),
        replace(key, alpha_g1=None),
    ):
        with pytest.raises(UnsafeKey, match="forge"):
            verify(unsafe, public, proof)
        assert not verify(unsafe, public, proof, allow_unsafe_key=True)


def test_curves_do_not_mix(known: Known) -> None:
    result = known.circuit.prove(known.values)
    other = BLS12_381 if known.curve is BN254 else BN254
    with pytest.raises(CurveMismatch, match=other.name):
        verify(known.circuit.verifying_key, result.public_inputs, Proof(other, other.g1, other.g2, other.g1))


def test_batches(known: Known) -> None:
    key = known.circuit.verifying_key
    results = [known.circuit.prove(known.values) for _ in range(4)]
    items = [(result.public_inputs, result.proof) for result in results]
    for size in (1, 2, 4):
        assert batch_verify(key, items[:size])
    public, proof = items[2]
    for wrong in ((public[::-1], proof), (public, replace(proof, c=proof.a))):
        assert not batch_verify(key, [*items[:2], wrong, items[3]])
    with pytest.raises(BadArgument, match="no proofs"):
        batch_verify(key, [])
    with pytest.raises(WrongLength):
        batch_verify(key, [items[0], ((), proof)])


def test_wrong_proofs_that_cancel_each_other_fail_in_a_batch(known: Known) -> None:
    """C + D and C − D: their plain product would verify."""
    key, group = known.circuit.verifying_key, reference.g1(known.curve)
    first, second = (known.circuit.prove(known.values) for _ in range(2))
    shift = known.curve.g1
    items = [
        (first.public_inputs, replace(first.proof, c=group.add(first.proof.c, shift))),
        (second.public_inputs, replace(second.proof, c=group.add(second.proof.c, group.negate(shift)))),
    ]
    assert not batch_verify(key, items)
