"""Where vectors live and what can be done to them: the interface that every backend implements.

A handle carries what its bytes mean (curve, form, order, group), so that an operation can refuse what it
cannot use; the bytes themselves are a backend's own (``Buffer``: a NumPy array on the CPU).

Callers use the functions of ``proverd.ops``, which check handles and then call the methods here; methods
here trust their arguments.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import AbstractContextManager
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proverd.curves import Curve

Buffer = Any  #: memory of a backend, opaque to everybody else
Words = NDArray[np.uint64]  #: little-endian 64-bit limbs on the host


class Form(Enum):
    """How a residue is stored: ``x·R mod p`` or ``x``."""

    MONTGOMERY = "montgomery"
    CANONICAL = "canonical"


class Order(Enum):
    """Which entry stands where: entry i at i, or at the reversal of i's bits."""

    NATURAL = "natural"
    BIT_REVERSED = "bit_reversed"


class Group(Enum):
    G1 = 1
    G2 = 2

    def point_words(self, curve: Curve) -> int:
        """64-bit words of an affine point."""
        return 2 * self.value * curve.fp.limbs


@dataclass(slots=True)
class FieldVector:
    """n elements of Fr, each 4 limbs; operations in place update ``form`` and ``order``."""

    backend: Backend
    curve: Curve
    data: Buffer
    form: Form
    order: Order = Order.NATURAL

    def __len__(self) -> int:
        return len(self.data)


@dataclass(frozen=True, slots=True)
class PointVector:
    """n affine points, Montgomery coordinates x, y as files hold them; infinity is all zero words."""

    backend: Backend
    curve: Curve
    group: Group
    data: Buffer

    def __len__(self) -> int:
        return len(self.data)


