"""The kernel headers on the tiny curve, where everything can be tried: all elements, all pairs of points."""

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
from proverd.curves.reference import Fp, Group, Point
from proverd.curves.tiny import TINY_FIELD, TINY_GROUP

KERNELS = Path(derive.__file__).parents[1] / "kernels"
SOURCE = Path(__file__).with_name("tiny.cpp")


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The functions of tiny.cpp."""
    compiler = os.environ.get("CXX", "c++")
    if shutil.which(compiler) is None:
        pytest.skip(f"no C++ compiler: {compiler}")
    folder = tmp_path_factory.mktemp("tiny")
    constants = derive.field_struct("FpParams", TINY_FIELD)
    (folder / "tiny_constants.h").write_text(
        f'#include "core.h"\nnamespace proverd::tiny {{\n{constants}}}\n'
    )
    library = folder / "tiny.so"
    options = ["-std=gnu++17", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
    subprocess.run(
        [compiler, *options, f"-I{folder}", f"-I{KERNELS}", SOURCE, "-o", library], check=True, timeout=300
    )
    functions = ctypes.CDLL(str(library))
    functions.field_mistakes.restype = functions.group_mistakes.restype = ctypes.c_long
    return functions


def test_field(tiny: ctypes.CDLL) -> None:
    p = TINY_FIELD.modulus
    others = np.array(
        [*range(20), *range(p - 20, p), (p - 1) // 2, (p + 1) // 2, *range(20, p, 4001)], np.uint64
    )
    assert tiny.field_mistakes(others.ctypes.data_as(ctypes.c_void_p), len(others)) == 0


def montgomery_words(points: list[Point[int]]) -> NDArray[np.uint64]:
    """(n, 2) coordinates as kernels hold them."""
    coordinates = [(0, 0) if point is None else point for point in points]
    return np.array([[TINY_FIELD.to_montgomery(c) for c in xy] for xy in coordinates], np.uint64)


def mistakes(tiny: ctypes.CDLL, points: list[Point[int]], sums: NDArray[np.uint16], b: int) -> int:
    words = montgomery_words(points)
    assert sums.shape == (len(points), len(points))
    pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (words, np.ascontiguousarray(sums))]
    count: int = tiny.group_mistakes(*pointers, len(points), ctypes.c_uint64(b))
    return count


def test_group_law_for_all_pairs_of_the_subgroup(tiny: ctypes.CDLL) -> None:
    n = TINY_GROUP.order
    points: list[Point[int]] = [None]
    for _ in range(n - 1):
        points.append(TINY_GROUP.add(points[-1], TINY_GROUP.generator))
    index = np.arange(n)
    sums = ((index[:, None] + index) % n).astype(np.uint16)
    assert mistakes(tiny, points, sums, TINY_GROUP.b) == 0
    sums[1, 2] = 4
    assert mistakes(tiny, points, sums, TINY_GROUP.b) == 2, "one wrong sum, made in two ways"


def test_points_of_order_two(tiny: ctypes.CDLL) -> None:
    """y² = x³ + 1 has three of them, y = 0; with a point of order three they make twelve points."""
    group = Group(Fp(TINY_FIELD.modulus), b=1, generator=(0, 1), order=3)
    p = TINY_FIELD.modulus
    twos = [(x, 0) for x in range(p) if (x**3 + 1) % p == 0]
    assert len(twos) == 3
    points = [group.add(two, group.multiply(k, (0, 1))) for two in (None, *twos) for k in range(3)]
    assert len(set(points)) == 12
    sums = np.array([[points.index(group.add(p, q)) for q in points] for p in points], np.uint16)
    assert mistakes(tiny, points, sums, group.b) == 0
