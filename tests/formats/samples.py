"""Small files for the tests of formats: made by the writers, taken apart and put together by hand."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from proverd.curves import CURVES, Curve
from proverd.curves.curve import G1Point, G2Point
from proverd.formats import (
    Contribution,
    Contributions,
    R1csHeader,
    SparseMatrix,
    ZkeyContents,
    ZkeyHeader,
    coefficient_dtype,
    write_r1cs,
    write_wtns,
    write_zkey,
)
from proverd.formats.points import field_header, g1_bytes

REPOSITORY = Path(__file__).parents[2]
VECTORS = REPOSITORY / "tests" / "vectors"
MORE_CASES = Path(os.environ.get("PROVERD_CASES", REPOSITORY.parent / "shared" / "cases"))
CASES = [path.parent for root in (VECTORS, MORE_CASES) for path in sorted(root.glob("*/circuit.zkey"))]

CURVE_PARAMETERS = sorted(CURVES.values(), key=lambda curve: curve.name)


def curve_of(case: Path) -> Curve:
    """The curve in a case's name."""
    prime = case.name.rpartition("_")[2]
    return next(curve for curve in CURVE_PARAMETERS if curve.snarkjs_name == prime)


# --- the container, without the code under test -----------------------------------------------------


@dataclass
class Parts:
    """A binary file taken apart."""

    magic: bytes
    version: int
    sections: list[tuple[int, bytes]]

    @classmethod
    def of(cls, data: bytes) -> Parts:
        magic, version, count = struct.unpack_from("<4sII", data)
        sections, at = [], 12
        for _ in range(count):
            section_id, size = struct.unpack_from("<IQ", data, at)
            sections.append((section_id, data[at + 12 : at + 12 + size]))
            at += 12 + size
        return cls(magic, version, sections)

    def build(self) -> bytes:
        head = struct.pack("<4sII", self.magic, self.version, len(self.sections))
        return head + b"".join(struct.pack("<IQ", i, len(body)) + body for i, body in self.sections)

    def __getitem__(self, section_id: int) -> bytes:
        return dict(self.sections)[section_id]

    def with_section(self, section_id: int, body: bytes) -> Parts:
        """With a section's contents replaced, or the section appended."""
        known = any(i == section_id for i, _ in self.sections)
        sections = [(i, body if i == section_id else old) for i, old in self.sections]
        return replace(self, sections=sections if known else [*sections, (section_id, body)])

    def without(self, *section_ids: int) -> Parts:
        return replace(self, sections=[s for s in self.sections if s[0] not in section_ids])

    def borders(self) -> list[int]:
        """Offsets at which a section, or its header, begins or ends."""
        found, at = [12], 12
        for _, body in self.sections:
            found += [at + 12, at + 12 + len(body)]
            at += 12 + len(body)
        return sorted(set(found))


def patch(body: bytes, at: int, new: bytes) -> bytes:
    return body[:at] + new + body[at + len(new) :]


def u32(value: int) -> bytes:
    return struct.pack("<I", value)


# --- contents ---------------------------------------------------------------------------------------


def g1_points(curve: Curve) -> list[G1Point]:
    x, y = curve.g1
    return [(x, y), None, (x, curve.fp.modulus - y)]


def g2_points(curve: Curve) -> list[G2Point]:
    x, (y0, y1) = curve.g2
    return [(x, (y0, y1)), (x, (-y0 % curve.fp.modulus, -y1 % curve.fp.modulus))]


