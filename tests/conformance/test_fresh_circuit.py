"""A circuit compiled here and now goes the whole way: every step by our command line, checked by snarkjs."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

import peers
from conformance.cases import VECTORS
from conformance.command_line import proverd_cli

CIRCUIT = """
pragma circom 2.0.0;
template Polynomial(n) {
    signal input coefficient[n];
    signal input x;
    signal output value;
    signal partial[n + 1];
    partial[n] <== 0;
    for (var i = n - 1; i >= 0; i--) {
        partial[i] <== partial[i + 1] * x + coefficient[i];
    }
    value <== partial[0];
}
component main {public [x]} = Polynomial(DEGREE);
"""
MODULUS = {
    "bn128": 21888242871839275222246405745257275088548364400416034343698204186575808495617,
    "bls12381": 52435875175126190479447740508185965837690552500527637822603658699938581184513,
}

pytestmark = pytest.mark.node


@pytest.fixture(params=MODULUS)
def prime(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def compiled(prime: str, tmp_path: Path) -> Path:
    """A folder with ``circuit.r1cs``, ``circuit.wasm`` and ``input.json`` of a circuit of random degree."""
    degree = random.SystemRandom().randrange(20, 60)
    source = tmp_path / "source" / "polynomial.circom"
    source.parent.mkdir()
    source.write_text(CIRCUIT.replace("DEGREE", str(degree)))
    folder = tmp_path / "compiled"
    folder.mkdir()
    peers.compile_circom(source, folder, prime)
    draw = random.SystemRandom().randrange
    values = [str(draw(MODULUS[prime])) for _ in range(degree)]
    (folder / "input.json").write_text(json.dumps({"coefficient": values, "x": str(draw(MODULUS[prime]))}))
    return folder


def expected_public(folder: Path, prime: str) -> list[str]:
    inputs = json.loads((folder / "input.json").read_text())
    x, value = int(inputs["x"]), 0
    for coefficient in reversed(inputs["coefficient"]):
        value = (value * x + int(coefficient)) % MODULUS[prime]
    return [str(value), str(x)]


@pytest.mark.parametrize("kind", ["development", "powers_of_tau"])
def test_fresh_circuit_goes_the_whole_way(compiled: Path, prime: str, kind: str) -> None:
    r1cs, wasm, inputs = (compiled / name for name in ("circuit.r1cs", "circuit.wasm", "input.json"))
    key, wtns, vkey = (compiled / name for name in ("circuit.zkey", "witness.wtns", "verification_key.json"))
    proof, public = compiled / "proof.json", compiled / "public.json"
    if kind == "development":
        proverd_cli("setup", "--unsafe-dev", r1cs, key)
    else:
        initial = compiled / "circuit_0000.zkey"
        proverd_cli("setup", r1cs, VECTORS / f"powers_7_{prime}.ptau", initial)
        peers.snarkjs("zkey", "contribute", initial, key, "-e=test", "-n=test")
    proverd_cli("witness", wasm, inputs, wtns)
    proverd_cli("check", r1cs, wtns)
    proverd_cli("prove", key, wtns, proof, public)
    proverd_cli("export-vkey", key, vkey)
    proverd_cli("verify", vkey, public, proof)
    assert json.loads(public.read_text()) == expected_public(compiled, prime)
    assert "OK!" in peers.snarkjs("groth16", "verify", vkey, public, proof)
    assert "WITNESS IS CORRECT" in peers.snarkjs("wtns", "check", r1cs, wtns)
    fullprove_outputs = compiled / "proof2.json", compiled / "public2.json"
    proverd_cli("fullprove", inputs, wasm, key, *fullprove_outputs)
    assert fullprove_outputs[1].read_bytes() == public.read_bytes()
    assert fullprove_outputs[0].read_bytes() != proof.read_bytes()  # fresh blinding
    assert "OK!" in peers.snarkjs("groth16", "verify", vkey, fullprove_outputs[1], fullprove_outputs[0])
