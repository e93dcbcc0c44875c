"""The straight line: a module imports only from layers above its own, and words stay where they belong."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import proverd

PACKAGE = Path(proverd.__file__).parent
# In the order in which data passes. A line may import from itself and from those above it.
LAYERS = (
    ("errors", "settings"),
    ("trace",),
    ("curves",),
    ("kernels", "_native"),
    ("backend",),
    ("memory",),
    ("ops",),
    ("formats",),
    ("circuits",),
    ("groth16",),
    ("engine",),
    ("explain",),
    ("service", "client"),
    ("bench",),
    ("cli",),
)
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
# The package itself offers names of every layer, and __main__ starts the command line.
FRONT = {"__init__", "__main__"}


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def layer(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and name below proverd of every import of our own, also of those inside functions."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            package = node.module == "proverd"
            names = [f"proverd.{alias.name}" if package else str(node.module) for alias in node.names]
        else:
            continue
        for name in names:
            if name.startswith("proverd."):
                yield node.lineno, name.split(".")[1]


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_point_upwards(path: Path) -> None:
    own = layer(path)
    if own in FRONT:
        return
    assert own in RANK, f"{path} belongs to no layer"
    for line, name in imports(path):
        if name == "__version__":
            continue
        assert RANK[name] <= RANK[own], f"{path}:{line}: {own} imports {name}, which comes after it"


def test_the_check_sees_imports() -> None:
    """A check that finds nothing anywhere would pass above."""
    found = {name for path in modules() for _, name in imports(path)}
    assert {"errors", "curves", "backend", "formats"} <= found


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("ops", r"groth16|zkey|witness"),
        ("groth16", r"cuda|nvrtc"),
        ("formats", r"cuda|kernel\b"),
    ],
)
def test_words_stay_in_their_layer(folder: str, words: str) -> None:
    """Device-neutral operations know no protocol, and the protocol no device. Names, not comments, count."""
    for path in (PACKAGE / folder).rglob("*.py"):
        names = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
        names |= {
            node.name
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, (ast.FunctionDef, ast.ClassDef))
        }
        found = sorted(name for name in names if re.search(words, name, re.IGNORECASE))
        assert not found, f"{path}: {found}"


def loaded_modules(statement: str) -> set[str]:
    code = f"{statement}\nimport sys\nprint(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(result.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    "statement",
    [
        "import proverd",
        "import proverd.formats",
        "import proverd.cli.main",
        "from proverd.formats.inspect import inspect",
    ],
)
def test_starting_costs_neither_numpy_nor_kernels(statement: str) -> None:
    loaded = loaded_modules(statement)
    assert "proverd" in loaded
    assert not {"numpy", "proverd._native", "proverd.backend"} & loaded


FILES = ("circuit.zkey", "witness.wtns", "circuit.r1cs", "verification_key.json", "public.json")


@pytest.mark.parametrize("name", FILES)
def test_inspecting_costs_neither_numpy_nor_kernels(name: str) -> None:
    path = str(Path(__file__).parent / "vectors" / "product_bn128" / name)
    loaded = loaded_modules(f"from proverd.cli.main import main; assert main(['inspect', {path!r}]) == 0")
    assert "proverd.formats.inspect" in loaded
    assert not {"numpy", "proverd._native", "proverd.backend"} & loaded
