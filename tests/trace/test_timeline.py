"""The record of stages."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from proverd.trace import Timeline
from proverd.trace.timeline import CAPACITY, STAGES


def test_spans_are_ordered_and_summed() -> None:
    timeline = Timeline()
    with timeline.stage("verify"), timeline.stage("ntt"):
        pass
    with timeline.stage("ntt"):
        pass
    assert [span.stage for span in timeline.spans] == ["ntt", "verify", "ntt"]
    inner, outer, _ = timeline.spans
    assert outer.begin_ns <= inner.begin_ns <= inner.end_ns <= outer.end_ns
    assert list(timeline.seconds()) == ["ntt", "verify"]  # the order of stages
    assert timeline.seconds()["ntt"] == pytest.approx(
        sum(s.seconds for s in timeline.spans if s.stage == "ntt")
    )


def test_a_stage_that_fails_is_recorded() -> None:
    timeline = Timeline()
    with pytest.raises(RuntimeError), timeline.stage("msm_a"):
        raise RuntimeError
    assert [span.stage for span in timeline.spans] == ["msm_a"]


def test_unknown_names_are_refused() -> None:
    with pytest.raises(ValueError, match="fft"), Timeline().stage("fft"):
        pass


def test_bounded_under_many_threads() -> None:
    timeline = Timeline()

    def write(i: int) -> None:
        for _ in range(CAPACITY // 4):
            with timeline.stage(STAGES[i % len(STAGES)]):
                pass

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    assert len(timeline.spans) == CAPACITY
