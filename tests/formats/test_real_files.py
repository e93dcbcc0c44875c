"""Files that circom and snarkjs made: read as they are, and written back byte for byte."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from formats.samples import CASES, curve_of
from proverd.curves import Curve
from proverd.formats import (
    R1cs,
    SparseMatrix,
    Wtns,
    Zkey,
    ZkeyContents,
    read_proof,
    read_public_inputs,
    read_verifying_key,
    write_proof,
    write_public_inputs,
    write_r1cs,
    write_verifying_key,
    write_wtns,
    write_zkey,
)

pytestmark = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


def integers(words: np.ndarray) -> list[int]:
    return [int.from_bytes(row.tobytes(), "little") for row in words]


def sections(path: Path) -> dict[int, bytes]:
    from formats.samples import Parts

    return dict(Parts.of(path.read_bytes()).sections)


def test_zkey(case: Path, tmp_path: Path) -> None:
    with Zkey.open(case / "circuit.zkey") as key:
        assert key.curve is curve_of(case)
        key.check_coefficient_indices()
        assert key.contributions is not None
        assert key.verifying_key() == read_verifying_key(case / "verification_key.json")
        assert key.verifying_key().digest() == key.verifying_key_digest()
        contents = ZkeyContents(
            key.header,
            key.ic,
            key.coefficients,
            key.a_query,
            key.b_g1_query,
            key.b_g2_query,
            key.l_query,
            key.h_query,
            key.contributions,
        )
        write_zkey(tmp_path / "again.zkey", contents)
    assert sections(tmp_path / "again.zkey") == sections(case / "circuit.zkey")


def test_coefficients_are_those_of_the_circuit(case: Path) -> None:
    """Section 4 is A and B of the .r1cs times R², then a row of A for each public input and the leading 1."""
    with Zkey.open(case / "circuit.zkey") as key, R1cs.open(case / "circuit.r1cs") as system:
        r2 = pow(1 << 256, 2, key.curve.fr.modulus)
        a, b, _ = system.matrices()
        rows = system.header.n_constraints
        expected = entries(a, 0, r2, key.curve) + entries(b, 1, r2, key.curve)
        expected += [(0, rows + i, i, r2) for i in range(key.header.n_public + 1)]
        found = key.coefficients
        values = integers(np.ascontiguousarray(found["value"]))
        matrix, constraint, signal = (found[name].tolist() for name in ("matrix", "constraint", "signal"))
        assert sorted(zip(matrix, constraint, signal, values, strict=True)) == sorted(expected)


def entries(m: SparseMatrix, which: int, factor: int, curve: Curve) -> list[tuple[int, int, int, int]]:
    rows = np.repeat(np.arange(len(m.row_start) - 1), np.diff(m.row_start)).tolist()
    values = [value * factor % curve.fr.modulus for value in integers(m.value)]
    return [(which, i, j, v) for i, j, v in zip(rows, m.column.tolist(), values, strict=True)]


def test_witness_satisfies_the_constraints(case: Path, tmp_path: Path) -> None:
    with Wtns.open(case / "witness.wtns") as witness, R1cs.open(case / "circuit.r1cs") as system:
        assert witness.n_wires == system.header.n_wires
        assert witness.curve is system.curve
        z = integers(witness.values)
        a, b, c = (multiply(m, z) for m in system.matrices())
        assert all((x * y - t) % witness.curve.fr.modulus == 0 for x, y, t in zip(a, b, c, strict=True))
        public = read_public_inputs(case / "public.json", witness.curve)
        assert z[1 : 1 + len(public)] == list(public)
        assert len(public) == system.header.n_public
        write_wtns(tmp_path / "again.wtns", witness.curve, witness.values)
        write_r1cs(tmp_path / "again.r1cs", system.header, system.matrices())
    assert (tmp_path / "again.wtns").read_bytes() == (case / "witness.wtns").read_bytes()
    again, original = sections(tmp_path / "again.r1cs"), sections(case / "circuit.r1cs")
    assert again[2] == original[2]
    labels_at = len(original[1]) - 12  # number of labels: ours are the wires, circom's all signals
    assert again[1][:labels_at] == original[1][:labels_at]


def multiply(m: SparseMatrix, z: list[int]) -> list[int]:
    terms = [value * z[wire] for value, wire in zip(integers(m.value), m.column.tolist(), strict=True)]
    return [sum(terms[i:j]) for i, j in zip(m.row_start[:-1].tolist(), m.row_start[1:].tolist(), strict=True)]


def test_json(case: Path, tmp_path: Path) -> None:
    curve = curve_of(case)
    path = tmp_path / "again.json"
    text = (case / "verification_key.json").read_text()
    alpha_beta = [int(x) for half in json.loads(text)["vk_alphabeta_12"] for pair in half for x in pair]
    write_verifying_key(path, read_verifying_key(case / "verification_key.json"), alpha_beta)
    assert path.read_text() == text
    write_proof(path, read_proof(case / "proof_snarkjs.json"))
    assert path.read_text() == (case / "proof_snarkjs.json").read_text()
    public = read_public_inputs(case / "public.json", curve)
    write_public_inputs(path, public)
    text = (case / "public.json").read_text()
    assert path.read_text() == (text if public else "[]")  # snarkjs's streaming writer leaves "[\n]"
