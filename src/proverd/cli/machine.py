"""Facts about this machine that decide whether and how fast proverd runs here."""

from __future__ import annotations

import os
import platform
import resource
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

CPU_FEATURES = ("adx", "bmi2", "avx2", "avx512f", "avx512ifma")
# extra → the module whose presence tells
EXTRAS = {"circom": "wasmtime", "rich": "rich"}


def versions() -> dict[str, str]:
    from proverd import __version__

    found = {"proverd": __version__, "python": platform.python_version(), "numpy": metadata.version("numpy")}
    return found | {"system": f"{platform.system()} {platform.release()} {platform.machine()}"}


def cpu_model() -> str:
    return _cpuinfo().get("model name", platform.machine())


def cpu_features() -> list[str]:
    """Those of CPU_FEATURES that this CPU has."""
    flags = _cpuinfo().get("flags", "").split()
    return [name for name in CPU_FEATURES if name in flags]


def _cpuinfo() -> dict[str, str]:
    """The first processor's entry of /proc/cpuinfo."""
    first = _read("/proc/cpuinfo").split("\n\n")[0]
    pairs = (line.partition(":") for line in first.splitlines())
    return {name.strip(): value.strip() for name, _, value in pairs}


def memory_bytes() -> dict[str, int | None]:
    """MemTotal and MemAvailable; the limits of the control group and of locked memory (None: unlimited)."""
    info = {line.split(":")[0]: line.split()[1] for line in _read("/proc/meminfo").splitlines() if line}
    locked = resource.getrlimit(resource.RLIMIT_MEMLOCK)[0]
    return {
        "total": _kib(info.get("MemTotal")),
        "available": _kib(info.get("MemAvailable")),
        "cgroup_limit": cgroup_limit_bytes(),
        "locked_limit": None if locked == resource.RLIM_INFINITY else locked,
    }


def _kib(text: str | None) -> int | None:
    return None if text is None else int(text) * 1024


def cgroup_limit_bytes(root: str = "/sys/fs/cgroup", own: str = "/proc/self/cgroup") -> int | None:
    """The smallest memory limit of this process's control group and of those above it; None: no limit.

    Version 2 has one hierarchy (``0::/path``, memory.max), version 1 one for memory (memory.limit_in_bytes).
    """
    limits = []
    for line in _read(own).splitlines():
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        base, name = (f"{root}/memory", "memory.limit_in_bytes") if controllers else (root, "memory.max")
        group = Path(base) / path.strip("/")
        # Inside a container the path may be the host's: then only the root of the mount is there.
        for folder in (group, *group.parents):
            text = _read(folder / name).strip()
            if text.isdigit() and int(text) < 1 << 60:  # version 1 writes "no limit" as nearly 2^63
                limits.append(int(text))
            if folder == Path(base):
                break
    return min(limits, default=None)


def extras() -> dict[str, bool]:
    """Which optional packages are installed."""
    return {extra: _has_module(module) for extra, module in EXTRAS.items()}


def _has_module(name: str) -> bool:
    try:
        return find_spec(name) is not None
    except ImportError:  # the package that should hold it is absent
        return False


def gpu_driver() -> str | None:
    """The NVIDIA kernel driver's version, "present" where only its devices show, or None."""
    text = _read("/proc/driver/nvidia/version")
    words = text.split()
    if "Module" in words:
        return next((word for word in words[words.index("Module") :] if word[:1].isdigit()), "present")
    return "present" if os.path.exists("/dev/nvidiactl") else None


def _read(path: str | Path) -> str:
    try:
        return Path(path).read_text(errors="replace")
    except OSError:
        return ""
