"""``proverd inspect``: the report, and the deep check that finds and names one bad byte anywhere."""

from __future__ import annotations

import hashlib
import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from command_line import COMMAND, VECTORS, altered, environment, outside_subgroup
from proverd.curves import BN254, reference
from proverd.formats import Wtns, Zkey
from proverd.formats import zkey as zkey_format
from proverd.formats.points import g1_bytes, g2_bytes

FILES = {
    "circuit.zkey": "proving key (.zkey)",
    "witness.wtns": "witness (.wtns)",
    "circuit.r1cs": "constraint system (.r1cs)",
    "verification_key.json": "verifying key",
    "proof_snarkjs.json": "proof",
    "public.json": "public inputs",
}


@pytest.mark.parametrize("name", FILES)
def test_every_kind_of_file_is_described(proverd, product: Path, name: str) -> None:
    result = proverd("inspect", product / name)
    assert result.code == 0
    size = (product / name).stat().st_size
    assert result.out.startswith(f"{product / name}: {FILES[name]}")
    report = proverd("inspect", "--json", product / name).json
    assert report["size_bytes"] == size


def test_powers_of_tau_are_described(proverd) -> None:
    report = proverd("inspect", "--json", VECTORS / "powers_7_bn128.ptau").json
    assert (report["format"], report["power"], report["prepared"]) == ("ptau", 7, True)


@pytest.mark.parametrize("name", FILES)
def test_deep_checks_and_hashes_good_files(proverd, product: Path, name: str) -> None:
    report = proverd("inspect", "--deep", "--json", product / name).json
    assert report["deep"] is True
    if name.endswith(".wtns"):
        assert "sha256" not in report  # a hash would let anyone test guesses at a secret
    else:
        assert report["sha256"] == hashlib.sha256((product / name).read_bytes()).hexdigest()


def test_deep_counts_every_point_of_a_key(proverd, product: Path) -> None:
    report = proverd("inspect", "--deep", "--json", product / "circuit.zkey").json
    n = report["n_wires"]
    queries = (report["n_public"] + 1) + 3 * n + (n - report["n_public"] - 1) + report["domain_size"]
    header, contribution = 6, 4
    assert report["checked_points"] == queries + header + contribution * len(report["contributions"])
    assert report["checked_values"] == report["n_coefficients"]


def test_deep_checks_powers_of_tau(proverd) -> None:
    report = proverd("inspect", "--deep", "--json", VECTORS / "powers_7_bls12381.ptau").json
    n = 1 << 7
    assert report["checked_points"] == (2 * n - 1) + 3 * n + 1 + (4 * n - 1) + 3 * (2 * n - 1)


# --- one bad point, in every section -----------------------------------------------------------------

POINT_SECTIONS = {
    zkey_format.IC: "ic",
    zkey_format.A_QUERY: "a_query",
    zkey_format.B_G1_QUERY: "b_g1_query",
    zkey_format.B_G2_QUERY: "b_g2_query",
    zkey_format.L_QUERY: "l_query",
    zkey_format.H_QUERY: "h_query",
}


