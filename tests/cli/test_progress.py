"""The display of work in progress, on a terminal (a pseudo-terminal here) and elsewhere."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

from proverd.cli.progress import PlainProgress, Progress, format_seconds, open_progress, remaining_seconds

VECTOR = Path(__file__).parents[1] / "vectors" / "product_bn128" / "circuit.zkey"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.04, "0.0 s"), (9.94, "9.9 s"), (12.3, "12 s"), (59.4, "59 s"), (185, "3:05"), (3723, "1:02:03")],
)
def test_format_seconds(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text


def test_remaining_time_is_the_pace_so_far() -> None:
    assert remaining_seconds(None, 5, 1, 0) is None
    assert remaining_seconds(100, 0, 0, 3) is None
    assert remaining_seconds(100, 25, 10, 0) == 30
    assert remaining_seconds(100, 25, 10, 4) == 26  # four seconds into the next piece
    assert remaining_seconds(100, 25, 10, 40) == 0  # the piece takes longer than thought
    assert remaining_seconds(100, 100, 10, 0) == 0


def test_the_line_shows_share_time_and_what_is_done() -> None:
    display = PlainProgress("proving", 4)
    display.advance(1, "msm_a")
    display.started -= 10
    line = display.line()
    assert line.startswith("proving  [######..................]  25 %  10 s  ETA 30 s")
    assert line.endswith("msm_a")


def test_nothing_is_shown_unless_wanted() -> None:
    assert type(open_progress("x", 1, wanted=False)) is Progress


def test_no_progress_in_a_pipe_unless_asked(proverd) -> None:
    assert proverd("inspect", "--deep", VECTOR).err == ""
    asked = proverd("inspect", "--deep", "--progress", VECTOR)
    assert "checking points" in asked.err
    assert "100 %" in asked.err
    assert "\r" not in asked.err


def on_terminal(*arguments: str, code: str | None = None) -> str:
    """What the command line shows on a terminal's standard error."""
    leader, follower = pty.openpty()
    start = ["-m", "proverd"] if code is None else ["-c", code]
    process = subprocess.Popen(
        [sys.executable, *start, *arguments], stdout=subprocess.DEVNULL, stderr=follower, close_fds=True
    )
    os.close(follower)
    shown = b""
    while select.select([leader], [], [], 30)[0]:
        try:
            piece = os.read(leader, 4096)
        except OSError:  # the process has ended
            break
        if not piece:
            break
        shown += piece
    os.close(leader)
    assert process.wait(30) == 0
    return shown.decode()


def test_a_terminal_shows_progress() -> None:
    assert "checking points" in on_terminal("inspect", "--deep", str(VECTOR))
    assert on_terminal("inspect", "--deep", "--no-progress", str(VECTOR)) == ""


def test_without_rich_the_plain_line_is_redrawn_in_place() -> None:
    code = (
        "import sys; sys.modules['rich'] = sys.modules['rich.console'] = None\n"
        "from proverd.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    shown = on_terminal("inspect", "--deep", str(VECTOR), code=code)
    assert shown.startswith("\rchecking points")
    assert shown.endswith("\r")  # and removed at the end
