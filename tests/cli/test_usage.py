"""Wrong command lines, help, settings, and how the process ends."""

from __future__ import annotations

import os
import resource
import subprocess
from pathlib import Path

import pytest

from proverd import __version__, errors
from proverd.cli.commands import COMMANDS
from proverd.cli.exit_codes import EXIT_CODES
from proverd.cli.parser import build_parser

NAMES = [command.name for command in COMMANDS]


def test_version(proverd) -> None:
    result = proverd("--version")
    assert (result.code, result.out) == (0, f"proverd {__version__}\n")


def test_help_lists_every_command_and_exit_code(proverd) -> None:
    result = proverd("--help")
    assert result.code == 0
    for name in NAMES:
        assert f"\n    {name} " in result.out
    for code, meaning in EXIT_CODES.items():
        assert f"{code:<4} {meaning}" in result.out


@pytest.mark.parametrize("name", NAMES)
def test_help_of_a_command(proverd, name: str) -> None:
    result = proverd(name, "--help")
    assert result.code == 0
    assert result.out.startswith(f"usage: proverd {name} ")
    assert "exit codes:" in result.out
    assert "--json" in result.out


def test_every_error_has_a_documented_exit_code() -> None:
    classes = [value for value in vars(errors).values() if isinstance(value, type)]
    for error in classes:
        if issubclass(error, errors.ProverdError):
            assert error.exit_code in EXIT_CODES, error
            assert error.exit_code not in (0, 1, 2), error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected a command: "),
        (["inspekt"], "unknown command 'inspekt'; did you mean inspect?"),
        (["--jsn"], "unknown option --jsn; did you mean --json?"),
        (["inspect", "--deeep", "x"], "unknown option --deeep; did you mean --deep?"),
        (["inspect", "--qqq", "x"], "unknown option --qqq"),
        (["inspect"], "the following arguments are required: FILE"),
        (["inspect", "a", "b"], "unrecognized arguments: b"),
        (["doctor", "--threads", "0"], "expected a whole number of at least 1, found '0'"),
        (["doctor", "--threads", "many"], "expected a whole number of at least 1, found 'many'"),
        (["doctor", "--threads"], "expected one argument"),
    ],
)
def test_wrong_usage(proverd, arguments: list[str], message: str) -> None:
    result = proverd(*arguments)
    assert (result.code, result.out) == (2, "")
    assert message in result.err
    assert result.err.startswith("proverd: error: ")


def test_wrong_usage_answers_in_json(proverd) -> None:
    result = proverd("inspect", "--json")
    assert result.error["type"] == "UsageError"
    assert result.code == 2


def test_an_option_given_before_the_command_holds(proverd) -> None:
    result = proverd("--json", "inspect", "nowhere")
    assert result.error["type"] == "InputUnreadable"


@pytest.mark.parametrize("value", ["0", "x", "-1"])
def test_a_wrong_environment_variable_is_wrong_usage(proverd, value: str) -> None:
    result = proverd("doctor", env={"PROVERD_THREADS": value})
    assert result.code == 2
    assert f"PROVERD_THREADS: expected a whole number of at least 1, found {value!r}" in result.err


def test_an_option_overrules_the_environment(proverd) -> None:
    result = proverd("doctor", "--json", "--threads", "1", env={"PROVERD_THREADS": "2"})
    assert result.json["cpu"]["threads"] == 1
    result = proverd("doctor", "--json", env={"PROVERD_THREADS": "1"})
    assert result.json["cpu"]["threads"] == 1


def test_a_full_standard_output_is_an_error(proverd) -> None:
    with open("/dev/full", "w") as full:
        result = proverd("--version", stdout=full)
        assert (result.code, result.err) == (
            6,
            "proverd: error: standard output: cannot be written: No space left on device\n",
        )


def test_a_reader_that_went_away_is_no_error_message(proverd) -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as pipe:
        result = proverd("--help", stdout=pipe)
    assert (result.code, result.err) == (141, "")


def test_python_dash_m_is_the_installed_command() -> None:
    """Both entry points reach the same function."""
    from proverd.cli.main import run

    pyproject = Path(__file__).parents[2] / "pyproject.toml"
    assert f'proverd = "{run.__module__}:{run.__name__}"' in pyproject.read_text()


def test_help_names_only_commands_that_exist() -> None:
    parser, by_name = build_parser(COMMANDS, __version__)
    assert list(by_name) == NAMES
    assert len(set(NAMES)) == len(NAMES)
    assert parser.prog == "proverd"


def test_unforeseen_errors_keep_their_values_to_themselves(proverd, tmp_path: Path) -> None:
    """An exception that nobody planned for: one line, exit 70, and no message that might quote a secret."""
    (tmp_path / "sitecustomize.py").write_text(
        "import proverd.formats.inspect as module\n"
        "def broken(path): raise ValueError('secret 4711')\n"
        "module.inspect = broken\n"
    )
    environment = {"PYTHONPATH": str(tmp_path)}
    result = proverd("inspect", "--json", "x", env=environment)
    assert result.code == 70
    assert result.error["type"] == "InternalError"
    assert result.err.startswith("proverd: error: internal error: ValueError at sitecustomize.py:2")
    assert "4711" not in result.err + result.out


def test_an_allocation_that_fails_is_one_line(proverd, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import proverd.formats.inspect as module\n"
        "def hungry(path): return bytearray(1 << 62)\n"
        "module.inspect = hungry\n"
    )
    result = proverd("inspect", "--json", "x", env={"PYTHONPATH": str(tmp_path)})
    assert (result.error["type"], result.code) == ("OutOfMemory", 7)
    assert len(result.err.splitlines()) == 1


def test_a_file_beyond_the_address_space_is_out_of_memory(proverd, tmp_path: Path) -> None:
    """A hole of a file, larger than what the process may map."""
    path = tmp_path / "large.wtns"
    path.write_bytes(b"wtns")
    os.truncate(path, 64 << 30)
    limit = (8 << 30, 8 << 30)
    result = proverd("inspect", path, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit))
    assert result.code == 7
    assert f"{path}: cannot be mapped" in result.err


def test_debug_shows_the_traceback(tmp_path: Path) -> None:
    import sys

    for value, shown in (("1", True), ("0", False)):
        process = subprocess.run(
            [sys.executable, "-m", "proverd", "inspect", str(tmp_path / "nowhere")],
            env=os.environ | {"PROVERD_DEBUG": value},
            capture_output=True,
            text=True,
        )
        assert process.returncode == 6
        assert ("Traceback" in process.stderr) is shown
