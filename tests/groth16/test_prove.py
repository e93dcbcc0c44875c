"""Proving: edge sizes, blinding, the self-check and its two causes, witnesses in every form."""

from __future__ import annotations

import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from groth16.conftest import Known, Make, chain
from proverd import _native
from proverd.circuits.library import Synthetic
from proverd.curves import BLS12_381, BN254, Curve
from proverd.errors import (
    BadArgument,
    CurveMismatch,
    SelfCheckFailed,
    Unsatisfied,
    ValueOutOfRange,
    WrongLength,
)
from proverd.formats import Wtns, write_wtns
from proverd.groth16.circuit import KeyWarning, load_circuit
from proverd.groth16.proof import Blinding
from proverd.groth16.prove import prove
from proverd.groth16.verify import verify
from proverd.ops import vec
from proverd.trace.timeline import STAGES


def proves(known: Known) -> bool:
    result = known.circuit.prove(known.values)
    assert result.public_inputs == tuple(known.values[1 : known.shape.n_public + 1])
    return verify(known.circuit.verifying_key, result.public_inputs, result.proof)


@pytest.mark.parametrize("n_public", [0, 1, 3])
@pytest.mark.parametrize("rows", [7, 8, 9, 15, 16, 17, 64])
def test_sizes_round_powers_of_two(make: Make, curve: Curve, rows: int, n_public: int) -> None:
    """constraints + public inputs + 1 = rows."""
    known = make(curve, chain(rows - 1 - n_public, n_public))
    assert known.circuit.key.n == 1 << (rows - 1).bit_length()
    assert proves(known)


def test_no_constraints(make: Make, curve: Curve) -> None:
    """The rows that bind the public inputs are all there is."""
    known = make(curve, lambda cs: (cs.alloc_input(lambda: 5), cs.alloc(lambda: 6)))
    assert proves(known)
    assert not any("bound by no constraint" in note for note in known.circuit.warnings)


def test_nothing_at_all(make: Make, curve: Curve) -> None:
    assert proves(make(curve, lambda cs: None))


def test_values_at_the_edges(make: Make, curve: Curve) -> None:
    def circuit(cs) -> None:  # type: ignore[no-untyped-def]
        r = cs.curve.fr.modulus
        x = [cs.alloc(lambda v=v: v) for v in (0, 1, r - 1, r - 2)]
        for left in x:
            for right in x:
                product = cs.alloc(lambda a=left, b=right: cs.value(a) * cs.value(b))
                cs.enforce(left, right, product)

    assert proves(make(curve, circuit))


def test_empty_b_and_unused_wires(make: Make, curve: Curve) -> None:
    def circuit(cs) -> None:  # type: ignore[no-untyped-def]
        public = cs.alloc_input(lambda: 12)
        for i in range(40):
            cs.alloc(lambda i=i: i)  # never used: infinity in every query
        cs.enforce(public - 12, 0, 0)

    assert proves(make(curve, circuit))


def test_two_proofs_differ_and_fixed_blinding_repeats(make: Make, curve: Curve) -> None:
    known = make(curve, chain(20))
    assert known.circuit.prove(known.values).proof != known.circuit.prove(known.values).proof
    assignment, blinding = known.circuit.assignment(known.values), Blinding(3, 4)
    proofs = {prove(known.circuit, assignment, blinding=blinding) for _ in range(3)}
    assert len(proofs) == 1
    assert "r=" not in repr(blinding)


def test_fresh_blinding_is_uniform_enough(curve: Curve) -> None:
    """The mean of 2000 uniform draws is within six standard deviations of the middle."""
    draws = [Blinding.fresh(curve).r / curve.fr.modulus for _ in range(2000)]
    assert len(set(draws)) == 2000
    assert abs(sum(draws) / 2000 - 0.5) < 6 * (1 / 12 / 2000) ** 0.5


def test_every_instruction_set_gives_the_same_bytes(make: Make, curve: Curve) -> None:
    known = make(curve, Synthetic(3000, n_public=2).synthesize)
    assignment, chosen = known.circuit.assignment(known.values), _native.isa()
    proofs = set()
    for name in _native.isas():
        _native.set_isa(name)
        proofs.add(prove(known.circuit, assignment, blinding=Blinding(5, 6)))
    _native.set_isa(chosen)
    assert len(proofs) == 1


def test_threads_at_once(make: Make, curve: Curve) -> None:
    known = make(curve, chain(100))
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: known.circuit.prove(known.values), range(24)))
    assert len({result.proof for result in results}) == 24
    assert all(verify(known.circuit.verifying_key, r.public_inputs, r.proof) for r in results)


