"""A circuit recorded and run, each held against the other."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from proverd.backend import Form, get_backend
from proverd.circuits.assignment import ProvingAssignment
from proverd.circuits.constraint_system import ConstraintSystem, Synthesizer
from proverd.circuits.library import record
from proverd.curves import Curve
from proverd.ops import vec
from proverd.ops.spmv import CsrMatrix

Circuit = Callable[[Synthesizer], None]


def montgomery(curve: Curve, words: np.ndarray) -> list[int]:
    return vec.integers(vec.put(get_backend("cpu"), curve, np.ascontiguousarray(words), Form.MONTGOMERY))


def run_and_compare(curve: Curve, circuit: Circuit) -> tuple[ConstraintSystem, list[int]]:
    """Runs the circuit both ways; a, b, c must be the matrices' products, and a∘b = c."""
    shape = record(curve, circuit)
    rows = shape.n_constraints + shape.n_public + 1
    buffers = [np.full((rows + 3, 4), 0xAB, np.uint64) for _ in range(3)]
    run = ProvingAssignment(shape, *buffers)
    circuit(run)
    z = run.assignment()
    assert z.form is Form.CANONICAL
    values = vec.integers(z)
    r, m = curve.fr.modulus, shape.n_constraints
    products = []
    for matrix, buffer in zip(shape.matrices(), buffers, strict=True):
        out = vec.empty(z.backend, curve, m)
        CsrMatrix.build(z.backend, curve, shape.n_wires, *matrix).multiply(out, z)
        products.append(vec.integers(out))
        assert montgomery(curve, buffer[:m]) == products[-1]
    a, b, c = products
    assert [x * y % r for x, y in zip(a, b, strict=True)] == c
    assert montgomery(curve, buffers[0][m:]) == [*values[: shape.n_public + 1], 0, 0, 0]
    assert not buffers[1][m:].any()
    return shape, values
