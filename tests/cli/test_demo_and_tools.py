"""``demo``, ``export-vkey`` and ``doctor``."""

from __future__ import annotations

from pathlib import Path

import pytest

import peers
from command_line import VECTORS
from proverd.cli import machine


def test_demo(proverd) -> None:
    result = proverd("demo")
    assert result.code == 0
    assert "5 proofs made" in result.err
    for stage in ("synthesis", "ntt", "msm_a", "msm_b1", "msm_b2", "msm_l", "msm_h", "finalize", "verify"):
        assert f"\n  {stage} " in result.out


@pytest.mark.node
def test_demo_keeps_files_that_snarkjs_accepts(proverd, tmp_path: Path) -> None:
    report = proverd("demo", "--json", "--keep", "kept").json
    assert report["proofs"] == len(report["proof_seconds"]) == 5
    files = [tmp_path / "kept" / name for name in ("verification_key.json", "public.json", "proof.json")]
    assert "OK!" in peers.snarkjs("groth16", "verify", *files)
    snarkjs_witness_check = peers.snarkjs(
        "wtns", "check", tmp_path / "kept" / "circuit.r1cs", tmp_path / "kept" / "witness.wtns"
    )
    assert "WITNESS IS CORRECT" in snarkjs_witness_check


def test_demo_that_cannot_keep(proverd) -> None:
    result = proverd("demo", "--json", "--keep", "/proc/nowhere/x")
    assert (result.error["type"], result.code) == ("OutputError", 6)


def test_exported_key_is_that_of_snarkjs(proverd, product: Path, tmp_path: Path) -> None:
    report = proverd("export-vkey", "--json", product / "circuit.zkey", "vkey.json").json
    assert (tmp_path / "vkey.json").read_bytes() == (product / "verification_key.json").read_bytes()
    described = proverd("inspect", "--json", "vkey.json").json
    assert described["verifying_key_digest"] == report["verifying_key_digest"]


def test_export_over_the_key_itself_is_refused(proverd, tmp_path: Path) -> None:
    key = tmp_path / "key.zkey"
    key.write_bytes((VECTORS / "product_bn128" / "circuit.zkey").read_bytes())
    assert proverd("export-vkey", key, key).code == 2


def test_doctor(proverd) -> None:
    report = proverd("doctor", "--json").json
    assert report["cpu"]["instruction_set"] in report["cpu"]["instruction_sets"]
    assert report["self_test_seconds"] > 0
    assert report["gpu"]["used"] is False
    text = proverd("doctor").out
    assert "self-test        good" in text
    assert "computes on the CPU only" in text


# --- facts about the machine ---------------------------------------------------------------------------


def control_group(folder: Path, own: str, limits: dict[str, str]) -> int | None:
    for name, text in limits.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    (folder / "own").write_text(own + "\n")
    return machine.cgroup_limit_bytes(root=str(folder), own=str(folder / "own"))


def test_the_smallest_limit_above_counts(tmp_path: Path) -> None:
    limits = {"a/b/memory.max": "max", "a/memory.max": "1000", "memory.max": "5000"}
    assert control_group(tmp_path, "0::/a/b", limits) == 1000


def test_no_limit(tmp_path: Path) -> None:
    assert control_group(tmp_path, "0::/a", {"a/memory.max": "max"}) is None
    assert control_group(tmp_path / "empty", "0::/a", {"x": ""}) is None


def test_a_containers_path_may_be_the_hosts(tmp_path: Path) -> None:
    assert control_group(tmp_path, "0::/docker/123", {"memory.max": "77"}) == 77


def test_version_1(tmp_path: Path) -> None:
    own = "5:cpu:/x\n4:memory:/x"
    limits = {"memory/x/memory.limit_in_bytes": "4096", "cpu/x/memory.limit_in_bytes": "1"}
    assert control_group(tmp_path, own, limits) == 4096
    unlimited = {"memory/x/memory.limit_in_bytes": "9223372036854771712"}
    assert control_group(tmp_path, own, unlimited) is None
