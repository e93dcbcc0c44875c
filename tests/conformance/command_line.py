"""proverd's command line as the tests call it: in this process, by its documented entry point."""

from __future__ import annotations

from pathlib import Path

from proverd.cli.main import main


def proverd_cli(*arguments: str | Path, exit_code: int = 0) -> None:
    assert main([str(argument) for argument in arguments]) == exit_code
