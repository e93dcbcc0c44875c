"""Progress of long work on standard error: rich's bars where rich is installed, one plain line otherwise.

A display shows the share of the work done, the time taken, an estimate of the time left, and what is being
done. It appears only when work turns out to be long, so that short commands stay silent. On a terminal it is
redrawn in place; elsewhere (``--progress`` in a log) a line is printed now and then.
"""

from __future__ import annotations

import sys
import threading
import time
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

BAR_WIDTH = 24
FIRST_SECONDS = 0.4  # before a display appears on a terminal
REDRAW_SECONDS = 0.2
LOG_SECONDS = 2.0  # between lines where nothing can be redrawn


@dataclass
class Work:
    """How far some work is."""

    title: str
    total: float
    done: float = 0.0
    doing: str = ""
    started: float = field(default_factory=time.monotonic)
    advanced: float = field(default_factory=time.monotonic)  #: when ``done`` last changed

    @property
    def share(self) -> float:
        return min(self.done / self.total, 1.0) if self.total else 1.0

    @property
    def elapsed_seconds(self) -> float:
        return time.monotonic() - self.started

    def remaining_seconds(self, now: float) -> float | None:
        """The time left if the rest goes at the pace so far; None while there is no pace yet."""
        if self.done <= 0 or not self.total:
            return None
        pace = (self.advanced - self.started) / self.done
        return max(pace * (self.total - self.done) - (now - self.advanced), 0.0)

    def times(self) -> str:
        """``12 s  ETA 3 s``"""
        left = self.remaining_seconds(time.monotonic())
        taken = format_seconds(self.elapsed_seconds)
        return taken if left is None else f"{taken}  ETA {format_seconds(left)}"


def format_seconds(seconds: float) -> str:
    """``0.4 s``, ``12 s``, ``3:05``, ``1:02:03``."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


# --- displays ---------------------------------------------------------------------------------------


class Display(ABC):
    """Where work is shown."""

    @abstractmethod
    def draw(self, work: Work) -> None: ...

    @abstractmethod
    def close(self) -> None: ...


class LogDisplay(Display):
    """A line each time."""

    def draw(self, work: Work) -> None:
        _write_error(plain_line(work) + "\n")

    def close(self) -> None:
        pass


class LineDisplay(Display):
    """One line on a terminal, redrawn in place and removed at the end."""

    def __init__(self) -> None:
        self._width = 0

    def draw(self, work: Work) -> None:
        line = plain_line(work)
        _write_error(f"\r{line}{' ' * (self._width - len(line))}")
        self._width = max(self._width, len(line))

    def close(self) -> None:
        _write_error(f"\r{' ' * self._width}\r")


class RichDisplay(Display):
    """rich's bar. Raises ImportError where rich is not installed."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

        self._bars = Progress(
            TextColumn("{task.description}"),
            BarColumn(BAR_WIDTH),
            TaskProgressColumn(),
            TextColumn("{task.fields[times]}  [dim]{task.fields[doing]}"),
            console=Console(stderr=True),
            transient=True,
            auto_refresh=False,
        )
        self._task = self._bars.add_task("", total=1.0, times="", doing="")
        self._bars.start()

    def draw(self, work: Work) -> None:
        self._bars.update(
            self._task,
            description=work.title,
            completed=work.share,
            times=work.times(),
            doing=work.doing,
            refresh=True,
        )

    def close(self) -> None:
        self._bars.stop()


def plain_line(work: Work) -> str:
    filled = int(BAR_WIDTH * work.share)
    bar = "#" * filled + "." * (BAR_WIDTH - filled)
    return f"{work.title}  [{bar}] {100 * work.share:3.0f} %  {work.times()}  {work.doing}".rstrip()


def terminal_display() -> Display:
    try:
        return RichDisplay()
    except ImportError:
        return LineDisplay()


def _write_error(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        pass  # a display that cannot be shown must not stop the work


# --- what commands use ------------------------------------------------------------------------------


class Progress:
    """Work shown by a thread of its own, so that time passes on the display during long native calls.

    ``wanted``: False shows nothing. A context manager.
    """

    def __init__(self, title: str, total: float, wanted: bool) -> None:
        self.work = Work(title, total)
        self._wanted = wanted
        self._terminal = sys.stderr.isatty()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._show, daemon=True)
        self._display: Display | None = None

    def advance(self, amount: float) -> None:
        """``amount`` more of the total is done."""
        self.work.done += amount
        self.work.advanced = time.monotonic()

    def step(self, doing: str, done: int, total: int) -> None:
        """``done`` of ``total`` steps are done, and now ``doing``: for callers who count for themselves."""
        self.show(doing)
        self.advance(self.work.total * done / total - self.work.done)

    def show(self, doing: str) -> None:
        """What is being done now."""
        self.work.doing = doing

    def __enter__(self) -> Self:
        if self._wanted:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._wanted:
            return
        self._stop.set()
        self._thread.join()
        if self._display is not None:
            if kind is None:
                self._display.draw(self.work)
            self._display.close()

    def _show(self) -> None:
        if self._terminal and self._stop.wait(FIRST_SECONDS):
            return
        self._display = terminal_display() if self._terminal else LogDisplay()
        self._display.draw(self.work)
        while not self._stop.wait(REDRAW_SECONDS if self._terminal else LOG_SECONDS):
            self._display.draw(self.work)
