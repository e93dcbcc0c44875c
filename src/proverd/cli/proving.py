"""What the commands that prove share: loading a key, showing stages as they run, reporting them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from proverd.cli.console import Console, Outcome
from proverd.cli.outputs import write_proof_and_public_inputs
from proverd.cli.progress import Progress
from proverd.groth16.circuit import Circuit, KeyWarning, ProveResult, load_circuit
from proverd.trace import Timeline

# Shares of a proof's time, for the display's estimate: `proverd demo`, 2 CPUs (AMD EPYC, adx), December 2026.
STAGE_SHARES = {
    "synthesis": 0.01,
    "ntt": 0.05,
    "msm_h": 0.19,
    "msm_a": 0.18,
    "msm_b1": 0.09,
    "msm_b2": 0.33,
    "msm_l": 0.15,
}


class ShownTimeline(Timeline):
    """A timeline that also moves a progress display."""

    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self._progress = progress

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self._progress.show(name)
        with super().stage(name):
            yield
        self._progress.advance(STAGE_SHARES.get(name, 0.0))


def load(path: str, device: str, threads: int | None, timeline: Timeline, console: Console) -> Circuit:
    """Loads a key; what its user should know of it is said on the console."""
    with timeline.stage("key_load"), warnings.catch_warnings():
        warnings.simplefilter("ignore", KeyWarning)  # said below, in the console's own form
        circuit = load_circuit(path, device=device, threads=threads)
    for warning in circuit.warnings:
        console.warn(f"{path}: {warning}")
    return circuit


def prove_and_write(
    circuit: Circuit,
    witness: Any,
    proof_path: str,
    public_path: str,
    timeline: Timeline,
) -> ProveResult:
    result = circuit.prove(witness, timeline=timeline)
    write_proof_and_public_inputs(proof_path, result.proof, public_path, result.public_inputs)
    return result


def proof_outcome(circuit: Circuit, result: ProveResult, proof_path: str, public_path: str) -> Outcome:
    """The result of ``prove`` and ``fullprove``."""
    seconds = {stage: round(value, 6) for stage, value in result.seconds.items()}
    total = sum(result.seconds.values())
    fields = {
        "proof": proof_path,
        "public": public_path,
        "curve": circuit.curve.name,
        "n_public": len(result.public_inputs),
        "domain_size": circuit.domain.n,
        "key_digest": result.key_digest,
        "verifying_key_digest": circuit.verifying_key.digest(),
        "unsafe_dev": circuit.unsafe_dev,
        "device": result.device,
        "blinded": True,  # nothing on the command line can fix the blinding
        "verified": True,  # an unverified proof is never handed out
        "seconds": seconds | {"total": round(total, 6)},
    }
    return Outcome(fields, f"{proof_text(circuit, result, total)}\nwrote {proof_path} and {public_path}")


def proof_text(circuit: Circuit, result: ProveResult, total: float) -> str:
    stages = ", ".join(f"{stage} {format_stage(value)}" for stage, value in result.seconds.items())
    return (
        f"proved and verified in {format_stage(total)} on {result.device} "
        f"({circuit.curve.name}, domain 2^{circuit.domain.log_n})\n  {stages}"
    )


def format_stage(seconds: float) -> str:
    """``4.1 ms``, ``380 ms``, ``2.31 s``."""
    if seconds >= 1:
        return f"{seconds:.2f} s"
    return f"{1000 * seconds:.0f} ms" if seconds >= 0.0995 else f"{1000 * seconds:.1f} ms"
