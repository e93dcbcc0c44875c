"""The ready circuits: satisfied, sound where a wire is changed, and of the shape that was asked for."""

from __future__ import annotations

import json
from math import gcd
from pathlib import Path

import numpy as np
import pytest

import peers
from circuit_runs import Circuit, run_and_compare
from proverd.circuits.assignment import ProvingAssignment
from proverd.circuits.check import first_unsatisfied
from proverd.circuits.library import (
    EXPONENT,
    ROUNDS,
    Synthetic,
    assign,
    hash_chain,
    hash_pair,
    merkle_path,
    record,
    round_constants,
)
from proverd.curves import Curve
from proverd.errors import BadArgument
from proverd.formats import R1cs, write_wtns
from proverd.groth16.circuit import KeyWarning, load_circuit
from proverd.groth16.setup import ConstraintMatrices, setup_unsafe_dev
from proverd.groth16.synthesis import synthesize
from proverd.ops import vec

VECTORS = Path(__file__).parent.parent / "vectors"

READY: dict[str, Circuit] = {
    "hash_chain": hash_chain([5, 0, 7]),
    "merkle_path": merkle_path(11, [3, 1, 4, 1], 0b1010),
    "synthetic": Synthetic(2000, n_public=3).synthesize,
    "all_bits": Synthetic(50, n_public=0, zero_share=0.5, one_share=0.5).synthesize,
    "sparse_b": Synthetic(300, n_public=1, zero_share=0, one_share=0, b_density=0.1).synthesize,
    "empty": lambda cs: None,
    "single": Synthetic(1, n_public=0).synthesize,
    "only_public": Synthetic(4, n_public=4).synthesize,
    "five_terms": Synthetic(200, a_terms=5).synthesize,
}


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
        {"n_constraints": 5, "b_density": -0.1},
        {"n_constraints": 5, "b_density": 1.1},
        {"n_constraints": 5, "a_terms": 0},
    ],
)
def test_synthetic_refuses_what_cannot_be(arguments: dict[str, float]) -> None:
    with pytest.raises(BadArgument):
        Synthetic(**arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("density", [0.0, 0.4, 0.55, 0.8, 1.0])
def test_synthetic_has_the_density_in_b(curve: Curve, density: float) -> None:
    """Bits (here 0.3 of the wires) are always in B, the last of eight layers of products never is."""
    shape = record(curve, Synthetic(8000, zero_share=0.2, one_share=0.1, b_density=density).synthesize)
    column = shape.matrices()[1].column
    in_b = len(np.unique(column[column > shape.n_public])) / shape.n_private
    assert in_b == pytest.approx(min(max(density, 0.3), 1 - 0.7 / 8), abs=0.005)


def test_synthetic_has_the_terms_in_a(curve: Curve) -> None:
    """With the constant; fewer only where the draw names a wire twice, or in the public input's row."""
    a, b, _ = record(curve, Synthetic(9000, zero_share=0.1, one_share=0, a_terms=7).synthesize).matrices()
    products = slice(900, 8999)  # after the bits
    for matrix, terms in ((a, 7 + 1), (b, 2)):
        counts = np.diff(matrix.row_start)[products]
        assert counts.max() == terms
        assert np.mean(counts == terms) > 0.95


def test_the_hash_is_a_permutation_with_enough_rounds(curve: Curve) -> None:
    """y ↦ y⁵ is a permutation of Fr, and the degree 5^rounds exceeds the number of values."""
    r = curve.fr.modulus
    assert gcd(EXPONENT, r - 1) == 1
    assert EXPONENT ** (ROUNDS - 1) < r <= EXPONENT**ROUNDS
    constants = round_constants(curve)
    assert len(set(constants)) == len(constants) == ROUNDS
    assert constants[0] == 0
    assert max(constants) < r


@pytest.mark.parametrize("name", ["hash_chain", "merkle_path"])
def test_every_wire_is_bound(curve: Curve, name: str, tmp_path: Path) -> None:
    """Any single changed value breaks a constraint: no wire is left free."""
    circuit = {"hash_chain": hash_chain([5]), "merkle_path": merkle_path(11, [3], 1)}[name]
    shape = record(curve, circuit)
    shape.write_r1cs(tmp_path / "circuit.r1cs")
    genuine = vec.integers(assign(shape, circuit))
    words = vec.integers_to_words(genuine, curve.fr)
    with R1cs.open(tmp_path / "circuit.r1cs") as r1cs:
        for wire in range(1, shape.n_wires, 7):
            changed = words.copy()
            changed[wire] = vec.words_of((genuine[wire] + 1) % curve.fr.modulus, curve.fr)
            assert first_unsatisfied(r1cs, changed, curve) is not None, wire


@pytest.mark.parametrize("index", [0b00, 0b01, 0b10, 0b11])
def test_another_index_gives_another_root(curve: Curve, index: int) -> None:
    """The root of the path's own place, computed without the circuit."""
    node = 8
    for level, sibling in enumerate((6, 9)):
        pair = (sibling, node) if index >> level & 1 else (node, sibling)
        node = hash_pair(curve, *pair)
    _, values = run_and_compare(curve, merkle_path(8, [6, 9], index))
    assert values[1] == node


@pytest.mark.parametrize("messages", [1, 20])
def test_combinations_do_not_grow_along_a_chain(curve: Curve, messages: int) -> None:
    shape = record(curve, hash_chain(range(messages)))
    assert shape.n_constraints == 3 * ROUNDS * messages + 1
    assert max(int(np.diff(matrix.row_start).max()) for matrix in shape.matrices()) <= 3


def test_buffers_are_what_the_prover_computes_from_a_key(curve: Curve, tmp_path: Path) -> None:
    """a and b over the whole domain: constraints, the rows of the public inputs, zeros."""
    circuit = Synthetic(300, n_public=3).synthesize
    shape = record(curve, circuit)
    matrices = ConstraintMatrices(curve, shape.n_wires, shape.n_public, *shape.matrices())
    setup_unsafe_dev(matrices, tmp_path / "circuit.zkey")
    with pytest.warns(KeyWarning, match="development key"):
        key = load_circuit(tmp_path / "circuit.zkey")
    a, b = (np.full((key.matrices.rows, 4), 0xAB, np.uint64) for _ in range(2))
    run = ProvingAssignment(shape, a, b)
    circuit(run)
    for buffer, vector in zip((a, b), synthesize(key.matrices, run.assignment()), strict=True):
        assert np.array_equal(buffer, vector.backend.get(vector.data))


@pytest.mark.node
def test_snarkjs_accepts_circuit_and_witness(curve: Curve, tmp_path: Path) -> None:
    circuit = READY["synthetic"]
    shape = record(curve, circuit)
    shape.write_r1cs(tmp_path / "circuit.r1cs")
    printed = peers.snarkjs("r1cs", "info", tmp_path / "circuit.r1cs")
    assert f"# of Constraints: {shape.n_constraints}" in printed
    assert f"# of Wires: {shape.n_wires}" in printed
    assert f"# of Public Inputs: {shape.n_public}" in printed
    write_wtns(tmp_path / "witness.wtns", curve, assign(shape, circuit).data)
    assert "WITNESS IS CORRECT" in peers.snarkjs(
        "wtns", "check", tmp_path / "circuit.r1cs", tmp_path / "witness.wtns"
    )


@pytest.mark.node
def test_snarkjs_sets_up_and_proves(curve: Curve, tmp_path: Path) -> None:
    """A circuit of Python's all the way in snarkjs: its key, its proof of our witness, its verification."""
    circuit = Synthetic(100, n_public=2).synthesize
    shape = record(curve, circuit)
    z = assign(shape, circuit)
    names = ("circuit.r1cs", "circuit.zkey", "witness.wtns", "proof.json", "public.json", "vkey.json")
    r1cs, zkey, wtns, proof, public, vkey = (tmp_path / name for name in names)
    shape.write_r1cs(r1cs)
    write_wtns(wtns, curve, z.data)
    powers = VECTORS / f"powers_7_{curve.snarkjs_name}.ptau"
    peers.snarkjs("groth16", "setup", r1cs, powers, zkey)
    peers.snarkjs("groth16", "prove", zkey, wtns, proof, public)
    peers.snarkjs("zkey", "export", "verificationkey", zkey, vkey)
    assert "OK!" in peers.snarkjs("groth16", "verify", vkey, public, proof)
    assert [int(value) for value in json.loads(public.read_text())] == vec.integers(z)[1:3]
