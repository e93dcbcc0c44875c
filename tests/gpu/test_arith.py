"""The PTX bodies of the arithmetic against the reference: the same cases that the CPU's bodies pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import arithmetic
from proverd.backend.compile import compile_kernel
from proverd.curves import CURVES, Curve

if TYPE_CHECKING:
    from conftest import Gpu


@pytest.mark.parametrize("curve", CURVES.values(), ids=lambda curve: curve.name)
def test_operations(gpu: Gpu, curve: Curve) -> None:
    cubin = compile_kernel("arith_test", gpu.arch, {"PROVERD_CURVE": curve.name})
    for case in arithmetic.cases(curve):
        case.check(gpu.apply(cubin.code, case.name, case.a, case.b, case.result_words))
