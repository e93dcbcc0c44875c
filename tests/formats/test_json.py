"""snarkjs's JSON files: the same bytes out, one spelling in, and a key path in every error."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from formats.samples import g1_points, g2_points
from proverd.curves import Curve
from proverd.errors import (
    InputUnreadable,
    MalformedJson,
    NotOnCurve,
    UnsupportedCurve,
    UnsupportedProtocol,
    ValueOutOfRange,
    WrongLength,
)
from proverd.formats import (
    Proof,
    VerifyingKey,
    proof_from_json,
    public_inputs_from_json,
    read_proof,
    read_public_inputs,
    read_verifying_key,
    verifying_key_from_json,
    write_proof,
    write_public_inputs,
    write_verifying_key,
)
from proverd.formats.json import (
    MAX_DIGITS,
    parse_json,
    proof_to_json,
    public_inputs_to_json,
    to_text,
    verifying_key_to_json,
)


def sample_key(curve: Curve) -> VerifyingKey:
    (g, infinity, minus_g), (h, minus_h) = g1_points(curve), g2_points(curve)
    return VerifyingKey(curve, g, h, minus_h, h, (g, infinity, minus_g))


def sample_proof(curve: Curve) -> Proof:
    return Proof(curve, g1_points(curve)[0], g2_points(curve)[1], g1_points(curve)[2])


def key_document(curve: Curve) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(to_text(verifying_key_to_json(sample_key(curve), range(12))))
    return document


def proof_document(curve: Curve) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(to_text(proof_to_json(sample_proof(curve))))
    return document


# --- as snarkjs writes them -------------------------------------------------------------------------


def test_written_files_read_back(curve: Curve, tmp_path: Path) -> None:
    write_verifying_key(tmp_path / "vk.json", sample_key(curve), range(12))
    assert read_verifying_key(tmp_path / "vk.json") == sample_key(curve)
    write_proof(tmp_path / "proof.json", sample_proof(curve))
    assert read_proof(tmp_path / "proof.json") == sample_proof(curve)
    values = (0, 1, curve.fr.modulus - 1)
    write_public_inputs(tmp_path / "public.json", values)
    assert read_public_inputs(tmp_path / "public.json", curve) == values


def test_text(curve: Curve) -> None:
    name = curve.snarkjs_name
    assert to_text(public_inputs_to_json([3, 0])) == '[\n "3",\n "0"\n]'
    assert to_text(public_inputs_to_json([])) == "[]"
    proof = Proof(curve, (1, 2), ((3, 4), (5, 6)), None)
    assert to_text(proof_to_json(proof)).replace("\n", "").replace(" ", "") == (
        '{"pi_a":["1","2","1"],"pi_b":[["3","4"],["5","6"],["1","0"]],"pi_c":["0","1","0"],'
        f'"protocol":"groth16","curve":"{name}"}}'
    )
    document = verifying_key_to_json(sample_key(curve), range(12))
    assert list(document) == [
        "protocol",
        "curve",
        "nPublic",
        "vk_alpha_1",
        "vk_beta_2",
        "vk_gamma_2",
        "vk_delta_2",
        "vk_alphabeta_12",
        "IC",
    ]
    assert document["nPublic"] == 2
    assert document["vk_alphabeta_12"] == [
        [["0", "1"], ["2", "3"], ["4", "5"]],
        [["6", "7"], ["8", "9"], ["10", "11"]],
    ]
    assert document["IC"][1] == ["0", "1", "0"]
    with pytest.raises(WrongLength):
        verifying_key_to_json(sample_key(curve), range(11))


def test_infinity_in_g2(curve: Curve) -> None:
    proof = Proof(curve, None, None, None)
    assert proof_to_json(proof)["pi_b"] == [["0", "0"], ["1", "0"], ["0", "0"]]
    assert proof_from_json(proof_to_json(proof)) == proof


# --- what is tolerated ------------------------------------------------------------------------------


def test_key_order_extra_keys_and_missing_pairing(curve: Curve) -> None:
    document = key_document(curve)
    del document["vk_alphabeta_12"]
    reordered = dict(reversed(document.items())) | {"note": [[[1]]]}
    assert verifying_key_from_json(reordered) == sample_key(curve)


@pytest.mark.parametrize("spelling", [str.upper, str.lower, str.title])
def test_curve_names(curve: Curve, spelling: Callable[[str], str]) -> None:
    for name in (*curve.aliases, curve.name):
        assert proof_from_json(proof_document(curve) | {"curve": spelling(name)}).curve is curve


def test_proof_without_a_curve(curve: Curve) -> None:
    document = proof_document(curve)
    del document["curve"]
    assert proof_from_json(document, curve) == sample_proof(curve)
    with pytest.raises(MalformedJson) as caught:
        proof_from_json(document)
    assert caught.value.section == "curve"


def test_no_public_inputs(curve: Curve, tmp_path: Path) -> None:
    for text in ("[]", "[\n]", "null"):
        (tmp_path / "public.json").write_text(text)
        assert read_public_inputs(tmp_path / "public.json", curve) == ()


# --- what is refused --------------------------------------------------------------------------------

NOT_DECIMAL = [
    "0x10",
    "-1",
    "+1",
    " 1",
    "1 ",
    "1\n",
    "1e3",
    "1.0",
    "1_000",
    "",
    "007",
    "٣",
    "１",
    1,
    1.0,
    True,
    None,
    [],
]


@pytest.mark.parametrize("value", NOT_DECIMAL, ids=repr)
def test_numbers_are_decimal_strings(curve: Curve, value: object) -> None:
    with pytest.raises(MalformedJson) as caught:
        public_inputs_from_json(["5", value], curve)
    assert caught.value.section == "[1]"
    assert "expected a decimal string, found" in str(caught.value)
    assert str(caught.value).isascii()
    assert "\n" not in str(caught.value)
    document = key_document(curve)
    document["vk_beta_2"][1][0] = value
    with pytest.raises(MalformedJson) as caught:
        verifying_key_from_json(document)
    assert caught.value.section == "vk_beta_2[1][0]"


def test_values_below_their_modulus(curve: Curve) -> None:
    r, q = curve.fr.modulus, curve.fp.modulus
    for value in (r, r + 1, 10**MAX_DIGITS, 10**5000 // 3):
        with pytest.raises(ValueOutOfRange, match="expected a value below r, found"):
            public_inputs_from_json([f"{value:d}" if value < 10**4000 else "3" * 5000], curve)
    for key, change in (
        ("pi_a", [str(q + 1), "2", "1"]),
        ("pi_c", ["1", str(q), "1"]),
        ("pi_b", [["0", str(q)], ["1", "0"], ["1", "0"]]),
    ):
        with pytest.raises(ValueOutOfRange, match="expected a value below q") as caught:
            proof_from_json(proof_document(curve) | {key: change})
        assert str(caught.value.section).startswith(key)


def test_points_on_the_curve(curve: Curve) -> None:
    good = proof_document(curve)
    for key, point in (
        ("pi_a", ["1", "3", "1"]),
        ("pi_c", ["0", "0", "1"]),
        ("pi_b", [["0", "0"], ["0", "0"], ["1", "0"]]),
        ("pi_b", [good["pi_b"][0], good["pi_b"][0], ["1", "0"]]),
    ):
        with pytest.raises(NotOnCurve, match=key):
            proof_from_json(good | {key: point})
    document = key_document(curve)
    document["IC"][2][1] = "5"
    with pytest.raises(NotOnCurve, match=r"^IC\[2\]: "):
        verifying_key_from_json(document)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("pi_a", ["1", "2"]),
        ("pi_a", ["1", "2", "1", "1"]),
        ("pi_a", ["1", "2", "0"]),
        ("pi_a", ["0", "0", "0"]),
        ("pi_a", ["1", "2", "2"]),
        ("pi_a", {"x": "1"}),
        ("pi_a", None),
        ("pi_b", ["1", "2", "1"]),
        ("pi_b", [["1", "2"], ["1", "2"]]),
        ("pi_b", [["1", "2"], ["1", "2"], ["1", "1"]]),
        ("pi_b", [["1", "2"], ["1", "2"], ["0", "0"]]),
        ("pi_b", [["1", "2", "3"], ["1", "2"], ["1", "0"]]),
    ],
)
def test_shape_of_points(curve: Curve, key: str, value: object) -> None:
    with pytest.raises(MalformedJson) as caught:
        proof_from_json(proof_document(curve) | {key: value})
    assert str(caught.value.section).startswith(key)


@pytest.mark.parametrize("key", ["protocol", "pi_a", "pi_b", "pi_c"])
def test_missing_keys_of_a_proof(curve: Curve, key: str) -> None:
    document = proof_document(curve)
    del document[key]
    with pytest.raises(MalformedJson, match=f"^{key}: expected this key, found none"):
        proof_from_json(document)


@pytest.mark.parametrize(
    "key", ["protocol", "curve", "nPublic", "vk_alpha_1", "vk_beta_2", "vk_gamma_2", "vk_delta_2", "IC"]
)
def test_missing_keys_of_a_verifying_key(curve: Curve, key: str) -> None:
    document = key_document(curve)
    del document[key]
    with pytest.raises(MalformedJson, match=f"^{key}: expected this key, found none"):
        verifying_key_from_json(document)


@pytest.mark.parametrize("count", [0, 1, 3, 10**100])
def test_number_of_public_inputs_that_disagrees(curve: Curve, count: int) -> None:
    with pytest.raises(MalformedJson, match=f"IC: expected an array of {count + 1}, found one of 3"):
        verifying_key_from_json(key_document(curve) | {"nPublic": count})


@pytest.mark.parametrize("count", [-1, "2", 2.0, True, None, []])
def test_number_of_public_inputs_is_a_number(curve: Curve, count: object) -> None:
    document = key_document(curve) | {"nPublic": count}
    for changed in (document, document | {"IC": []}):
        with pytest.raises(MalformedJson, match="nPublic: expected a number, found"):
            verifying_key_from_json(changed)


def test_protocol_and_curve(curve: Curve) -> None:
    for protocol in ("plonk", "Groth16", None, ["groth16"]):
        with pytest.raises(UnsupportedProtocol, match='expected "groth16", found'):
            proof_from_json(proof_document(curve) | {"protocol": protocol})
    for name in ("secp256k1", "", None, 5, ["bn128"]):
        with pytest.raises(UnsupportedCurve, match='expected "bn128" or "bls12381", found'):
            proof_from_json(proof_document(curve) | {"curve": name})


@pytest.mark.parametrize("document", [[], "x", 1, None, True])
def test_no_object(document: object) -> None:
    for read in (proof_from_json, verifying_key_from_json):
        with pytest.raises(MalformedJson, match="expected an object, found"):
            read(document)


@pytest.mark.parametrize("document", [{}, "x", 1, False])
def test_no_array(curve: Curve, document: object) -> None:
    with pytest.raises(MalformedJson, match="expected an array of decimal strings, found"):
        public_inputs_from_json(document, curve)


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[",
        b'["1",]',
        b'["1"] ["2"]',
        b'{"a": 1, "a": 1}',
        b'[{"a": {"b": 1, "b": 2}}]',
        b"[NaN]",
        b"[-Infinity]",
        b"\xff\xfe[]",
        b"\xef\xbb\xbf[]",
        b'["\x01"]',
        b"['1']",
        b"[" * 1_000_000,
        b'{"a":' * 200_000,
        b"[" + b"9" * 100_000 + b"]",
    ],
    ids=lambda text: ascii(text[:20]),
)
def test_malformed_documents(curve: Curve, tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "public.json"
    path.write_bytes(text)
    with pytest.raises(MalformedJson) as caught:
        read_public_inputs(path, curve)
    assert caught.value.path == str(path)
    assert str(caught.value).startswith(str(path))


def test_found_values_are_quoted_safely() -> None:
    with pytest.raises(MalformedJson) as caught:
        parse_json(
            '{"\\ud800\\n\\u001b[31m' + "x" * 500 + '": 1, "\\ud800\\n\\u001b[31m' + "x" * 500 + '": 1}'
        )
    message = str(caught.value)
    message.encode("utf-8")
    assert message.isprintable()
    assert len(message) < 120


def test_size_is_bounded(curve: Curve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("proverd.formats.json.MAX_JSON_BYTES", 100)
    path = tmp_path / "public.json"
    path.write_text("[" + " " * 98 + "]")
    assert read_public_inputs(path, curve) == ()
    path.write_text("[" + " " * 99 + "]")
    with pytest.raises(MalformedJson, match="expected at most 100 bytes, found more"):
        read_public_inputs(path, curve)


def test_unreadable(curve: Curve, tmp_path: Path) -> None:
    for path in (tmp_path / "absent.json", tmp_path, tmp_path / "a\0b"):
        with pytest.raises(InputUnreadable):
            read_public_inputs(path, curve)
