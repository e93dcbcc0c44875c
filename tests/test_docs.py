"""Documents are complete and true: what exists is documented, and what is documented exists."""

from __future__ import annotations

import argparse
import ast
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import proverd
from proverd import errors
from proverd.cli.commands import COMMANDS
from proverd.cli.exit_codes import EXIT_CODES
from proverd.cli.parser import build_parser
from proverd.settings import SETTINGS

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "proverd"
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
_, PARSERS = build_parser(COMMANDS, proverd.__version__)


def text_of(name: str) -> str:
    return (ROOT / name).read_text()


def options(parser: argparse.ArgumentParser) -> set[str]:
    return {name for action in parser._actions for name in action.option_strings}


# --- what exists is documented ------------------------------------------------------------------------


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_setting_is_documented(setting) -> None:
    row = next(line for line in text_of("docs/cli.md").splitlines() if f"`{setting.environment}`" in line)
    assert setting.default_text in row
    assert setting.help in row


def error_classes() -> list[type[errors.ProverdError]]:
    classes = [value for value in vars(errors).values() if isinstance(value, type)]
    return [value for value in classes if issubclass(value, errors.ProverdError)]


@pytest.mark.parametrize("error", error_classes(), ids=lambda error: error.__name__)
def test_every_error_is_documented(error: type[errors.ProverdError]) -> None:
    assert re.search(rf"`{error.__name__}` \| {error.exit_code} \|", text_of("docs/errors.md"))
    assert error.__name__ in str(errors.__doc__), "missing in the tree at the head of errors.py"


def test_no_error_is_documented_that_does_not_exist() -> None:
    documented = set(re.findall(r"^\| (?:&nbsp;)*`(\w+)`", text_of("docs/errors.md"), re.MULTILINE))
    assert documented == {error.__name__ for error in error_classes()}


@pytest.mark.parametrize("name", PARSERS)
def test_every_command_and_option_is_documented(name: str) -> None:
    section = re.search(rf"^## proverd {name}\n(.*?)(?=^## |\Z)", text_of("docs/cli.md"), re.M | re.S)
    assert section, f"docs/cli.md has no section on {name}"
    common = {"-h", "--help", "--json", "--progress", "--no-progress"}
    for option in options(PARSERS[name]) - common:
        assert re.search(rf"{option}\b", section[1]), option


def test_every_exit_code_is_documented() -> None:
    for code, meaning in EXIT_CODES.items():
        assert f"| {code} | {meaning} |" in text_of("docs/cli.md")


@pytest.mark.parametrize("name", getattr(proverd, "__all__", ()))
def test_every_exported_name_is_documented(name: str) -> None:
    assert getattr(proverd, name) is not None
    assert re.search(rf"`(proverd\.)?{name}\b", text_of("docs/api.md")), name


# --- what is documented exists ------------------------------------------------------------------------


def code_lines(path: Path) -> Iterator[str]:
    """Lines of fenced blocks that are not Python, without comments."""
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", path.read_text(), re.M | re.S):
        if language not in ("python", "json"):
            yield from (line.partition(" #")[0].strip() for line in block.splitlines())


def commands_in(path: Path) -> list[list[str]]:
    inline = re.findall(r"`((?:proverd|make) [^`\n]*)`", path.read_text())
    lines = [line.removeprefix(".venv/bin/") for line in [*inline, *code_lines(path)]]
    return [shlex.split(line) for line in lines if line.startswith(("proverd ", "make "))]


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_in_documents_exist(path: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.M))
    for program, *words in commands_in(path):
        if program == "make":
            named = [word for word in words if "=" not in word and word != "…"]
            assert set(named) <= targets, f"{path}: make {words}"
            continue
        command = next((word for word in words if not word.startswith("-")), None)
        if command in ("COMMAND", "…", None):
            continue
        assert command in PARSERS, f"{path}: proverd {words}"
        used = {word.partition("=")[0] for word in words if word.startswith("-")}
        assert used <= options(PARSERS[command]), f"{path}: proverd {words}"


def test_the_readme_shows_how_to_begin() -> None:
    shown = commands_in(ROOT / "README.md")
    assert ["make", "demo"] in shown
    assert ["make", "test"] in shown
    assert {"prove", "verify"} <= {words[1] for words in shown if words[0] == "proverd"}
    assert len(text_of("README.md").splitlines()) <= 60, "more than a screen"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", path.read_text()):
        if not target.startswith(("http://", "https://")):
            assert (path.parent / target).exists(), f"{path}: {target}"


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_files_named_in_documents_exist(path: Path) -> None:
    """`groth16/prove.py:prove` must be a function of that file; `src/…` and `tests/…` must be there."""
    for name, symbol in re.findall(
        r"`([\w/.-]+/[\w.-]+\.(?:py|h|cpp|md|json|sh))(?::(\w+(?:\.\w+)*))?`", path.read_text()
    ):
        candidates = [base / name for base in (ROOT, SOURCE, ROOT / "docs")]
        found = next((candidate for candidate in candidates if candidate.exists()), None)
        assert found, f"{path}: {name}"
        if symbol and found.suffix == ".py":
            assert symbol in definitions(found), f"{path}: {name}:{symbol}"


def definitions(path: Path) -> set[str]:
    """Functions, classes, methods (Class.method) and constants of a module."""
    names: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}.{m.name}" for m in node.body if isinstance(m, ast.FunctionDef)}
        if isinstance(node, ast.Assign):
            names |= {target.id for target in node.targets if isinstance(target, ast.Name)}
    return names


@pytest.mark.parametrize("name", ["README.md", "docs/api.md"])
@pytest.mark.filterwarnings("ignore::proverd.KeyWarning")
def test_examples_run(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python blocks of a document, one after the other, in a folder with the files they name."""
    for file in (ROOT / "tests" / "vectors" / "product_bn128").iterdir():
        shutil.copy(file, tmp_path)
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```", text_of(name), re.M | re.S)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(block, names)


def test_every_decision_has_the_parts_of_the_template() -> None:
    for path in (ROOT / "docs" / "decisions").glob("*.md"):
        if path.name != "README.md":
            for part in ("**Context.**", "**Choice.**", "**Alternatives.**"):
                assert part in path.read_text(), f"{path}: {part}"
