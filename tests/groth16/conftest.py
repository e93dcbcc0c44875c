"""Small circuits with keys whose toxic waste the tests know."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from proverd.circuits.constraint_system import ConstraintSystem, Synthesizer
from proverd.circuits.library import assign, record
from proverd.curves import CURVES, Curve
from proverd.groth16.circuit import Circuit, KeyWarning, load_circuit
from proverd.groth16.setup import ConstraintMatrices, ToxicWaste, setup_unsafe_dev
from proverd.ops import vec


@dataclass(frozen=True)
class Known:
    """A circuit, its key's secrets, and a satisfying assignment as integers."""

    shape: ConstraintSystem
    waste: ToxicWaste
    path: Path
    circuit: Circuit
    values: list[int]

    @property
    def curve(self) -> Curve:
        return self.shape.curve


Make = Callable[..., Known]


@pytest.fixture(params=CURVES.values(), ids=CURVES)
def curve(request: pytest.FixtureRequest) -> Curve:
    return request.param


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """make(curve, synthesize) sets a circuit up, loads its key and runs it."""

    def known(curve: Curve, synthesize: Callable[[Synthesizer], None]) -> Known:
        shape = record(curve, synthesize)
        r = curve.fr.modulus
        waste = ToxicWaste(tau=0x1234567 % r, alpha=pow(3, 100, r), beta=r - 5, delta=pow(7, 55, r))
        matrices = ConstraintMatrices(curve, shape.n_wires, shape.n_public, *shape.matrices())
        path = tmp_path / "circuit.zkey"
        setup_unsafe_dev(matrices, path, toxic_waste=waste, threads=2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", KeyWarning)
            circuit = load_circuit(path, threads=2)
        return Known(shape, waste, path, circuit, vec.integers(assign(shape, synthesize)))

    return known


def chain(n_constraints: int, n_public: int = 1) -> Callable[[Synthesizer], None]:
    """xᵢ₊₁ = xᵢ·(xᵢ + i), the last values public: as many constraints and public inputs as asked for."""

    def synthesize(cs: Synthesizer) -> None:
        wire = cs.alloc(lambda: 3)
        for i in range(n_constraints):
            factor = wire + i

            def product(left=wire, right=factor) -> int:  # type: ignore[no-untyped-def]
                return cs.value(left) * cs.value(right)

            following = (cs.alloc_input if n_constraints - i <= n_public else cs.alloc)(product)
            cs.enforce(wire, factor, following)
            wire = following

    return synthesize
