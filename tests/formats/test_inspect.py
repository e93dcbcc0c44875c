"""``inspect``: the truth about each file, with nothing heavy imported."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from formats.samples import VECTORS, Parts, ptau_bytes, sample_assignment, sample_bytes
from proverd.curves import Curve
from proverd.errors import BadMagic, InputUnreadable, MalformedJson, ProverdError
from proverd.formats.inspect import inspect


def write(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_zkey(curve: Curve, tmp_path: Path) -> None:
    data = sample_bytes("zkey", curve, tmp_path)
    report = inspect(write(tmp_path, "a.zkey", data))
    json.dumps(report)
    expected = {
        "format": "zkey",
        "path": str(tmp_path / "a.zkey"),
        "version": 1,
        "size_bytes": len(data),
        "protocol": "groth16",
        "curve": curve.name,
        "n_wires": 6,
        "n_public": 2,
        "domain_size": 8,
        "log_n": 3,
        "n_coefficients": 5,
        "unsafe_dev": "made for a test",
        "circuit_hash": bytes(reversed(range(64))).hex(),
        "contributions": [
            {"type": "contribution", "name": "Zoë"},
            {"type": "beacon", "name": None},
            {"type": "contribution", "name": None},
        ],
    }
    assert {key: report[key] for key in expected} == expected
    parts = Parts.of(data)
    assert [(s["id"], s["size_bytes"]) for s in report["sections"]] == [
        (i, len(b)) for i, b in parts.sections
    ]
    for section in report["sections"]:
        assert data[section["offset"] :].startswith(parts[section["id"]])
    assert report["sections"][4]["name"] == "a_query"
    assert "trailing_bytes" not in report


def test_wtns_shows_no_value(curve: Curve, tmp_path: Path) -> None:
    report = inspect(write(tmp_path, "a.wtns", sample_bytes("wtns", curve, tmp_path)))
    assert (report["format"], report["curve"], report["n_wires"]) == ("wtns", curve.name, 6)
    values = [int.from_bytes(row.tobytes(), "little") for row in sample_assignment(curve)]
    assert not any(str(value) in json.dumps(report) for value in values if value > 1000)


def test_r1cs(curve: Curve, tmp_path: Path) -> None:
    report = inspect(write(tmp_path, "a.r1cs", sample_bytes("r1cs", curve, tmp_path)))
    assert report["format"] == "r1cs"
    counts = (
        "n_wires",
        "n_public",
        "n_public_outputs",
        "n_public_inputs",
        "n_private_inputs",
        "n_constraints",
    )
    assert [report[key] for key in counts] == [6, 2, 1, 1, 2, 4]


def test_ptau(curve: Curve, tmp_path: Path) -> None:
    for prepared in (True, False):
        report = inspect(write(tmp_path, "a.ptau", ptau_bytes(curve, 2, prepared)))
        assert (report["format"], report["power"], report["ceremony_power"]) == ("ptau", 2, 5)
        assert report["prepared"] is prepared


def test_trailing_bytes_are_reported(curve: Curve, tmp_path: Path) -> None:
    report = inspect(write(tmp_path, "a.wtns", sample_bytes("wtns", curve, tmp_path) + b"more"))
    assert report["trailing_bytes"] == 4


def test_json_by_shape() -> None:
    folder = VECTORS / "product_bn128"
    key = inspect(folder / "verification_key.json")
    assert (key["format"], key["curve"], key["n_public"]) == ("verifying key", "bn254", 1)
    assert key["verifying_key_digest"] == inspect(folder / "circuit.zkey")["verifying_key_digest"]
    assert inspect(folder / "proof_snarkjs.json")["format"] == "proof"
    public = inspect(folder / "public.json")
    assert (public["format"], public["n_public"]) == ("public inputs", 1)


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"", BadMagic),
        (b"\0asm", BadMagic),
        (b"wtn", BadMagic),
        (b"{}", MalformedJson),
        (b"not json", MalformedJson),
        (b'{"pi_a": 1}', MalformedJson),
    ],
)
def test_other_files(tmp_path: Path, data: bytes, error: type[ProverdError]) -> None:
    path = write(tmp_path, "file", data)
    with pytest.raises(error, match=str(path)):
        inspect(path)


def test_unreadable(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "absent", Path("/dev/zero")):
        with pytest.raises(InputUnreadable):
            inspect(path)


def test_imports_neither_numpy_nor_kernels(curve: Curve, tmp_path: Path) -> None:
    paths = [
        *(
            write(tmp_path, kind, sample_bytes(kind, curve, tmp_path))
            for kind in ("zkey", "wtns", "r1cs", "ptau")
        ),
        VECTORS / "product_bn128" / "verification_key.json",
    ]
    script = (
        "import sys\n"
        "from proverd.formats.inspect import inspect\n"
        "for path in sys.argv[1:]:\n"
        "    inspect(path)\n"
        "heavy = ('numpy', 'proverd._native', 'proverd.kernels', 'proverd.ops', 'proverd.backend')\n"
        "print([name for name in sys.modules if name.startswith(heavy)])\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", script, *map(str, paths)], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
