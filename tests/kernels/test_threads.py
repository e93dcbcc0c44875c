"""The pool of threads of the native module, called from C++."""

from __future__ import annotations

import ctypes
import os
import shutil
import subprocess
from pathlib import Path

import pytest

import proverd

KERNELS = Path(proverd.__file__).parent / "kernels"


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    """The functions of threads.cpp."""
    compiler = os.environ.get("CXX", "c++")
    if shutil.which(compiler) is None:
        pytest.skip(f"no C++ compiler: {compiler}")
    library = tmp_path_factory.mktemp("threads") / "threads.so"
    sources = [Path(__file__).with_name("threads.cpp"), KERNELS / "cpu" / "threads.cpp"]
    options = ["-std=gnu++17", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-pthread"]
    subprocess.run([compiler, *options, f"-I{KERNELS}", *sources, "-o", library], check=True, timeout=300)
    return ctypes.CDLL(str(library))


@pytest.mark.parametrize("threads", [-1, 0, 1, 2, 3, 8, 100])
@pytest.mark.parametrize("tasks", [0, 1, 2, 3, 1000])
def test_each_task_is_done_once(pool: ctypes.CDLL, threads: int, tasks: int) -> None:
    assert pool.each_task_once(threads, tasks) == 0


def test_tasks_run_at_once(pool: ctypes.CDLL) -> None:
    assert pool.two_at_once() == 0


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_an_exception_comes_out_of_the_call(pool: ctypes.CDLL, threads: int) -> None:
    for _ in range(50):
        assert pool.exception_comes_out(threads) == 0


def test_many_callers_and_calls_inside_calls(pool: ctypes.CDLL) -> None:
    assert pool.nested_callers(12) == 0


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_no_more_threads_than_asked_for(pool: ctypes.CDLL, threads: int) -> None:
    assert pool.no_more_than(threads) == 0


def test_a_forked_child_has_threads_of_its_own(pool: ctypes.CDLL) -> None:
    assert pool.works_in_a_child() == 0
