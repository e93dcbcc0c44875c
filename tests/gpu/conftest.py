"""Tests that need a GPU: skipped where there is none, and only then."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray


def no_device() -> str | None:
    """Why there is no GPU here, or None. Any other failure of the driver is raised."""
    driver = pytest.importorskip("cuda.bindings.driver", reason="cuda-core is not installed")
    from cuda.pathfinder import DynamicLibNotFoundError

    try:
        (status,) = driver.cuInit(0)
    except DynamicLibNotFoundError:
        return "no NVIDIA driver"
    if status == driver.CUresult.CUDA_ERROR_NO_DEVICE:
        return "no GPU"
    if status != driver.CUresult.CUDA_SUCCESS:
        raise RuntimeError(f"cuInit failed: {status}")
    return None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.gpu)


class Gpu:
    """One device, one stream, and elementwise kernels on arrays that come and go with each call."""

    def __init__(self) -> None:
        from cuda.core import Device, LegacyPinnedMemoryResource

        self.device = Device()
        self.device.set_current()
        self.stream = self.device.create_stream()
        self.pinned = LegacyPinnedMemoryResource()
        capability = self.device.compute_capability
        self.arch = f"sm_{capability.major}{capability.minor}"

    def apply(
        self, code: bytes, name: str, a: NDArray[np.uint64], b: NDArray[np.uint64], result_words: int
    ) -> NDArray[np.uint64]:
        """out[i] = name(a[i], b[i])."""
        from cuda.core import LaunchConfig, ObjectCode, launch

        n, block = len(a), 128
        kernel = ObjectCode.from_cubin(code).get_kernel(name)
        host = [self.pinned.allocate(size) for size in (8 * n * result_words, a.nbytes, b.nbytes)]
        device = [self.device.allocate(buffer.size, stream=self.stream) for buffer in host]
        views = [
            np.frombuffer((ctypes.c_char * buffer.size).from_address(int(buffer.handle)), np.uint64)
            for buffer in host
        ]
        views[1][:], views[2][:] = a.ravel(), b.ravel()
        for i in (1, 2):
            device[i].copy_from(host[i], stream=self.stream)
        config = LaunchConfig(grid=-(-n // block), block=block)
        launch(self.stream, config, kernel, *device, np.uint32(n))
        device[0].copy_to(host[0], stream=self.stream)
        self.stream.sync()
        result = views[0].reshape(n, result_words).copy()
        for buffer in (*host, *device):
            buffer.close()
        return result


@pytest.fixture(scope="session")
def gpu() -> Gpu:
    reason = no_device()
    if reason:
        pytest.skip(reason)
    return Gpu()
