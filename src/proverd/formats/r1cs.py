"""``.r1cs``, a constraint system as circom compiles it (container: binfile.py; magic ``r1cs``, version 1).

    section  name              contents
    1        header            r (u32 byte count, number), u32 n_wires, u32 public outputs, u32 public inputs,
                               u32 private inputs, u64 labels, u32 n_constraints
    2        constraints       for each constraint its linear combinations A, B, C, each: u32 terms, then
                               u32 wire and canonical coefficient in 32 bytes for each term
    3        wire labels       u64 label for each wire
    4, 5     custom gates      PLONK only: refused unless empty

Constraint i says ⟨A[i], z⟩·⟨B[i], z⟩ = ⟨C[i], z⟩ mod r. Wires: 1, public outputs, public inputs, private
inputs, the rest. Source: https://github.com/iden3/r1csfile/blob/master/doc/r1cs_bin_format.md
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Self

from proverd.curves import Curve
from proverd.errors import BadArgument, FormatError, PathLike, UnsupportedProtocol, ValueOutOfRange
from proverd.formats.binfile import BinFile, SectionedFile, write_binfile
from proverd.formats.points import field_header, read_scalar_field

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAGIC = b"r1cs"
VERSION = 1
HEADER, CONSTRAINTS, LABELS, CUSTOM_GATES, CUSTOM_GATE_USES = 1, 2, 3, 4, 5
SECTION_NAMES = {
    HEADER: "header",
    CONSTRAINTS: "constraints",
    LABELS: "wire labels",
    CUSTOM_GATES: "custom gates",
    CUSTOM_GATE_USES: "custom gate uses",
}

TERM_BYTES = 36
EMPTY_CONSTRAINT_BYTES = 12  # three linear combinations of no terms
MATRIX_NAMES = "ABC"


class SparseMatrix(NamedTuple):
    """A matrix in compressed sparse rows: row i holds entries row_start[i] to row_start[i + 1] − 1."""

    row_start: NDArray[np.int64]  #: (rows + 1,)
    column: NDArray[np.uint32]  #: (entries,) wires
    value: NDArray[np.uint64]  #: (entries, 4) canonical words of Fr


@dataclass(frozen=True)
class R1csHeader:
    curve: Curve
    n_wires: int  #: with the leading 1
    n_public_outputs: int
    n_public_inputs: int  #: inputs declared public, without the outputs
    n_private_inputs: int  #: as declared; unused ones may have no wire
    n_constraints: int

    @property
    def n_public(self) -> int:
        """Public inputs in the sense of Groth16: public outputs and declared public inputs."""
        return self.n_public_outputs + self.n_public_inputs


class R1cs(SectionedFile):
    """A constraint system on disk. Opening checks the header's counts; ``matrices`` checks the rest."""

    def __init__(self, file: BinFile, header: R1csHeader) -> None:
        super().__init__(file)
        self.header = header

    @classmethod
    def open(cls, path: PathLike) -> Self:
        """Raises InputUnreadable or a FormatError."""
        file = BinFile.open(path, MAGIC, (VERSION,), SECTION_NAMES)
        try:
            header = _read_header(file)
            _refuse_custom_gates(file)
            size = file.section(CONSTRAINTS).size
            if size < header.n_constraints * EMPTY_CONSTRAINT_BYTES:
                raise file.malformed(
                    CONSTRAINTS,
                    f"expected at least {EMPTY_CONSTRAINT_BYTES} bytes for each of {header.n_constraints} "
                    f"constraints, found {size}",
                )
        except BaseException:
            file.close()
            raise
        return cls(file, header)

    @property
    def curve(self) -> Curve:
        return self.header.curve

    def matrices(self) -> tuple[SparseMatrix, SparseMatrix, SparseMatrix]:
        """A, B and C, copied out of the file in its order of terms.

        Raises a FormatError that names constraint and matrix: a linear combination that runs out of its
        section, a wire not below n_wires, a coefficient not below r.
        """
        import numpy as np

        from proverd import _native

        h = self.header
        section = self.file.array(CONSTRAINTS, (self.file.section(CONSTRAINTS).size,), dtype=np.uint8)
        stop, terms = _native.r1cs_count(section, h.n_constraints)
        self._check(stop)
        entries = sum(terms)
        row_start = np.empty((3, h.n_constraints + 1), np.int64)
        column = np.empty(entries, np.uint32)
        value = np.empty((entries, h.curve.fr.limbs), np.uint64)
        modulus = np.frombuffer(h.curve.fr.modulus.to_bytes(h.curve.fr.nbytes, "little"), np.uint8)
        stop = _native.r1cs_fill(
            section,
            h.n_constraints,
            h.n_wires,
            modulus,
            np.array(terms, np.uint64),
            row_start.reshape(-1),
            column,
            value.reshape(-1),
        )
        self._check(stop)
        first = [0, terms[0], terms[0] + terms[1], entries]
        a, b, c = (
            SparseMatrix(row_start[i], column[first[i] : first[i + 1]], value[first[i] : first[i + 1]])
            for i in range(3)
        )
        return a, b, c

    def _check(self, stop: tuple[int, int, int, int, int]) -> None:
        """Raises what the native walk found (kernels/cpu/r1cs_index.cpp, Fault)."""
        fault, constraint, matrix, offset, found = stop
        if fault == 0:
            return
        where = f"constraint {constraint}, {MATRIX_NAMES[matrix % 3]}"
        place = self.file.place(CONSTRAINTS, offset)
        errors: dict[int, FormatError] = {
            1: self.file.malformed(
                CONSTRAINTS,
                f"{where}: expected its terms (a count of {found}), found the section's end",
                offset,
            ),
            2: self.file.malformed(
                CONSTRAINTS,
                f"expected {offset} bytes for {self.header.n_constraints} constraints, "
                f"found {self.file.section(CONSTRAINTS).size}",
                offset,
            ),
            3: ValueOutOfRange(
                f"{where}: expected a wire below {self.header.n_wires}, found {found}", **place
            ),
            4: ValueOutOfRange(
                f"{where}: expected a coefficient below r, found a larger one at wire {found}", **place
            ),
        }
        raise errors[fault]


