"""``proverd setup``, and what is said of unsafe keys on every use."""

from __future__ import annotations

import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from command_line import COMMAND, VECTORS, Result, environment, nothing_written
from proverd.curves import BLS12_381
from proverd.formats import R1csHeader, SparseMatrix, write_r1cs


def prove(proverd, product: Path, key: Path) -> Result:
    return proverd("prove", "--json", key, product / "witness.wtns", "proof.json", "public.json")


@pytest.fixture
def development_key(proverd, product: Path, tmp_path: Path) -> Path:
    path = tmp_path / "development.zkey"
    result = proverd("setup", "--unsafe-dev", product / "circuit.r1cs", path)
    assert result.code == 0
    assert "development key" in result.err
    return path


def test_development_keys_are_announced_on_every_use(
    proverd, product: Path, tmp_path: Path, development_key: Path
) -> None:
    proved = prove(proverd, product, development_key)
    exported = proverd("export-vkey", "--json", development_key, tmp_path / "vkey.json")
    inspected = proverd("inspect", "--json", development_key)
    for result in (proved, exported, inspected):
        assert result.code == 0
        assert result.json["unsafe_dev"]
        assert any("development key" in warning for warning in result.json["warnings"])
        assert "proverd: warning: " in result.err
    assert proverd("verify", tmp_path / "vkey.json", "public.json", "proof.json").code == 0


def test_keys_without_a_contribution(proverd, product: Path, tmp_path: Path) -> None:
    """Made from powers of tau: they prove with a warning; verification refuses them unless told."""
    curve = product.name.removeprefix("product_")
    made = proverd(
        "setup", "--json", product / "circuit.r1cs", VECTORS / f"powers_7_{curve}.ptau", "initial.zkey"
    )
    assert made.json["unsafe_dev"] is False
    assert "no phase-2 contribution" in made.json["warnings"][0]
    proved = prove(proverd, product, tmp_path / "initial.zkey")
    assert "anyone can forge" in proved.json["warnings"][0]
    assert proverd("export-vkey", "initial.zkey", "vkey.json").code == 0
    refused = proverd("verify", "--json", "vkey.json", "public.json", "proof.json")
    assert (refused.error["type"], refused.code) == ("UnsafeKey", 5)
    allowed = proverd("verify", "--json", "--allow-unsafe-key", "vkey.json", "public.json", "proof.json")
    assert (allowed.json["valid"], allowed.code) == (True, 0)
    assert "delta equals gamma" in allowed.json["unsafe_key"]
    assert "anyone can forge" in allowed.json["warnings"][0]


# --- usage and bad inputs ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["a.r1cs", "b.zkey"], "expected circuit.r1cs powers.ptau circuit.zkey, found 2 files"),
        (["--unsafe-dev", "a", "b", "c"], "expected circuit.r1cs circuit.zkey, found 3 files"),
    ],
)
def test_setup_with_a_wrong_number_of_files(proverd, arguments: list[str], message: str) -> None:
    result = proverd("setup", *arguments)
    assert (result.code, message in result.err) == (2, True)


def test_setup_of_two_curves(proverd) -> None:
    result = proverd(
        "setup",
        "--json",
        VECTORS / "product_bn128" / "circuit.r1cs",
        VECTORS / "powers_7_bls12381.ptau",
        "key.zkey",
    )
    assert (result.error["type"], result.code) == ("CurveMismatch", 5)


def test_setup_with_too_few_powers(proverd, tmp_path: Path) -> None:
    result = proverd(
        "setup",
        "--json",
        VECTORS / "permutation_bn128" / "circuit.r1cs",
        VECTORS / "powers_7_bn128.ptau",
        "key.zkey",
    )
    assert (result.error["type"], result.code) == ("BadArgument", 5)
    assert "need power" in result.error["message"]
    nothing_written(tmp_path)


def test_two_development_keys_differ(proverd, product: Path) -> None:
    digests = set()
    for name in ("a.zkey", "b.zkey"):
        report = proverd("setup", "--json", "--unsafe-dev", product / "circuit.r1cs", name).json
        digests.add(report["key_digest"])
        assert report["unsafe_dev"] is True
    assert len(digests) == 2


def write_chain(path: Path, n: int) -> None:
    """A circuit of n constraints zᵢ·zᵢ = zᵢ₊₁, large enough to be interrupted."""
    ones = np.zeros((n, 4), np.uint64)
    ones[:, 0] = 1
    rows, wires = np.arange(n + 1), np.arange(1, n + 1, dtype=np.uint32)
    square = SparseMatrix(rows, wires, ones)
    write_r1cs(
        path, R1csHeader(BLS12_381, n + 2, 0, 1, 0, n), (square, square, SparseMatrix(rows, wires + 1, ones))
    )


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_interrupted_setup_leaves_nothing(tmp_path: Path, number: signal.Signals, code: int) -> None:
    r1cs = str(tmp_path / "large.r1cs")
    write_chain(Path(r1cs), 1 << 17)
    process = subprocess.Popen(
        [*COMMAND, "setup", "--unsafe-dev", "--progress", "--threads", "1", r1cs, str(tmp_path / "key.zkey")],
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    assert process.stderr is not None
    process.stderr.readline()  # the display stands: the work has begun
    time.sleep(0.05)
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert err.splitlines()[-1] in ("proverd: interrupted", "proverd: terminated")
    nothing_written(tmp_path, Path(r1cs))
