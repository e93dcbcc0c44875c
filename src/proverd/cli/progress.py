"""Progress of long work on standard error: rich's bars where rich is installed, one plain line otherwise.

A display shows a share of the work done, what is being done, and an estimate of the time left. On a
terminal it is redrawn in place; elsewhere (``--progress`` in a log) a line is printed now and then.
"""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Self

BAR_WIDTH = 24
REDRAW_SECONDS = 0.2
LOG_SECONDS = 2.0  # between lines where nothing can be redrawn


class Progress:
    """A display that shows nothing: the base of the others."""

    def advance(self, amount: float, doing: str | None = None) -> None:
        """``amount`` more of the total is done; from now on ``doing``."""

    def show(self, doing: str) -> None:
        """What is being done now."""
        self.advance(0, doing)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass


class PlainProgress(Progress):
    """One line, redrawn by a thread of its own so that time passes on it during long native calls."""

    def __init__(self, title: str, total: float | None) -> None:
        self.title = title
        self.total = total
        self.done = 0.0
        self.doing = ""
        self.started = time.monotonic()
        self.advanced = self.started  # when ``done`` last changed
        self.in_place = sys.stderr.isatty()
        self._drawn_width = 0
        self._stop = threading.Event()
        self._ticker = threading.Thread(target=self._tick, daemon=True)

    def advance(self, amount: float, doing: str | None = None) -> None:
        self.done += amount
        if amount:
            self.advanced = time.monotonic()
        if doing is not None:
            self.doing = doing

    def __enter__(self) -> Self:
        self._draw()
        self._ticker.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._ticker.join()
        if self.in_place:
            _write_error("\r" + " " * self._drawn_width + "\r")
        elif kind is None:
            self._draw()

    def line(self) -> str:
        """The display's text at this moment."""
        now = time.monotonic()
        parts = [self.title]
        if self.total:
            share = min(self.done / self.total, 1.0)
            filled = int(BAR_WIDTH * share)
            parts.append(f"[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {100 * share:3.0f} %")
        parts.append(format_seconds(now - self.started))
        left = remaining_seconds(self.total, self.done, self.advanced - self.started, now - self.advanced)
        if left is not None:
            parts.append(f"ETA {format_seconds(left)}")
        if self.doing:
            parts.append(self.doing)
        return "  ".join(parts)

    def _tick(self) -> None:
        while not self._stop.wait(REDRAW_SECONDS if self.in_place else LOG_SECONDS):
            self._draw()

    def _draw(self) -> None:
        line = self.line()
        if self.in_place:
            padding = " " * max(self._drawn_width - len(line), 0)
            self._drawn_width = len(line)
            _write_error(f"\r{line}{padding}")
        else:
            _write_error(line + "\n")


def remaining_seconds(total: float | None, done: float, at_last_advance: float, since: float) -> float | None:
    """The time left if the rest goes at the pace so far, or None while there is no pace yet.

    ``at_last_advance``: seconds from the start to the moment ``done`` was reached; ``since``: seconds after.
    """
    if not total or done <= 0:
        return None
    return max(at_last_advance * (total - done) / done - since, 0.0)


def format_seconds(seconds: float) -> str:
    """``0.4 s``, ``12 s``, ``3:05``, ``1:02:03``."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 60:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class RichProgress(Progress):
    """rich's bar."""

    def __init__(self, title: str, total: float | None) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bars

        self._bars = Bars(
            TextColumn("{task.description}"),
            BarColumn(BAR_WIDTH),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[left]}"),
            TextColumn("[dim]{task.fields[doing]}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._bars.add_task(title, total=total, doing="", left="")
        self._total = total
        self._done = 0.0
        self._started = time.monotonic()

    def advance(self, amount: float, doing: str | None = None) -> None:
        self._done += amount
        fields = {} if doing is None else {"doing": doing}
        left = remaining_seconds(self._total, self._done, time.monotonic() - self._started, 0)
        if left is not None:
            fields["left"] = f"ETA {format_seconds(left)}"
        self._bars.update(self._task, advance=amount, **fields)  # type: ignore[arg-type]

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()


def open_progress(title: str, total: float | None, wanted: bool) -> Progress:
    """The display for this place: none, rich's on a terminal, or the plain one."""
    if not wanted:
        return Progress()
    if sys.stderr.isatty():
        try:
            return RichProgress(title, total)
        except ImportError:
            pass
    return PlainProgress(title, total)


def _write_error(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # a display that cannot be shown must not stop the work
