"""Recording a circuit and running it: matrices, assignment and a, b, c agree."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from circuit_runs import run_and_compare
from proverd.circuits import assignment
from proverd.circuits.assignment import ProvingAssignment
from proverd.circuits.constraint_system import ConstraintSystem, Linear, Rows, Synthesizer
from proverd.circuits.library import hash_chain, record
from proverd.curves import Curve
from proverd.errors import BadArgument, ValueOutOfRange, WrongLength
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


def rows_of(curve: Curve, combinations: list[dict[int, int]]) -> Rows:
    return Rows(
        np.cumsum([0, *map(len, combinations)]),
        np.array([wire for row in combinations for wire in row], np.int64),
        vec.integers_to_words([value for row in combinations for value in row.values()], curve.fr),
    )


combinations = st.dictionaries(st.integers(-3, 1), st.integers(0, (1 << 253) - 1), max_size=5)


@given(
    sides=st.lists(st.tuples(combinations, combinations), max_size=6),
    values=st.lists(st.integers(0, 9), min_size=4, max_size=4),
)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_rows_are_what_enforce_makes_one_by_one(
    curve: Curve, sides: list[tuple[dict[int, int], dict[int, int]]], values: list[int]
) -> None:
    """a·b = w for each row, where w is a new wire; a and b of any length, c as a column."""
    a, b = ([side[k] for side in sides] for k in range(2))

    def circuit(bulk: bool) -> Callable[[Synthesizer], None]:
        def synthesize(cs: Synthesizer) -> None:
            cs.alloc_input(lambda: values[0])
            for value in values[1:]:
                cs.alloc(lambda value=value: value)  # type: ignore[misc]
            products = [lambda x=x, y=y: cs.value(Linear(x)) * cs.value(Linear(y)) for x, y in sides]
            made = [next(iter(cs.alloc(product).terms)) for product in products]
            if bulk:
                c = [(1, np.array(made, np.int64))]
                cs.enforce_many(len(sides), rows_of(curve, a), rows_of(curve, b), c)
                return
            for x, y, wire in zip(a, b, made, strict=True):
                cs.enforce(Linear(x), Linear(y), Linear({wire: 1}))

        return synthesize

    (bulk, z), (single, same_z) = (run_and_compare(curve, circuit(bulk)) for bulk in (True, False))
    assert z == same_z
    for one, other in zip(bulk.matrices(), single.matrices(), strict=True):
        assert all(np.array_equal(x, y) for x, y in zip(one, other, strict=True))


@pytest.mark.parametrize(
    ("row_start", "terms", "kind", "message"),
    [
        ([0, 1], 2, BadArgument, "row starts of 2 rows"),
        ([0, 1, 3], 2, BadArgument, "row starts of 2 rows"),
        ([1, 1, 2], 2, BadArgument, "row starts of 2 rows"),
        ([0, 3, 2], 2, BadArgument, "row starts of 2 rows"),
        ([0, 1, 2], 1, WrongLength, "coefficients: expected 2, found 1"),
    ],
)
def test_rows_that_are_none(
    curve: Curve, row_start: list[int], terms: int, kind: type[Exception], message: str
) -> None:
    rows = Rows(np.array(row_start), np.zeros(2, np.int64), np.zeros((terms, 4), np.uint64))
    with pytest.raises(kind, match=message):
        ConstraintSystem(curve).enforce_many(2, rows, [], [])


def test_coefficients_of_rows_are_below_r(curve: Curve) -> None:
    rows = rows_of(curve, [{0: 1}, {0: curve.fr.modulus}])
    with pytest.raises(ValueOutOfRange, match="coefficient 1 is not below r"):
        ConstraintSystem(curve).enforce_many(2, rows, [], [])


def test_long_runs_are_written_piece_by_piece(curve: Curve, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assignment, "MOST_PENDING", 7)
    run_and_compare(curve, hash_chain([3]))


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
