"""Arguments. A misspelled command or option names the nearest one."""

from __future__ import annotations

import argparse
import difflib
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, TypeVar

from proverd.cli.console import Console, Outcome, flush
from proverd.cli.exit_codes import exit_code_table
from proverd.errors import BadArgument
from proverd.settings import DEVICE, DEVICES, SETTINGS, THREADS, Setting

T = TypeVar("T")


class UsageError(Exception):
    """The command line means nothing; ``prog`` is the command whose help explains it."""

    def __init__(self, message: str, prog: str = "proverd") -> None:
        self.prog = prog
        super().__init__(message)


@dataclass(frozen=True)
class Command:
    """One command: how it is called and what it does."""

    name: str
    summary: str
    configure: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Console], Outcome]
    details: str = ""


class Parser(argparse.ArgumentParser):
    """argparse that raises UsageError instead of ending the process."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **kwargs)

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, self.prog)

    def _print_message(self, message: str, file: object = None) -> None:
        flush(message)  # argparse would swallow the error of a full disk or a closed pipe


def build_parser(commands: Sequence[Command], version: str) -> tuple[Parser, dict[str, Parser]]:
    """The parser, and that of each command."""
    parser = Parser(
        prog="proverd",
        description="Groth16 proofs for circom circuits, on BN254 and BLS12-381.",
        epilog="`proverd COMMAND --help` explains a command.\n\n"
        + _environment_table()
        + "\n\n"
        + exit_code_table(),
    )
    parser.add_argument("--version", action="version", version=f"proverd {version}")
    _add_common_options(parser)
    parser.set_defaults(json=False, progress=None)
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    by_name = {}
    for command in commands:
        subparser = subparsers.add_parser(
            command.name,
            help=command.summary,
            description=command.summary[0].upper() + command.summary[1:] + ".",
            epilog="\n\n".join(filter(None, [command.details, exit_code_table()])),
        )
        command.configure(subparser)
        _add_common_options(subparser)
        by_name[command.name] = subparser
    return parser, by_name


def _add_common_options(parser: argparse.ArgumentParser) -> None:
    # SUPPRESS: given before the command, an option must not be undone by the command's default.
    parser.add_argument(
        "--json",
        action="store_true",
        default=argparse.SUPPRESS,
        help="print one JSON object on standard output, also for errors",
    )
    parser.add_argument(
        "--progress",
        action=argparse.BooleanOptionalAction,
        default=argparse.SUPPRESS,
        help="show progress on standard error (default: on a terminal)",
    )


def _environment_table() -> str:
    lines = [f"  {s.environment:<17} {s.help} ({s.expected}; default: {s.default_text})" for s in SETTINGS]
    return "environment variables, which options overrule:\n" + "\n".join(lines)


def add_computing_options(parser: argparse.ArgumentParser, *, device: bool = True) -> None:
    """--threads, and --device where the work could run on another device."""
    parser.add_argument(
        "--threads",
        type=_option(THREADS),
        metavar="N",
        help=f"{THREADS.help} (default: {THREADS.default_text})",
    )
    if device:
        parser.add_argument(
            "--device", choices=DEVICES, help=f"{DEVICE.help} (default: {DEVICE.default_text})"
        )


def _option(setting: Setting[T]) -> Callable[[str], T]:
    def parse(text: str) -> T:
        try:
            return setting.parse(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"expected {setting.expected}, found {text!r}") from None

    return parse


def from_environment(setting: Setting[T]) -> T:
    """A setting's value where no option gave one. Raises UsageError."""
    try:
        return setting.read(os.environ)
    except BadArgument as error:
        raise UsageError(str(error)) from None


def parse(parser: Parser, by_name: dict[str, Parser], arguments: Sequence[str]) -> argparse.Namespace:
    """Raises UsageError; SystemExit after --help and --version."""
    _check_words(parser, by_name, arguments)
    namespace = parser.parse_args(arguments)
    if namespace.command is None:
        parser.error(f"expected a command: {', '.join(by_name)}")
    if "threads" in namespace and namespace.threads is None:
        namespace.threads = from_environment(THREADS)
    if "device" in namespace and namespace.device is None:
        namespace.device = from_environment(DEVICE)
    return namespace


def _check_words(parser: Parser, by_name: dict[str, Parser], arguments: Sequence[str]) -> None:
    """Finds an unknown command or option before argparse, which would only say what it misses instead."""
    current = parser
    for word in arguments:
        if word == "--":
            return
        option = word.partition("=")[0]
        if option.startswith("-") and option != "-":
            known = current._option_string_actions
            if option not in known:
                raise UsageError(f"unknown option {option}{_nearest(option, known)}", current.prog)
        elif current is parser:
            if word not in by_name:
                hint = _nearest(word, by_name) or f"; the commands are {', '.join(by_name)}"
                raise UsageError(f"unknown command {word!r}{hint}")
            current = by_name[word]


def _nearest(word: str, known: Iterable[str]) -> str:
    match = difflib.get_close_matches(word, list(known), n=1, cutoff=0.5)
    return f"; did you mean {match[0]}?" if match else ""
