"""The CPU backend: NumPy arrays, and the native module for everything that costs time.

Every call releases the GIL; several threads may prove at once on one backend.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from proverd import _native
from proverd.backend.api import Backend, Buffer, Group, Words
from proverd.curves import CURVES, Curve

_CURVE_ID = {name: index for index, name in enumerate(CURVES)}  # the order of CurveId in kernels/cpu/tables.h


def available_cpus() -> int:
    """CPUs this process may run on."""
    return len(os.sched_getaffinity(0))


class CpuBackend(Backend):
    """Computes on at most ``threads`` threads (default: the CPUs this process may run on)."""

    name = "cpu"

    def __init__(self, threads: int | None = None) -> None:
        self.threads = threads or available_cpus()

    @contextmanager
    def other_arithmetic(self) -> Iterator[None]:
        """The portable instruction set, in the whole process for the time being."""
        chosen = _native.isa()
        _native.set_isa(_native.isas()[0])
        try:
            yield
        finally:
            _native.set_isa(chosen)

    def empty(self, n: int, words: int) -> Buffer:
        return np.empty((n, words), dtype=np.uint64)

    def put(self, array: NDArray[Any]) -> Buffer:
        return array

    def get(self, buffer: Buffer) -> NDArray[Any]:
        array: NDArray[Any] = buffer
        return array

    def multiply(self, curve: Curve, out: Buffer, a: Buffer, b: Buffer) -> None:
        _native.multiply(_CURVE_ID[curve.name], out, a, b, self.threads)

    def add(self, curve: Curve, out: Buffer, a: Buffer, b: Buffer) -> None:
        _native.add(_CURVE_ID[curve.name], out, a, b, self.threads)

    def subtract(self, curve: Curve, out: Buffer, a: Buffer, b: Buffer) -> None:
        _native.subtract(_CURVE_ID[curve.name], out, a, b, self.threads)

    def scale(self, curve: Curve, out: Buffer, a: Buffer, factor: Words) -> None:
        _native.scale(_CURVE_ID[curve.name], out, a, factor, self.threads)

    def multiply_subtract_canonical(self, curve: Curve, out: Buffer, a: Buffer, b: Buffer, c: Buffer) -> None:
        _native.multiply_subtract_canonical(_CURVE_ID[curve.name], out, a, b, c, self.threads)

    def to_montgomery(self, curve: Curve, out: Buffer, a: Buffer) -> None:
        _native.to_montgomery(_CURVE_ID[curve.name], out, a, self.threads)

    def from_montgomery(self, curve: Curve, out: Buffer, a: Buffer) -> None:
        _native.from_montgomery(_CURVE_ID[curve.name], out, a, self.threads)

    def powers(self, curve: Curve, out: Buffer, first: Words, ratio: Words) -> None:
        _native.powers(_CURVE_ID[curve.name], out, first, ratio, self.threads)

    def batch_inverse(self, curve: Curve, out: Buffer, a: Buffer) -> None:
        _native.batch_inverse(_CURVE_ID[curve.name], out, a, self.threads)

    def dot(self, curve: Curve, a: Buffer, b: Buffer) -> Words:
        out = np.empty(curve.fr.limbs, dtype=np.uint64)
        _native.dot(_CURVE_ID[curve.name], out, a, b, self.threads)
        return out

    def first_not_reduced(self, curve: Curve, a: Buffer) -> int:
        return _native.first_not_reduced(_CURVE_ID[curve.name], a, self.threads)

    def ntt(self, curve: Curve, data: Buffer, twiddles: Buffer, shifts: Buffer | None, inverse: bool) -> None:
        _native.ntt(_CURVE_ID[curve.name], data, twiddles, shifts, inverse, self.threads)

    def bit_reverse(self, curve: Curve, data: Buffer) -> None:
        _native.bit_reverse(_CURVE_ID[curve.name], data, self.threads)

    def multiply_records(
        self, curve: Curve, a: Buffer, b: Buffer, records: Buffer, order: Buffer | None, assignment: Buffer
    ) -> None:
        _native.multiply_records(_CURVE_ID[curve.name], a, b, records, order, assignment, self.threads)

    def check_records(self, curve: Curve, records: Buffer, rows: int, wires: int) -> tuple[int, bool]:
        return _native.check_records(_CURVE_ID[curve.name], records, rows, wires, self.threads)

    def check_csr(self, row_start: Buffer, column: Buffer, columns: int) -> bool:
        return _native.check_csr(row_start, column, columns)

    def multiply_csr(
        self, curve: Curve, out: Buffer, row_start: Buffer, column: Buffer, value: Buffer, assignment: Buffer
    ) -> None:
        _native.multiply_csr(_CURVE_ID[curve.name], out, row_start, column, value, assignment, self.threads)

    def multiply_csr_transposed(
        self, curve: Curve, out: Buffer, row_start: Buffer, column: Buffer, value: Buffer, z: Buffer
    ) -> None:
        _native.multiply_csr_transposed(_CURVE_ID[curve.name], out, row_start, column, value, z)

    def msm(self, curve: Curve, group: Group, bases: Buffer, scalars: Buffer) -> Words:
        out = np.empty(group.point_words(curve), dtype=np.uint64)
        _native.msm(_CURVE_ID[curve.name], group.value, out, bases, scalars, self.threads)
        return out

    def fixed_base(self, curve: Curve, group: Group, out: Buffer, base: Words, scalars: Buffer) -> None:
        _native.fixed_base(_CURVE_ID[curve.name], group.value, out, base, scalars, self.threads)

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
        _native.combine(
            _CURVE_ID[curve.name], group.value, out, row_start, column, scalars, points, self.threads
        )

    def points_from_montgomery(self, curve: Curve, group: Group, out: Buffer, points: Buffer) -> None:
        _native.points_from_montgomery(_CURVE_ID[curve.name], group.value, out, points, self.threads)

    def first_not_canonical(self, curve: Curve, group: Group, points: Buffer) -> int:
        return _native.first_not_canonical(_CURVE_ID[curve.name], group.value, points, self.threads)

    def first_off_curve(self, curve: Curve, group: Group, points: Buffer) -> int:
        return _native.first_off_curve(_CURVE_ID[curve.name], group.value, points, self.threads)

    def first_outside_subgroup(self, curve: Curve, group: Group, points: Buffer) -> int:
        return _native.first_outside_subgroup(_CURVE_ID[curve.name], group.value, points, self.threads)

    def pairing_product(self, curve: Curve, g1: Words, g2: Words) -> Words:
        out = np.empty((12, curve.fp.limbs), dtype=np.uint64)
        _native.pairing_product(_CURVE_ID[curve.name], out, g1, g2, self.threads)
        return out

    def pairing_product_is_one(self, curve: Curve, g1: Words, g2: Words) -> bool:
        return _native.pairing_product_is_one(_CURVE_ID[curve.name], g1, g2, self.threads)
