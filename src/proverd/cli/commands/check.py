"""``proverd check``: whether a witness satisfies a circuit, and the first constraint that it breaks."""

from __future__ import annotations

import argparse
import time

from proverd.cli.console import Console, Outcome
from proverd.cli.parser import Command, add_computing_options


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("circuit", metavar="circuit.r1cs", help="constraint system")
    parser.add_argument("witness", metavar="witness.wtns", help="the values of all wires; secret")
    add_computing_options(parser, device=False)


def run(arguments: argparse.Namespace, console: Console) -> Outcome:
    from proverd.circuits.check import first_unsatisfied
    from proverd.errors import Unsatisfied, WrongLength
    from proverd.formats import R1cs, Wtns

    started = time.perf_counter()
    with R1cs.open(arguments.circuit) as r1cs, Wtns.open(arguments.witness) as witness:
        header = r1cs.header
        if witness.curve is header.curve and witness.n_wires != header.n_wires:
            what = f"{arguments.witness}: witness"
            raise WrongLength(what, got=witness.n_wires, expected=header.n_wires)
        row = first_unsatisfied(r1cs, witness, threads=arguments.threads)
    if row is not None:
        message = f"{arguments.witness}: constraint {row} of {header.n_constraints} is not satisfied"
        raise Unsatisfied(message, row=row)
    fields = {
        "satisfied": True,
        "curve": header.curve.name,
        "n_constraints": header.n_constraints,
        "n_wires": header.n_wires,
        "seconds": {"total": round(time.perf_counter() - started, 6)},
    }
    return Outcome(fields, f"the witness satisfies all {header.n_constraints} constraints")


COMMAND = Command(
    "check",
    "check a witness against a circuit, constraint by constraint",
    configure,
    run,
    "Names the first constraint that is not satisfied, counted from 0, and no value.",
)
