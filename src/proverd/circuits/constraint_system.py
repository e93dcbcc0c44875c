"""Circuits written in Python: rank-1 constraints over wires, recorded once.

A circuit is a function ``synthesize(cs, …)`` that allocates wires and enforces constraints
(A·z)·(B·z) = C·z. It runs twice against the same interface, as in bellman: on a ``ConstraintSystem``, which
records the matrices and never asks for a value, and on a ``ProvingAssignment`` (assignment.py), which
computes values and records nothing. Values are therefore given as functions.

    def synthesize(cs, x):
        y = cs.alloc_input(lambda: x * x)
        root = cs.alloc(lambda: x)
        cs.enforce(root, root, y)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from proverd.backend import Form, get_backend
from proverd.backend.api import Words
from proverd.curves import Curve
from proverd.errors import BadArgument, PathLike, ValueOutOfRange, WrongLength
from proverd.formats import R1csHeader, SparseMatrix, write_r1cs
from proverd.ops import vec

Wires = NDArray[np.int64]
#: One term of each of n linear combinations: a coefficient (for all of them) and n wires.
Column = tuple[int, Wires]


@dataclass(frozen=True, eq=False)
class Rows:
    """n linear combinations with terms of their own, as compressed sparse rows: combination i is the sum of
    coefficients[k]·wires[k] for row_start[i] ≤ k < row_start[i + 1]."""

    row_start: NDArray[np.int64]  # (n + 1,)
    wires: Wires  # (terms,)
    coefficients: Words  # (terms, 4), canonical

    def check(self, curve: Curve, n: int) -> None:
        """Raises BadArgument or ValueOutOfRange unless these are n combinations over the curve's Fr."""
        start, terms = self.row_start, len(self.wires)
        if len(start) != n + 1 or start[0] != 0 or start[-1] != terms or np.any(start[1:] < start[:-1]):
            raise BadArgument(f"expected row starts of {n} rows that ascend from 0 to {terms} terms")
        coefficients = vec.put(get_backend("cpu"), curve, self.coefficients, Form.CANONICAL)
        if len(coefficients) != terms:
            raise WrongLength("coefficients", got=len(coefficients), expected=terms)
        bad = vec.first_not_reduced(coefficients)
        if bad >= 0:
            raise ValueOutOfRange(f"coefficient {bad} is not below r")


#: n linear combinations: all with the same terms, or each with its own.
Side = Sequence[Column] | Rows


class Linear:
    """A linear combination Σ coefficient·wire. Wires are numbered 0 (the constant 1), 1… (public inputs) and
    −1, −2, … (private ones, in the order of allocation): how many are public is known at the end only."""

    __slots__ = ("terms",)

    def __init__(self, terms: dict[int, int]) -> None:
        self.terms = terms

    def __add__(self, other: Linear | int) -> Linear:
        terms = dict(self.terms)
        for wire, coefficient in linear(other).terms.items():
            terms[wire] = terms.get(wire, 0) + coefficient
        return Linear(terms)

    __radd__ = __add__

    def __mul__(self, factor: int) -> Linear:
        return Linear({wire: coefficient * factor for wire, coefficient in self.terms.items()})

    __rmul__ = __mul__

    def __neg__(self) -> Linear:
        return self * -1

    def __sub__(self, other: Linear | int) -> Linear:
        return self + linear(other) * -1

    def __rsub__(self, other: Linear | int) -> Linear:
        return linear(other) - self


def linear(value: Linear | int) -> Linear:
    """The value as a linear combination; an integer is that multiple of the constant wire."""
    return value if isinstance(value, Linear) else Linear({0: value})


