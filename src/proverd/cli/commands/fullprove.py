"""``proverd fullprove``: from input signals to a proof, with no witness on disk."""

from __future__ import annotations

import argparse

from proverd.cli.commands.prove import add_proof_outputs
from proverd.cli.console import Console, Outcome
from proverd.cli.parser import Command, add_computing_options


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("inputs", metavar="input.json", help="input signals; secret")
    parser.add_argument("wasm", metavar="circuit.wasm", help="witness generator that circom compiled")
    parser.add_argument("circuit", metavar="circuit.zkey", help="proving key")
    add_proof_outputs(parser)
    add_computing_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> Outcome:
    from proverd.circuits.witness import WitnessCalculator
    from proverd.cli.outputs import check_outputs
    from proverd.cli.proving import ShownTimeline, load, proof_outcome, prove_and_write
    from proverd.errors import CurveMismatch

    a = arguments
    check_outputs([a.proof, a.public], [a.inputs, a.wasm, a.circuit])
    with console.open_progress("proving") as progress:
        timeline = ShownTimeline(progress)
        circuit = load(a.circuit, a.device, a.threads, timeline, console)
        with timeline.stage("witness"):
            calculator = WitnessCalculator(a.wasm)
            if calculator.curve is not circuit.curve:
                raise CurveMismatch(
                    f"{a.wasm} is over {calculator.curve.name}, {a.circuit} over {circuit.curve.name}"
                )
            values = calculator.calculate(a.inputs)
        result = prove_and_write(circuit, values, a.proof, a.public, timeline)
    return proof_outcome(circuit, result, a.proof, a.public)


COMMAND = Command(
    "fullprove",
    "compute a witness from input signals and prove",
    configure,
    run,
    "example:\n  proverd fullprove input.json circuit.wasm circuit.zkey proof.json public.json\n\n"
    "Needs the extra circom: pip install 'proverd[circom]'.",
)
