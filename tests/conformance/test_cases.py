"""Every folder of snarkjs's files: we read them, prove with them, and each side accepts the other's proof."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import peers
import proverd
from conformance.cases import CASES, Case
from conformance.command_line import proverd_cli
from proverd.formats.json import (
    proof_to_json,
    public_inputs_to_json,
    read_proof,
    read_public_inputs,
    read_verifying_key,
    write_proof,
    write_public_inputs,
)
from proverd.formats.r1cs import R1cs
from proverd.formats.wtns import Wtns
from proverd.formats.zkey import Zkey

each_case = pytest.mark.parametrize("case", CASES, ids=str)


@cache
def our_result(case: Case) -> proverd.ProveResult:
    return proverd.load_circuit(case.zkey).prove(case.wtns)


def other_value(text: str) -> str:
    """Another public input than the given one, as a decimal string."""
    return "1" if text == "0" else str(int(text) - 1)


@each_case
def test_files_open_and_agree(case: Case) -> None:
    with Zkey.open(case.zkey) as zkey, Wtns.open(case.wtns) as wtns, R1cs.open(case.r1cs) as r1cs:
        expected = read_verifying_key(case.vkey)
        assert zkey.verifying_key() == expected
        assert zkey.curve is wtns.curve is r1cs.curve is expected.curve
        assert zkey.curve.snarkjs_name == case.prime
        assert zkey.header.n_wires == wtns.n_wires == r1cs.header.n_wires
        assert zkey.header.n_public == r1cs.header.n_public == len(json.loads(case.public.read_text()))
        rows = r1cs.header.n_constraints + r1cs.header.n_public + 1
        assert zkey.header.domain_size // 2 < max(rows, 2) <= zkey.header.domain_size


@each_case
def test_snarkjs_proof_is_accepted_by_us(case: Case) -> None:
    vkey = read_verifying_key(case.vkey)
    proof = read_proof(case.snarkjs_proof)
    public = read_public_inputs(case.public, vkey.curve)
    assert proverd.verify(vkey, public, proof)
    for i in (0, len(public) - 1) if public else ():
        altered = (*public[:i], (public[i] + 1) % vkey.curve.fr.modulus, *public[i + 1 :])
        assert not proverd.verify(vkey, altered, proof)


@each_case
def test_our_proof_is_accepted_by_us(case: Case) -> None:
    result = our_result(case)
    vkey = read_verifying_key(case.vkey)
    assert tuple(result.public_inputs) == read_public_inputs(case.public, vkey.curve)
    assert proverd.verify(vkey, result.public_inputs, result.proof)
    theirs = read_proof(case.snarkjs_proof)
    assert not proverd.verify(vkey, result.public_inputs, replace(theirs, c=result.proof.c))


@each_case
def test_public_inputs_are_written_as_snarkjs_writes_them(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "public.json"
    write_public_inputs(path, our_result(case).public_inputs)
    expected = case.public.read_bytes()
    # The only difference: snarkjs's command line breaks the line inside an empty list.
    assert path.read_bytes() == (b"[]" if expected == b"[\n]" else expected)


@each_case
def test_proof_is_written_as_snarkjs_writes_it(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    write_proof(path, read_proof(case.snarkjs_proof))
    assert path.read_bytes() == case.snarkjs_proof.read_bytes()


@each_case
def test_exported_verifying_key_equals_snarkjs(case: Case, tmp_path: Path) -> None:
    path = tmp_path / "verification_key.json"
    proverd_cli("export-vkey", case.zkey, path)
    assert path.read_bytes() == case.vkey.read_bytes()


@pytest.fixture(scope="module")
def snarkjs_verdicts() -> dict[Case, list[Any]]:
    """snarkjs's answers, all from one process: for our proof, and for it with a public input altered."""
    jobs: list[dict[str, Any]] = []
    owners: list[Case] = []
    for case in CASES:
        result = our_result(case)
        proof = proof_to_json(result.proof)
        public = public_inputs_to_json(result.public_inputs)
        altered = [[other_value(public[0]), *public[1:]]] if public else []
        for values in (public, *altered):
            jobs.append({"call": "groth16.verify", "args": [{"json": str(case.vkey)}, values, proof]})
            owners.append(case)
    answers = peers.drive(jobs)
    verdicts: dict[Case, list[Any]] = {case: [] for case in CASES}
    for case, answer in zip(owners, answers, strict=True):
        verdicts[case].append(answer.get("value", answer.get("error")))
    return verdicts


@pytest.mark.node
@each_case
def test_our_proof_is_accepted_by_snarkjs(case: Case, snarkjs_verdicts: dict[Case, list[Any]]) -> None:
    has_public = bool(json.loads(case.public.read_text()))
    assert snarkjs_verdicts[case] == ([True, False] if has_public else [True])
