"""Readers and writers of the field's files. Importing them costs neither NumPy nor the native module."""

from proverd.formats.binfile import BinFile, Section, write_binfile
from proverd.formats.json import (
    proof_from_json,
    public_inputs_from_json,
    read_proof,
    read_public_inputs,
    read_verifying_key,
    verifying_key_from_json,
    write_proof,
    write_public_inputs,
    write_verifying_key,
)
from proverd.formats.output import atomic_output
from proverd.formats.ptau import Ptau
from proverd.formats.r1cs import R1cs, R1csHeader, SparseMatrix, write_r1cs
from proverd.formats.records import Proof, VerifyingKey
from proverd.formats.wtns import Wtns, write_wtns
from proverd.formats.zkey import (
    UNSAFE_DEV_SECTION,
    Contribution,
    Contributions,
    Zkey,
    ZkeyContents,
    ZkeyHeader,
    coefficient_dtype,
    write_zkey,
)

__all__ = [
    "UNSAFE_DEV_SECTION",
    "BinFile",
    "Contribution",
    "Contributions",
    "Proof",
    "Ptau",
    "R1cs",
    "R1csHeader",
    "Section",
    "SparseMatrix",
    "VerifyingKey",
    "Wtns",
    "Zkey",
    "ZkeyContents",
    "ZkeyHeader",
    "atomic_output",
    "coefficient_dtype",
    "proof_from_json",
    "public_inputs_from_json",
    "read_proof",
    "read_public_inputs",
    "read_verifying_key",
    "verifying_key_from_json",
    "write_binfile",
    "write_proof",
    "write_public_inputs",
    "write_r1cs",
    "write_verifying_key",
    "write_wtns",
    "write_zkey",
]
