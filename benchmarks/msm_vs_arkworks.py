"""MSM on BLS12-381 against arkworks (its Python binding), G1 and G2, same points and scalars, one run.

    python -m benchmarks.msm_vs_arkworks [--log-sizes 12 14 16 18] [--repeats 5]

The binding computes on one thread, so the ratio that counts is against ours on one thread; ours on all
threads stands beside it. Results are compared. The binding's time includes cloning its list of point
objects, which its interface cannot avoid.
"""

from __future__ import annotations

import argparse
import os
import random
import time
from typing import Any

import py_arkworks_bls12381 as arkworks

from benchmarks import common
from proverd.backend import Backend, FieldVector, Group, PointVector, get_backend
from proverd.curves import CURVES
from proverd.ops import points, vec
from proverd.ops.msm import fixed_base, msm

CURVE = CURVES["bls12_381"]
KINDS = {Group.G1: arkworks.G1Point, Group.G2: arkworks.G2Point}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--log-sizes", type=int, nargs="+", default=[12, 14, 16, 18])
    parser.add_argument("--repeats", type=int, default=5)
    arguments = parser.parse_args()
    rows = []
    for group in Group:
        for log_n in arguments.log_sizes:
            rows.append(compare(group, log_n, arguments.repeats))
            print(describe(rows[-1]), flush=True)
    common.write_result("msm_vs_arkworks", rows, repeats=arguments.repeats)


def compare(group: Group, log_n: int, repeats: int) -> common.Row:
    n = 1 << log_n
    rng = random.Random(log_n)
    scalars = [rng.randrange(CURVE.fr.modulus) for _ in range(n)]
    one, every = get_backend("cpu", threads=1), get_backend("cpu")
    generator = (
        points.g1_to_words(CURVE, [CURVE.g1]) if group is Group.G1 else points.g2_to_words(CURVE, [CURVE.g2])
    )
    multiples = vec.from_integers(every, CURVE, [rng.randrange(CURVE.fr.modulus) for _ in range(n)])
    words = fixed_base(every, CURVE, group, generator[0], multiples).data
    ours = {backend: on(backend, group, words, scalars) for backend in (one, every)}
    their_points = [KINDS[group].from_xy_bytes_unchecked_le(data) for data in as_bytes(words, group)]
    their_scalars = [arkworks.Scalar(value) for value in scalars]
    seconds: dict[str, list[float]] = {"proverd_1_thread": [], "arkworks": [], "proverd_all_threads": []}
    for _ in range(repeats + 1):  # the first warms up and is dropped
        seconds["proverd_1_thread"].append(timed(lambda: msm(*ours[one]))[0])
        took, theirs = timed(lambda: KINDS[group].multiexp_unchecked(their_points, their_scalars))
        seconds["arkworks"].append(took)
        took, total = timed(lambda: msm(*ours[every]))
        seconds["proverd_all_threads"].append(took)
    (data,) = as_bytes(total.reshape(1, -1), group)
    assert data == bytes(theirs.to_xy_bytes_le()), "the sums differ"
    return summarise(group, log_n, {name: values[1:] for name, values in seconds.items()})


def on(backend: Backend, group: Group, words: Any, scalars: list[int]) -> tuple[PointVector, FieldVector]:
    return points.put(backend, CURVE, group, words), vec.from_integers(backend, CURVE, scalars)


def as_bytes(words: Any, group: Group) -> list[bytes]:
    """Canonical little-endian coordinates of each point, as arkworks takes and gives them."""
    if group is Group.G1:
        rows = [point or (0, 0) for point in points.g1_from_words(CURVE, words)]
    else:
        rows = [(*p[0], *p[1]) if p else (0,) * 4 for p in points.g2_from_words(CURVE, words)]
    return [b"".join(value.to_bytes(CURVE.fp.nbytes, "little") for value in row) for row in rows]


def timed(call: Any) -> tuple[float, Any]:
    start = time.perf_counter()
    value = call()
    return time.perf_counter() - start, value


def summarise(group: Group, log_n: int, seconds: dict[str, list[float]]) -> common.Row:
    row: common.Row = {"curve": CURVE.name, "group": group.name, "log_n": log_n, "threads": os.cpu_count()}
    for name, values in seconds.items():
        row[f"{name}_ms"] = common.summary([1e3 * value for value in values])
    for name in ("proverd_1_thread", "proverd_all_threads"):
        pairs = zip(seconds["arkworks"], seconds[name], strict=True)
        row[f"arkworks_over_{name}"] = common.summary([theirs / ours for theirs, ours in pairs])
    return row


def describe(row: common.Row) -> str:
    one, every = row["arkworks_over_proverd_1_thread"], row["arkworks_over_proverd_all_threads"]
    names = ("proverd_1_thread", "proverd_all_threads", "arkworks")
    times = ", ".join(f"{name} {row[f'{name}_ms']['median']:.1f} ms" for name in names)
    return (
        f"{row['group']} 2^{row['log_n']}: {times}; "
        f"{one['median']:.2f} and {every['median']:.2f} times faster"
    )


if __name__ == "__main__":
    main()
