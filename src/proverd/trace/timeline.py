"""Begin and end of each stage, on one monotonic clock, in a bounded ring."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock, get_ident

#: The stages of one proof, in order. Timelines carry these names and no others.
STAGES = (
    "key_load",
    "witness",
    "synthesis",
    "ntt",
    "msm_a",
    "msm_b1",
    "msm_b2",
    "msm_l",
    "msm_h",
    "finalize",
    "verify",
)

CAPACITY = 4096  #: spans kept; the oldest go first


@dataclass(frozen=True, slots=True)
class Span:
    """One stage of one proof. Times are ``time.monotonic_ns``: comparable within this process only."""

    stage: str
    begin_ns: int
    end_ns: int
    thread: int

    @property
    def seconds(self) -> float:
        return (self.end_ns - self.begin_ns) / 1e9


class Timeline:
    """Spans as they end. Any thread may write."""

    def __init__(self) -> None:
        self._spans: deque[Span] = deque(maxlen=CAPACITY)
        self._lock = Lock()

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Records the time spent inside, however it ends. ValueError for an unknown name."""
        if name not in STAGES:
            raise ValueError(f"unknown stage {name!r}")
        begin = time.monotonic_ns()
        try:
            yield
        finally:
            span = Span(name, begin, time.monotonic_ns(), get_ident())
            with self._lock:
                self._spans.append(span)

    @property
    def spans(self) -> list[Span]:
        """In the order in which they ended."""
        with self._lock:
            return list(self._spans)

    def seconds(self) -> dict[str, float]:
        """Total seconds of each stage that occurred, in the order of ``STAGES``."""
        totals: dict[str, float] = {}
        for span in self.spans:
            totals[span.stage] = totals.get(span.stage, 0.0) + span.seconds
        return {stage: totals[stage] for stage in STAGES if stage in totals}
