"""The proof, as five calls, and the check that no wrong one gets out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proverd.backend import FieldVector
from proverd.errors import SelfCheckFailed, Unsatisfied
from proverd.formats import Proof
from proverd.groth16.proof import Blinding, assemble
from proverd.groth16.queries import QuerySums, query_sums
from proverd.groth16.quotient import QUOTIENTS
from proverd.groth16.synthesis import synthesize
from proverd.groth16.verify import verify
from proverd.ops import vec
from proverd.trace import Timeline

if TYPE_CHECKING:
    from proverd.groth16.circuit import Circuit


def prove(
    circuit: Circuit,
    assignment: FieldVector,
    *,
    blinding: Blinding | None = None,
    timeline: Timeline | None = None,
) -> Proof:
    """A verified proof that the assignment satisfies the circuit.

    The assignment is canonical, (n_wires,), with the leading 1. A fixed blinding is for tests alone: the
    default is fresh for each proof. Raises Unsatisfied where the assignment does not satisfy the circuit,
    SelfCheckFailed where the machine computed something wrong.
    """
    timeline = timeline or Timeline()
    blinding = blinding or Blinding.fresh(circuit.curve)
    sums = proof_sums(circuit, assignment, timeline)
    with timeline.stage("finalize"):
        proof = assemble(circuit.key, sums, blinding)
    with timeline.stage("verify"):
        if not _verifies(circuit, assignment, proof):
            _explain_failure(circuit, assignment, sums)
    return proof


def proof_sums(circuit: Circuit, assignment: FieldVector, timeline: Timeline) -> QuerySums:
    """Synthesis, quotient, queries."""
    with timeline.stage("synthesis"):
        a, b = synthesize(circuit.matrices, assignment)
    with timeline.stage("ntt"):
        h = QUOTIENTS[circuit.key.reduction](circuit.domain, a, b)
    del a, b  # their memory is h, or free
    return query_sums(circuit.key, assignment, h, timeline)


def _verifies(circuit: Circuit, assignment: FieldVector, proof: Proof) -> bool:
    """An unsafe key is warned of where it is loaded; it does not stop its owner from proving."""
    public = public_inputs(circuit, assignment)
    return verify(circuit.key.verifying_key, public, proof, allow_unsafe_key=True)


def public_inputs(circuit: Circuit, assignment: FieldVector) -> tuple[int, ...]:
    """The values the proof is about: wires 1 to n_public."""
    head = assignment.data[1 : circuit.key.n_public + 1]
    return tuple(vec.words_to_integers(assignment.backend.get(head)))


def _explain_failure(circuit: Circuit, assignment: FieldVector, sums: QuerySums) -> None:
    """A ``.zkey`` has no matrix C, so an assignment that does not satisfy the circuit shows only here. The
    sums do not depend on the blinding: if other code computes the same ones, the input is at fault."""
    with circuit.backend.other_arithmetic():
        again = proof_sums(circuit, assignment, Timeline())
    wrong = sums.differences(again)
    if wrong:
        raise SelfCheckFailed(
            f"the proof does not verify, and a second computation differs in {', '.join(wrong)}"
        )
    raise Unsatisfied("the witness does not satisfy the circuit: the proof does not verify")
