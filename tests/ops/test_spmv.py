"""Sparse products against sums over Python integers."""

from __future__ import annotations

import random

import numpy as np
import pytest

from proverd.backend import Backend, Form
from proverd.curves import Curve
from proverd.errors import BadArgument, ValueOutOfRange, WrongLength
from proverd.ops import vec
from proverd.ops.spmv import CoefficientRecords, CsrMatrix

Entry = tuple[int, int, int, int]  # matrix, row, wire, coefficient


def random_entries(curve: Curve, rows: int, wires: int, count: int) -> list[Entry]:
    rng = random.Random(count)
    special = [1, curve.fr.modulus - 1, 2, 0]
    return [
        (
            rng.randrange(2),
            rng.randrange(rows),
            rng.randrange(wires),
            rng.choice([*special, rng.randrange(curve.fr.modulus)]),
        )
        for _ in range(count)
    ]


def records_of(curve: Curve, entries: list[Entry]) -> np.ndarray:
    raw = b"".join(
        np.array([m, row, wire], dtype="<u4").tobytes()
        + (value * curve.fr.r2 % curve.fr.modulus).to_bytes(32, "little")
        for m, row, wire, value in entries
    )
    return np.frombuffer(raw, dtype=np.uint8)


def expected_product(entries: list[Entry], matrix: int, rows: int, z: list[int], modulus: int) -> list[int]:
    out = [0] * rows
    for m, row, wire, value in entries:
        if m == matrix:
            out[row] = (out[row] + value * z[wire]) % modulus
    return out


@pytest.mark.parametrize("ascending", [True, False])
@pytest.mark.parametrize(("rows", "count"), [(1, 0), (1, 500), (8, 40), (5000, 9000)])
def test_records(backend: Backend, curve: Curve, rows: int, count: int, ascending: bool) -> None:
    wires = 37
    entries = random_entries(curve, rows, wires, count)
    if ascending:
        entries.sort(key=lambda e: e[1])
    matrices = CoefficientRecords(backend, curve, records_of(curve, entries), rows, wires)
    rng = random.Random(1)
    z = [1, 0, curve.fr.modulus - 1] + [rng.randrange(curve.fr.modulus) for _ in range(wires - 3)]
    a, b = vec.empty(backend, curve, rows), vec.empty(backend, curve, rows)
    matrices.multiply(a, b, vec.from_integers(backend, curve, z))
    assert vec.integers(a) == expected_product(entries, 0, rows, z, curve.fr.modulus)
    assert vec.integers(b) == expected_product(entries, 1, rows, z, curve.fr.modulus)


def test_records_out_of_range_are_named(backend: Backend, curve: Curve) -> None:
    entries = [(0, 0, 0, 1)] * 5000
    for position, bad in ((0, (2, 0, 0, 1)), (17, (0, 4, 0, 1)), (4999, (1, 3, 9, 1))):
        wrong = entries.copy()
        wrong[position] = bad
        with pytest.raises(ValueOutOfRange, match=f"coefficient {position}:"):
            CoefficientRecords(backend, curve, records_of(curve, wrong), rows=4, wires=9)
    raw = records_of(curve, entries).copy()
    raw[44 * 3 + 12 : 44 * 4] = 0xFF
    with pytest.raises(ValueOutOfRange, match="coefficient 3:"):
        CoefficientRecords(backend, curve, raw, rows=4, wires=9)


def csr_of(curve: Curve, entries: list[Entry], rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    entries = sorted(entries, key=lambda e: e[1])
    starts = np.searchsorted([e[1] for e in entries], np.arange(rows + 1)).astype(np.int64)
    column = np.array([e[2] for e in entries], dtype=np.uint32)
    return starts, column, vec.integers_to_words([e[3] for e in entries], curve.fr)


@pytest.mark.parametrize("form", list(Form))
def test_csr_and_its_transpose(backend: Backend, curve: Curve, form: Form) -> None:
    rows, wires = 3000, 50
    entries = [e for e in random_entries(curve, rows, wires, 8000) if e[0] == 0]
    matrix = CsrMatrix.build(backend, curve, wires, *csr_of(curve, entries, rows))
    rng = random.Random(2)
    z = [1, 0] + [rng.randrange(curve.fr.modulus) for _ in range(wires - 2)]
    assignment = vec.from_integers(backend, curve, z)
    w = [rng.randrange(curve.fr.modulus) for _ in range(rows)]
    weights = vec.from_integers(backend, curve, w)
    if form is Form.MONTGOMERY:
        vec.to_montgomery(assignment)
        vec.to_montgomery(weights)
    out = vec.empty(backend, curve, rows)
    matrix.multiply(out, assignment)
    assert out.form is form
    assert vec.integers(out) == expected_product(entries, 0, rows, z, curve.fr.modulus)
    flipped = [(0, wire, row, value) for _, row, wire, value in entries]
    transposed = matrix.multiply_transposed(weights)
    assert vec.integers(transposed) == expected_product(flipped, 0, wires, w, curve.fr.modulus)


def test_csr_indices_are_checked(backend: Backend, curve: Curve) -> None:
    value = vec.integers_to_words([1, 1], curve.fr)
    column = np.array([0, 1], dtype=np.uint32)
    for starts, columns in (([0, 1, 2], 1), ([0, 2, 1], 2), ([1, 1, 2], 2), ([0, 1, 3], 2)):
        with pytest.raises(BadArgument, match="CSR indices"):
            CsrMatrix.build(backend, curve, columns, np.array(starts, dtype=np.int64), column, value)
    matrix = CsrMatrix.build(backend, curve, 2, np.array([0, 1, 2], dtype=np.int64), column, value)
    with pytest.raises(WrongLength, match="assignment"):
        matrix.multiply(vec.empty(backend, curve, 2), vec.from_integers(backend, curve, [1]))
