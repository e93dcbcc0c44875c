"""``proverd demo``: the whole way on a bundled circuit, from constraints to verified proofs, with times."""

from __future__ import annotations

import argparse
import secrets
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from proverd.cli.console import Console, Outcome, say
from proverd.cli.parser import Command, add_computing_options

if TYPE_CHECKING:
    from proverd.groth16.circuit import Circuit, ProveResult

MESSAGES = 99  # as many hashes as fit a domain of 2^15 points
PROOFS = 5


@dataclass
class Steps:
    """Says each step on standard error when it has ended, and keeps its time."""

    seconds: dict[str, float] = field(default_factory=dict)
    started: float = field(default_factory=time.perf_counter)

    def done(self, name: str, text: str) -> None:
        now = time.perf_counter()
        self.seconds[name] = round(now - self.started, 6)
        self.started = now
        say(f"  {text:<66} {self.seconds[name]:6.2f} s")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--keep", metavar="FOLDER", help="write circuit, witness, key and proof there, to try with snarkjs"
    )
    add_computing_options(parser)


def run(arguments: argparse.Namespace, console: Console) -> Outcome:
    if arguments.keep is None:
        with tempfile.TemporaryDirectory(prefix="proverd-demo-") as name:
            return _demonstrate(Path(name), arguments, console)
    from proverd.errors import OutputError

    folder = Path(arguments.keep)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(folder, error.strerror or str(error)) from error
    return _demonstrate(folder, arguments, console)


def _demonstrate(folder: Path, arguments: argparse.Namespace, console: Console) -> Outcome:
    steps = Steps()
    say(f"Somebody knows {MESSAGES} secret messages whose chain of hashes ends in a public value:")
    n_constraints = _make_circuit_and_witness(folder, steps)
    _make_key(folder, arguments.threads, console)
    steps.done("setup", "key made for development, from secrets that are then forgotten")
    circuit, results = _prove(folder, arguments, console)
    steps.done("prove", f"{PROOFS} proofs made, each verified before it was handed out")
    _verify(circuit, results)
    steps.done("verify", "verified again, all at once; another end of the chain was refused")
    _write_proof(folder, circuit, results[0])
    times = [sum(result.seconds.values()) for result in results]
    fields = {
        "n_constraints": n_constraints,
        "domain_size": circuit.domain.n,
        "curve": circuit.curve.name,
        "device": circuit.backend.name,
        "proofs": len(results),
        "seconds": steps.seconds | {"total": round(sum(steps.seconds.values()), 6)},
        "proof_seconds": [round(seconds, 6) for seconds in times],
        "stage_seconds": {stage: round(value, 6) for stage, value in _stage_medians(results).items()},
        "kept": arguments.keep,
    }
    return Outcome(fields, _text(fields, statistics.median(times)))


def _make_circuit_and_witness(folder: Path, steps: Steps) -> int:
    """Number of constraints."""
    from proverd.circuits.library import assign, hash_chain, record
    from proverd.curves import BN254
    from proverd.formats import write_wtns

    messages = [secrets.randbelow(BN254.fr.modulus) for _ in range(MESSAGES)]
    circuit = hash_chain(messages)
    shape = record(BN254, circuit)
    shape.write_r1cs(folder / "circuit.r1cs")
    steps.done("circuit", f"circuit recorded: {shape.n_constraints} constraints on bn254")
    assignment = assign(shape, circuit)
    write_wtns(folder / "witness.wtns", BN254, assignment.backend.get(assignment.data))
    steps.done("witness", f"witness computed: {shape.n_wires} values")
    return shape.n_constraints


def _make_key(folder: Path, threads: int | None, console: Console) -> None:
    from proverd.formats import R1cs
    from proverd.groth16.setup import ConstraintMatrices, setup_unsafe_dev

    with R1cs.open(folder / "circuit.r1cs") as r1cs, console.open_progress("setup") as progress:
        matrices = ConstraintMatrices.from_r1cs(r1cs)
        setup_unsafe_dev(matrices, folder / "circuit.zkey", threads=threads, progress=progress.step)


def _prove(
    folder: Path, arguments: argparse.Namespace, console: Console
) -> tuple[Circuit, list[ProveResult]]:
    from proverd.cli.proving import ShownTimeline, load

    with console.open_progress("proving", PROOFS) as progress:
        zkey = str(folder / "circuit.zkey")
        circuit = load(zkey, arguments.device, arguments.threads, ShownTimeline(progress), console)
        results = [
            circuit.prove(folder / "witness.wtns", timeline=ShownTimeline(progress)) for _ in range(PROOFS)
        ]
    return circuit, results


def _verify(circuit: Circuit, results: list[ProveResult]) -> None:
    """Raises SelfCheckFailed should a right proof be refused or a wrong statement be accepted."""
    from proverd.errors import SelfCheckFailed
    from proverd.groth16.verify import batch_verify, verify

    key, first = circuit.verifying_key, results[0]
    other_end = [(first.public_inputs[0] + 1) % circuit.curve.fr.modulus]
    if not batch_verify(key, [(result.public_inputs, result.proof) for result in results]):
        raise SelfCheckFailed("proofs that were verified one by one were refused together")
    if verify(key, other_end, first.proof):
        raise SelfCheckFailed("a proof was accepted for another public input than its own")


def _write_proof(folder: Path, circuit: Circuit, result: ProveResult) -> None:
    from proverd.cli.outputs import write_proof_and_public_inputs, write_verifying_key_with_pairing

    write_verifying_key_with_pairing(folder / "verification_key.json", circuit.verifying_key)
    proof, public = folder / "proof.json", folder / "public.json"
    write_proof_and_public_inputs(proof, result.proof, public, result.public_inputs)


def _stage_medians(results: list[ProveResult]) -> dict[str, float]:
    per_proof = [result.seconds for result in results]
    return {stage: statistics.median(seconds[stage] for seconds in per_proof) for stage in per_proof[0]}


def _text(fields: dict[str, Any], proof_seconds: float) -> str:
    from proverd.cli.proving import format_stage
    from proverd.cli.table import format_table

    stages = fields["stage_seconds"]
    rows = [
        (stage, format_stage(seconds), "#" * round(40 * seconds / proof_seconds))
        for stage, seconds in stages.items()
    ]
    lines = [
        f"\nOne proof takes {format_stage(proof_seconds)} on {fields['device']}"
        f" (median of {fields['proofs']}). Where the time goes:\n",
        format_table(("stage", "time", "share"), rows),
    ]
    if fields["kept"] is not None:
        folder = fields["kept"]
        lines.append(f"\nFiles are in {folder}. snarkjs agrees:\n  cd {folder}")
        lines.append("  npx snarkjs groth16 verify verification_key.json public.json proof.json")
    lines.append(
        "\nNext: proverd prove circuit.zkey witness.wtns proof.json public.json, with files of yours."
    )
    return "\n".join(lines)


COMMAND = Command(
    "demo",
    "prove and verify a bundled circuit, and show where the time goes",
    configure,
    run,
    "A chain of 99 hashes on BN254, some 2^15 constraints; a few seconds. The hash has had no review: the\n"
    "circuit is for demonstration.",
)
