"""Sparse matrix times assignment.

Two layouts: coefficient records as a ``.zkey`` holds them, used where they lie in the file, and
compressed sparse rows (CSR) for circuits that come as R1CS.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proverd.backend.api import Backend, Buffer, FieldVector, Form, Words
from proverd.curves import Curve
from proverd.errors import BadArgument, ValueOutOfRange
from proverd.ops import vec
from proverd.ops.checks import require, same_length

COEFFICIENT_BYTES = 44  #: u32 matrix (0 = A, 1 = B), u32 row, u32 wire, coefficient times R² in 32 bytes


class CoefficientRecords:
    """Matrices A and B as 44-byte records, in any order of rows.

    A coefficient stands as c·R², so that one Montgomery multiplication by a canonical value of the
    assignment gives the Montgomery form of the product.
    """

    def __init__(self, backend: Backend, curve: Curve, records: NDArray[Any], rows: int, wires: int) -> None:
        """``records``: any contiguous array of count·44 bytes. Raises ValueOutOfRange naming the first
        record whose matrix, row, wire or coefficient is out of range."""
        self.backend = backend
        self.curve = curve
        self.rows = rows
        self.wires = wires
        self.count = records.nbytes // COEFFICIENT_BYTES
        self._records: Buffer = backend.put(records)
        self._order: Buffer | None = None
        bad, ascending = backend.check_records(curve, self._records, rows, wires)
        if bad >= 0:
            raise ValueOutOfRange(
                f"coefficient {bad}: matrix not 0 or 1, row not below {rows}, wire not below {wires}, "
                "or value not below r"
            )
        if not ascending:
            row = np.frombuffer(records, dtype="<u4").reshape(-1, COEFFICIENT_BYTES // 4)[:, 1]
            self._order = backend.put(np.argsort(row, kind="stable").astype(np.uint64))

    def multiply(self, a: FieldVector, b: FieldVector, assignment: FieldVector) -> None:
        """a = Az, b = Bz mod r (Montgomery, natural order) from the canonical assignment z.

        1M for each coefficient other than ±1 and 1M for each row.
        """
        same_length("a", a, self.rows)
        same_length("b", b, self.rows)
        same_length("assignment", assignment, self.wires)
        require(assignment, Form.CANONICAL)
        self.backend.multiply_records(self.curve, a.data, b.data, self._records, self._order, assignment.data)
        a.form = b.form = Form.MONTGOMERY


@dataclass(frozen=True, eq=False)
class CsrMatrix:
    """One matrix in compressed sparse rows: int64 row_start (rows + 1), uint32 column, values (nnz, 4)."""

    backend: Backend
    curve: Curve
    columns: int
    row_start: Buffer
    column: Buffer
    value: Buffer  # Montgomery

    @classmethod
    def build(
        cls,
        backend: Backend,
        curve: Curve,
        columns: int,
        row_start: NDArray[np.int64],
        column: NDArray[np.uint32],
        value: Words,
        form: Form = Form.CANONICAL,
    ) -> CsrMatrix:
        """Checks the indices once and takes the values to Montgomery form (in memory of its own)."""
        if not backend.check_csr(row_start, column, columns):
            raise BadArgument(
                "CSR indices: row starts must ascend to the number of entries, columns be in range"
            )
        values = vec.put(backend, curve, value.reshape(-1, curve.fr.limbs), form)
        if form is Form.CANONICAL:
            converted = vec.empty(backend, curve, len(values))
            backend.to_montgomery(curve, converted.data, values.data)
            values = converted
        return cls(backend, curve, columns, backend.put(row_start), backend.put(column), values.data)

    @property
    def rows(self) -> int:
        return len(self.row_start) - 1

    def multiply(self, out: FieldVector, assignment: FieldVector) -> None:
        """out = Mz mod r; out takes the form of z. 1M for each entry other than ±1."""
        same_length("product", out, self.rows)
        same_length("assignment", assignment, self.columns)
        self.backend.multiply_csr(
            self.curve, out.data, self.row_start, self.column, self.value, assignment.data
        )
        out.form = assignment.form

    def multiply_transposed(self, z: FieldVector) -> FieldVector:
        """Mᵀz mod r, a new vector of ``columns`` entries in the form of z."""
        same_length("z", z, self.rows)
        out = vec.empty(self.backend, self.curve, self.columns, z.form)
        self.backend.multiply_csr_transposed(
            self.curve, out.data, self.row_start, self.column, self.value, z.data
        )
        return out
