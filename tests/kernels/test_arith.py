"""Every operation of the kernel headers on the CPU, in each instruction set, against the reference."""

from __future__ import annotations

import ctypes
import os
import platform
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import arithmetic
from proverd import _native
from proverd.curves import CURVES, derive

KERNELS = Path(derive.__file__).parents[1] / "kernels"
SOURCE = Path(__file__).with_name("arith.cpp")


@pytest.fixture(scope="module", params=_native.isas())
def isa(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("curve", CURVES.values(), ids=lambda curve: curve.name)
def test_operations(curve: arithmetic.Curve, isa: str, tmp_path: Path) -> None:
    compiler = os.environ.get("CXX", "c++")
    if shutil.which(compiler) is None:
        pytest.skip(f"no C++ compiler: {compiler}")
    library = tmp_path / "arith.so"
    options = ["-std=gnu++17", "-O2", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-fPIC", "-shared"]
    if platform.machine() == "x86_64":
        options.append("-mgeneral-regs-only")
    macros = [f"-DPROVERD_CURVE={curve.name}", f"-DPROVERD_ISA={isa}", f"-DPROVERD_ISA_{isa}=1"]
    subprocess.run(
        [compiler, *options, *macros, f"-I{KERNELS}", SOURCE, "-o", library], check=True, timeout=600
    )
    functions = ctypes.CDLL(str(library))
    for case in arithmetic.cases(curve):
        out = np.zeros((len(case.a), case.result_words), np.uint64)
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (out, case.a, case.b)]
        getattr(functions, case.name)(*pointers, ctypes.c_uint(len(case.a)))
        case.check(out)
