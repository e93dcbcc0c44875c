"""Field and point operations a second on the GPU, beside what the multiply-adds of 32-bit limbs allow.

    python -m benchmarks.kernels.field_gpu

Chains of dependent operations on as many threads as the device holds; the median of several launches. The
ceiling counts the 64-bit multiply-adds of one Montgomery product, 2 n² + n for n limbs, at the rate given by
``--wide``: 7.56e12 a second on an H200.
"""

from __future__ import annotations

import argparse
import ctypes
import statistics

import numpy as np

from proverd.backend.compile import compile_kernel
from proverd.curves import CURVES, Curve

ROUNDS, BLOCK = 2000, 128


def limbs(curve: Curve, prefix: str) -> int:
    return 2 * (curve.fr.limbs if prefix == "fr" else curve.fp.limbs)


def words(curve: Curve, prefix: str, name: str) -> tuple[int, int]:
    """32-bit words of the state and of the operand."""
    n = limbs(curve, prefix) * (2 if prefix in ("fp2", "g2") else 1)
    return (4 * n, 2 * n) if name == "add_mixed" else (n, n)


def main() -> None:
    from cuda.core import Device, EventOptions, LaunchConfig, LegacyPinnedMemoryResource, ObjectCode, launch

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--wide", type=float, default=7.56e12, help="64-bit multiply-adds a second")
    parser.add_argument("--repeat", type=int, default=7)
    arguments = parser.parse_args()
    device = Device()
    device.set_current()
    stream = device.create_stream()
    capability = device.compute_capability
    threads = device.properties.multiprocessor_count * 2048
    pinned = LegacyPinnedMemoryResource()
    print(f"{device.name}, {threads} threads, {ROUNDS} rounds")
    for curve in CURVES.values():
        cubin = compile_kernel(
            "arith_bench", f"sm_{capability.major}{capability.minor}", {"PROVERD_CURVE": curve.name}
        )
        module, usage = ObjectCode.from_cubin(cubin.code), cubin.usage()
        for prefix, name in [
            *((p, o) for p in ("fr", "fp", "fp2") for o in ("multiply", "square", "add")),
            ("g1", "add_mixed"),
            ("g2", "add_mixed"),
        ]:
            sizes = [4 * threads * n for n in words(curve, prefix, name)]
            buffers = [device.allocate(size, stream=stream) for size in sizes]
            hosts = [pinned.allocate(size) for size in sizes]
            for buffer, host in zip(buffers, hosts, strict=True):
                view = np.frombuffer((ctypes.c_char * host.size).from_address(int(host.handle)), np.uint32)
                # below 2^28 in every limb: residues below both moduli
                view[:] = np.random.default_rng(1).integers(0, 1 << 28, len(view), np.uint32)
                buffer.copy_from(host, stream=stream)
            kernel = module.get_kernel(f"{prefix}_{name}")
            config = LaunchConfig(grid=threads // BLOCK, block=BLOCK)
            seconds = []
            for _ in range(arguments.repeat + 1):
                begin = stream.record(options=EventOptions(timing_enabled=True))
                launch(stream, config, kernel, *buffers, np.uint32(ROUNDS))
                end = stream.record(options=EventOptions(timing_enabled=True))
                end.sync()
                seconds.append((end - begin) / 1e3)
            rate = threads * ROUNDS / statistics.median(seconds[1:])
            n = limbs(curve, prefix)
            ceiling = f"  ceiling {arguments.wide / (2 * n * n + n) / 1e9:6.1f}" if name == "multiply" else ""
            used = usage[f"{prefix}_{name}"]
            print(
                f"{curve.name:10} {prefix:4}{name:10} {rate / 1e9:8.2f} G/s  "
                f"{used.registers:3} registers {used.spill_bytes:4} bytes spilled{ceiling}"
            )
            for buffer in (*hosts, *buffers):
                buffer.close()


if __name__ == "__main__":
    main()
