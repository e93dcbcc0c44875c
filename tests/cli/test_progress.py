"""The display of work in progress, on a terminal (a pseudo-terminal here) and elsewhere."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import COMMAND, VECTORS, environment
from proverd.cli.progress import Work, format_seconds, plain_line

ZKEY = VECTORS / "product_bn128" / "circuit.zkey"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (59.6, "1:00"),
        (185, "3:05"),
        (3723, "1:02:03"),
    ],
)
def test_format_seconds(seconds: float, text: str) -> None:
    assert format_seconds(seconds) == text


def test_the_time_left_is_that_of_the_pace_so_far() -> None:
    work = Work("x", 100, started=1000.0, advanced=1000.0)
    assert work.remaining_seconds(1003.0) is None
    work.done, work.advanced = 25, 1010.0
    assert work.remaining_seconds(1010.0) == 30
    assert work.remaining_seconds(1014.0) == 26  # four seconds into the next piece
    assert work.remaining_seconds(1050.0) == 0  # which takes longer than thought
    work.done = 100
    assert work.remaining_seconds(1010.0) == 0


def test_the_line_shows_share_time_and_what_is_done() -> None:
    work = Work("proving", 4, done=1, doing="msm_a")
    work.started = work.advanced - 10
    assert plain_line(work) == "proving  [######..................]  25 %  10 s  ETA 30 s  msm_a"


def test_no_progress_in_a_pipe_unless_asked(proverd) -> None:
    assert proverd("inspect", "--deep", ZKEY).err == ""
    asked = proverd("inspect", "--deep", "--progress", ZKEY)
    assert "checking points" in asked.err
    assert "100 %" in asked.err
    assert "\r" not in asked.err


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A key with so many bytes behind it that hashing them takes a second or more; holes cost no disk."""
    path = tmp_path / "large.zkey"
    shutil.copy(ZKEY, path)
    os.truncate(path, 2 << 30)
    return path


def on_terminal(*arguments: str | Path, command: list[str] = COMMAND) -> str:
    """What a command shows on a terminal's standard error."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        [*command, *map(str, arguments)],
        stdout=subprocess.DEVNULL,
        stderr=follower,
        env=environment(TERM="xterm"),
    )
    os.close(follower)
    shown = b""
    while True:
        try:
            piece = os.read(leader, 4096)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        shown += piece
    os.close(leader)
    assert process.wait(30) == 0
    return shown.decode()


def test_a_terminal_shows_long_work_only(large: Path) -> None:
    assert "hashing" in on_terminal("inspect", "--deep", large)
    assert on_terminal("inspect", "--deep", "--no-progress", large) == ""
    assert on_terminal("inspect", "--deep", ZKEY) == ""


def test_without_rich_one_line_is_redrawn_in_place_and_removed(large: Path) -> None:
    code = (
        "import sys; sys.modules['rich'] = sys.modules['rich.console'] = None\n"
        "from proverd.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    shown = on_terminal("inspect", "--deep", large, command=[sys.executable, "-c", code])
    assert shown.startswith("\rhashing  [")
    assert "ETA" in shown
    assert shown.endswith("\r")
    assert "\n" not in shown
