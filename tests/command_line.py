"""Runs the command line as a user does: a process of its own, its output and its exit code."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
