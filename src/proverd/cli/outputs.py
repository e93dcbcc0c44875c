"""Output files: refused before the work starts where they cannot be written, and written together."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from typing import BinaryIO

from proverd.cli.parser import UsageError
from proverd.errors import OutputError, PathLike
from proverd.formats import Proof, VerifyingKey, atomic_output, write_verifying_key
from proverd.formats import json as snarkjs_json


def check_outputs(outputs: Sequence[str], inputs: Sequence[str]) -> None:
    """Raises UsageError where an output is also an input or another output, and OutputError where its folder
    is missing or not writable: long work must not end in an error that was plain from the start."""
    taken = {os.path.realpath(path): path for path in inputs}
    for path in outputs:
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            continue  # a device or a pipe, like /dev/stdout
        real = os.path.realpath(path)
        if real in taken:
            raise UsageError(f"output {path} is also {taken[real]}: name another file")
        taken[real] = path
        _check_writable(path, real)


def _check_writable(path: str, real: str) -> None:
    folder = os.path.dirname(real)
    if os.path.isdir(real):
        raise OutputError(path, "Is a directory")
    if not os.path.isdir(folder):
        raise OutputError(path, "No such file or directory")
    if not os.access(folder, os.W_OK | os.X_OK) or (os.path.exists(real) and not os.access(real, os.W_OK)):
        raise OutputError(path, "Permission denied")


def write_verifying_key_with_pairing(path: PathLike, key: VerifyingKey) -> None:
    """As snarkjs exports it, which includes e(α, β). Raises OutputError."""
    from proverd.backend import get_backend
    from proverd.ops import pairing, points

    alpha = points.g1_to_words(key.curve, [key.alpha_g1])
    beta = points.g2_to_words(key.curve, [key.beta_g2])
    write_verifying_key(path, key, pairing.product(get_backend("cpu"), key.curve, alpha, beta))


def write_proof_and_public_inputs(
    proof_path: PathLike, proof: Proof, public_path: PathLike, public_inputs: Sequence[int]
) -> None:
    """Both files or none. Raises OutputError."""
    with atomic_output(proof_path) as proof_file, atomic_output(public_path) as public_file:
        _write(proof_file, snarkjs_json.proof_to_json(proof))
        _write(public_file, snarkjs_json.public_inputs_to_json(public_inputs))


def _write(file: BinaryIO, document: snarkjs_json.Json) -> None:
    """Down to the disk, so that no space is lacking any more when the first of two files takes its place."""
    file.write(snarkjs_json.to_text(document).encode())
    file.flush()
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        os.fsync(file.fileno())
