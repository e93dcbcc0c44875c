"""``proverd export-vkey``: the verifying key of a proving key, as snarkjs exports it."""

from __future__ import annotations

import argparse

from proverd.cli.console import Console, Outcome
from proverd.cli.parser import Command


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("circuit", metavar="circuit.zkey", help="proving key")
    parser.add_argument("output", metavar="verification_key.json", help="where to write the verifying key")


def run(arguments: argparse.Namespace, console: Console) -> Outcome:
    from proverd.backend import get_backend
    from proverd.formats import Zkey, write_verifying_key
    from proverd.ops import pairing, points

    with Zkey.open(arguments.circuit) as zkey:
        key = zkey.verifying_key()
        if zkey.unsafe_dev is not None:
            console.warn(f"{arguments.circuit}: a development key: {zkey.unsafe_dev}")
        unsafe_dev = zkey.unsafe_dev
    alpha = points.g1_to_words(key.curve, [key.alpha_g1])
    beta = points.g2_to_words(key.curve, [key.beta_g2])
    write_verifying_key(arguments.output, key, pairing.product(get_backend("cpu"), key.curve, alpha, beta))
    fields = {
        "verifying_key": arguments.output,
        "verifying_key_digest": key.digest(),
        "curve": key.curve.name,
        "n_public": key.n_public,
        "unsafe_dev": unsafe_dev,
    }
    return Outcome(fields, f"wrote {arguments.output} ({key.curve.name}, {key.n_public} public inputs)")


COMMAND = Command("export-vkey", "write the verifying key of a proving key", configure, run)
