"""``proverd export-vkey``: the verifying key of a proving key, as snarkjs exports it."""

from __future__ import annotations

import argparse

from proverd.cli.console import Console, Outcome
from proverd.cli.parser import Command


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("circuit", metavar="circuit.zkey", help="proving key")
    parser.add_argument("output", metavar="verification_key.json", help="where to write the verifying key")


def run(arguments: argparse.Namespace, console: Console) -> Outcome:
    from proverd.cli.outputs import check_outputs, write_verifying_key_with_pairing
    from proverd.formats import Zkey

    check_outputs([arguments.output], [arguments.circuit])
    with Zkey.open(arguments.circuit) as zkey:
        key = zkey.verifying_key()
        if zkey.unsafe_dev is not None:
            console.warn(f"{arguments.circuit}: a development key: {zkey.unsafe_dev}")
        unsafe_dev = zkey.unsafe_dev
    write_verifying_key_with_pairing(arguments.output, key)
    fields = {
        "verifying_key": arguments.output,
        "verifying_key_digest": key.digest(),
        "curve": key.curve.name,
        "n_public": key.n_public,
        "unsafe_dev": unsafe_dev,
    }
    return Outcome(fields, f"wrote {arguments.output} ({key.curve.name}, {key.n_public} public inputs)")


COMMAND = Command("export-vkey", "write the verifying key of a proving key", configure, run)
