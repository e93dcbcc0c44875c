"""``proverd prove``: the main job, its outputs, and every kind of bad input."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from command_line import COMMAND, VECTORS, Result, altered, environment, nothing_written
from proverd.formats import Wtns, Zkey
from proverd.formats import zkey as zkey_format

OUTPUTS = ("proof.json", "public.json")


def prove(proverd, folder: Path, *options: str, **replaced: Path) -> Result:
    files = {name: replaced.get(name, folder / f"{file}") for name, file in INPUTS.items()}
    return proverd("prove", *options, files["zkey"], files["wtns"], *OUTPUTS)


INPUTS = {"zkey": "circuit.zkey", "wtns": "witness.wtns"}


def test_a_proof_is_made_and_verified(proverd, product: Path, tmp_path: Path) -> None:
    result = prove(proverd, product)
    assert result.code == 0
    assert result.out.startswith("proved and verified in ")
    assert (tmp_path / "public.json").read_bytes() == (product / "public.json").read_bytes()
    verified = proverd("verify", product / "verification_key.json", "public.json", "proof.json")
    assert (verified.code, verified.out, verified.err) == (0, "valid proof\n", "")


def test_the_json_of_a_proof(proverd, product: Path) -> None:
    report = prove(proverd, product, "--json").json
    with Zkey.open(product / "circuit.zkey") as key:
        assert report["key_digest"] == key.digest()
        assert report["verifying_key_digest"] == key.verifying_key_digest()
        assert report["curve"] == key.curve.name
    assert (report["device"], report["blinded"], report["verified"]) == ("cpu", True, True)
    assert (report["unsafe_dev"], report["warnings"]) == (False, [])
    seconds = dict(report["seconds"])
    total = seconds.pop("total")
    assert set(seconds) == {
        *("key_load", "witness", "synthesis", "ntt", "finalize", "verify"),
        *("msm_a", "msm_b1", "msm_b2", "msm_l", "msm_h"),
    }
    assert all(value >= 0 for value in seconds.values())
    assert sum(seconds.values()) == pytest.approx(total, abs=1e-4)


def test_two_proofs_of_one_witness_differ(proverd, product: Path, tmp_path: Path) -> None:
    proofs = []
    for _ in range(2):
        assert prove(proverd, product).code == 0
        proofs.append((tmp_path / "proof.json").read_text())
    assert proofs[0] != proofs[1]


def test_no_option_fixes_the_blinding(proverd) -> None:
    shown = proverd("prove", "--help").out.partition("exit codes:")[0]
    assert "blind" not in shown.lower()
    assert "seed" not in shown.lower()


def test_a_circuit_without_public_inputs(proverd, tmp_path: Path) -> None:
    folder = VECTORS / "no_public_bn128"
    assert prove(proverd, folder).code == 0
    assert (tmp_path / "public.json").read_text() == "[]"
    assert proverd("verify", folder / "verification_key.json", "public.json", "proof.json").code == 0
    (tmp_path / "public.json").write_text("null")
    assert proverd("verify", folder / "verification_key.json", "public.json", "proof.json").code == 0


def test_outputs_may_be_devices(proverd, product: Path) -> None:
    result = proverd("prove", product / "circuit.zkey", product / "witness.wtns", "/dev/null", "/dev/null")
    assert result.code == 0


@pytest.mark.parametrize("threads", ["1", "2", "5"])
def test_any_number_of_threads(proverd, product: Path, threads: str) -> None:
    assert prove(proverd, product, "--threads", threads).code == 0


def test_the_device_is_named_and_checked(proverd, product: Path) -> None:
    assert prove(proverd, product, "--json", "--device", "auto").json["device"] == "cpu"
    result = prove(proverd, product, "--device", "cuda")
    assert result.code == 2
    assert "invalid choice: 'cuda'" in result.err
    result = proverd("prove", "a", "b", "c", "d", env={"PROVERD_DEVICE": "gpu"})
    assert (result.code, "PROVERD_DEVICE: expected auto or cpu, found 'gpu'" in result.err) == (2, True)


def test_a_witness_never_shows(proverd, product: Path, tmp_path: Path) -> None:
    """Neither in what is printed nor in what is written, with every switch for more output on."""
    with Wtns.open(product / "witness.wtns") as witness, Zkey.open(product / "circuit.zkey") as key:
        rows = witness.values[key.header.n_public + 1 :]
        secrets = [str(int.from_bytes(row.tobytes(), "little")) for row in rows]
    secrets = [text for text in secrets if len(text) > 5]
    assert secrets, "the case needs a private value that cannot occur by chance"
    for options in ((), ("--json", "--progress")):
        result = prove(proverd, product, *options)
        shown = result.out + result.err
        shown += "".join((tmp_path / name).read_text() for name in OUTPUTS)
        assert not any(text in shown for text in secrets)


# --- bad inputs -------------------------------------------------------------------------------------


def test_a_witness_of_another_length(proverd, product: Path, tmp_path: Path) -> None:
    other = VECTORS / product.name.replace("product", "domain_full") / "witness.wtns"
    result = prove(proverd, product, "--json", wtns=other)
    assert (result.error["type"], result.code) == ("WrongLength", 5)
    assert result.error["expected"] == 4
    assert str(other) in result.error["message"]
    nothing_written(tmp_path)


def test_a_witness_of_another_curve(proverd, tmp_path: Path) -> None:
    other = VECTORS / "product_bls12381" / "witness.wtns"
    result = prove(proverd, VECTORS / "product_bn128", "--json", wtns=other)
    assert (result.error["type"], result.code) == ("CurveMismatch", 5)
    nothing_written(tmp_path)


def test_a_witness_that_does_not_satisfy_the_circuit(proverd, product: Path, tmp_path: Path) -> None:
    with Wtns.open(product / "witness.wtns") as witness:
        last = witness.file.section(2).offset + 32 * (witness.n_wires - 1)
    bad = altered(product / "witness.wtns", tmp_path / "bad.wtns", last, (4711).to_bytes(32, "little"))
    result = prove(proverd, product, "--json", wtns=bad)
    assert (result.error["type"], result.code) == ("Unsatisfied", 5)
    nothing_written(tmp_path, bad)


@pytest.mark.parametrize(("index", "value"), [(0, 2), (0, 0), (1, 2**256 - 1)])
def test_bad_witness_values(proverd, product: Path, tmp_path: Path, index: int, value: int) -> None:
    with Wtns.open(product / "witness.wtns") as witness:
        offset = witness.file.section(2).offset + 32 * index
    bad = altered(product / "witness.wtns", tmp_path / "bad.wtns", offset, value.to_bytes(32, "little"))
    result = prove(proverd, product, "--json", wtns=bad)
    assert result.code == 4
    assert f"value {index}" in result.error["message"]
    assert str(2**256 - 1) not in result.out + result.err
    nothing_written(tmp_path, bad)


@pytest.mark.parametrize("protocol", [2, 10, 7])
def test_keys_of_other_protocols(proverd, product: Path, tmp_path: Path, protocol: int) -> None:
    with Zkey.open(product / "circuit.zkey") as key:
        offset = key.file.section(zkey_format.PROTOCOL).offset
    bad = altered(product / "circuit.zkey", tmp_path / "bad.zkey", offset, protocol.to_bytes(4, "little"))
    result = prove(proverd, product, "--json", zkey=bad)
    assert (result.error["type"], result.code) == ("UnsupportedProtocol", 4)


@pytest.mark.parametrize("name", ["circuit.zkey", "witness.wtns"])
def test_truncated_files(proverd, product: Path, tmp_path: Path, name: str) -> None:
    whole = (product / name).read_bytes()
    bad = tmp_path / f"cut.{name}"
    for keep in (0, 3, 11, 13, len(whole) // 2, len(whole) - 1):
        bad.write_bytes(whole[:keep])
        option = {"circuit.zkey": "zkey", "witness.wtns": "wtns"}[name]
        result = prove(proverd, product, "--json", **{option: bad})
        assert (result.error["type"], result.code) == ("Truncated", 4), keep
        assert result.error["path"] == str(bad)
        nothing_written(tmp_path, bad)


def test_files_in_each_others_place(proverd, product: Path) -> None:
    result = proverd("prove", product / "witness.wtns", product / "circuit.zkey", *OUTPUTS)
    assert (result.code, "expected magic 'zkey', found 'wtns'" in result.err) == (4, True)


def test_a_bad_coefficient_is_found_before_proving(proverd, product: Path, tmp_path: Path) -> None:
    with Zkey.open(product / "circuit.zkey") as key:
        first = key.file.section(zkey_format.COEFFICIENTS).offset + 4
    for at, what in ((0, "matrix"), (4, "constraint"), (8, "wire"), (12, "value")):
        bad = altered(product / "circuit.zkey", tmp_path / "bad.zkey", first + at, b"\xff" * 4)
        if at == 12:
            bad = altered(product / "circuit.zkey", tmp_path / "bad.zkey", first + at, b"\xff" * 32)
        result = prove(proverd, product, "--json", zkey=bad)
        assert (result.error["type"], result.code) == ("ValueOutOfRange", 4), what
        assert "coefficient 0" in result.error["message"]


# --- outputs ----------------------------------------------------------------------------------------


def test_an_output_that_is_an_input_is_refused(proverd, product: Path, tmp_path: Path) -> None:
    key = Path(shutil.copy(product / "circuit.zkey", tmp_path / "key.zkey"))
    link = tmp_path / "link.json"
    link.symlink_to(key)
    for proof, public in (("key.zkey", "p.json"), ("link.json", "p.json"), ("p.json", "./p.json")):
        result = proverd("prove", key, product / "witness.wtns", proof, public)
        assert result.code == 2
        assert "name another file" in result.err
    assert key.read_bytes() == (product / "circuit.zkey").read_bytes()


def test_unwritable_outputs(proverd, product: Path, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for bad, reason in (
        ("nowhere/proof.json", "No such file or directory"),
        ("folder", "Is a directory"),
        ("proof.json/x", "No such file or directory"),
    ):
        result = proverd("prove", "--json", product / "circuit.zkey", product / "witness.wtns", bad, "p.json")
        assert (result.error["type"], result.code) == ("OutputError", 6)
        assert result.error["message"] == f"{bad}: cannot be written: {reason}"
        assert not (tmp_path / "p.json").exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a file system")
@pytest.mark.parametrize("full", ["proof", "public"])
def test_no_space_left_leaves_neither_file(tmp_path: Path, full: str) -> None:
    """One output on a file system without a free byte: the other is not written either."""
    product = VECTORS / "product_bn128"
    small, outputs = (
        tmp_path / "small",
        {"proof": tmp_path / "proof.json", "public": tmp_path / "public.json"},
    )
    small.mkdir()
    outputs[full] = small / f"{full}.json"
    script = (
        f"mount -t tmpfs -o size=4k tmpfs {small} && head -c 4096 /dev/zero > {small}/filler && "
        f'"$@"; code=$?; ls {small}; exit $code'
    )
    files = (product / "circuit.zkey", product / "witness.wtns", *outputs.values())
    process = subprocess.run(
        ["unshare", "--mount", "bash", "-c", script, "bash", *COMMAND, "prove", *map(str, files)],
        capture_output=True,
        text=True,
        env=environment(),
        timeout=60,
    )
    if "mount:" in process.stderr or "unshare:" in process.stderr:
        pytest.skip("mounting is not permitted here")
    assert process.returncode == 6
    assert process.stderr == f"proverd: error: {outputs[full]}: cannot be written: No space left on device\n"
    assert process.stdout.split() == ["filler"]
    assert [path.name for path in tmp_path.iterdir()] == ["small"]


def test_a_full_device_as_output(proverd, product: Path) -> None:
    result = proverd("prove", product / "circuit.zkey", product / "witness.wtns", "/dev/full", "p.json")
    assert (result.code, result.err) == (
        6,
        "proverd: error: /dev/full: cannot be written: No space left on device\n",
    )
