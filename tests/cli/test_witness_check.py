"""``witness``, ``fullprove`` and ``check``."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from pathlib import Path

import pytest

import peers
from command_line import VECTORS, altered, environment, nothing_written
from proverd.formats import Wtns


def test_a_witness_is_that_of_circom(proverd, product: Path, tmp_path: Path) -> None:
    report = proverd("witness", "--json", product / "circuit.wasm", product / "input.json", "w.wtns").json
    witness = tmp_path / "w.wtns"
    assert witness.read_bytes() == (product / "witness.wtns").read_bytes()
    assert report["n_wires"] == 4
    assert stat.S_IMODE(witness.stat().st_mode) == 0o600


def test_from_inputs_to_a_proof(proverd, product: Path, tmp_path: Path) -> None:
    files = [product / name for name in ("input.json", "circuit.wasm", "circuit.zkey")]
    report = proverd("fullprove", "--json", *files, "proof.json", "public.json").json
    assert report["seconds"]["witness"] > 0
    assert {path.name for path in tmp_path.iterdir()} == {"proof.json", "public.json"}
    verified = proverd("verify", product / "verification_key.json", "public.json", "proof.json")
    assert verified.code == 0


def test_fullprove_of_two_curves(proverd, tmp_path: Path) -> None:
    other = VECTORS / "product_bls12381"
    files = [other / "input.json", other / "circuit.wasm", VECTORS / "product_bn128" / "circuit.zkey"]
    result = proverd("fullprove", "--json", *files, "proof.json", "public.json")
    assert (result.error["type"], result.code) == ("CurveMismatch", 5)
    nothing_written(tmp_path)


@pytest.mark.parametrize(
    ("inputs", "kind", "code"),
    [
        ("{}", "BadArgument", 5),
        ('{"nosuch": "1"}', "BadArgument", 5),
        ("[]", "MalformedJson", 4),
        ("{", "MalformedJson", 4),
        ('{"a": "x", "b": "1"}', "BadArgument", 5),
        ('{"a": 1.5, "b": "1"}', "BadArgument", 5),
    ],
)
def test_bad_inputs(proverd, product: Path, tmp_path: Path, inputs: str, kind: str, code: int) -> None:
    path = tmp_path / "input.json"
    path.write_text(inputs)
    result = proverd("witness", "--json", product / "circuit.wasm", path, "w.wtns")
    assert (result.error["type"], result.code) == (kind, code)
    assert len(result.err.splitlines()) == 1
    nothing_written(tmp_path, path)


def test_inputs_never_show(proverd, product: Path, tmp_path: Path) -> None:
    """Not even those that are refused."""
    names = list(json.loads((product / "input.json").read_text()))
    path = tmp_path / "input.json"
    path.write_text(json.dumps(dict.fromkeys(names, "4711471147114711x")))
    result = proverd("witness", "--json", product / "circuit.wasm", path, "w.wtns")
    assert result.code == 5
    assert "4711" not in result.out + result.err


@pytest.mark.node
def test_logs_of_a_circuit_only_on_request(proverd, tmp_path: Path) -> None:
    source = tmp_path / "source" / "main.circom"
    source.parent.mkdir()
    source.write_text(
        "pragma circom 2.0.0; template T() { signal input a; signal output b; b <== a*a; "
        'log("a is", a); } component main = T();'
    )
    peers.compile_circom(source, tmp_path, "bn128")
    (tmp_path / "input.json").write_text('{"a": "4711"}')
    arguments = ("circuit.wasm", "input.json", "w.wtns")
    assert proverd("witness", *arguments).err == ""
    assert proverd("witness", "--log", *arguments).err == "a is 4711\n"


def test_what_is_no_witness_generator(proverd, product: Path) -> None:
    for name in ("circuit.zkey", "input.json"):
        result = proverd("witness", "--json", product / name, product / "input.json", "w.wtns")
        assert (result.error["type"], result.code) == ("BadMagic", 4)


def test_without_wasmtime_the_extra_is_named(product: Path, tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['wasmtime'] = None\n"
        "from proverd.cli.main import main; sys.exit(main(sys.argv[1:]))"
    )
    arguments = ["witness", str(product / "circuit.wasm"), str(product / "input.json"), "w.wtns"]
    result = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert result.returncode == 8
    assert "pip install 'proverd[circom]'" in result.stderr


# --- check --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["product", "long_sums", "no_constraints", "sparse_b"])
@pytest.mark.parametrize("curve", ["bn128", "bls12381"])
def test_good_witnesses(proverd, name: str, curve: str) -> None:
    folder = VECTORS / f"{name}_{curve}"
    report = proverd("check", "--json", folder / "circuit.r1cs", folder / "witness.wtns").json
    assert report["satisfied"] is True


def test_the_first_broken_constraint_is_named_and_no_value(proverd, product: Path, tmp_path: Path) -> None:
    with Wtns.open(product / "witness.wtns") as witness:
        last = witness.file.section(2).offset + 32 * (witness.n_wires - 1)
    bad = altered(product / "witness.wtns", tmp_path / "bad.wtns", last, (47114711).to_bytes(32, "little"))
    result = proverd("check", "--json", product / "circuit.r1cs", bad)
    assert (result.error["type"], result.error["row"], result.code) == ("Unsatisfied", 0, 5)
    assert f"{bad}: constraint 0 of 1" in result.err
    assert "4711" not in (result.out + result.err).replace(str(bad), "")


def test_a_later_constraint_is_named_by_its_number(proverd, tmp_path: Path) -> None:
    """In the chain of the permutation circuit every wire but the first few appears late."""
    folder = VECTORS / "permutation_bn128"
    with Wtns.open(folder / "witness.wtns") as witness:
        last = witness.file.section(2).offset + 32 * (witness.n_wires - 1)
    bad = altered(folder / "witness.wtns", tmp_path / "bad.wtns", last, (1).to_bytes(32, "little"))
    row = proverd("check", "--json", folder / "circuit.r1cs", bad).error["row"]
    assert row > 0
    with open(folder / "witness.wtns", "rb") as good, open(bad, "rb") as changed:
        assert good.read()[:last] == changed.read()[:last]


@pytest.mark.parametrize(
    ("witness", "kind"), [("product_bls12381", "CurveMismatch"), ("domain_full_bn128", "WrongLength")]
)
def test_a_witness_of_something_else(proverd, witness: str, kind: str) -> None:
    circuit = VECTORS / "product_bn128" / "circuit.r1cs"
    result = proverd("check", "--json", circuit, VECTORS / witness / "witness.wtns")
    assert (result.error["type"], result.code) == (kind, 5)


def test_custom_gates_are_refused(proverd, product: Path, tmp_path: Path) -> None:
    data = (product / "circuit.r1cs").read_bytes()
    count = int.from_bytes(data[8:12], "little")
    section = (4).to_bytes(4, "little") + (4).to_bytes(8, "little") + (1).to_bytes(4, "little")
    path = tmp_path / "gates.r1cs"
    path.write_bytes(data[:8] + (count + 1).to_bytes(4, "little") + data[12:] + section)
    for command in (["check", path, product / "witness.wtns"], ["setup", "--unsafe-dev", path, "k.zkey"]):
        result = proverd(*command, "--json")
        assert (result.error["type"], result.code) == ("UnsupportedProtocol", 4)
        assert "custom gates" in result.error["message"]