@pytest.mark.parametrize("section_id", POINT_SECTIONS)
@pytest.mark.parametrize("fault", ["ValueOutOfRange", "NotOnCurve"])
def test_deep_names_a_bad_point(proverd, product: Path, tmp_path: Path, section_id: int, fault: str) -> None:
    with Zkey.open(product / "circuit.zkey") as key:
        curve, section = key.curve, key.file.section(section_id)
    g2 = section_id == zkey_format.B_G2_QUERY
    nbytes = curve.g2_nbytes if g2 else curve.g1_nbytes
    index = section.size // nbytes - 1  # the last one
    offset = section.offset + index * nbytes
    one = curve.fp.r.to_bytes(curve.fp.nbytes, "little")
    bad = {"ValueOutOfRange": b"\xff" * nbytes, "NotOnCurve": one * (nbytes // len(one))}[fault]
    file = altered(product / "circuit.zkey", tmp_path / "bad.zkey", offset, bad)

    assert section_id == zkey_format.IC or proverd("inspect", file).code == 0  # instant: contents unread
    error = proverd("inspect", "--deep", "--json", file).error
    assert (error["type"], error["exit_code"]) == (fault, 4)
    assert error["path"] == str(file)
    assert error["section"] == f"section {section_id} ({POINT_SECTIONS[section_id]})"
    assert error["offset"] == offset
    assert f"{POINT_SECTIONS[section_id]}[{index}]" in error["message"]


@pytest.mark.parametrize(
    ("suffix", "section_id"),
    [
        ("bls12381", zkey_format.A_QUERY),
        ("bls12381", zkey_format.B_G2_QUERY),
        ("bn128", zkey_format.B_G2_QUERY),
    ],
)
def test_deep_names_a_point_outside_the_subgroup(
    proverd, tmp_path: Path, suffix: str, section_id: int
) -> None:
    source = VECTORS / f"product_{suffix}" / "circuit.zkey"
    with Zkey.open(source) as key:
        curve, section = key.curve, key.file.section(section_id)
    if section_id == zkey_format.B_G2_QUERY:
        data = g2_bytes(curve, outside_subgroup(reference.g2(curve)))
    else:
        data = g1_bytes(curve, outside_subgroup(reference.g1(curve)))
    file = altered(source, tmp_path / "bad.zkey", section.offset + len(data), data)  # the second point
    error = proverd("inspect", "--deep", "--json", file).error
    assert error["type"] == "NotInSubgroup"
    assert f"{POINT_SECTIONS[section_id]}[1]" in error["message"]
    assert error["offset"] == section.offset + len(data)


def test_deep_checks_the_header_against_the_subgroup(proverd, tmp_path: Path) -> None:
    source = VECTORS / "product_bn128" / "circuit.zkey"
    with Zkey.open(source) as key:
        end = key.file.section(zkey_format.HEADER).offset + key.file.section(zkey_format.HEADER).size
    point = g2_bytes(BN254, outside_subgroup(reference.g2(BN254)))
    file = altered(source, tmp_path / "bad.zkey", end - len(point), point)  # delta_g2 stands last
    error = proverd("inspect", "--deep", "--json", file).error
    assert error["type"] == "NotInSubgroup"
    assert "delta_g2" in error["message"]


def test_deep_names_a_bad_coefficient(proverd, product: Path, tmp_path: Path) -> None:
    with Zkey.open(product / "circuit.zkey") as key:
        start = key.file.section(zkey_format.COEFFICIENTS).offset + 4
    entry = start + 2 * zkey_format.COEFFICIENT_BYTES
    for at, data, what in ((12, b"\xff" * 32, "below r"), (4, b"\xff" * 4, "a constraint below")):
        file = altered(product / "circuit.zkey", tmp_path / "bad.zkey", entry + at, data)
        error = proverd("inspect", "--deep", "--json", file).error
        assert error["type"] == "ValueOutOfRange"
        assert "coefficient 2" in error["message"]
        assert what in error["message"]


def test_deep_names_a_bad_witness_value_without_quoting_it(proverd, product: Path, tmp_path: Path) -> None:
    with Wtns.open(product / "witness.wtns") as witness:
        offset = witness.file.section(2).offset + 32
    file = altered(product / "witness.wtns", tmp_path / "bad.wtns", offset, b"\xff" * 32)
    result = proverd("inspect", "--deep", "--json", file)
    assert result.error["type"] == "ValueOutOfRange"
    assert "value 1: expected a value below r" in result.err
    assert str(2**256 - 1) not in result.err + result.out


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", "BadMagic"),
        (b"elephant", "BadMagic"),
        (b"zkey", "Truncated"),
        (b"{", "MalformedJson"),
        (b"{}", "MalformedJson"),
        (b'["0x1"]', "MalformedJson"),
        (b'["-1"]', "MalformedJson"),
    ],
)
def test_files_that_are_nothing(proverd, tmp_path: Path, content: bytes, kind: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    error = proverd("inspect", "--json", path).error
    assert (error["type"], error["exit_code"], error["path"]) == (kind, 4, str(path))


@pytest.mark.parametrize("deep", [True, False])
def test_what_cannot_be_read(proverd, tmp_path: Path, deep: bool) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    for path, reason in (
        (tmp_path / "nowhere", "No such file or directory"),
        (tmp_path, "not a regular file"),
        (fifo, "not a regular file"),
    ):
        result = proverd("inspect", *(["--deep"] if deep else []), path, timeout=20)
        assert (result.code, result.err) == (6, f"proverd: error: {path}: cannot be read: {reason}\n")


# --- interruption ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interruption_is_one_line(tmp_path: Path, number: signal.Signals, code: int) -> None:
    """Interrupted while it hashes a file that is far too large to finish (holes cost no disk)."""
    path = tmp_path / "large.zkey"
    shutil.copy(VECTORS / "product_bn128" / "circuit.zkey", path)
    os.truncate(path, 1 << 40)
    process = subprocess.Popen(
        [*COMMAND, "inspect", "--deep", "--json", "--progress", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "hashing" in line:
            break
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert err.splitlines()[-1] == ("proverd: interrupted" if code == 130 else "proverd: terminated")
    assert f'"exit_code": {code}' in out
