"""Runs the command line as a user does: a process of its own, its output and its exit code."""

from __future__ import annotations

import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proverd.curves.reference import Group

VECTORS = Path(__file__).parent / "vectors"
COMMAND = [sys.executable, "-m", "proverd"]


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        document: dict[str, Any] = json.loads(self.out)
        return document

    @property
    def error(self) -> dict[str, Any]:
        """The error of a failed run with --json."""
        found: dict[str, Any] = self.json["error"]
        assert found["exit_code"] == self.code
        return found


def environment(**extra: str) -> dict[str, str]:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("PROVERD_")}
    return inherited | extra


def altered(source: Path, target: Path, offset: int, data: bytes) -> Path:
    """A copy of a file with other bytes at ``offset``."""
    shutil.copy(source, target)
    with open(target, "r+b") as file:
        file.seek(offset)
        file.write(data)
    return target


def outside_subgroup(group: Group[Any]) -> Any:
    """A point on the curve that the order does not take to infinity: nearly all are, where there are any."""
    for small in range(1, 50):
        point = group.point_with_x((small, 0) if isinstance(group.b, tuple) else small)
        if point is not None and not group.in_subgroup(point):
            return point
    raise AssertionError


def nothing_written(folder: Path, *inputs: Path) -> None:
    """No file but the inputs is in the folder, not even a temporary one."""
    assert {path.name for path in folder.iterdir()} == {path.name for path in inputs}
