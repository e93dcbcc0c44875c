"""The entry point: parse, run one command, print its result or one line about what went wrong."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from proverd.cli import exit_codes
from proverd.cli.commands import COMMANDS
from proverd.cli.console import Console, OutputClosedError, say, write_json
from proverd.cli.parser import Command, UsageError, build_parser, from_environment, parse
from proverd.errors import OutOfMemory, OutputError, ProverdError
from proverd.settings import DEBUG


class Terminated(BaseException):
    """SIGTERM, raised in the main thread so that open outputs are removed."""


def run() -> NoReturn:
    """The ``proverd`` command."""
    # NumPy's BLAS, which proverd never calls, would start a thread for each CPU as NumPy is imported.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    signal.signal(signal.SIGTERM, _terminate)
    sys.exit(main(sys.argv[1:]))


def _terminate(number: int, frame: FrameType | None) -> NoReturn:
    raise Terminated


def main(arguments: Sequence[str]) -> int:
    """Runs a command line and returns its exit code."""
    # Known before parsing, so that a wrong command line is answered in JSON too.
    console = Console(as_json="--json" in arguments)
    try:
        return _execute(arguments, console)
    except OutputClosedError:
        return exit_codes.OUTPUT_CLOSED
    except (Exception, KeyboardInterrupt, Terminated) as error:
        return _report(error, console)


def _execute(arguments: Sequence[str], console: Console) -> int:
    from proverd import __version__

    parser, by_name = build_parser(COMMANDS, __version__)
    try:
        parsed = parse(parser, by_name, arguments)
    except SystemExit:  # after --help and --version
        return exit_codes.OK
    console.progress = parsed.progress
    command: Command = next(c for c in COMMANDS if c.name == parsed.command)
    outcome = command.run(parsed, console)
    console.finish(command.name, outcome)
    return outcome.exit_code


def _report(error: BaseException, console: Console) -> int:
    if _debug():
        traceback.print_exception(error)
    fields = _describe(error)
    label = "" if isinstance(error, (KeyboardInterrupt, Terminated)) else "error: "
    say(f"proverd: {label}{fields['message']}")
    if isinstance(error, UsageError):
        say(f"See `{error.prog} --help`.")
    if console.as_json:
        with suppress(OutputClosedError, OutputError):  # the line on standard error has to do
            write_json({"error": fields, "warnings": console.warnings})
    code: int = fields["exit_code"]
    return code


def _debug() -> bool:
    try:
        return from_environment(DEBUG)
    except UsageError:
        return False


def _describe(error: BaseException) -> dict[str, Any]:
    """The fields of ``error`` in the JSON answer."""
    if isinstance(error, MemoryError):
        error = OutOfMemory("an allocation failed: not enough memory, see `proverd doctor` for its limits")
    kind, message, code = _classify(error)
    fields: dict[str, Any] = {
        "type": kind,
        "message": " ".join(message.splitlines()),
        "path": getattr(error, "path", None),
        "section": getattr(error, "section", None),
        "exit_code": code,
    }
    for name in ("offset", "expected", "got", "row"):
        if getattr(error, name, None) is not None:
            fields[name] = getattr(error, name)
    return fields


def _classify(error: BaseException) -> tuple[str, str, int]:
    """(type, message, exit code)"""
    if isinstance(error, ProverdError):
        return type(error).__name__, str(error), error.exit_code
    if isinstance(error, UsageError):
        return "UsageError", str(error), exit_codes.USAGE
    if isinstance(error, KeyboardInterrupt):
        return "Interrupted", "interrupted", exit_codes.INTERRUPTED
    if isinstance(error, Terminated):
        return "Terminated", "terminated", exit_codes.TERMINATED
    # The message of an unforeseen exception may quote a value, and values may be secret.
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    detail = f": {error}" if isinstance(error, ImportError) else ""
    message = f"internal error: {type(error).__name__}{place}{detail} (PROVERD_DEBUG=1 shows the traceback)"
    return "InternalError", message, exit_codes.INTERNAL
