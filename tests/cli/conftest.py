"""Fixtures of the command line's tests."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_line import COMMAND, VECTORS, Result, environment

Run = Callable[..., Result]


@pytest.fixture
def proverd(tmp_path: Path) -> Run:
    """``proverd("inspect", path, env={...})``; runs in a folder of its own."""

    def run(*arguments: str | Path, env: dict[str, str] | None = None, **options: Any) -> Result:
        process = subprocess.run(
            [*COMMAND, *map(str, arguments)],
            cwd=tmp_path,
            env=environment(**(env or {})),
            stdin=subprocess.DEVNULL,
            stdout=options.pop("stdout", subprocess.PIPE),
            stderr=subprocess.PIPE,
            text=True,
            timeout=options.pop("timeout", 120),
            **options,
        )
        assert "Traceback" not in process.stderr
        return Result(process.returncode, process.stdout or "", process.stderr)

    return run


@pytest.fixture(params=["bn128", "bls12381"])
def product(request: pytest.FixtureRequest) -> Path:
    """A small circuit's files, on each curve."""
    return VECTORS / f"product_{request.param}"
