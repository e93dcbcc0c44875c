"""``proverd prove``: in the argument order of rapidsnark and snarkjs."""

from __future__ import annotations

import argparse

from proverd.cli.console import Console, Outcome
from proverd.cli.parser import Command, add_computing_options


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("circuit", metavar="circuit.zkey", help="proving key")
    parser.add_argument("witness", metavar="witness.wtns", help="the values of all wires; secret")
    add_proof_outputs(parser)
    add_computing_options(parser)


def add_proof_outputs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("proof", metavar="proof.json", help="where to write the proof")
    parser.add_argument("public", metavar="public.json", help="where to write the public inputs")


def run(arguments: argparse.Namespace, console: Console) -> Outcome:
    from proverd.cli.outputs import check_outputs
    from proverd.cli.proving import ShownTimeline, load, proof_outcome, prove_and_write

    a = arguments
    check_outputs([a.proof, a.public], [a.circuit, a.witness])
    with console.open_progress("proving") as progress:
        timeline = ShownTimeline(progress)
        circuit = load(a.circuit, a.device, a.threads, timeline, console)
        result = prove_and_write(circuit, a.witness, a.proof, a.public, timeline)
    return proof_outcome(circuit, result, a.proof, a.public)


COMMAND = Command(
    "prove",
    "prove a circuit for a witness; the proof is verified before it is written",
    configure,
    run,
    "example:\n  proverd prove circuit.zkey witness.wtns proof.json public.json",
)
