"""snarkjs takes the files that the writers make."""

from __future__ import annotations

from pathlib import Path

import pytest

import peers
from formats.samples import VECTORS
from proverd.curves import Curve
from proverd.formats import (
    R1cs,
    Wtns,
    Zkey,
    ZkeyContents,
    read_proof,
    read_public_inputs,
    read_verifying_key,
    write_proof,
    write_public_inputs,
    write_r1cs,
    write_wtns,
    write_zkey,
)

pytestmark = pytest.mark.node


def test_snarkjs_takes_written_files(curve: Curve, tmp_path: Path) -> None:
    case = VECTORS / f"sparse_b_{curve.snarkjs_name}"
    zkey, wtns, r1cs = tmp_path / "a.zkey", tmp_path / "a.wtns", tmp_path / "a.r1cs"
    with Zkey.open(case / "circuit.zkey") as key:
        assert key.contributions is not None
        queries = (key.a_query, key.b_g1_query, key.b_g2_query, key.l_query, key.h_query)
        write_zkey(
            zkey,
            ZkeyContents(
                key.header,
                key.ic,
                key.coefficients,
                *queries,
                key.contributions,
                unsafe_dev="made for a test",
            ),
        )
    with Wtns.open(case / "witness.wtns") as witness:
        write_wtns(wtns, curve, witness.values)
    with R1cs.open(case / "circuit.r1cs") as system:
        write_r1cs(r1cs, system.header, system.matrices())

    assert "WITNESS IS CORRECT" in peers.snarkjs("wtns", "check", r1cs, wtns)
    proof, public, vkey = tmp_path / "proof.json", tmp_path / "public.json", tmp_path / "vkey.json"
    peers.snarkjs("groth16", "prove", zkey, wtns, proof, public)
    peers.snarkjs("zkey", "export", "verificationkey", zkey, vkey)
    assert vkey.read_bytes() == (case / "verification_key.json").read_bytes()
    assert read_verifying_key(vkey).curve is curve

    ours = tmp_path / "ours.json"
    write_proof(ours, read_proof(proof))
    assert ours.read_bytes() == proof.read_bytes()
    assert "OK!" in peers.snarkjs("groth16", "verify", vkey, public, ours)
    write_public_inputs(ours, read_public_inputs(public, curve))
    assert ours.read_bytes() == public.read_bytes()
