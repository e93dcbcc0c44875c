"""The five MSMs of a proof."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from proverd.backend import FieldVector
from proverd.backend.api import Words
from proverd.errors import ReductionMismatch
from proverd.groth16.key import ProvingKey
from proverd.ops.msm import msm
from proverd.trace import Timeline


@dataclass(frozen=True, eq=False)
class QuerySums:
    """One affine point for each query, Montgomery words."""

    a: Words
    b_g1: Words
    b_g2: Words
    l: Words  # noqa: E741 - the query's own name
    h: Words

    def differences(self, other: QuerySums) -> list[str]:
        """Names of the sums that are not the same."""
        return [
            field.name
            for field in fields(self)
            if not np.array_equal(getattr(self, field.name), getattr(other, field.name))
        ]


def query_sums(key: ProvingKey, assignment: FieldVector, h: FieldVector, timeline: Timeline) -> QuerySums:
    """Σ zᵢ·queryᵢ for a, b_g1, b_g2 over all wires and for l over the private ones; Σ hᵢ·h_queryᵢ."""
    if len(h) != len(key.h_query):
        raise ReductionMismatch(
            f"{key.reduction} gives {len(h)} values of h, the key's h_query has {len(key.h_query)} points"
        )
    private = FieldVector(
        assignment.backend, assignment.curve, assignment.data[key.n_public + 1 :], assignment.form
    )
    with timeline.stage("msm_h"):
        h_sum = msm(key.h_query, h)
    with timeline.stage("msm_a"):
        a = msm(key.a_query, assignment)
    with timeline.stage("msm_b1"):
        b_g1 = msm(key.b_g1_query, assignment)
    with timeline.stage("msm_b2"):
        b_g2 = msm(key.b_g2_query, assignment)
    with timeline.stage("msm_l"):
        l_sum = msm(key.l_query, private)
    return QuerySums(a, b_g1, b_g2, l_sum, h_sum)
