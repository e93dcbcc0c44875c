"""Prints the requirements of extras in pyproject.toml, one a line, for pip: `requirements.py build dev`.

`build` stands for what builds the native module, and the core's dependencies always come along. proverd's own
extras named in an extra (`proverd[test]`) are resolved, so that proverd itself need not be installed.
"""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path
from typing import Any


def requirements(pyproject: dict[str, Any], extra: str) -> list[str]:
    if extra == "build":
        return [*pyproject["build-system"]["requires"], "cmake>=3.18", "ninja"]
    found: list[str] = []
    for requirement in pyproject["project"]["optional-dependencies"][extra]:
        own = re.fullmatch(r"proverd\[(\w+)\]", requirement)
        found += requirements(pyproject, own[1]) if own else [requirement]
    return found


def main() -> None:
    path = Path(__file__).parents[1] / "pyproject.toml"
    pyproject = tomllib.loads(path.read_text())
    lines = list(pyproject["project"]["dependencies"])
    for extra in sys.argv[1:]:
        lines += requirements(pyproject, extra)
    print("\n".join(dict.fromkeys(lines)))


main()