class Backend(ABC):
    """A place to compute. Buffers of Fr have shape (n, 4) and of points (n, words), dtype uint64."""

    name: str

    @abstractmethod
    def other_arithmetic(self) -> AbstractContextManager[None]:
        """While entered, the same operations run through other code (another instruction set, another
        device): what a doubted result is compared with."""

    # --- memory ---

    @abstractmethod
    def empty(self, n: int, words: int) -> Buffer:
        """An uninitialised buffer of n rows of 64-bit words."""

    @abstractmethod
    def put(self, array: NDArray[Any]) -> Buffer:
        """The array's contents where this backend computes (the CPU shares the array's memory)."""

    @abstractmethod
    def get(self, buffer: Buffer) -> NDArray[Any]:
        """The buffer's contents in host memory (the CPU shares the buffer's memory)."""

    # --- vectors of Fr; out may be one of the operands ---

    @abstractmethod
    def multiply(self, curve: Curve, out: Buffer, a: Buffer, b: Buffer) -> None:
        """out = a∘b."""

    @abstractmethod
    def add(self, curve: Curve, out: Buffer, a: Buffer, b: Buffer) -> None:
        """out = a + b."""

    @abstractmethod
    def subtract(self, curve: Curve, out: Buffer, a: Buffer, b: Buffer) -> None:
        """out = a − b."""

    @abstractmethod
    def scale(self, curve: Curve, out: Buffer, a: Buffer, factor: Words) -> None:
        """out = factor·a, the factor in Montgomery form on the host."""

    @abstractmethod
    def multiply_subtract_canonical(self, curve: Curve, out: Buffer, a: Buffer, b: Buffer, c: Buffer) -> None:
        """out = a∘b − c as canonical values, from Montgomery operands."""

    @abstractmethod
    def to_montgomery(self, curve: Curve, out: Buffer, a: Buffer) -> None: ...

    @abstractmethod
    def from_montgomery(self, curve: Curve, out: Buffer, a: Buffer) -> None: ...

    @abstractmethod
    def powers(self, curve: Curve, out: Buffer, first: Words, ratio: Words) -> None:
        """out[i] = first·ratioⁱ, Montgomery."""

    @abstractmethod
    def batch_inverse(self, curve: Curve, out: Buffer, a: Buffer) -> None:
        """out[i] = 1/a[i], Montgomery; zeros stay zero."""

    @abstractmethod
    def dot(self, curve: Curve, a: Buffer, b: Buffer) -> Words:
        """Σ a[i]·b[i], Montgomery, on the host."""

    @abstractmethod
    def first_not_reduced(self, curve: Curve, a: Buffer) -> int:
        """Index of the first element not below r, or −1."""

    # --- transforms ---

    @abstractmethod
    def ntt(self, curve: Curve, data: Buffer, twiddles: Buffer, shifts: Buffer | None, inverse: bool) -> None:
        """In place. Inverse: natural → bit-reversed, scaled by 1/n; forward: bit-reversed → natural, element
        i first multiplied by shifts[i] where given. ``twiddles``: n/2 powers of the (inverse) root."""

    @abstractmethod
    def bit_reverse(self, curve: Curve, data: Buffer) -> None:
        """Swaps natural and bit-reversed order in place."""

    # --- sparse products ---

    @abstractmethod
    def multiply_records(
        self, curve: Curve, a: Buffer, b: Buffer, records: Buffer, order: Buffer | None, assignment: Buffer
    ) -> None:
        """a = Az, b = Bz (Montgomery) from coefficient records carrying R², z canonical."""

    @abstractmethod
    def check_records(self, curve: Curve, records: Buffer, rows: int, wires: int) -> tuple[int, bool]:
        """(first record out of range or −1, whether rows ascend)."""

    @abstractmethod
    def check_csr(self, row_start: Buffer, column: Buffer, columns: int) -> bool:
        """Whether row starts ascend from 0 to the number of entries and all columns are in range."""

    @abstractmethod
    def multiply_csr(
        self, curve: Curve, out: Buffer, row_start: Buffer, column: Buffer, value: Buffer, assignment: Buffer
    ) -> None:
        """out = Mz; values Montgomery, the product has the form of z."""

    @abstractmethod
    def multiply_csr_transposed(
        self, curve: Curve, out: Buffer, row_start: Buffer, column: Buffer, value: Buffer, z: Buffer
    ) -> None:
        """out = Mᵀz."""

    # --- points ---

    @abstractmethod
    def msm(self, curve: Curve, group: Group, bases: Buffer, scalars: Buffer) -> Words:
        """Σ sᵢPᵢ, canonical scalars; one affine point, shape (words,), on the host."""

    @abstractmethod
    def fixed_base(self, curve: Curve, group: Group, out: Buffer, base: Words, scalars: Buffer) -> None:
        """out[i] = sᵢ·base."""

    @abstractmethod
    def combine(
        self,
        curve: Curve,
        group: Group,
        out: Buffer,
        row_start: Buffer,
        column: Buffer,
        scalars: Buffer,
        points: Buffer,
    ) -> None:
        """out[row] = Σ scalar·points[column] over the row's entries; canonical scalars in CSR."""

    @abstractmethod
    def points_from_montgomery(self, curve: Curve, group: Group, out: Buffer, points: Buffer) -> None:
        """Coordinates as canonical values."""

    @abstractmethod
    def first_not_canonical(self, curve: Curve, group: Group, points: Buffer) -> int: ...

    @abstractmethod
    def first_off_curve(self, curve: Curve, group: Group, points: Buffer) -> int: ...

    @abstractmethod
    def first_outside_subgroup(self, curve: Curve, group: Group, points: Buffer) -> int: ...

    # --- pairings: small, always on the host ---

    @abstractmethod
    def pairing_product(self, curve: Curve, g1: Words, g2: Words) -> Words:
        """Π e(Pᵢ, Qᵢ): 12 elements of Fp, Montgomery, shape (12, limbs)."""

    @abstractmethod
    def pairing_product_is_one(self, curve: Curve, g1: Words, g2: Words) -> bool: ...