def words_of(values: Iterable[int], limbs: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Integers as little-endian 64-bit words (n, limbs)."""
    data = b"".join(value.to_bytes(8 * limbs, "little") for value in values)
    return np.frombuffer(data, np.uint64).reshape(-1, limbs)


def counting_words(rows: int, words: int, first: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Words that tell where they come from: the big queries' points are not looked at by formats."""
    return (first + np.arange(rows * words, dtype=np.uint64)).reshape(rows, words)


def sample_header(curve: Curve, n_wires: int = 6, n_public: int = 2, domain_size: int = 8) -> ZkeyHeader:
    (g, _, minus_g), (h, minus_h) = g1_points(curve), g2_points(curve)
    return ZkeyHeader(
        curve,
        n_wires,
        n_public,
        domain_size,
        alpha_g1=g,
        beta_g1=minus_g,
        beta_g2=h,
        gamma_g2=minus_h,
        delta_g1=g,
        delta_g2=h,
    )


def sample_contributions(curve: Curve) -> Contributions:
    (g, _, minus_g), (h, _) = g1_points(curve), g2_points(curve)
    named = Contribution(g, minus_g, g, h, bytes(range(64)), name="Zoë")
    beacon = Contribution(minus_g, g, g, h, bytes(64), iterations_log2=10, beacon_hash=bytes(range(32)))
    return Contributions(bytes(reversed(range(64))), (named, beacon, replace(named, name=None)))


def sample_contents(curve: Curve, **header: int) -> ZkeyContents:
    h = sample_header(curve, **header)
    g1, g2 = curve.g1_nbytes // 8, curve.g2_nbytes // 8
    ic = b"".join(g1_bytes(curve, g1_points(curve)[i % 3]) for i in range(h.n_public + 1))
    coefficients = np.zeros(5, coefficient_dtype())
    coefficients["matrix"] = [0, 1, 0, 0, 1]
    coefficients["constraint"] = np.arange(5) % h.domain_size
    coefficients["signal"] = np.arange(5) % h.n_wires
    coefficients["value"] = counting_words(5, 4, 900)
    return ZkeyContents(
        header=h,
        ic=np.frombuffer(ic, np.uint64).reshape(-1, g1),
        coefficients=coefficients,
        a_query=counting_words(h.n_wires, g1, 1000),
        b_g1_query=counting_words(h.n_wires, g1, 2000),
        b_g2_query=counting_words(h.n_wires, g2, 3000),
        l_query=counting_words(h.n_wires - h.n_public - 1, g1, 4000),
        h_query=counting_words(h.domain_size, g1, 5000),
        contributions=sample_contributions(curve),
        unsafe_dev="made for a test",
    )


def sample_assignment(curve: Curve, n: int = 6) -> np.ndarray[Any, np.dtype[np.uint64]]:
    values = [1, 0, curve.fr.modulus - 1, 2, 1 << 200, 5]
    return words_of((values * n)[:n], curve.fr.limbs)


def sample_matrix(curve: Curve, rows: list[dict[int, int]]) -> SparseMatrix:
    starts = np.cumsum([0] + [len(row) for row in rows]).astype(np.int64)
    columns = np.array([wire for row in rows for wire in row], np.uint32)
    values = words_of([v % curve.fr.modulus for row in rows for v in row.values()], curve.fr.limbs)
    return SparseMatrix(starts, columns, values)


def sample_r1cs(curve: Curve) -> tuple[R1csHeader, tuple[SparseMatrix, SparseMatrix, SparseMatrix]]:
    """Empty and long rows, −1, and an empty B in one constraint."""
    header = R1csHeader(curve, 6, n_public_outputs=1, n_public_inputs=1, n_private_inputs=2, n_constraints=4)
    a = sample_matrix(curve, [{1: 1, 2: 7}, {}, {5: -1}, {0: 1, 1: 2, 2: 3, 3: 4, 4: 5, 5: 6}])
    b = sample_matrix(curve, [{3: 1}, {}, {}, {0: 1 << 230}])
    c = sample_matrix(curve, [{}, {4: 1}, {0: -1, 5: 2}, {}])
    return header, (a, b, c)


# --- files ------------------------------------------------------------------------------------------


def ptau_bytes(curve: Curve, power: int, prepared: bool = True) -> bytes:
    """Powers of tau whose points are recognisable words."""
    n = 1 << power
    counts = {2: 2 * n - 1, 3: n, 4: n, 5: n, 6: 1}
    if prepared:
        counts |= {12: 4 * n - 1, 13: 2 * n - 1, 14: 2 * n - 1, 15: 2 * n - 1}
    header = field_header(curve.fp) + u32(power) + u32(power + 3)
    sections = [(1, header), (7, u32(0))]
    for section_id, count in counts.items():
        words = (curve.g2_nbytes if section_id in (3, 6, 13) else curve.g1_nbytes) // 8
        sections.append((section_id, counting_words(count, words, section_id << 20).tobytes()))
    return Parts(b"ptau", 1, sections).build()


def sample_bytes(kind: str, curve: Curve, folder: Path) -> bytes:
    """The bytes of a small file of a format."""
    if kind == "ptau":
        return ptau_bytes(curve, 2)
    path = folder / f"sample.{kind}"
    if kind == "zkey":
        write_zkey(path, sample_contents(curve))
    elif kind == "wtns":
        write_wtns(path, curve, sample_assignment(curve))
    else:
        write_r1cs(path, *sample_r1cs(curve))
    data = path.read_bytes()
    path.unlink()
    return data