def _read_header(file: BinFile) -> R1csHeader:
    cursor = file.cursor(HEADER)
    curve = read_scalar_field(cursor)
    n_wires = cursor.u32("n_wires")
    outputs = cursor.u32("public outputs")
    inputs = cursor.u32("public inputs")
    private = cursor.u32("private inputs")
    cursor.u64("labels")
    n_constraints = cursor.u32("n_constraints")
    cursor.end()
    # Private inputs are no bound: circom counts those that its optimiser left without a wire as well.
    if 1 + outputs + inputs > n_wires:
        raise file.malformed(
            HEADER,
            f"expected n_wires of at least 1 + {outputs} public outputs + {inputs} public inputs, "
            f"found {n_wires}",
        )
    return R1csHeader(curve, n_wires, outputs, inputs, private, n_constraints)


def _refuse_custom_gates(file: BinFile) -> None:
    for section_id in (CUSTOM_GATES, CUSTOM_GATE_USES):
        if section_id in file.sections and file.sections[section_id].size > 0:
            count = file.cursor(section_id).u32("number of custom gates")
            if count:
                raise UnsupportedProtocol(
                    f"expected no custom gates, which Groth16 cannot prove, found {count}",
                    **file.place(section_id),
                )


def write_r1cs(path: PathLike, header: R1csHeader, matrices: tuple[SparseMatrix, ...]) -> None:
    """Writes A, B and C with each wire as its own label. Whole or not at all.

    Raises BadArgument where the matrices do not fit the header, OutputError where the file cannot be
    written.
    """
    if len(matrices) != 3 or any(len(m.row_start) != header.n_constraints + 1 for m in matrices):
        raise BadArgument(f"expected matrices A, B, C of {header.n_constraints} rows")
    if 1 + header.n_public > header.n_wires:
        raise BadArgument(f"expected n_wires above n_public ({header.n_public}), found {header.n_wires}")
    counts = (header.n_wires, header.n_public_outputs, header.n_public_inputs, header.n_private_inputs)
    head = b"".join(
        [
            field_header(header.curve.fr),
            *(count.to_bytes(4, "little") for count in counts),
            header.n_wires.to_bytes(8, "little"),
            header.n_constraints.to_bytes(4, "little"),
        ]
    )
    sections = [
        (HEADER, iter([head])),
        (CONSTRAINTS, _pack_constraints(header.n_constraints, matrices)),
        (LABELS, _identity_labels(header.n_wires)),
    ]
    write_binfile(path, MAGIC, VERSION, sections)


def _pack_constraints(n_constraints: int, matrices: tuple[SparseMatrix, ...]) -> Iterator[NDArray[np.uint32]]:
    """The constraints section in pieces of some thousand constraints: 32-bit words put in their places."""
    import numpy as np

    chunk = 1 << 14
    term_words = TERM_BYTES // 4
    for start in range(0, n_constraints, chunk):
        stop = min(start + chunk, n_constraints)
        terms = np.stack([np.diff(m.row_start[start : stop + 1]) for m in matrices], axis=1)  # (rows, 3)
        words = 1 + term_words * terms.ravel()
        ends = np.cumsum(words)
        heads = (ends - words).reshape(-1, 3)
        out = np.empty(int(ends[-1]), np.uint32)
        out[heads] = terms
        for i, m in enumerate(matrices):
            entries = slice(int(m.row_start[start]), int(m.row_start[stop]))
            in_row = np.arange(entries.start, entries.stop) - np.repeat(m.row_start[start:stop], terms[:, i])
            at = np.repeat(heads[:, i] + 1, terms[:, i]) + term_words * in_row
            out[at] = m.column[entries]
            value = np.ascontiguousarray(m.value[entries]).view(np.uint32).reshape(-1, 8)
            out[at[:, None] + np.arange(1, term_words)] = value
        yield out


def _identity_labels(n_wires: int) -> Iterator[NDArray[np.uint64]]:
    import numpy as np

    chunk = 1 << 20
    for start in range(0, n_wires, chunk):
        yield np.arange(start, min(start + chunk, n_wires), dtype=np.uint64)
