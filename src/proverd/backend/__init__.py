"""Backends: where vectors live and kernels run."""

from __future__ import annotations

from proverd.backend.api import Backend, FieldVector, Form, Group, Order, PointVector
from proverd.errors import NoDevice


def get_backend(device: str = "auto", threads: int | None = None) -> Backend:
    """The backend for ``device`` (``cpu`` or ``auto``, which picks the CPU).

    Raises NoDevice for any other device: nothing is replaced silently.
    """
    if device not in ("auto", "cpu"):
        raise NoDevice(f"device {device!r} does not exist here: this build computes on the CPU (cpu, auto)")
    from proverd.backend.cpu import CpuBackend

    return CpuBackend(threads)


__all__ = ["Backend", "FieldVector", "Form", "Group", "Order", "PointVector", "get_backend"]
