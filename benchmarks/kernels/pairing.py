"""Products of n pairings, milliseconds: the cost of the n Miller loops and of the one final exponentiation.

python -m benchmarks.kernels.pairing [--counts 1 2 4 64]
"""

from __future__ import annotations

import argparse

from benchmarks import common
from benchmarks.kernels import inputs
from proverd.backend import Group, get_backend
from proverd.curves import CURVES, Curve
from proverd.ops import pairing


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--counts", type=int, nargs="+", default=[1, 2, 4, 64])
    arguments = parser.parse_args()
    rows = [measure(curve, count) for curve in CURVES.values() for count in arguments.counts]
    common.write_result("kernels_pairing", rows)


def measure(curve: Curve, count: int) -> common.Row:
    backend = get_backend("cpu", threads=1)
    g1 = inputs.random_points(backend, curve, Group.G1, count, seed=1)
    g2 = inputs.random_points(backend, curve, Group.G2, count, seed=2)
    ms = 1e3 * common.seconds_per_call(
        lambda: pairing.product_is_one(backend, curve, backend.get(g1.data), backend.get(g2.data))
    )
    fp_ns = inputs.fp_multiplication_ns(backend, curve)
    row = {
        "curve": curve.name,
        "pairings": count,
        "threads": 1,
        "ms": ms,
        "ms_per_pairing": ms / count,
        "fp_multiplications_in_that_time": round(1e6 * ms / fp_ns),
    }
    print(row)
    return row


if __name__ == "__main__":
    main()
