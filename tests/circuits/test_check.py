"""The first constraint that a witness breaks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from proverd.circuits.check import first_unsatisfied
from proverd.circuits.constraint_system import ConstraintSystem
from proverd.curves import BLS12_381, BN254, CURVES, Curve
from proverd.errors import CurveMismatch, ValueOutOfRange, WrongLength
from proverd.formats import R1cs, Wtns
from proverd.ops.vec import integers_to_words, words_of, words_to_integers

FOLDERS = sorted(path.parent for path in (Path(__file__).parent.parent / "vectors").glob("*/circuit.r1cs"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_genuine_witnesses_satisfy(folder: Path) -> None:
    with R1cs.open(folder / "circuit.r1cs") as r1cs, Wtns.open(folder / "witness.wtns") as witness:
        assert first_unsatisfied(r1cs, witness) is None


def first_by_integers(r1cs: R1cs, z: list[int]) -> int | None:
    """The definition, a row at a time."""
    matrices = [
        (m.row_start.tolist(), m.column.tolist(), words_to_integers(m.value)) for m in r1cs.matrices()
    ]
    for row in range(r1cs.header.n_constraints):
        a, b, c = (
            sum(value[i] * z[column[i]] for i in range(start[row], start[row + 1]))
            for start, column, value in matrices
        )
        if (a * b - c) % r1cs.curve.fr.modulus:
            return row
    return None


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
def test_names_the_same_row_as_integers_whichever_wire_is_off(folder: Path) -> None:
    with R1cs.open(folder / "circuit.r1cs") as r1cs, Wtns.open(folder / "witness.wtns") as witness:
        genuine = words_to_integers(witness.values)
        fr = r1cs.curve.fr
        rows = set()
        for wire in range(1, min(r1cs.header.n_wires, 40)):
            z = genuine.copy()
            z[wire] = (z[wire] + 1) % fr.modulus
            expected = first_by_integers(r1cs, z)
            assert first_unsatisfied(r1cs, integers_to_words(z, fr), r1cs.curve) == expected
            rows.add(expected)
        assert (r1cs.header.n_constraints == 0) == (rows == {None})


@pytest.fixture(params=CURVES.values(), ids=CURVES)
def chain(request: pytest.FixtureRequest, tmp_path: Path) -> R1cs:
    """wᵢ₊₁ = wᵢ² for 6000 constraints: wire 1 is w₀."""
    cs = ConstraintSystem(request.param)
    wires = cs.alloc_many(6001, lambda: np.empty((0, 4), np.uint64))
    cs.enforce_many(6000, [(1, wires[:-1])], [(1, wires[:-1])], [(1, wires[1:])])
    cs.write_r1cs(tmp_path / "chain.r1cs")
    return R1cs.open(tmp_path / "chain.r1cs")


def squares(curve: Curve) -> list[int]:
    values = [3]
    for _ in range(6000):
        values.append(values[-1] ** 2 % curve.fr.modulus)
    return [1, *values]


@pytest.mark.parametrize("row", [0, 1, 2999, 5999])
def test_names_the_first_row(chain: R1cs, row: int) -> None:
    curve = chain.curve
    words = integers_to_words(squares(curve), curve.fr)
    assert first_unsatisfied(chain, words, curve) is None
    words[row + 2] = words_of(curve.fr.modulus - 1, curve.fr)  # row computes wire row + 2
    words[6001] = words_of(5, curve.fr)
    assert first_unsatisfied(chain, words, curve) == row


def test_unfit_witnesses_are_refused(chain: R1cs) -> None:
    curve = chain.curve
    words = integers_to_words(squares(curve), curve.fr)
    other = BLS12_381 if curve is BN254 else BN254
    with pytest.raises(CurveMismatch):
        first_unsatisfied(chain, words, other)
    with pytest.raises(WrongLength, match="expected 6002, found 6001"):
        first_unsatisfied(chain, words[:-1], curve)
    words[7] = words_of(curve.fr.modulus, curve.fr)
    with pytest.raises(ValueOutOfRange, match="value 7"):
        first_unsatisfied(chain, words, curve)
    words[7], words[0] = words[8], words[8]
    with pytest.raises(ValueOutOfRange, match="value 0"):
        first_unsatisfied(chain, words, curve)
