"""Number-theoretic transforms: inverse, and forward onto a coset, against the multiplications they need.

    python -m benchmarks.kernels.ntt [--log-sizes 12 14 16 18 20] [--threads 1 2]

Counted: n/2·log₂ n multiplications, and n more for the 1/n of the inverse or the shifts of the coset; the
floor is that count at the rate of the vector product on as many threads.
"""

from __future__ import annotations

import argparse

from benchmarks import common
from benchmarks.kernels import inputs
from proverd.backend import get_backend
from proverd.curves import CURVES, Curve
from proverd.ops.ntt import Domain


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log-sizes", type=int, nargs="+", default=[12, 14, 16, 18, 20])
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    arguments = parser.parse_args()
    rows = []
    for curve in CURVES.values():
        for threads in arguments.threads:
            rows += [measure(curve, log_n, threads) for log_n in arguments.log_sizes]
    common.write_result("kernels_ntt", rows)


def measure(curve: Curve, log_n: int, threads: int) -> common.Row:
    backend = get_backend("cpu", threads=threads)
    multiplication_ns = inputs.fr_multiplication_ns(get_backend("cpu", threads=1), curve)
    domain = Domain(backend, curve, log_n, curve.snarkjs_root_base)
    x = inputs.random_vector(backend, curve, domain.n, seed=log_n)
    coset = curve.fr.root_of_unity(curve.snarkjs_root_base, log_n + 1)

    def there_and_back() -> None:
        domain.inverse(x)
        domain.forward(x, coset)

    multiplications = 2 * (domain.n // 2 * log_n + domain.n)
    floor_ms = multiplications * multiplication_ns / threads / 1e6
    row = {
        "curve": curve.name,
        "log_n": log_n,
        "threads": threads,
        "inverse_and_forward_ms": 1e3 * common.seconds_per_call(there_and_back),
        "multiplications": multiplications,
        "floor_ms": floor_ms,
    }
    row["floor_share"] = floor_ms / row["inverse_and_forward_ms"]
    print(row)
    return row


if __name__ == "__main__":
    main()
