"""``proverd verify``: valid, invalid, and every kind of bad input."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import VECTORS, Result, outside_subgroup
from proverd.curves import BN254, Curve, curve_by_name, reference


def edited(source: Path, target: Path, **changes: Any) -> Path:
    document = json.loads(source.read_text())
    target.write_text(json.dumps(document | changes))
    return target


def verify(proverd, folder: Path, *options: str, **replaced: Path) -> Result:
    names = {"vkey": "verification_key.json", "public": "public.json", "proof": "proof_snarkjs.json"}
    files = [replaced.get(name, folder / file) for name, file in names.items()]
    return proverd("verify", *options, *files)


def curve_of(folder: Path) -> Curve:
    return curve_by_name(folder.name.rpartition("_")[2])


def test_another_statement_is_an_invalid_proof(proverd, product: Path, tmp_path: Path) -> None:
    public = tmp_path / "altered.json"
    values = json.loads((product / "public.json").read_text())
    public.write_text(json.dumps([str(int(values[0]) + 1), *values[1:]]))
    result = verify(proverd, product, public=public)
    assert (result.code, result.out, result.err) == (1, "invalid proof\n", "")
    assert verify(proverd, product, "--json", public=public).json["valid"] is False


def test_a_proof_of_another_circuit_is_invalid(proverd, product: Path) -> None:
    other = VECTORS / product.name.replace("product", "domain_full") / "proof_snarkjs.json"
    assert verify(proverd, product, proof=other).code == 1


@pytest.mark.parametrize(
    ("values", "kind", "code"),
    [
        ("[]", "WrongLength", 5),
        ('["33", "1"]', "WrongLength", 5),
        ("null", "WrongLength", 5),
        ('["-1"]', "MalformedJson", 4),
        ('["0x21"]', "MalformedJson", 4),
        ('["33.0"]', "MalformedJson", 4),
        ('[" 33"]', "MalformedJson", 4),
        ('["033"]', "MalformedJson", 4),
        ("[33]", "MalformedJson", 4),
        ("[", "MalformedJson", 4),
        ("33", "MalformedJson", 4),
        ("R", "ValueOutOfRange", 4),
        ("R+X", "ValueOutOfRange", 4),
    ],
)
def test_bad_public_inputs(proverd, product: Path, tmp_path: Path, values: str, kind: str, code: int) -> None:
    r = curve_of(product).fr.modulus
    own = int(json.loads((product / "public.json").read_text())[0])
    values = {"R": f'["{r}"]', "R+X": f'["{r + own}"]'}.get(values, values)
    public = tmp_path / "bad.json"
    public.write_text(values)
    result = verify(proverd, product, "--json", public=public)
    assert (result.error["type"], result.code) == (kind, code)
    assert str(public) in result.error["message"]
    assert len(result.err.splitlines()) == 1


@pytest.mark.parametrize("file", ["proof", "vkey"])
def test_bad_points_in_json(proverd, product: Path, tmp_path: Path, file: str) -> None:
    source = product / {"proof": "proof_snarkjs.json", "vkey": "verification_key.json"}[file]
    key = {"proof": "pi_a", "vkey": "vk_alpha_1"}[file]
    q = curve_of(product).fp.modulus
    x, y, one = json.loads(source.read_text())[key]
    for point, kind in (
        ([x, x, one], "NotOnCurve"),
        ([str(int(x) + q), y, one], "ValueOutOfRange"),
        ([x, y], "MalformedJson"),
        ([x, y, "2"], "MalformedJson"),
        ([hex(int(x)), y, one], "MalformedJson"),
        (None, "MalformedJson"),
    ):
        bad = edited(source, tmp_path / "bad.json", **{key: point})
        error = verify(proverd, product, "--json", **{file: bad}).error
        assert (error["type"], error["exit_code"], error["path"]) == (kind, 4, str(bad))
        assert error["section"].startswith(key)


def test_a_point_outside_the_subgroup(proverd, tmp_path: Path) -> None:
    """On BN254's twist (cofactor 2q − r) the point with x = u, or the next that exists, is not of order r."""
    (x, y) = outside_subgroup(reference.g2(BN254))
    point = [[str(x[0]), str(x[1])], [str(y[0]), str(y[1])], ["1", "0"]]
    folder = VECTORS / "product_bn128"
    for file, source, key in (
        ("proof", "proof_snarkjs.json", "pi_b"),
        ("vkey", "verification_key.json", "vk_beta_2"),
    ):
        bad = edited(folder / source, tmp_path / f"{file}.json", **{key: point})
        error = verify(proverd, folder, "--json", **{file: bad}).error
        assert (error["type"], error["exit_code"], error["path"]) == ("NotInSubgroup", 4, str(bad))


@pytest.mark.parametrize("protocol", ["plonk", "fflonk"])
def test_other_protocols_in_json(proverd, product: Path, tmp_path: Path, protocol: str) -> None:
    bad = edited(product / "verification_key.json", tmp_path / "bad.json", protocol=protocol)
    error = verify(proverd, product, "--json", vkey=bad).error
    assert (error["type"], error["exit_code"]) == ("UnsupportedProtocol", 4)


def test_files_of_two_curves(proverd) -> None:
    result = verify(
        proverd,
        VECTORS / "product_bn128",
        "--json",
        proof=VECTORS / "product_bls12381" / "proof_snarkjs.json",
    )
    assert (result.error["type"], result.code) == ("CurveMismatch", 5)
    assert "bn254" in result.error["message"]
    assert "bls12_381" in result.error["message"]
