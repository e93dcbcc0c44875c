"""``proverd setup``: a proving key from a ceremony's powers of tau, or one for development."""

from __future__ import annotations

import argparse
import time
from typing import Any

from proverd.cli.console import Console, Outcome
from proverd.cli.parser import Command, UsageError, add_computing_options
from proverd.cli.table import format_bytes

FILES = ("circuit.r1cs", "powers.ptau", "circuit.zkey")
NO_CONTRIBUTION = "no phase-2 contribution yet: anyone can forge proofs until snarkjs has added one"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.usage = (
        "proverd setup [options] circuit.r1cs powers.ptau circuit.zkey\n"
        "       proverd setup --unsafe-dev [options] circuit.r1cs circuit.zkey"
    )
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="constraint system; powers of tau prepared for phase 2 (not with --unsafe-dev); key to write",
    )
    parser.add_argument(
        "--unsafe-dev",
        action="store_true",
        help="make the key from fresh secrets instead of a ceremony: for tests and demos only",
    )
    add_computing_options(parser, device=False)


def run(arguments: argparse.Namespace, console: Console) -> Outcome:
    from proverd.cli.outputs import check_outputs

    started = time.perf_counter()
    expected = ("circuit.r1cs", "circuit.zkey") if arguments.unsafe_dev else FILES
    if len(arguments.files) != len(expected):
        found = f"{len(arguments.files)} files"
        raise UsageError(f"expected {' '.join(expected)}, found {found}", "proverd setup")
    *inputs, output = arguments.files
    check_outputs([output], inputs)
    _make_key(inputs, output, arguments.threads, console)
    fields = _describe(output)
    console.warn(f"{output}: {fields['unsafe_dev'] or NO_CONTRIBUTION}")
    fields["unsafe_dev"] = arguments.unsafe_dev
    fields["seconds"] = {"total": round(time.perf_counter() - started, 6)}
    log_n = fields["domain_size"].bit_length() - 1
    size = format_bytes(fields["size_bytes"])
    return Outcome(fields, f"wrote {output} ({fields['curve']}, domain 2^{log_n}, {size})")


def _make_key(inputs: list[str], output: str, threads: int | None, console: Console) -> None:
    from proverd.formats import Ptau, R1cs
    from proverd.groth16.setup import ConstraintMatrices, setup_from_ptau, setup_unsafe_dev

    with console.open_progress("setup") as progress, R1cs.open(inputs[0]) as r1cs:
        if len(inputs) == 1:
            matrices = ConstraintMatrices.from_r1cs(r1cs)
            setup_unsafe_dev(matrices, output, threads=threads, progress=progress.step)
        else:
            with Ptau.open(inputs[1]) as ptau:
                setup_from_ptau(r1cs, ptau, output, threads=threads, progress=progress.step)


def _describe(path: str) -> dict[str, Any]:
    from proverd.formats import Zkey

    with Zkey.open(path) as key:
        mpc = key.contributions
        return {
            "zkey": path,
            "size_bytes": key.file.size,
            "curve": key.curve.name,
            "n_wires": key.header.n_wires,
            "n_public": key.header.n_public,
            "domain_size": key.header.domain_size,
            "key_digest": key.digest(),
            "verifying_key_digest": key.verifying_key_digest(),
            "circuit_hash": None if mpc is None or key.unsafe_dev else mpc.circuit_hash.hex(),
            "unsafe_dev": key.unsafe_dev,
        }


COMMAND = Command(
    "setup",
    "make a proving key from a circuit and powers of tau",
    configure,
    run,
    "The key has no phase-2 contribution yet: give it to `snarkjs zkey contribute` before using it.\n"
    "With --unsafe-dev whoever makes the key could forge proofs; the key says so on every use.",
)