class Synthesizer(ABC):
    """What a circuit is written against."""

    def __init__(self, curve: Curve) -> None:
        self.curve = curve
        self.n_public = 0
        self.n_private = 0
        self.n_constraints = 0

    @property
    def n_wires(self) -> int:
        """With the leading 1."""
        return 1 + self.n_public + self.n_private

    def alloc(self, value: Callable[[], int]) -> Linear:
        """A new private wire."""
        self.n_private += 1
        self._set(-self.n_private, value)
        return Linear({-self.n_private: 1})

    def alloc_input(self, value: Callable[[], int]) -> Linear:
        """A new public input."""
        self.n_public += 1
        self._set(self.n_public, value)
        return Linear({self.n_public: 1})

    def alloc_many(self, n: int, values: Callable[[], Words]) -> Wires:
        """n new private wires; values as Montgomery words (n, 4)."""
        wires = -1 - np.arange(self.n_private, self.n_private + n, dtype=np.int64)
        self.n_private += n
        self._set_many(wires, values)
        return wires

    @abstractmethod
    def enforce(self, a: Linear | int, b: Linear | int, c: Linear | int) -> None:
        """Requires a·b = c."""

    @abstractmethod
    def enforce_many(self, n: int, a: Side, b: Side, c: Side) -> None:
        """Requires aᵢ·bᵢ = cᵢ for i < n, where aᵢ is the sum over the columns of coefficient·wires[i], or
        row i of Rows."""

    @abstractmethod
    def values(self, wires: Wires) -> Words:
        """The wires' values, Montgomery words. Only within the functions that give values."""

    @abstractmethod
    def value(self, of: Linear) -> int:
        """The value of a linear combination, canonical. Only within the functions that give values."""

    @abstractmethod
    def _set(self, wire: int, value: Callable[[], int]) -> None: ...

    @abstractmethod
    def _set_many(self, wires: Wires, values: Callable[[], Words]) -> None: ...


@dataclass(frozen=True)
class _Block:
    """Rows of one matrix: terms of each row, then wires and coefficients (canonical) row by row. One
    coefficient for each column where all rows have the same ones."""

    counts: NDArray[np.int64] | tuple[int, int]  # or (rows, terms in each)
    wires: Wires
    coefficients: Words

    @classmethod
    def of_columns(cls, curve: Curve, n: int, columns: Sequence[Column]) -> _Block:
        if any(len(wires) != n for _, wires in columns):
            raise BadArgument(f"enforce_many: expected {n} wires in each column")
        stacked = np.stack([wires for _, wires in columns], axis=1) if columns else np.empty(0, np.int64)
        coefficients = _coefficient_words(curve, [coefficient for coefficient, _ in columns])
        return cls((n, len(columns)), stacked.reshape(-1), coefficients)

    @classmethod
    def of_rows(cls, curve: Curve, n: int, rows: Rows) -> _Block:
        rows.check(curve, n)
        return cls(np.diff(rows.row_start), rows.wires, rows.coefficients)

    @classmethod
    def of_combinations(cls, curve: Curve, combinations: Sequence[Linear]) -> _Block:
        terms = [combination.terms for combination in combinations]
        return cls(
            np.array([len(row) for row in terms], np.int64),
            np.array([wire for row in terms for wire in row], np.int64),
            _coefficient_words(curve, [coefficient for row in terms for coefficient in row.values()]),
        )

    def row_counts(self) -> NDArray[np.int64]:
        if isinstance(self.counts, tuple):
            return np.full(self.counts[0], self.counts[1], np.int64)
        return self.counts

    def values(self) -> Words:
        repeats = self.counts[0] if isinstance(self.counts, tuple) else 1
        return np.tile(self.coefficients, (repeats, 1))


def _coefficient_words(curve: Curve, coefficients: Sequence[int]) -> Words:
    return vec.integers_to_words([value % curve.fr.modulus for value in coefficients], curve.fr)


