"""Multi-scalar multiplication against the reference: by discrete logarithms, Σ sᵢ·(kᵢ·G) = (Σ sᵢkᵢ)·G."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from kernels.points import from_words, group_of, multiple, multiples, put, to_words, uniform
from proverd import _native
from proverd.backend import Backend, Group, get_backend
from proverd.curves import CURVES, Curve
from proverd.curves import reference as ref
from proverd.ops import vec
from proverd.ops.msm import msm

SIZES = [0, 1, 2, 3, 4, 5, 31, 32, 33, 1023, 1025]


def total(
    backend: Backend, curve: Curve, group: Group, logarithms: Sequence[int], scalars: Sequence[int]
) -> Any:
    bases = multiples(backend, curve, group, logarithms)
    return from_words(curve, group, msm(bases, vec.from_integers(backend, curve, scalars)))[0]


def check(
    backend: Backend, curve: Curve, group: Group, logarithms: Sequence[int], scalars: Sequence[int]
) -> None:
    expected = sum(k * s for k, s in zip(logarithms, scalars, strict=True))
    assert total(backend, curve, group, logarithms, scalars) == multiple(curve, group, expected)


@pytest.mark.parametrize("n", SIZES)
def test_uniform_scalars(curve: Curve, group: Group, backend: Backend, n: int) -> None:
    rng = random.Random(n)
    check(backend, curve, group, uniform(rng, curve, n), uniform(rng, curve, n))


def test_against_the_reference_sum(curve: Curve, group: Group, backend: Backend) -> None:
    """Without discrete logarithms, and with no help of fixed_base."""
    rng = random.Random(1)
    several = [multiple(curve, group, k) for k in [*uniform(rng, curve, 5), 0]]
    several += [several[0], group_of(curve, group).negate(several[1])]
    scalars = [*uniform(rng, curve, 6), 1, curve.fr.modulus - 1]
    bases = put(backend, curve, group, to_words(curve, group, several))
    ours = from_words(curve, group, msm(bases, vec.from_integers(backend, curve, scalars)))
    assert ours == [ref.msm(group_of(curve, group), several, scalars)]


SCALARS: dict[str, Callable[[random.Random, int, int], int]] = {
    "uniform": lambda rng, r, i: rng.randrange(r),
    "zero": lambda rng, r, i: 0,
    "one": lambda rng, r, i: 1,
    "minus one": lambda rng, r, i: r - 1,
    "equal": lambda rng, r, i: 0x1234567890ABCDEF << 100,
    "bits": lambda rng, r, i: rng.randrange(2),
    "small": lambda rng, r, i: rng.randrange(-100, 100) % r,
    "half": lambda rng, r, i: r // 2 + rng.randrange(-1, 2),
    "largest": lambda rng, r, i: r - 1 - i,
    "powers of two": lambda rng, r, i: 1 << i % 253,
    "nearly powers of two": lambda rng, r, i: (1 << 1 + i % 252) - rng.randrange(2),
    "one bucket of each window": lambda rng, r, i: int("1" * 60, 16),
    "mostly zero": lambda rng, r, i: 0 if rng.randrange(50) else rng.randrange(r),
    "a witness": lambda rng, r, i: rng.choice([0, 0, 0, 1, 1, rng.randrange(2**32), rng.randrange(r)]),
}


@pytest.mark.parametrize("kind", SCALARS)
def test_scalars_of_one_kind(curve: Curve, group: Group, backend: Backend, kind: str) -> None:
    rng = random.Random(kind)
    n = 700
    scalars = [SCALARS[kind](rng, curve.fr.modulus, i) for i in range(n)]
    check(backend, curve, group, uniform(rng, curve, n), scalars)


LOGARITHMS: dict[str, Callable[[random.Random, int, int], int]] = {
    "equal": lambda rng, r, i: 12345,
    "opposite": lambda rng, r, i: (-1) ** i * (1 + i // 2) % r,
    "equal and opposite": lambda rng, r, i: rng.choice([1, r - 1]),
    "infinite": lambda rng, r, i: 0,
    "often infinite": lambda rng, r, i: rng.choice([0, 0, 0, rng.randrange(r)]),
    "sums of others": lambda rng, r, i: 1 + i % 16,
}


@pytest.mark.parametrize("scalars", ["equal", "bits", "uniform", "small"])
@pytest.mark.parametrize("kind", LOGARITHMS)
def test_bases_of_one_kind(curve: Curve, group: Group, backend: Backend, kind: str, scalars: str) -> None:
    """Additions of equal and opposite points, where the affine formula divides by zero."""
    rng = random.Random(kind)
    n, r = 300, curve.fr.modulus
    values = (
        uniform(rng, curve, n) if scalars == "uniform" else [SCALARS[scalars](rng, r, i) for i in range(n)]
    )
    check(backend, curve, group, [LOGARITHMS[kind](rng, r, i) for i in range(n)], values)


@pytest.mark.parametrize("n", [50, 9000])
def test_every_number_of_threads_gives_the_same(curve: Curve, group: Group, n: int) -> None:
    rng = random.Random(n)
    backends = [get_backend("cpu", threads=threads) for threads in (1, 2, 3, 5, 8)]
    scalars = [0] * (n // 3) + [1] * (n // 3) + uniform(rng, curve, n - n // 3 * 2)
    logarithms = uniform(rng, curve, n)
    sums = [total(backend, curve, group, logarithms, scalars) for backend in backends]
    assert sums == [multiple(curve, group, sum(k * s for k, s in zip(logarithms, scalars, strict=True)))] * 5


def test_several_callers_at_once(curve: Curve) -> None:
    backend = get_backend("cpu", threads=3)
    rng = random.Random(2)
    n = 3000
    bases = multiples(backend, curve, Group.G1, uniform(rng, curve, n))
    several = [vec.from_integers(backend, curve, uniform(rng, curve, n)) for _ in range(12)]
    one_by_one = [msm(bases, scalars).tolist() for scalars in several]
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda scalars: msm(bases, scalars).tolist(), several)) == one_by_one


@pytest.mark.parametrize("offset", [1, 4, 8])
def test_memory_of_any_alignment(curve: Curve, group: Group, backend: Backend, offset: int) -> None:
    """A section of a memory-mapped file begins anywhere."""
    rng = random.Random(offset)
    n = 100
    bases = multiples(backend, curve, group, uniform(rng, curve, n)).data
    scalars = vec.from_integers(backend, curve, uniform(rng, curve, n)).data
    moved = [bytes(offset) + array.tobytes() for array in (bases, scalars)]
    out, expected = np.empty_like(bases[0]), np.empty_like(bases[0])
    number = list(CURVES).index(curve.name)
    _native.msm(number, group.value, expected, bases, scalars, 2)
    _native.msm(number, group.value, out, *[memoryview(data)[offset:] for data in moved], 2)
    assert (out == expected).all()


OUT_OF_MEMORY = """
import resource, sys
import numpy as np
from proverd import _native
generator, n = bytes.fromhex(sys.argv[1]), 1 << 20
bases = np.frombuffer(generator * n, dtype=np.uint64)
scalars = np.random.default_rng(1).integers(0, 2**60, (n, 4), dtype=np.uint64)
out = np.empty(8, dtype=np.uint64)
_native.msm(0, 1, out, bases[: 8 << 10], scalars[: 1 << 10], 2)  # starts the threads
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (4 << 20), -1))
try:
    _native.msm(0, 1, out, bases, scalars, 2)
except MemoryError:
    print("MemoryError")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits address space by /proc and RLIMIT_AS")
def test_no_memory_left_is_a_memory_error() -> None:
    curve = CURVES["bn254"]
    generator = to_words(curve, Group.G1, [curve.g1]).tobytes().hex()
    done = subprocess.run(
        [sys.executable, "-c", OUT_OF_MEMORY, generator], capture_output=True, text=True, timeout=120
    )
    assert (done.stdout, done.returncode) == ("MemoryError\n", 0), done.stderr
