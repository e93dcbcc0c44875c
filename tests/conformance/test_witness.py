"""Witnesses that we calculate from a circuit's wasm: the very bytes that snarkjs writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.cases import CASES, Case
from conformance.command_line import proverd_cli


@pytest.mark.parametrize("case", CASES, ids=str)
def test_witness_equals_snarkjs(case: Case, tmp_path: Path) -> None:
    ours = tmp_path / "witness.wtns"
    proverd_cli("witness", case.wasm, case.inputs, ours)
    assert ours.read_bytes() == case.wtns.read_bytes()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_witness_satisfies_the_circuit(case: Case) -> None:
    proverd_cli("check", case.r1cs, case.wtns)
