"""The second run of a circuit: values of wires, and a, b, c straight into buffers of the caller's.

The shape is known from the recorded system, so the buffers have their final size from the start and may be
page-locked memory that a device reads.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from proverd.backend import Backend, FieldVector, Form, get_backend
from proverd.backend.api import Words
from proverd.circuits.constraint_system import (
    ConstraintSystem,
    Linear,
    Rows,
    Side,
    Synthesizer,
    Wires,
    linear,
)
from proverd.errors import BadArgument, WrongLength
from proverd.ops import vec
from proverd.ops.spmv import CsrMatrix

MOST_PENDING = 1 << 16  # rows given one by one, before they are written


class ProvingAssignment(Synthesizer):
    """Fills the assignment and evaluates a = Az, b = Bz and, where asked for, c = Cz.

    ``shape`` is the recorded system. ``a``, ``b``, ``c``: uint64 (n, 4), overwritten with Montgomery values
    in natural order over a domain of n ≥ constraints + public inputs + 1 points: constraints, the rows that
    bind the public inputs, zeros.
    """

    def __init__(
        self,
        shape: ConstraintSystem,
        a: Words,
        b: Words,
        c: Words | None = None,
        *,
        threads: int | None = None,
    ) -> None:
        super().__init__(shape.curve)
        self._shape = shape
        self._backend: Backend = get_backend("cpu", threads)
        rows = shape.n_constraints + shape.n_public + 1
        for buffer in (a, b) if c is None else (a, b, c):
            if len(buffer) < rows or len(buffer) != len(a):
                raise WrongLength("buffer of a, b or c", got=len(buffer), expected=max(rows, len(a)))
        self._outputs = (a, b, c)
        self._z = np.zeros((shape.n_wires, shape.curve.fr.limbs), np.uint64)  # Montgomery
        self._z[0] = vec.montgomery_words(1, shape.curve.fr)
        # Single values and rows stay integers until somebody needs them as words.
        self._known: dict[int, int] = {0: 1}  # wire → canonical value
        self._new_wires: list[int] = []
        self._new_rows: list[tuple[int, int, int]] = []

    def enforce(self, a: Linear | int, b: Linear | int, c: Linear | int) -> None:
        self._next_rows(1)
        c_value = 0 if self._outputs[2] is None else self.value(linear(c))
        self._new_rows.append((self.value(linear(a)), self.value(linear(b)), c_value))
        if len(self._new_rows) >= MOST_PENDING:
            self._settle()

    def enforce_many(self, n: int, a: Side, b: Side, c: Side) -> None:
        self._settle()
        row = self._next_rows(n)
        for output, side in zip(self._outputs, (a, b, c), strict=True):
            if output is not None:
                self._evaluate(output[row : row + n], side)

    def values(self, wires: Wires) -> Words:
        self._settle()
        words: Words = self._z[self._indices(wires)]
        return words

    def value(self, of: Linear) -> int:
        known = self._known
        total = 0
        for wire, coefficient in of.terms.items():
            value = known.get(wire)
            if value is None:  # of alloc_many
                residue = vec.words_to_integers(self._z[self._index(wire)].reshape(1, -1))[0]
                value = known[wire] = self.curve.fr.from_montgomery(residue)
            total += coefficient * value
        return total % self.curve.fr.modulus

    def assignment(self) -> FieldVector:
        """The finished assignment (n_wires,), canonical. Fills the rows of the outputs that follow the
        constraints. Raises BadArgument where the run did not match the recorded shape."""
        shape = self._shape
        got = (self.n_public, self.n_private, self.n_constraints)
        expected = (shape.n_public, shape.n_private, shape.n_constraints)
        if got != expected:
            raise BadArgument(
                f"the circuit allocated (public, private, constraints) {got}, recorded {expected}"
            )
        self._settle()
        m, head = shape.n_constraints, shape.n_public + 1
        for k, output in enumerate(self._outputs):
            if output is not None:
                output[m:] = 0
                if k == 0:
                    output[m : m + head] = self._z[:head]
        z = vec.put(self._backend, self.curve, self._z.copy(), Form.MONTGOMERY)
        vec.from_montgomery(z)
        return z

    def _next_rows(self, n: int) -> int:
        row = self.n_constraints
        self.n_constraints += n
        if self.n_constraints > self._shape.n_constraints:
            raise BadArgument(
                f"the circuit enforces more than the {self._shape.n_constraints} recorded constraints"
            )
        return row

    def _settle(self) -> None:
        """Takes single values and rows to where they belong."""
        if self._new_wires:
            values = [self._known[wire] for wire in self._new_wires]
            self._z[self._indices(np.array(self._new_wires))] = self._montgomery(values)
            self._new_wires.clear()
        if self._new_rows:
            row = self.n_constraints - len(self._new_rows)
            for output, column in zip(self._outputs, zip(*self._new_rows, strict=True), strict=True):
                if output is not None:
                    output[row : self.n_constraints] = self._montgomery(column)
            self._new_rows.clear()

    def _montgomery(self, values: Sequence[int]) -> Words:
        vector = vec.from_integers(self._backend, self.curve, values)
        vec.to_montgomery(vector)
        words: Words = self._backend.get(vector.data)
        return words

    def _evaluate(self, out: Words, side: Side) -> None:
        """out = the combinations' values, straight into the caller's memory."""
        if isinstance(side, Rows):
            self._evaluate_rows(out, side)
            return
        out[:] = 0
        total = self._vector(out)
        for coefficient, wires in side:
            term = self._vector(self.values(wires))
            if coefficient != 1:
                vec.scale(term, term, coefficient)
            vec.add(total, total, term)

    def _evaluate_rows(self, out: Words, rows: Rows) -> None:
        rows.check(self.curve, len(out))
        column = self._indices(rows.wires).astype(np.uint32)
        matrix = CsrMatrix.build(
            self._backend, self.curve, len(self._z), rows.row_start, column, rows.coefficients
        )
        matrix.multiply(self._vector(out), self._vector(self._z))

    def _vector(self, words: Words) -> FieldVector:
        return vec.put(self._backend, self.curve, words, Form.MONTGOMERY)

    def _set(self, wire: int, value: Callable[[], int]) -> None:
        self._index(wire)
        self._known[wire] = value() % self.curve.fr.modulus
        self._new_wires.append(wire)

    def _set_many(self, wires: Wires, values: Callable[[], Words]) -> None:
        given = values()
        if given.shape != (len(wires), self._z.shape[1]):  # NumPy would spread a single row over all wires
            raise WrongLength("values of the allocated wires", got=len(given), expected=len(wires))
        self._z[self._indices(wires)] = given

    def _index(self, wire: int) -> int:
        """The place in z: public wires keep their number, private ones follow."""
        index = self._shape.n_public - wire if wire < 0 else wire
        if index >= len(self._z):
            raise BadArgument("the circuit allocates more wires than were recorded")
        return index

    def _indices(self, wires: Wires) -> Wires:
        indices: Wires = np.where(wires < 0, self._shape.n_public - wires, wires)
        if len(indices) and int(indices.max()) >= len(self._z):
            raise BadArgument("the circuit allocates more wires than were recorded")
        return indices
