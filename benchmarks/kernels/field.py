"""Field arithmetic on one thread, nanoseconds an element, for every instruction set this machine has.

python -m benchmarks.kernels.field
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from benchmarks import common
from benchmarks.kernels import inputs
from proverd import _native
from proverd.backend import Backend, get_backend
from proverd.curves import CURVES, Curve
from proverd.ops import vec


def main() -> None:
    rows = []
    for isa in _native.isas():
        with instruction_set(isa):
            for curve in CURVES.values():
                rows.append(
                    {"isa": isa, "curve": curve.name, **measure(get_backend("cpu", threads=1), curve)}
                )
                print({key: round(x, 2) if isinstance(x, float) else x for key, x in rows[-1].items()})
    common.write_result("kernels_field", rows, elements=inputs.ELEMENTS)


@contextmanager
def instruction_set(name: str) -> Iterator[None]:
    chosen = _native.isa()
    _native.set_isa(name)
    try:
        yield
    finally:
        _native.set_isa(chosen)


def measure(backend: Backend, curve: Curve) -> common.Row:
    a, b, out = (inputs.random_vector(backend, curve, inputs.ELEMENTS, seed) for seed in range(3))

    def nanoseconds(call: Callable[[], None]) -> float:
        return 1e9 * common.seconds_per_call(call) / inputs.ELEMENTS

    return {
        "fr_multiply_ns": nanoseconds(lambda: vec.multiply(out, a, b)),
        "fr_square_ns": nanoseconds(lambda: vec.multiply(out, a, a)),
        "fr_add_ns": nanoseconds(lambda: vec.add(out, a, b)),
        "fp_multiply_ns": inputs.fp_multiplication_ns(backend, curve),
    }


if __name__ == "__main__":
    main()
