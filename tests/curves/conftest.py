"""Fixtures of the tests of curves."""

from __future__ import annotations

import pytest

from proverd.curves import CURVES, Curve


@pytest.fixture(params=CURVES.values(), ids=lambda curve: curve.name)
def curve(request: pytest.FixtureRequest) -> Curve:
    found: Curve = request.param
    return found
