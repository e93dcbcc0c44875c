"""What a command says: its result on standard output, warnings and progress on standard error."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TextIO

from proverd.cli import exit_codes
from proverd.cli.progress import Progress
from proverd.errors import OutputError


@dataclass(frozen=True)
class Outcome:
    """A command's result: ``fields`` for --json, ``text`` for people. Both say the same."""

    fields: dict[str, Any]
    text: str
    exit_code: int = exit_codes.OK


class OutputClosedError(Exception):
    """The reader of standard output went away (``proverd … | head``)."""


@dataclass
class Console:
    """``as_json``: one JSON object on standard output. ``progress``: shown (True), not shown (False), or
    shown on a terminal (None)."""

    as_json: bool = False
    progress: bool | None = None
    warnings: list[str] = field(default_factory=list)

    def warn(self, message: str) -> None:
        """Says it at once on standard error, and again in the JSON result. The same text once only."""
        if message not in self.warnings:
            self.warnings.append(message)
            say(f"proverd: warning: {message}")

    def open_progress(self, title: str, total: float = 1.0) -> Progress:
        """A display of work in progress; a context manager."""
        wanted = sys.stderr.isatty() if self.progress is None else self.progress
        return Progress(title, total, wanted)

    def finish(self, command: str, outcome: Outcome) -> None:
        """Prints the result. Raises OutputClosedError or OutputError."""
        if self.as_json:
            write_json({"command": command, **outcome.fields, "warnings": self.warnings})
        else:
            write(outcome.text)


def say(line: str) -> None:
    """A line on standard error, which may be closed."""
    with suppress(OSError, ValueError):
        print(line, file=sys.stderr, flush=True)


def write_json(document: dict[str, Any]) -> None:
    write(json.dumps(document, indent=1))


def write(text: str) -> None:
    """Text and a newline on standard output, out of the process's hands when this returns.

    Raises OutputClosedError or OutputError.
    """
    flush(text + "\n")


def flush(text: str) -> None:
    """Text on standard output, written through. Raises OutputClosedError or OutputError."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        silence(sys.stdout)
        raise OutputClosedError from None
    except OSError as error:
        silence(sys.stdout)
        raise OutputError("standard output", error.strerror or str(error)) from error


def silence(stream: TextIO) -> None:
    """Lets the interpreter's own flush at exit succeed on a stream that cannot be written."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
