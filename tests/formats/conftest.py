"""Fixtures of the tests of formats."""

from __future__ import annotations

import pytest

from formats.samples import CURVE_PARAMETERS
from proverd.curves import Curve


@pytest.fixture(params=CURVE_PARAMETERS, ids=lambda curve: curve.name)
def curve(request: pytest.FixtureRequest) -> Curve:
    found: Curve = request.param
    return found
