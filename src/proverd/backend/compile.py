"""Compiles GPU kernels at run time with NVRTC and keeps the results on disk.

No toolkit is needed, only the NVRTC library that ``cuda-core`` brings, and no GPU: any architecture can be
compiled for anywhere. A result is found again by a hash over all that it depends on: the text of the
kernel and of every header, the architecture, the macros, the compiler.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import io
import json
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from proverd.errors import CompileError, MissingExtra

KERNELS = Path(__file__).resolve().parent.parent / "kernels"

#: ``-v`` makes the assembler report registers and spills in the log.
PTXAS_OPTIONS = ["-v"]


@dataclass(frozen=True)
class KernelUsage:
    """What one kernel function takes of a multiprocessor."""

    registers: int  #: per thread
    spill_bytes: int  #: stores and loads of registers to local memory, in bytes of code


@dataclass(frozen=True)
class Cubin:
    """Machine code of one kernel file for one architecture."""

    code: bytes
    log: str  #: the compiler's messages

    def usage(self) -> dict[str, KernelUsage]:
        """Registers and spills of each kernel function, from the assembler's report."""
        report = re.compile(
            r"Compiling entry function '(?P<name>\w+)'.*?(?P<stores>\d+) bytes spill stores, "
            r"(?P<loads>\d+) bytes spill loads.*?Used (?P<registers>\d+) registers",
            re.DOTALL,
        )
        return {
            match["name"]: KernelUsage(int(match["registers"]), int(match["stores"]) + int(match["loads"]))
            for match in report.finditer(self.log)
        }

    def warnings(self) -> list[str]:
        return [line for line in self.log.splitlines() if "warning" in line.lower()]


def default_cache() -> Path:
    """``$XDG_CACHE_HOME/proverd/kernels``, by default under ``~/.cache``."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "proverd" / "kernels"


def compile_kernel(
    source: str, arch: str, defines: Mapping[str, str] | None = None, *, cache_folder: Path | None = None
) -> Cubin:
    """Machine code of ``kernels/<source>.cu`` for ``arch`` (``sm_90``), from the cache where it is there.

    ``defines`` are preprocessor macros. A cache that cannot be written is not an error: the kernel is then
    compiled again next time. Raises CompileError with the compiler's log, MissingExtra without cuda-core.
    """
    folder = default_cache() if cache_folder is None else cache_folder
    macros = sorted((defines or {}).items())
    path = folder / f"{source}-{arch}-{cache_key(source, arch, macros)}.cubin"
    cubin = read_entry(path)
    if cubin is None:
        cubin = run_compiler(source, arch, macros)
        write_entry(path, cubin)
    return cubin


def cache_key(source: str, arch: str, macros: list[tuple[str, str]]) -> str:
    """Hash of all that the machine code depends on, 32 hexadecimal digits."""
    digest = hashlib.sha256()
    settings = json.dumps([compiler_version(), arch, macros, PTXAS_OPTIONS])
    texts = [KERNELS / f"{source}.cu", *sorted(KERNELS.glob("*.h")), *sorted(KERNELS.glob("generated/*.h"))]
    for part in [
        settings.encode(),
        *(item for path in texts for item in (path.name.encode(), path.read_bytes())),
    ]:
        digest.update(len(part).to_bytes(8, "little"))
        digest.update(part)
    return digest.hexdigest()[:32]


@cache
def compiler_version() -> str:
    """Version of NVRTC, to the build where the package says it."""
    try:
        from cuda.bindings import nvrtc
    except ImportError:
        raise MissingExtra("compiling GPU kernels", "cuda-core", "cuda") from None
    _, major, minor = nvrtc.nvrtcVersion()
    try:
        return f"{major}.{minor} {importlib.metadata.version('nvidia-cuda-nvrtc')}"
    except importlib.metadata.PackageNotFoundError:
        return f"{major}.{minor}"


def run_compiler(source: str, arch: str, macros: list[tuple[str, str]]) -> Cubin:
    try:
        from cuda.core import Program, ProgramOptions
    except ImportError:
        raise MissingExtra("compiling GPU kernels", "cuda-core", "cuda") from None
    text = (KERNELS / f"{source}.cu").read_text()
    options = ProgramOptions(
        name=f"{source}.cu",
        arch=arch,
        std="c++17",
        include_path=str(KERNELS),
        define_macro=list(macros) or None,  # an empty list is refused
        ptxas_options=PTXAS_OPTIONS,
    )
    log = io.StringIO()
    try:
        code = Program(text, "c++", options).compile("cubin", logs=log).code
    except Exception as error:  # cuda.core has no public class for a failed compilation
        if not is_compiler_error(error):
            raise
        raise CompileError(source, f"{log.getvalue()}{error}") from error
    return Cubin(bytes(code), log.getvalue())


def is_compiler_error(error: Exception) -> bool:
    """Whether it comes from NVRTC; by name, as cuda.core keeps the class private."""
    return any(kind.__name__ == "NVRTCError" for kind in type(error).__mro__)


# --- entries of the cache: one line of JSON, then the code ------------------------------------------


def read_entry(path: Path) -> Cubin | None:
    """An entry, or None where there is none; a damaged one is removed."""
    try:
        head, separator, code = path.read_bytes().partition(b"\n")
    except OSError:
        return None
    try:
        record = json.loads(head)
        if separator and record["sha256"] == hashlib.sha256(code).hexdigest():
            return Cubin(code, record["log"])
    except (ValueError, KeyError, TypeError):
        pass
    path.unlink(missing_ok=True)
    return None


def write_entry(path: Path, cubin: Cubin) -> None:
    """Published by rename, so that a reader never sees half an entry."""
    head = json.dumps({"sha256": hashlib.sha256(cubin.code).hexdigest(), "log": cubin.log})
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".writing-")
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(head.encode() + b"\n" + cubin.code)
        os.replace(temporary, path)
    except OSError:
        Path(temporary).unlink(missing_ok=True)
