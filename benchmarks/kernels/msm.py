"""Multi-scalar multiplication: milliseconds, and group additions a second in terms of a plain Pippenger.

    python -m benchmarks.kernels.msm [--log-sizes 10 12 14 16 18] [--threads 1 2] [--groups G1 G2]

Counted: for the window width c that makes it least, ⌈(bits + 1)/c⌉ windows of n mixed additions for the
buckets and 2·2^(c−1) additions to sum them (signed digits, no endomorphism), 10 multiplications of Fp each
(XYZZ: 8M + 2S), 28 in G2 (3 for a product and 2 for a square in Fp2). A floor share above one means that
fewer operations than these were needed.
"""

from __future__ import annotations

import argparse

from benchmarks import common
from benchmarks.kernels import inputs
from proverd.backend import Form, Group, get_backend
from proverd.curves import CURVES, Curve
from proverd.ops.msm import msm

MULTIPLICATIONS = {Group.G1: 10, Group.G2: 28}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log-sizes", type=int, nargs="+", default=[10, 12, 14, 16, 18])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--groups", nargs="+", choices=[group.name for group in Group], default=["G1", "G2"])
    arguments = parser.parse_args()
    rows = []
    for curve in CURVES.values():
        for group in (Group[name] for name in arguments.groups):
            for threads in arguments.threads:
                rows += [measure(curve, group, log_n, threads) for log_n in arguments.log_sizes]
    common.write_result("kernels_msm", rows)


def additions(curve: Curve, n: int) -> int:
    def cost(window_bits: int) -> int:
        windows = -(-(curve.fr.bits + 1) // window_bits)
        return windows * (n + 2 * 2 ** (window_bits - 1))

    return min(cost(window_bits) for window_bits in range(2, 24))


def measure(curve: Curve, group: Group, log_n: int, threads: int) -> common.Row:
    backend = get_backend("cpu", threads=threads)
    multiplication_ns = inputs.fp_multiplication_ns(get_backend("cpu", threads=1), curve)
    bases = inputs.random_points(backend, curve, group, 1 << log_n, seed=log_n)
    scalars = inputs.random_vector(backend, curve, 1 << log_n, seed=log_n + 1, form=Form.CANONICAL)
    seconds = common.seconds_per_call(lambda: msm(bases, scalars))
    count = additions(curve, 1 << log_n)
    floor_ms = count * MULTIPLICATIONS[group] * multiplication_ns / threads / 1e6
    row = {
        "curve": curve.name,
        "group": group.name,
        "log_n": log_n,
        "threads": threads,
        "ms": 1e3 * seconds,
        "additions": count,
        "million_additions_per_second": count / seconds / 1e6,
        "floor_ms": floor_ms,
        "floor_share": floor_ms / (1e3 * seconds),
    }
    print(row)
    return row


if __name__ == "__main__":
    main()
