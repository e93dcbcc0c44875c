"""Makes the test vectors beside it with the field's own tools, circom2 and snarkjs from ``tests/node``.

    python tests/vectors/make.py [--out FOLDER] [name …]

For each circuit under ``circuits/`` and each curve, a folder ``<name>_<curve>`` with the files a user would
have: ``circuit.r1cs``, ``circuit.wasm``, ``input.json``, ``witness.wtns``, ``circuit.zkey`` (with one beacon
contribution), ``verification_key.json``, ``public.json`` and ``proof_snarkjs.json``; for a few also
``circuit_0000.zkey``, the key before any contribution. ``powers_7_<curve>.ptau`` is the prepared powers of
tau behind all circuits that fit it. Everything but the proof comes out the same in every run. The toxic
waste of these keys is public: they are for tests only.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

import peers  # noqa: E402

SCALAR_MODULUS = {
    "bn128": 21888242871839275222246405745257275088548364400416034343698204186575808495617,
    "bls12381": 52435875175126190479447740508185965837690552500527637822603658699938581184513,
}
BEACON = "0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
SMALL_POWER, LARGE_POWER = 7, 8

Inputs = dict[str, Any]


@dataclass(frozen=True)
class Vector:
    """How a circuit is compiled, and what it is run on (given the scalar field's modulus)."""

    inputs: Callable[[int], Inputs]
    level: str = "O2"
    power: int = SMALL_POWER
    keep_initial_key: bool = False


VECTORS = {
    "product": Vector(lambda r: {"left": 6, "right": r - 7}, keep_initial_key=True),
    "public_only": Vector(lambda r: {"left": 4, "right": r - 1, "sum": 3, "product": r - 4}),
    "long_sums": Vector(lambda r: {"value": [(r - i if i % 3 == 0 else i * i) % r for i in range(100)]}),
    "domain_below": Vector(lambda r: {"start": 5}),
    "domain_full": Vector(lambda r: {"start": 0}),
    "domain_above": Vector(lambda r: {"start": r - 1}, keep_initial_key=True),
    "sparse_b": Vector(
        lambda r: {
            "factor": r - 3,
            "value": [i * i * i for i in range(50)],
            "idle": 17,
            "unused": list(range(12)),
        },
        level="O0",
    ),
    "unoptimised": Vector(lambda r: {"first": 0xCAFEF00D, "second": 123456789}, level="O0"),
    "no_public": Vector(lambda r: {"cube": 27, "root": 3}, keep_initial_key=True),
    "no_constraints": Vector(lambda r: {"first": 0, "second": r - 1}),
    "permutation": Vector(
        lambda r: {"message": [[1, 0], [r - 1, 2**200], [3, 5]], "expected": 0}, power=LARGE_POWER
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description="Make the test vectors with circom2 and snarkjs.")
    parser.add_argument(
        "--out", type=Path, default=HERE, help="folder to write to (default: beside this file)"
    )
    parser.add_argument("names", nargs="*", help="vectors to make (default: all)")
    arguments = parser.parse_args()
    if reason := peers.missing():
        parser.error(reason)
    names = arguments.names or list(VECTORS)
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for curve in SCALAR_MODULUS:
            powers = {power: make_powers(Path(scratch), curve, power) for power in (SMALL_POWER, LARGE_POWER)}
            shutil.copy(powers[SMALL_POWER], arguments.out)
            for name in names:
                folder = arguments.out / f"{name}_{curve}"
                make_vector(folder, name, curve, powers[VECTORS[name].power])
                print(folder.name, sum(path.stat().st_size for path in folder.iterdir()), "bytes")


def make_powers(folder: Path, curve: str, power: int) -> Path:
    """Powers of tau with one beacon contribution, prepared for phase 2."""
    fresh, contributed = folder / "fresh.ptau", folder / "contributed.ptau"
    prepared = folder / f"powers_{power}_{curve}.ptau"
    peers.snarkjs("powersoftau", "new", curve, str(power), fresh)
    peers.snarkjs("powersoftau", "beacon", fresh, contributed, BEACON, "10", "-n=test")
    peers.snarkjs("powersoftau", "prepare", "phase2", contributed, prepared)
    return prepared


def make_vector(folder: Path, name: str, curve: str, powers: Path) -> None:
    vector = VECTORS[name]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    peers.compile_circom(HERE / "circuits" / f"{name}.circom", folder, curve, vector.level)
    write_inputs(folder / "input.json", vector.inputs(SCALAR_MODULUS[curve]))
    initial, key = folder / "circuit_0000.zkey", folder / "circuit.zkey"
    peers.snarkjs("groth16", "setup", folder / "circuit.r1cs", powers, initial)
    peers.snarkjs("zkey", "beacon", initial, key, BEACON, "10", "-n=test")
    if not vector.keep_initial_key:
        initial.unlink()
    vkey, public, proof = (
        folder / file for file in ("verification_key.json", "public.json", "proof_snarkjs.json")
    )
    witness = folder / "witness.wtns"
    peers.snarkjs("zkey", "export", "verificationkey", key, vkey)
    peers.snarkjs("wtns", "calculate", folder / "circuit.wasm", folder / "input.json", witness)
    peers.snarkjs("groth16", "prove", key, witness, proof, public)
    peers.snarkjs("groth16", "verify", vkey, public, proof)


def write_inputs(path: Path, inputs: Inputs) -> None:
    """Numbers as decimal strings, as JavaScript's own numbers stop at 2^53."""

    def as_text(value: Any) -> Any:
        return [as_text(item) for item in value] if isinstance(value, list) else str(value)

    path.write_text(json.dumps({name: as_text(value) for name, value in inputs.items()}) + "\n")


if __name__ == "__main__":
    main()
