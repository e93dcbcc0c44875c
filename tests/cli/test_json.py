"""--json: one object for every command, whose every field is documented."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from command_line import VECTORS
from proverd.cli.commands import COMMANDS

CASE = VECTORS / "product_bn128"
KEY, WITNESS, R1CS = CASE / "circuit.zkey", CASE / "witness.wtns", CASE / "circuit.r1cs"
WASM, INPUT, VKEY = CASE / "circuit.wasm", CASE / "input.json", CASE / "verification_key.json"
PTAU = VECTORS / "powers_7_bn128.ptau"
OUTPUTS = ("proof.json", "public.json")

RUNS: dict[str, list[list[str | Path]]] = {
    "prove": [[KEY, WITNESS, *OUTPUTS]],
    "verify": [[VKEY, CASE / "public.json", CASE / "proof_snarkjs.json"]],
    "fullprove": [[INPUT, WASM, KEY, *OUTPUTS]],
    "witness": [[WASM, INPUT, "w.wtns"]],
    "setup": [[R1CS, PTAU, "k.zkey"], ["--unsafe-dev", R1CS, "k.zkey"]],
    "check": [[R1CS, WITNESS]],
    "inspect": [
        *([path] for path in (KEY, WITNESS, R1CS, PTAU, VKEY, CASE / "public.json")),
        *(["--deep", path] for path in (KEY, CASE / "proof_snarkjs.json")),
    ],
    "export-vkey": [[KEY, "vkey.json"]],
    "demo": [[]],
    "doctor": [[]],
}
DOCUMENT = (Path(__file__).parents[2] / "docs" / "cli.md").read_text()


def keys(value: Any) -> Iterator[str]:
    """Names of all fields, also of nested objects."""
    if isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from keys(item)
    elif isinstance(value, list):
        for item in value:
            yield from keys(item)


def documented(command: str) -> set[str]:
    """Words in code type in the command's section and in the parts on all commands."""
    general = DOCUMENT.partition("## proverd ")[0]
    section = re.search(rf"^## proverd {command}\n(.*?)(?=^## |\Z)", DOCUMENT, re.M | re.S)
    assert section
    return set(re.findall(r"`(\w+)`", general + section[1])) | set(re.findall(r'"(\w+)":', general))


def test_every_command_is_run_here() -> None:
    assert set(RUNS) == {command.name for command in COMMANDS}


@pytest.mark.parametrize("command", RUNS)
def test_every_field_is_documented(proverd, command: str) -> None:
    for arguments in RUNS[command]:
        result = proverd(command, "--json", *arguments)
        assert result.code == 0, result.err
        report = result.json
        assert report["command"] == command
        assert isinstance(report["warnings"], list)
        for names_of_packages in ("extras", "versions"):
            if names_of_packages in report:
                report[names_of_packages] = {}
        known = documented("prove" if command == "fullprove" else command)
        assert set(keys(report)) <= known, arguments
