"""Files beyond 4 GiB: holes in sparse files stand for what a large circuit would hold."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np
import pytest

from formats.samples import Parts, patch, sample_assignment, sample_bytes, sample_contents, sample_r1cs, u32
from proverd.curves import BN254, Curve
from proverd.errors import ProverdError, Truncated
from proverd.formats import BinFile, Ptau, R1cs, Wtns, Zkey
from proverd.formats.inspect import inspect

GIB = 1 << 30


def write_sparse(path: Path, parts: Parts, holes: dict[int, int]) -> None:
    """Writes a file in which some sections are longer than their contents by zero bytes that cost no disk."""
    with open(path, "wb") as file:
        file.write(struct.pack("<4sII", parts.magic, parts.version, len(parts.sections)))
        for section_id, body in parts.sections:
            size = len(body) + holes.get(section_id, 0)
            file.write(struct.pack("<IQ", section_id, size) + body)
            file.seek(size - len(body), 1)
        file.truncate(file.tell())
    assert path.stat().st_blocks * 512 < 1 << 24


@pytest.mark.parametrize("kind", ["zkey", "wtns", "r1cs", "ptau"])
def test_sections_beyond_4_gib(curve: Curve, tmp_path: Path, kind: str) -> None:
    parts = Parts.of(sample_bytes(kind, curve, tmp_path))
    parts.sections.insert(0, (1000, b""))
    path = tmp_path / f"large.{kind}"
    write_sparse(path, parts, {1000: 5 * GIB})
    assert inspect(path)["size_bytes"] == len(parts.build()) + 5 * GIB
    assert all(section["offset"] > 1 << 32 for section in inspect(path)["sections"][1:])
    if kind == "zkey":
        with Zkey.open(path) as key:
            key.check_coefficient_indices()
            assert np.array_equal(key.h_query, sample_contents(curve).h_query)
            assert key.contributions == sample_contents(curve).contributions
    elif kind == "wtns":
        with Wtns.open(path) as witness:
            assert np.array_equal(witness.values, sample_assignment(curve))
    elif kind == "r1cs":
        with R1cs.open(path) as system:
            for got, wanted in zip(system.matrices(), sample_r1cs(curve)[1], strict=True):
                assert np.array_equal(got.value, wanted.value)
    else:
        with Ptau.open(path) as powers:
            assert powers.lagrange_tau_g1(3)[0, 0] == (12 << 20) + 7 * curve.g1_nbytes // 8


def test_sections_longer_than_4_gib(tmp_path: Path) -> None:
    """A key of 2^26 wires and a hundred million coefficients; the last of each query is marked."""
    curve, n_wires, n_coefficients, domain_size = BN254, 1 << 26, 100_000_000, 1 << 27
    parts = Parts.of(sample_bytes("zkey", curve, tmp_path))
    counts_at = 8 + curve.fp.nbytes + curve.fr.nbytes
    header = patch(parts[2], counts_at, struct.pack("<III", n_wires, 2, domain_size))
    parts = parts.with_section(2, header).with_section(4, u32(n_coefficients))
    for section_id in (5, 6, 7, 8, 9):
        parts = parts.with_section(section_id, b"")
    sizes = {
        4: 44 * n_coefficients,
        5: 64 * n_wires,
        6: 64 * n_wires,
        7: 128 * n_wires,
        8: 64 * (n_wires - 3),
        9: 64 * domain_size,
    }
    path = tmp_path / "large.zkey"
    write_sparse(path, parts, sizes)
    with BinFile.open(path, b"zkey") as file:
        ends = {i: section.offset + section.size for i, section in file.sections.items()}
    with open(path, "r+b") as out:
        for section_id in sizes:
            out.seek(ends[section_id] - 8)
            out.write(struct.pack("<Q", section_id))

    report = inspect(path)
    assert report["size_bytes"] > 30 * GIB
    assert (report["n_wires"], report["n_coefficients"]) == (n_wires, n_coefficients)
    with Zkey.open(path) as key:
        assert len(key.coefficients) == n_coefficients
        assert key.coefficients[-1]["value"][3] == 4
        for section_id, query in enumerate(
            (key.a_query, key.b_g1_query, key.b_g2_query, key.l_query, key.h_query), 5
        ):
            assert query[-1, -1] == section_id
            assert not query[len(query) // 2].any()


def test_truncated_large_file(tmp_path: Path) -> None:
    """An interrupted download: the section table promises more than 4 GiB."""
    path = tmp_path / "large.zkey"
    parts = Parts.of(sample_bytes("zkey", BN254, tmp_path))
    write_sparse(path, parts, {9: 6 * GIB})
    with open(path, "r+b") as file:
        file.truncate(5 * GIB)
    with pytest.raises(Truncated, match=rf"section 9 \(h_query\): .*expected {6 * GIB + 512} bytes, found"):
        Zkey.open(path)


def test_witness_of_4_gib(tmp_path: Path) -> None:
    n_wires = (1 << 27) + 3
    parts = Parts.of(sample_bytes("wtns", BN254, tmp_path))
    parts = parts.with_section(1, patch(parts[1], 36, u32(n_wires))).with_section(2, parts[2][:32])
    path = tmp_path / "large.wtns"
    write_sparse(path, parts, {2: 32 * (n_wires - 1)})
    with Wtns.open(path) as witness:
        assert witness.n_wires == n_wires
    write_sparse(path, parts, {2: 32 * (n_wires - 2)})
    with pytest.raises(ProverdError, match=rf"section 2 .*expected {32 * n_wires} bytes"):
        Wtns.open(path)
