"""Synthesis: the assignment z → a = Az, b = Bz over the domain."""

from __future__ import annotations

from proverd.backend import FieldVector
from proverd.ops import vec
from proverd.ops.spmv import CoefficientRecords


def synthesize(matrices: CoefficientRecords, assignment: FieldVector) -> tuple[FieldVector, FieldVector]:
    """a, b with a[j] = Σᵢ A[j, i]·zᵢ and b likewise: (n,), Montgomery, natural order.

    z is canonical. Rows of the matrices are the domain's points: constraints, then the rows that bind the
    public inputs, then zeros. c is not computed: where z satisfies the circuit it is a∘b.
    """
    backend, curve = assignment.backend, assignment.curve
    a = vec.empty(backend, curve, matrices.rows)
    b = vec.empty(backend, curve, matrices.rows)
    matrices.multiply(a, b, assignment)
    return a, b
