"""What every benchmark shares: processes measured from outside, medians, and results with their machine."""

from __future__ import annotations

import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results"
ROOT = Path(__file__).parents[1]
SNARKJS = ROOT / "tests" / "node" / "node_modules" / "snarkjs"
VECTORS = ROOT / "tests" / "vectors"
LOAD_AT_START = round(os.getloadavg()[0], 2)
INTERESTING_FLAGS = ("avx2", "bmi2", "adx", "avx512f", "avx512ifma", "neon")

Row = dict[str, Any]


@dataclass(frozen=True)
class Usage:
    """Of one process from start to exit."""

    wall_seconds: float
    cpu_seconds: float
    peak_rss_bytes: int


def run_measured(command: Sequence[str | Path]) -> Usage:
    """Runs a command, output discarded, and returns what it used. Raises with its errors if it fails.

    The peak of resident memory counts file pages too. It has a floor: the kernel also counts this process's
    own memory at the moment of the start, which is why benchmarks keep large arrays in other processes.
    """
    argv = [str(part) for part in command]
    start = time.perf_counter()
    process = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    assert process.stderr is not None
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(argv)} failed with {process.returncode}: {errors.decode()}")
    return Usage(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def seconds_per_call(call: Callable[[], object], repeats: int = 5, at_least: float = 0.05) -> float:
    """Median over ``repeats`` of the mean of calls that fill ``at_least`` seconds, after one warm-up."""
    call()
    count, elapsed = 1, 0.0
    while True:
        elapsed = _time(call, count)
        if elapsed >= at_least:
            break
        count *= 2
    return statistics.median([elapsed / count, *(_time(call, count) / count for _ in range(repeats - 1))])


def _time(call: Callable[[], object], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return time.perf_counter() - start


def summary(values: Sequence[float]) -> Row:
    return {"median": statistics.median(values), "min": min(values), "max": max(values), "n": len(values)}


def machine() -> Row:
    """The machine and the software that a figure holds for."""
    cpu = _cpuinfo()
    return {
        "cpu": cpu.get("model name", platform.processor()),
        "cpu_family_model": f"{cpu.get('cpu family', '?')}/{cpu.get('model', '?')}",
        "cores": len(os.sched_getaffinity(0)),
        "flags": [flag for flag in INTERESTING_FLAGS if flag in cpu.get("flags", "").split()],
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "kernel": platform.release().partition("-")[0],
        "python": platform.python_version(),
        "versions": versions(),
    }


def _cpuinfo() -> dict[str, str]:
    try:
        lines = Path("/proc/cpuinfo").read_text().split("\n\n")[0].splitlines()
    except OSError:
        return {}
    return {name.strip(): value.strip() for name, _, value in (line.partition(":") for line in lines)}


def versions() -> dict[str, str]:
    from proverd import __version__, _native

    found = {"proverd": f"{__version__} ({_native.isa()})"}
    for package in ("numpy", "py-arkworks-bls12381", "groth16py"):
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            continue
    if SNARKJS.exists():
        found["snarkjs"] = json.loads((SNARKJS / "package.json").read_text())["version"]
        found["node"] = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip()
    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=ROOT, capture_output=True, text=True
    ).stdout.strip()
    return found | ({"commit": commit} if commit else {})


def command() -> str:
    """The command line as typed: every benchmark is run as a module from the repository's root."""
    module = Path(sys.argv[0]).resolve().relative_to(ROOT).with_suffix("")
    return " ".join(["python", "-m", ".".join(module.parts), *sys.argv[1:]])


def write_result(name: str, rows: list[Row], **settings: Any) -> None:
    """Writes ``results/<name>.json`` with the machine, the command, the load before, and the rows."""
    RESULTS.mkdir(exist_ok=True)
    document = {
        "benchmark": name,
        "date": datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        "command": command(),
        "machine": machine(),
        "load_average_before": LOAD_AT_START,
        "settings": settings,
        "rows": rows,
    }
    path = RESULTS / f"{name}.json"
    path.write_text(json.dumps(document, indent=1, default=str) + "\n")
    print(f"written: {path.relative_to(ROOT)}")
