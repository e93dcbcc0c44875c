"""Fixtures of the kernel tests: both curves and groups, on every instruction set that this machine has."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proverd import _native
from proverd.backend import Backend, Group, get_backend
from proverd.curves import CURVES, Curve


@pytest.fixture(params=CURVES.values(), ids=CURVES)
def curve(request: pytest.FixtureRequest) -> Curve:
    return request.param


@pytest.fixture(params=Group, ids=lambda group: group.name)
def group(request: pytest.FixtureRequest) -> Group:
    return request.param


@pytest.fixture(params=_native.isas())
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    chosen = _native.isa()
    _native.set_isa(request.param)
    yield get_backend("cpu", threads=2)
    _native.set_isa(chosen)
