"""Recording a circuit and running it: matrices, assignment and a, b, c agree."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import peers
from proverd.backend import Form, get_backend
from proverd.circuits.assignment import ProvingAssignment
from proverd.circuits.check import first_unsatisfied
from proverd.circuits.constraint_system import ConstraintSystem, Linear, Synthesizer
from proverd.circuits.library import Synthetic, assign, hash_chain, hash_pair, merkle_path, record
from proverd.curves import CURVES, Curve
from proverd.errors import BadArgument, WrongLength
from proverd.formats import R1cs
from proverd.ops import vec
from proverd.ops.spmv import CsrMatrix

Circuit = Callable[[Synthesizer], None]

READY: dict[str, Circuit] = {
    "hash_chain": hash_chain([5, 0, 7]),
    "merkle_path": merkle_path(11, [3, 1, 4, 1], 0b1010),
    "synthetic": Synthetic(2000, n_public=3).synthesize,
    "all_bits": Synthetic(50, n_public=0, zero_share=0.5, one_share=0.5).synthesize,
    "sparse_b": Synthetic(300, n_public=1, zero_share=0, one_share=0, b_density=0.1).synthesize,
    "empty": lambda cs: None,
}


@pytest.fixture(params=CURVES.values(), ids=CURVES)
def curve(request: pytest.FixtureRequest) -> Curve:
    return request.param


def montgomery(curve: Curve, words: np.ndarray) -> list[int]:
    return vec.integers(vec.put(get_backend("cpu"), curve, np.ascontiguousarray(words), Form.MONTGOMERY))


def run_and_compare(curve: Curve, circuit: Circuit) -> tuple[ConstraintSystem, list[int]]:
    """Runs the circuit both ways; a, b, c must be the matrices' products, and a∘b = c."""
    shape = record(curve, circuit)
    rows = shape.n_constraints + shape.n_public + 1
    buffers = [np.full((rows + 3, 4), 0xAB, np.uint64) for _ in range(3)]
    run = ProvingAssignment(shape, *buffers)
    circuit(run)
    z = run.assignment()
    assert z.form is Form.CANONICAL
    values = vec.integers(z)
    r, m = curve.fr.modulus, shape.n_constraints
    products = []
    for matrix, buffer in zip(shape.matrices(), buffers, strict=True):
        out = vec.empty(z.backend, curve, m)
        CsrMatrix.build(z.backend, curve, shape.n_wires, *matrix).multiply(out, z)
        products.append(vec.integers(out))
        assert montgomery(curve, buffer[:m]) == products[-1]
    a, b, c = products
    assert [x * y % r for x, y in zip(a, b, strict=True)] == c
    assert montgomery(curve, buffers[0][m:]) == [*values[: shape.n_public + 1], 0, 0, 0]
    assert not buffers[1][m:].any()
    return shape, values


@pytest.mark.parametrize("name", READY)
def test_ready_circuits(curve: Curve, name: str, tmp_path: Path) -> None:
    shape, values = run_and_compare(curve, READY[name])
    shape.write_r1cs(tmp_path / "circuit.r1cs")
    with R1cs.open(tmp_path / "circuit.r1cs") as r1cs:
        assert (r1cs.header.n_wires, r1cs.header.n_public) == (shape.n_wires, shape.n_public)
        for read, recorded in zip(r1cs.matrices(), shape.matrices(), strict=True):
            assert all(np.array_equal(x, y) for x, y in zip(read, recorded, strict=True))
        words = vec.integers_to_words(values, curve.fr)
        assert first_unsatisfied(r1cs, words, curve) is None


def test_public_inputs_are_what_they_should_be(curve: Curve) -> None:
    digest = 0
    for message in (5, 0, 7):
        digest = hash_pair(curve, digest, message)
    _, values = run_and_compare(curve, READY["hash_chain"])
    assert values[1] == digest
    node = 11
    for sibling, right in ((3, 0), (1, 1), (4, 0), (1, 1)):
        node = hash_pair(curve, sibling, node) if right else hash_pair(curve, node, sibling)
    _, values = run_and_compare(curve, READY["merkle_path"])
    assert values[1] == node


def test_synthetic_has_what_was_asked_for(curve: Curve) -> None:
    circuit = Synthetic(4000, n_public=5, zero_share=0.3, one_share=0.25, b_density=0.5, seed=3)
    shape = record(curve, circuit.synthesize)
    assert (shape.n_constraints, shape.n_public) == (4000, 5)
    values = vec.integers(assign(shape, circuit.synthesize))
    assert values == vec.integers(assign(shape, circuit.synthesize))
    assert abs(values.count(0) / 4000 - 0.3) < 0.01
    assert abs(values.count(1) / 4000 - 0.25) < 0.01
    other = Synthetic(4000, n_public=5, zero_share=0.3, one_share=0.25, b_density=0.5, seed=4)
    assert vec.integers(assign(record(curve, other.synthesize), other.synthesize)) != values


@pytest.mark.parametrize(
    "arguments",
    [
        {"n_constraints": 1, "n_public": 2},
        {"n_constraints": 5, "zero_share": 0.7, "one_share": 0.7},
        {"n_constraints": 5, "zero_share": -0.1},
        {"n_constraints": 5, "b_density": 0.0},
    ],
)
def test_synthetic_refuses_what_cannot_be(arguments: dict[str, float]) -> None:
    with pytest.raises(BadArgument):
        Synthetic(**arguments)  # type: ignore[arg-type]


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
    shape = record(curve, READY["hash_chain"])
    rows = shape.n_constraints + 2
    buffers = [np.empty((rows, 4), np.uint64) for _ in range(2)]
    with pytest.raises(WrongLength, match=f"expected {rows}, found {rows - 1}"):
        ProvingAssignment(shape, *(buffer[:-1] for buffer in buffers))
    with pytest.raises(BadArgument, match="recorded"):
        ProvingAssignment(shape, *buffers).assignment()
    run = ProvingAssignment(shape, *buffers)
    READY["hash_chain"](run)
    with pytest.raises(BadArgument, match="more than"):
        run.enforce(1, 1, 1)
    with pytest.raises(BadArgument, match="more wires"):
        run.alloc(lambda: 1)


@pytest.mark.node
def test_snarkjs_reads_the_r1cs(curve: Curve, tmp_path: Path) -> None:
    shape = record(curve, READY["synthetic"])
    shape.write_r1cs(tmp_path / "circuit.r1cs")
    printed = peers.snarkjs("r1cs", "info", tmp_path / "circuit.r1cs")
    assert f"# of Constraints: {shape.n_constraints}" in printed
    assert f"# of Wires: {shape.n_wires}" in printed
