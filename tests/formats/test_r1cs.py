"""``.r1cs``: matrices out and back in, and each violation named by constraint and matrix."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from formats.samples import Parts, patch, sample_bytes, sample_matrix, sample_r1cs, u32
from proverd.curves import BN254, Curve
from proverd.errors import (
    BadArgument,
    MalformedSection,
    MissingSection,
    UnsupportedCurve,
    UnsupportedProtocol,
    ValueOutOfRange,
)
from proverd.formats import R1cs, R1csHeader, SparseMatrix, write_r1cs


@pytest.fixture
def parts(curve: Curve, tmp_path: Path) -> Parts:
    return Parts.of(sample_bytes("r1cs", curve, tmp_path))


def open_parts(folder: Path, parts: Parts) -> R1cs:
    path = folder / "file.r1cs"
    path.write_bytes(parts.build())
    return R1cs.open(path)


def same(a: SparseMatrix, b: SparseMatrix) -> bool:
    pairs = ((a.row_start, b.row_start), (a.column, b.column), (a.value, b.value))
    return all(np.array_equal(x, y) and x.dtype == y.dtype for x, y in pairs)


def test_read_back(curve: Curve, tmp_path: Path) -> None:
    header, matrices = sample_r1cs(curve)
    write_r1cs(tmp_path / "a.r1cs", header, matrices)
    with R1cs.open(tmp_path / "a.r1cs") as system:
        assert system.header == header
        assert system.header.n_public == 2
        assert all(same(got, wanted) for got, wanted in zip(system.matrices(), matrices, strict=True))


def test_layout(curve: Curve, parts: Parts) -> None:
    """The bytes of section 2, spelled out for the first constraint: A = z₁ + 7·z₂, B = z₃, C empty."""

    def term(wire: int, value: int) -> bytes:
        return u32(wire) + value.to_bytes(32, "little")

    first = u32(2) + term(1, 1) + term(2, 7) + u32(1) + term(3, 1) + u32(0)
    assert parts[2].startswith(first)
    assert parts[3] == b"".join(label.to_bytes(8, "little") for label in range(6))
    assert [i for i, _ in parts.sections] == [1, 2, 3]


def test_no_constraints(curve: Curve, tmp_path: Path) -> None:
    header = R1csHeader(curve, 3, 0, 2, 0, 0)
    empty = sample_matrix(curve, [])
    write_r1cs(tmp_path / "a.r1cs", header, (empty, empty, empty))
    with R1cs.open(tmp_path / "a.r1cs") as system:
        assert all(same(m, empty) for m in system.matrices())


def test_many_constraints(tmp_path: Path) -> None:
    """More than the writer packs at a time, with rows of different lengths."""
    rng = np.random.default_rng(7)
    rows, wires = 40_000, 1000

    def matrix() -> SparseMatrix:
        starts = np.concatenate([[0], np.cumsum(rng.integers(0, 4, rows))]).astype(np.int64)
        entries = int(starts[-1])
        value = rng.integers(0, 1 << 60, (entries, 4)).astype(np.uint64)
        return SparseMatrix(starts, rng.integers(0, wires, entries).astype(np.uint32), value)

    header = R1csHeader(BN254, wires, 0, 1, 0, rows)
    matrices = (matrix(), matrix(), matrix())
    write_r1cs(tmp_path / "a.r1cs", header, matrices)
    with R1cs.open(tmp_path / "a.r1cs") as system:
        assert all(same(got, wanted) for got, wanted in zip(system.matrices(), matrices, strict=True))


def test_sections_in_any_order_and_labels_optional(parts: Parts, curve: Curve, tmp_path: Path) -> None:
    _, matrices = sample_r1cs(curve)
    for sections in (parts.sections[::-1], [(99, b"?"), *parts.without(3).sections]):
        with open_parts(tmp_path, replace(parts, sections=sections)) as system:
            assert all(same(got, wanted) for got, wanted in zip(system.matrices(), matrices, strict=True))


def test_private_inputs_without_a_wire(parts: Parts, tmp_path: Path) -> None:
    """circom counts declared private inputs, also those its optimiser dropped."""
    with open_parts(tmp_path, parts.with_section(1, patch(parts[1], 48, u32(100)))) as system:
        assert system.header.n_private_inputs == 100


@pytest.mark.parametrize("section_id", [4, 5])
def test_custom_gates(parts: Parts, tmp_path: Path, section_id: int) -> None:
    for empty in (b"", u32(0)):
        open_parts(tmp_path, parts.with_section(section_id, empty)).close()
    with pytest.raises(UnsupportedProtocol, match=rf"section {section_id} \(custom gate.*Groth16.*found 2"):
        open_parts(tmp_path, parts.with_section(section_id, u32(2) + bytes(50)))
    with pytest.raises(MalformedSection, match="number of custom gates: expected 4 bytes"):
        open_parts(tmp_path, parts.with_section(section_id, b"\0\0"))


@pytest.mark.parametrize("section_id", [1, 2])
def test_missing_section(parts: Parts, tmp_path: Path, section_id: int) -> None:
    with pytest.raises(MissingSection, match=f"expected section {section_id} "):
        open_parts(tmp_path, parts.without(section_id))


def test_header(parts: Parts, tmp_path: Path) -> None:
    for body in (parts[1][:-1], parts[1] + b"\0", b""):
        with pytest.raises(MalformedSection, match=r"section 1 \(header\)"):
            open_parts(tmp_path, parts.with_section(1, body))
    with pytest.raises(
        MalformedSection, match=r"n_wires of at least 1 \+ 6 public outputs \+ 1 public inputs, found 6"
    ):
        open_parts(tmp_path, parts.with_section(1, patch(parts[1], 40, u32(6))))
    with pytest.raises(UnsupportedCurve, match="found 101"):
        open_parts(tmp_path, parts.with_section(1, patch(parts[1], 4, (101).to_bytes(32, "little"))))


@pytest.mark.parametrize(
    ("count", "message"), [(3, "expected .* bytes for 3 constraints"), (5, "constraint 4, A")]
)
def test_constraint_count_that_disagrees(parts: Parts, tmp_path: Path, count: int, message: str) -> None:
    changed = parts.with_section(1, patch(parts[1], 60, u32(count)))
    with open_parts(tmp_path, changed) as system, pytest.raises(MalformedSection, match=message):
        system.matrices()


def test_absurd_constraint_count_costs_nothing(parts: Parts, tmp_path: Path) -> None:
    with pytest.raises(MalformedSection, match="at least 12 bytes for each of 4294967295 constraints"):
        open_parts(tmp_path, parts.with_section(1, patch(parts[1], 60, u32(0xFFFFFFFF))))


@pytest.mark.parametrize("count", [3, 1 << 27, 0xFFFFFFFF])
def test_terms_that_run_out_of_the_section(parts: Parts, tmp_path: Path, count: int) -> None:
    last = len(parts[2]) - 4  # C of the last constraint, which is empty
    with open_parts(tmp_path, parts.with_section(2, patch(parts[2], last, u32(count)))) as system:
        with pytest.raises(
            MalformedSection, match=rf"constraint 3, C: .*count of {count}\), found the"
        ) as caught:
            system.matrices()
        assert caught.value.offset == system.file.section(2).offset + last


def test_cut_anywhere(parts: Parts, tmp_path: Path) -> None:
    for kept in range(48, len(parts[2]), 5):
        changed = parts.with_section(2, parts[2][:kept])
        with open_parts(tmp_path, changed) as system, pytest.raises(MalformedSection, match="section 2 "):
            system.matrices()


def test_wire_out_of_range(parts: Parts, tmp_path: Path) -> None:
    at = 4 + 36  # the second term of A in the first constraint
    for wire in (6, 0xFFFFFFFF):
        with open_parts(tmp_path, parts.with_section(2, patch(parts[2], at, u32(wire)))) as system:
            with pytest.raises(
                ValueOutOfRange, match=f"constraint 0, A: expected a wire below 6, found {wire}"
            ) as caught:
                system.matrices()
            assert caught.value.offset == system.file.section(2).offset + at


def test_coefficient_not_below_r(curve: Curve, parts: Parts, tmp_path: Path) -> None:
    at = 4 + 2 * 36 + 4 + 4  # the coefficient of B in the first constraint
    for value in (curve.fr.modulus, (1 << 256) - 1):
        changed = parts.with_section(2, patch(parts[2], at, value.to_bytes(32, "little")))
        with (
            open_parts(tmp_path, changed) as system,
            pytest.raises(ValueOutOfRange, match=r"constraint 0, B: expected a coefficient below r.*wire 3"),
        ):
            system.matrices()


def test_writer_checks_its_matrices(curve: Curve, tmp_path: Path) -> None:
    header, (a, b, c) = sample_r1cs(curve)
    for changed, matrices in (
        (header, (a, b)),
        (replace(header, n_constraints=3), (a, b, c)),
        (replace(header, n_wires=2), (a, b, c)),
    ):
        with pytest.raises(BadArgument):
            write_r1cs(tmp_path / "a.r1cs", changed, matrices)
    assert list(tmp_path.iterdir()) == []