class ConstraintSystem(Synthesizer):
    """Records a circuit's matrices."""

    def __init__(self, curve: Curve) -> None:
        super().__init__(curve)
        self._blocks: tuple[list[_Block], ...] = ([], [], [])
        self._pending: list[tuple[Linear, Linear, Linear]] = []

    def enforce(self, a: Linear | int, b: Linear | int, c: Linear | int) -> None:
        self._pending.append((linear(a), linear(b), linear(c)))
        self.n_constraints += 1

    def enforce_many(self, n: int, a: Side, b: Side, c: Side) -> None:
        self._settle()
        for blocks, side in zip(self._blocks, (a, b, c), strict=True):
            if isinstance(side, Rows):
                blocks.append(_Block.of_rows(self.curve, n, side))
            else:
                blocks.append(_Block.of_columns(self.curve, n, side))
        self.n_constraints += n

    def values(self, wires: Wires) -> Words:
        raise BadArgument("a constraint system has no values: give values as functions")

    def value(self, of: Linear) -> int:
        raise BadArgument("a constraint system has no values: give values as functions")

    def _set(self, wire: int, value: Callable[[], int]) -> None:
        pass

    def _set_many(self, wires: Wires, values: Callable[[], Words]) -> None:
        pass

    def _settle(self) -> None:
        """Turns constraints given one by one into a block."""
        for k, blocks in enumerate(self._blocks if self._pending else ()):
            combinations = [constraint[k] for constraint in self._pending]
            blocks.append(_Block.of_combinations(self.curve, combinations))
        self._pending.clear()

    def matrices(self) -> tuple[SparseMatrix, SparseMatrix, SparseMatrix]:
        """A, B, C: rows are the constraints in order, columns (1, public inputs, private wires).
        Within a row wires ascend, each stands once and no coefficient is zero.

        Raises BadArgument where a constraint refers to a wire that was not allocated here.
        """
        self._settle()
        a, b, c = (self._matrix(blocks) for blocks in self._blocks)
        return a, b, c

    def _matrix(self, blocks: list[_Block]) -> SparseMatrix:
        counts = np.concatenate([np.empty(0, np.int64), *(block.row_counts() for block in blocks)])
        wires = np.concatenate([np.empty(0, np.int64), *(block.wires for block in blocks)])
        if len(wires) and (wires.max() > self.n_public or wires.min() < -self.n_private):
            raise BadArgument("a constraint refers to a wire that this system did not allocate")
        place = np.repeat(np.arange(len(counts)) << 32, counts)
        place |= np.where(wires < 0, self.n_public - wires, wires)
        empty = np.empty((0, self.curve.fr.limbs), np.uint64)
        value = np.concatenate([empty, *(block.values() for block in blocks)])
        place, value = _canonical_terms(self.curve, place, value)
        row_start = np.searchsorted(place, np.arange(len(counts) + 1) << 32)
        return SparseMatrix(row_start, (place & 0xFFFF_FFFF).astype(np.uint32), value)

    def header(self) -> R1csHeader:
        """The circuit's sizes; all public inputs count as such, none as output."""
        return R1csHeader(
            curve=self.curve,
            n_wires=self.n_wires,
            n_public_outputs=0,
            n_public_inputs=self.n_public,
            n_private_inputs=0,
            n_constraints=self.n_constraints,
        )

    def write_r1cs(self, path: PathLike) -> None:
        """Writes the ``.r1cs`` that circom's and snarkjs's tools read. Raises OutputError."""
        write_r1cs(path, self.header(), self.matrices())


def _canonical_terms(curve: Curve, place: Wires, value: Words) -> tuple[Wires, Words]:
    """Terms by ascending place (row·2³² + wire), those of one place added up, zeros left out.

    Required by the ``.r1cs`` format, and not for looks: of a wire that a row names twice some readers add
    the coefficients and some keep the last.
    """
    order = np.argsort(place, kind="stable")
    place, value = place[order], value[order]
    first = np.ones(len(place), np.bool_)
    np.not_equal(place[1:], place[:-1], out=first[1:])
    if not first.all():
        index = np.arange(len(place))
        repeat = index - np.maximum.accumulate(np.where(first, index, 0))  # 0 at the first of a place
        backend = get_backend("cpu")
        for k in range(1, int(repeat.max()) + 1):
            at = np.flatnonzero(repeat == k)
            total, term = (vec.put(backend, curve, value[i], Form.CANONICAL) for i in (at - k, at))
            vec.add(total, total, term)
            value[at - k] = backend.get(total.data)
    keep = first & value.any(axis=1)
    return (place, value) if keep.all() else (place[keep], value[keep])
