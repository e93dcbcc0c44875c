"""Folders of circuit, key, witness and proof that snarkjs made: ours, and further ones where present."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
VECTORS = REPOSITORY / "tests" / "vectors"
MORE_CASES = Path(os.environ.get("PROVERD_CASES", REPOSITORY.parent / "shared" / "cases"))


@dataclass(frozen=True)
class Case:
    folder: Path

    def __str__(self) -> str:
        return self.folder.name

    @property
    def prime(self) -> str:
        """circom's name of the curve, the last part of the folder's."""
        return self.folder.name.rpartition("_")[2]

    def file(self, name: str) -> Path:
        return self.folder / name

    @property
    def r1cs(self) -> Path:
        return self.file("circuit.r1cs")

    @property
    def wasm(self) -> Path:
        return self.file("circuit.wasm")

    @property
    def zkey(self) -> Path:
        return self.file("circuit.zkey")

    @property
    def inputs(self) -> Path:
        return self.file("input.json")

    @property
    def wtns(self) -> Path:
        return self.file("witness.wtns")

    @property
    def vkey(self) -> Path:
        return self.file("verification_key.json")

    @property
    def public(self) -> Path:
        return self.file("public.json")

    @property
    def snarkjs_proof(self) -> Path:
        return self.file("proof_snarkjs.json")


def _folders(root: Path) -> list[Case]:
    return [Case(path.parent) for path in sorted(root.glob("*/circuit.zkey"))]


OUR_CASES = _folders(VECTORS)
CASES = OUR_CASES + _folders(MORE_CASES)


def powers_of_tau(case: Case) -> Path:
    """The committed powers of tau of the case's curve, for domains up to 2^7."""
    return VECTORS / f"powers_7_{case.prime}.ptau"
