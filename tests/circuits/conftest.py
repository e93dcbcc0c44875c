"""Each test of circuits runs on both curves."""

from __future__ import annotations

import pytest

from proverd.curves import CURVES, Curve


@pytest.fixture(params=CURVES.values(), ids=CURVES)
def curve(request: pytest.FixtureRequest) -> Curve:
    return request.param
