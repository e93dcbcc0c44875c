"""A deeply nested document ended the process where another package had raised Python's recursion limit."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("opening", ["[", '{"a":', '[{"a":', '["[",['])
def test_nesting_is_an_error_under_any_recursion_limit(opening: str) -> None:
    code = (
        "import sys\n"
        "sys.setrecursionlimit(10**9)\n"
        "from proverd.errors import MalformedJson\n"
        "from proverd.formats.json import parse_json\n"
        "try:\n"
        f"    parse_json({opening!r} * 500_000)\n"
        "except MalformedJson:\n"
        "    print('refused')\n"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (0, "refused\n")
