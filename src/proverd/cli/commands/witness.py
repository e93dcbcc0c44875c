"""``proverd witness``: circom's witness generator, run inside Python."""

from __future__ import annotations

import argparse
import time

from proverd.cli.console import Console, Outcome, say
from proverd.cli.parser import Command


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("wasm", metavar="circuit.wasm", help="witness generator that circom compiled")
    parser.add_argument("inputs", metavar="input.json", help="input signals; secret")
    parser.add_argument("output", metavar="witness.wtns", help="where to write the witness")
    parser.add_argument(
        "--log", action="store_true", help="show what the circuit logs; it may show secret values"
    )


def run(arguments: argparse.Namespace, console: Console) -> Outcome:
    from proverd.circuits.witness import WitnessCalculator
    from proverd.cli.outputs import check_outputs
    from proverd.formats import write_wtns

    started = time.perf_counter()
    check_outputs([arguments.output], [arguments.wasm, arguments.inputs])
    with console.open_progress("computing the witness"):
        calculator = WitnessCalculator(arguments.wasm)
        values = calculator.calculate(arguments.inputs, on_log=say if arguments.log else None)
    write_wtns(arguments.output, calculator.curve, values)
    fields = {
        "witness": arguments.output,
        "curve": calculator.curve.name,
        "n_wires": calculator.n_wires,
        "seconds": {"total": round(time.perf_counter() - started, 6)},
    }
    text = f"wrote {arguments.output} ({calculator.curve.name}, {calculator.n_wires} values)"
    return Outcome(fields, text)


COMMAND = Command(
    "witness",
    "compute a witness from input signals with circom's wasm",
    configure,
    run,
    "Needs the extra circom: pip install 'proverd[circom]'. The generator runs in a sandbox.\n"
    "The witness is written readable by its owner alone.",
)
