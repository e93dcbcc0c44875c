"""Sparse product from a key's coefficient records, against one multiplication a record and a row.

    python -m benchmarks.kernels.spmv [--log-sizes 14 16 18] [--threads 1 2]

Three records a row in A, two in B, random wires: memory is read at random, as in a real circuit.
"""

from __future__ import annotations

import argparse

import numpy as np
from numpy.typing import NDArray

from benchmarks import common
from benchmarks.kernels import inputs
from proverd.backend import Form, get_backend
from proverd.curves import CURVES, Curve
from proverd.formats import coefficient_dtype
from proverd.ops import vec
from proverd.ops.spmv import CoefficientRecords

RECORDS_A, RECORDS_B = 3, 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log-sizes", type=int, nargs="+", default=[14, 16, 18])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    rows = []
    for curve in CURVES.values():
        for threads in arguments.threads:
            rows += [measure(curve, log_n, threads) for log_n in arguments.log_sizes]
    common.write_result("kernels_spmv", rows)


def random_records(curve: Curve, rows: int, seed: int) -> NDArray[np.void]:
    rng = np.random.default_rng(seed)
    a_row = np.array([0] * RECORDS_A + [1] * RECORDS_B)
    records = np.zeros(rows * len(a_row), dtype=coefficient_dtype())
    records["matrix"] = np.tile(a_row, rows)
    records["constraint"] = np.repeat(np.arange(rows), len(a_row))
    records["signal"] = rng.integers(0, rows, len(records))
    value = rng.integers(0, 2**61, (len(records), curve.fr.limbs), dtype=np.uint64)
    records["value"] = value
    return records


def measure(curve: Curve, log_n: int, threads: int) -> common.Row:
    n = 1 << log_n
    backend = get_backend("cpu", threads=threads)
    multiplication_ns = inputs.fr_multiplication_ns(get_backend("cpu", threads=1), curve)
    matrices = CoefficientRecords(backend, curve, random_records(curve, n, seed=log_n), n, n)
    assignment = inputs.random_vector(backend, curve, n, seed=log_n, form=Form.CANONICAL)
    a, b = vec.empty(backend, curve, n), vec.empty(backend, curve, n)
    seconds = common.seconds_per_call(lambda: matrices.multiply(a, b, assignment))
    multiplications = matrices.count + 2 * n
    floor_ms = multiplications * multiplication_ns / threads / 1e6
    row = {
        "curve": curve.name,
        "log_n": log_n,
        "threads": threads,
        "ms": 1e3 * seconds,
        "multiplications": multiplications,
        "floor_ms": floor_ms,
        "floor_share": floor_ms / (1e3 * seconds),
        "record_gigabytes_per_second": 44e-9 * matrices.count / seconds,
    }
    print(row)
    return row


if __name__ == "__main__":
    main()
