"""Sums of multiples on the tiny curve: its 823 points meet and cancel all the time."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from proverd.curves import derive
from proverd.curves.curve import PrimeField
from proverd.curves.reference import Point
from proverd.curves.tiny import TINY_FIELD, TINY_GROUP

KERNELS = Path(derive.__file__).parents[1] / "kernels"


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The functions of tiny_msm.cpp."""
    compiler = os.environ.get("CXX", "c++")
    if shutil.which(compiler) is None:
        pytest.skip(f"no C++ compiler: {compiler}")
    folder = tmp_path_factory.mktemp("tiny_msm")
    fields = {"FpParams": TINY_FIELD, "FrParams": PrimeField("tiny.Fr", TINY_GROUP.order)}
    structs = "".join(derive.field_struct(name, field) for name, field in fields.items())
    (folder / "tiny_constants.h").write_text(f'#include "core.h"\nnamespace proverd::tiny {{\n{structs}}}\n')
    sources = [Path(__file__).with_name("tiny_msm.cpp"), KERNELS / "cpu" / "threads.cpp"]
    options = ["-std=gnu++17", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-pthread"]
    library = folder / "tiny_msm.so"
    includes = [f"-I{folder}", f"-I{KERNELS}"]
    subprocess.run([compiler, *options, *includes, *sources, "-o", library], check=True, timeout=300)
    functions = ctypes.CDLL(str(library))
    for function in (functions.msm_mistakes, functions.fixed_base_mistakes, functions.digit_mistakes):
        function.restype = ctypes.c_long
    return functions


@pytest.fixture(scope="module")
def multiples() -> NDArray[np.uint64]:
    """k·G for k = 0, 1, …, as kernels hold them."""
    points: list[Point[int]] = [None]
    for _ in range(TINY_GROUP.order - 1):
        points.append(TINY_GROUP.add(points[-1], TINY_GROUP.generator))
    coordinates = [(0, 0) if point is None else point for point in points]
    return np.array([[TINY_FIELD.to_montgomery(c) for c in xy] for xy in coordinates], np.uint64)


@pytest.mark.parametrize("logarithms", [1, 2, 4, 823])
@pytest.mark.parametrize("scalars", [1, 2, 10, 823])
@pytest.mark.parametrize("n", [1, 5, 8, 33, 1000, 10_000])
def test_sums(
    tiny: ctypes.CDLL, multiples: NDArray[np.uint64], n: int, scalars: int, logarithms: int
) -> None:
    pointer = multiples.ctypes.data_as(ctypes.c_void_p)
    rounds = max(2, 3000 // n)
    for threads in (1, 3):
        arguments = ctypes.c_size_t(n), ctypes.c_uint64(logarithms), ctypes.c_uint64(scalars), threads, rounds
        assert tiny.msm_mistakes(pointer, *arguments) == 0


def test_every_multiple_of_every_point(tiny: ctypes.CDLL, multiples: NDArray[np.uint64]) -> None:
    assert tiny.fixed_base_mistakes(multiples.ctypes.data_as(ctypes.c_void_p), 2) == 0


def test_digits_of_every_width_give_back_their_scalar(tiny: ctypes.CDLL) -> None:
    assert tiny.digit_mistakes() == 0
