"""Recording a circuit and running it: matrices, assignment and a, b, c agree."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from circuit_runs import run_and_compare
from proverd.circuits.assignment import ProvingAssignment
from proverd.circuits.constraint_system import ConstraintSystem, Linear, Synthesizer
from proverd.circuits.library import hash_chain, record
from proverd.curves import Curve
from proverd.errors import BadArgument, WrongLength
from proverd.ops import vec

Step = tuple[str, list[tuple[int, int]], list[tuple[int, int]]]
terms = st.lists(st.tuples(st.integers(0, 50), st.integers(-3, 1 << 260)), max_size=4)
steps = st.lists(st.tuples(st.sampled_from(["private", "public", "bulk"]), terms, terms), max_size=12)


@given(steps=steps, start=st.integers(0, 1 << 256))
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_circuit(curve: Curve, steps: list[Step], start: int) -> None:
    """Products of arbitrary combinations of earlier wires, private, public and in bulk, in any order."""

    def circuit(cs: Synthesizer) -> None:
        known = [1 + Linear({}), cs.alloc(lambda: start)]

        def combination(picks: list[tuple[int, int]]) -> Linear:
            return sum((known[i % len(known)] * k for i, k in picks), Linear({}))

        def product(a: Linear, b: Linear) -> Callable[[], int]:
            return lambda: cs.value(a) * cs.value(b)

        for kind, left, right in steps:
            a, b = combination(left), combination(right)
            if kind == "bulk":
                wire = np.array([next(iter(known[len(left) % len(known)].terms), 0)], np.int64)
                made = cs.alloc_many(1, lambda wire=wire: cs.values(wire))  # type: ignore[misc]
                cs.enforce_many(1, [(3, wire)], [(1, np.zeros(1, np.int64))], [(2, made), (1, wire)])
                known.append(Linear({int(made[0]): 1}))
                continue
            wire_of = cs.alloc if kind == "private" else cs.alloc_input
            known.append(wire_of(product(a, b)))
            cs.enforce(a, b, known[-1])

    run_and_compare(curve, circuit)


def test_values_cannot_be_asked_of_a_recording(curve: Curve) -> None:
    cs = ConstraintSystem(curve)
    wire = cs.alloc(lambda: 1 // 0)  # never called
    with pytest.raises(BadArgument, match="no values"):
        cs.value(wire)
    with pytest.raises(BadArgument, match="no values"):
        cs.values(np.array([0]))


def test_runs_that_do_not_match_the_recording(curve: Curve) -> None:
    shape = record(curve, hash_chain([5, 0, 7]))
    rows = shape.n_constraints + 2
    buffers = [np.empty((rows, 4), np.uint64) for _ in range(2)]
    with pytest.raises(WrongLength, match=f"expected {rows}, found {rows - 1}"):
        ProvingAssignment(shape, *(buffer[:-1] for buffer in buffers))
    with pytest.raises(BadArgument, match="recorded"):
        ProvingAssignment(shape, *buffers).assignment()
    run = ProvingAssignment(shape, *buffers)
    hash_chain([5, 0, 7])(run)
    with pytest.raises(BadArgument, match="more than"):
        run.enforce(1, 1, 1)
    with pytest.raises(BadArgument, match="more wires"):
        run.alloc(lambda: 1)


def test_bulk_values_of_the_wrong_length(curve: Curve) -> None:
    """One row of values must not be spread over three wires."""

    def circuit(rows: int) -> Callable[[Synthesizer], object]:
        return lambda cs: cs.alloc_many(3, lambda: np.zeros((rows, 4), np.uint64))

    shape = ConstraintSystem(curve)
    circuit(3)(shape)
    for rows in (1, 2, 4):
        a, b = (np.empty((1, 4), np.uint64) for _ in range(2))
        with pytest.raises(WrongLength, match=f"expected 3, found {rows}"):
            circuit(rows)(ProvingAssignment(shape, a, b))


@pytest.mark.parametrize("wire", [2, -3])
def test_wires_of_another_system_are_refused(curve: Curve, wire: int) -> None:
    cs = ConstraintSystem(curve)
    cs.alloc_input(lambda: 1)
    first, second = cs.alloc(lambda: 1), cs.alloc(lambda: 1)
    cs.enforce(first, second, 1)
    cs.matrices()
    cs.enforce(1, Linear({wire: 1}), 1)
    with pytest.raises(BadArgument, match="did not allocate"):
        cs.matrices()


def test_columns_of_the_wrong_length(curve: Curve) -> None:
    cs = ConstraintSystem(curve)
    wires = cs.alloc_many(3, lambda: np.zeros((3, 4), np.uint64))
    with pytest.raises(BadArgument, match="expected 2 wires"):
        cs.enforce_many(2, [(1, wires)], [], [])


def test_rows_are_canonical(curve: Curve) -> None:
    """A wire that a row names several times stands there once, with the sum; sums of zero are left out."""
    r = curve.fr.modulus
    cs = ConstraintSystem(curve)
    w = cs.alloc_many(3, lambda: np.zeros((3, 4), np.uint64))  # columns 1, 2, 3
    one = np.zeros(2, np.int64)
    thrice = [(2, w[[2, 0]]), (r - 1, w[[0, 0]]), (5, w[[2, 1]]), (1, one)]
    cs.enforce_many(2, thrice, [(1, w[:2]), (-1, w[[0, 2]])], [])
    cs.enforce(Linear({-1: r, -2: 3, 0: 2 * r + 1}), 1, 0)
    expected = [
        [{0: 1, 1: r - 1, 3: 7}, {0: 1, 1: 1, 2: 5}, {0: 1, 2: 3}],
        [{}, {2: 1, 3: r - 1}, {0: 1}],
        [{}] * 3,
    ]
    for matrix, rows in zip(cs.matrices(), expected, strict=True):
        values = vec.words_to_integers(matrix.value)
        found = [
            list(zip(matrix.column[i:j].tolist(), values[i:j], strict=True))
            for i, j in pairwise(matrix.row_start.tolist())
        ]
        assert found == [list(row.items()) for row in rows]