def test_unsatisfied_witness(make: Make, curve: Curve) -> None:
    known = make(curve, chain(20))
    wrong = list(known.values)
    wrong[7] = 987654321987654321
    with pytest.raises(Unsatisfied, match="does not satisfy") as caught:
        known.circuit.prove(wrong)
    assert "98765" not in str(caught.value)


@pytest.mark.parametrize("query", ["a", "b_g1", "b_g2", "l", "h"])
def test_a_wrong_sum_is_a_fault_and_is_named(
    make: Make, curve: Curve, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = make(curve, chain(20))
    from proverd.groth16 import prove as module

    whole = module.proof_sums
    calls = []

    def faulty(*arguments):  # type: ignore[no-untyped-def]
        sums = whole(*arguments)
        calls.append(1)
        if len(calls) > 1:
            return sums
        words = getattr(sums, query)
        return replace(sums, **{query: np.zeros_like(words)})  # infinity: a point, but another one

    monkeypatch.setattr(module, "proof_sums", faulty)
    with pytest.raises(SelfCheckFailed, match=rf"differs in {query}$"):
        known.circuit.prove(known.values)
    assert proves(known)  # the process goes on


def test_witnesses_in_every_form(make: Make, curve: Curve, tmp_path: Path) -> None:
    known = make(curve, chain(5))
    words = vec.integers_to_words(known.values, curve.fr)
    path = tmp_path / "witness.wtns"
    write_wtns(path, curve, words)
    with Wtns.open(path) as opened:
        for witness in (known.values, words, words[:, :], path, str(path), opened):
            assert known.circuit.prove(witness).public_inputs == tuple(known.values[1:2])


def test_unfit_witnesses(make: Make, curve: Curve, tmp_path: Path) -> None:
    known = make(curve, chain(5))
    words = vec.integers_to_words(known.values, curve.fr)
    n = len(words)
    with pytest.raises(WrongLength, match=f"expected {n}, found {n - 1}"):
        known.circuit.prove(words[:-1])
    with pytest.raises(BadArgument, match="shape"):
        known.circuit.prove(words.astype(np.int64))
    with pytest.raises(ValueOutOfRange, match="value 3"):
        known.circuit.prove([*known.values[:3], curve.fr.modulus, *known.values[4:]])
    too_big = words.copy()
    too_big[4] = np.iinfo(np.uint64).max
    with pytest.raises(ValueOutOfRange, match="value 4"):
        known.circuit.prove(too_big)
    with pytest.raises(ValueOutOfRange, match="value 0 must be 1"):
        known.circuit.prove([2, *known.values[1:]])
    other = BLS12_381 if curve is BN254 else BN254
    small = np.zeros((n, 4), np.uint64)
    small[:, 0] = 1
    path = tmp_path / "other.wtns"
    write_wtns(path, other, small)
    with pytest.raises(CurveMismatch, match=other.name):
        known.circuit.prove(path)
    write_wtns(path, curve, small[:-1])
    with pytest.raises(WrongLength, match=r"other\.wtns"):
        known.circuit.prove(path)


def test_warnings_say_that_a_key_is_unsafe(make: Make, curve: Curve) -> None:
    known = make(curve, chain(3))
    with pytest.warns(KeyWarning, match="development key"):
        load_circuit(known.path)
    assert known.circuit.unsafe_dev


def test_result_has_all_stages(make: Make, curve: Curve) -> None:
    result = make(curve, chain(3)).circuit.prove(make(curve, chain(3)).values)
    assert list(result.seconds) == [stage for stage in STAGES if stage != "key_load"]
    assert all(seconds >= 0 for seconds in result.seconds.values())
    assert result.device == "cpu"
    assert len(result.key_digest) == 64


def test_bad_coefficients_are_named(make: Make, curve: Curve) -> None:
    known = make(curve, chain(3))
    data = bytearray(known.path.read_bytes())
    from proverd.formats import Zkey

    with Zkey.open(known.path) as zkey:
        offset = zkey.file.section(4).offset
    data[offset + 4 + 44 * 2 + 12 : offset + 4 + 44 * 3] = b"\xff" * 32
    known.path.write_bytes(data)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KeyWarning)
        with pytest.raises(
            ValueOutOfRange, match=r"circuit\.zkey: section 4 \(coefficients\).*coefficient 2"
        ):
            load_circuit(known.path)
