"""``verification_key.json``, ``proof.json`` and ``public.json``, as snarkjs writes them.

All three are what ``JSON.stringify(value, null, 1)`` gives. Numbers are decimal strings, except nPublic.

    G1 point             [x, y, "1"], infinity ["0", "1", "0"]
    G2 point             [[x.c0, x.c1], [y.c0, y.c1], ["1", "0"]]
                         infinity [["0", "0"], ["1", "0"], ["0", "0"]]
    public.json          [x₁, …, xₙ]
    proof.json           pi_a, pi_b, pi_c, protocol, curve
    verification_key     protocol, curve, nPublic, vk_alpha_1, vk_beta_2, vk_gamma_2, vk_delta_2,
                         vk_alphabeta_12 = e(α, β) as 2×3×2 numbers, IC

Source: snarkjs 0.7, src/groth16_prove.js and src/zkey_export_verificationkey.js; ffjavascript, ``toObject``.

Readers are stricter than snarkjs by intent, so that a value has one spelling: decimal digits without sign,
space, leading zero or radix, below the modulus; affine points, on the curve; no key twice. Keys may stand
in any order and unknown ones are ignored. Whether a point is in the subgroup is checked by ``verify``.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, TypeVar

from proverd.curves import CURVES, Curve, curve_by_name
from proverd.curves.curve import Fp2Element, G1Point, G2Point
from proverd.errors import (
    FormatError,
    InputUnreadable,
    MalformedJson,
    NotOnCurve,
    PathLike,
    UnsupportedCurve,
    UnsupportedProtocol,
    ValueOutOfRange,
    WrongLength,
)
from proverd.formats.output import atomic_output
from proverd.formats.points import g1_on_curve, g2_on_curve
from proverd.formats.records import Proof, VerifyingKey

MAX_JSON_BYTES = 256 << 20  # a verifying key of a million public inputs
MAX_DIGITS = 120  # of a value of any field here; longer ones are not converted
PROTOCOL = "groth16"
MAX_NESTING = 32
NO_STRUCTURE = bytes(set(range(256)) - set(b'[]{}"\\'))
ALL_BUT_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*"?|[^][{}"]+', re.DOTALL)
DECIMAL = re.compile("0|[1-9][0-9]*")

Json = Any
T = TypeVar("T")


# --- reading files ----------------------------------------------------------------------------------


def read_verifying_key(path: PathLike) -> VerifyingKey:
    """Raises InputUnreadable or a FormatError naming the file and the key path at fault."""
    return _read(path, verifying_key_from_json)


def read_proof(path: PathLike, curve: Curve | None = None) -> Proof:
    """Raises InputUnreadable or a FormatError. ``curve``: for files that name none, like rapidsnark's."""
    return _read(path, lambda value: proof_from_json(value, curve))


def read_public_inputs(path: PathLike, curve: Curve) -> tuple[int, ...]:
    """Raises InputUnreadable or a FormatError."""
    return _read(path, lambda value: public_inputs_from_json(value, curve))


def read_json(path: PathLike) -> Json:
    """A file's document, of any shape. Raises InputUnreadable or MalformedJson."""
    return _read(path, lambda value: value)


def _read(path: PathLike, convert: Callable[[Json], T]) -> T:
    name = os.fspath(path)
    try:
        return convert(parse_json(_read_bytes(name)))
    except FormatError as error:
        error.path = name
        raise


def _read_bytes(path: str) -> bytes:
    data = bytearray()
    try:
        with open(path, "rb") as file:
            while piece := file.read(1 << 16):  # a limit given to read() would be allocated at once
                data += piece
                if len(data) > MAX_JSON_BYTES:
                    raise MalformedJson(f"expected at most {MAX_JSON_BYTES} bytes, found more")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputUnreadable(path, reason) from error
    return bytes(data)


def parse_json(text: str | bytes) -> Json:
    """A JSON document in UTF-8. Raises MalformedJson, also for a repeated key, NaN, and absurd nesting."""
    try:
        if isinstance(text, bytes):
            text = text.decode()
        _check_nesting(text)
        return json.loads(
            text,
            object_pairs_hook=_unique_keys,
            parse_constant=_no_constant,
            parse_int=_small_integer,
        )
    except UnicodeDecodeError as error:
        raise MalformedJson("expected UTF-8", offset=error.start) from error
    except json.JSONDecodeError as error:
        raise MalformedJson(f"not JSON: {error.msg}", offset=error.pos) from error


def _check_nesting(text: str) -> None:
    """Raises MalformedJson for brackets nested deeper than any document here.

    The parser is recursive, and where somebody in the process has raised Python's recursion limit it runs
    out of stack, which no exception catches. So innermost pairs are taken away level by level beforehand.
    """
    # The cheap way first; a string that holds a bracket or an escape leaves quotes or backslashes behind.
    brackets = text.encode(errors="replace").translate(None, NO_STRUCTURE).replace(b'""', b"")
    if b'"' in brackets or b"\\" in brackets:
        brackets = ALL_BUT_BRACKETS.sub("", text).encode()
    for _ in range(MAX_NESTING):
        inner = brackets.replace(b"[]", b"").replace(b"{}", b"")
        if inner == brackets:
            break
        brackets = inner
    if len(brackets) > MAX_NESTING:
        raise MalformedJson(
            f"expected at most {MAX_NESTING} levels of nesting, or brackets that do not match"
        )


def _unique_keys(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in pairs:
        if key in found:
            raise MalformedJson(f"expected the key {_quote(key)} once, found it twice")
        found[key] = value
    return found


def _no_constant(name: str) -> NoReturn:
    raise MalformedJson(f"not JSON: {name}")


def _small_integer(digits: str) -> int:
    if len(digits) > MAX_DIGITS:
        raise MalformedJson(f"expected a number of at most {MAX_DIGITS} digits, found {len(digits)}")
    return int(digits)


# --- from JSON values -------------------------------------------------------------------------------


def verifying_key_from_json(value: Json) -> VerifyingKey:
    """A verifying key from a parsed document; ``vk_alphabeta_12`` is recomputed by whoever needs it.

    Raises MalformedJson, UnsupportedProtocol, UnsupportedCurve, ValueOutOfRange or NotOnCurve; ``section``
    of the error is the key path.
    """
    keys = _object(value)
    _check_protocol(keys)
    curve = _curve(keys, None)
    n_public = _required(keys, "nPublic")
    points = _required(keys, "IC")
    if type(n_public) is not int or n_public < 0:
        raise MalformedJson(f"expected a number, found {_quote(n_public)}", section="nPublic")
    points = _array(points, n_public + 1, "IC")
    return VerifyingKey(
        curve,
        alpha_g1=_g1(curve, _required(keys, "vk_alpha_1"), "vk_alpha_1"),
        beta_g2=_g2(curve, _required(keys, "vk_beta_2"), "vk_beta_2"),
        gamma_g2=_g2(curve, _required(keys, "vk_gamma_2"), "vk_gamma_2"),
        delta_g2=_g2(curve, _required(keys, "vk_delta_2"), "vk_delta_2"),
        ic=tuple(_g1(curve, point, f"IC[{i}]") for i, point in enumerate(points)),
    )


def proof_from_json(value: Json, curve: Curve | None = None) -> Proof:
    """A proof from a parsed document. Raises as ``verifying_key_from_json`` does."""
    keys = _object(value)
    _check_protocol(keys)
    curve = _curve(keys, curve)
    return Proof(
        curve,
        a=_g1(curve, _required(keys, "pi_a"), "pi_a"),
        b=_g2(curve, _required(keys, "pi_b"), "pi_b"),
        c=_g1(curve, _required(keys, "pi_c"), "pi_c"),
    )


def public_inputs_from_json(value: Json, curve: Curve) -> tuple[int, ...]:
    """Public inputs from a document; ``null`` counts as none. Raises MalformedJson or ValueOutOfRange."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise MalformedJson(f"expected an array of decimal strings, found {_quote(value)}")
    return tuple(_number(x, curve.fr.modulus, "r", f"[{i}]") for i, x in enumerate(value))


def _object(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise MalformedJson(f"expected an object, found {_quote(value)}")
    return value


def _required(keys: dict[str, Json], key: str) -> Json:
    if key not in keys:
        raise MalformedJson("expected this key, found none", section=key)
    return keys[key]


def _check_protocol(keys: dict[str, Json]) -> None:
    protocol = _required(keys, "protocol")
    if protocol != PROTOCOL:
        raise UnsupportedProtocol(f'expected "{PROTOCOL}", found {_quote(protocol)}', section="protocol")


def _curve(keys: dict[str, Json], assumed: Curve | None) -> Curve:
    if assumed is not None and "curve" not in keys:
        return assumed
    name = _required(keys, "curve")
    try:
        return curve_by_name(name if isinstance(name, str) else "")
    except KeyError:
        known = " or ".join(f'"{curve.snarkjs_name}"' for curve in CURVES.values())
        raise UnsupportedCurve(f"expected {known}, found {_quote(name)}", section="curve") from None


def _number(value: Json, modulus: int, modulus_name: str, where: str) -> int:
    if not isinstance(value, str) or not DECIMAL.fullmatch(value):
        raise MalformedJson(f"expected a decimal string, found {_quote(value)}", section=where)
    if len(value) > MAX_DIGITS or int(value) >= modulus:
        raise ValueOutOfRange(f"expected a value below {modulus_name}, found {_quote(value)}", section=where)
    return int(value)


def _array(value: Json, length: int, where: str) -> list[Json]:
    if not isinstance(value, list) or len(value) != length:
        found = f"one of {len(value)}" if isinstance(value, list) else _quote(value)
        raise MalformedJson(f"expected an array of {length}, found {found}", section=where)
    return value


def _g1(curve: Curve, value: Json, where: str) -> G1Point:
    q = curve.fp.modulus
    x, y, z = (_number(part, q, "q", f"{where}[{i}]") for i, part in enumerate(_array(value, 3, where)))
    if z == 0 and (x, y) == (0, 1):
        return None
    if z != 1:
        raise MalformedJson('expected [x, y, "1"], or ["0", "1", "0"] for infinity', section=where)
    if not g1_on_curve(curve, (x, y)):
        raise NotOnCurve(f"the point is not on {curve.name}", section=where)
    return (x, y)


def _g2(curve: Curve, value: Json, where: str) -> G2Point:
    x, y, z = (_fp2(curve, part, f"{where}[{i}]") for i, part in enumerate(_array(value, 3, where)))
    if z == (0, 0) and (x, y) == ((0, 0), (1, 0)):
        return None
    if z != (1, 0):
        raise MalformedJson('expected ["1", "0"] as third coordinate (infinity: 0, 1, 0)', section=where)
    if not g2_on_curve(curve, (x, y)):
        raise NotOnCurve(f"the point is not on the twist of {curve.name}", section=where)
    return (x, y)


def _fp2(curve: Curve, value: Json, where: str) -> Fp2Element:
    c0, c1 = _array(value, 2, where)
    q = curve.fp.modulus
    return (_number(c0, q, "q", f"{where}[0]"), _number(c1, q, "q", f"{where}[1]"))


def _quote(value: Json) -> str:
    """A short form of what was found, safe to print on one line."""
    if isinstance(value, (list, dict)):
        return "an array" if isinstance(value, list) else "an object"
    text = ascii(value) if not isinstance(value, (bool, type(None))) else json.dumps(value)
    return text if len(text) <= 40 else f"{text[:36]}… ({len(text)} characters)"


# --- to JSON values and files -----------------------------------------------------------------------


def verifying_key_to_json(key: VerifyingKey, alpha_beta: Sequence[int]) -> Json:
    """The document snarkjs exports. ``alpha_beta``: the 12 numbers of e(α, β), in the order of the file."""
    if len(alpha_beta) != 12:
        raise WrongLength("e(alpha, beta)", got=len(alpha_beta), expected=12)
    numbers = [str(x) for x in alpha_beta]
    return {
        "protocol": PROTOCOL,
        "curve": key.curve.snarkjs_name,
        "nPublic": key.n_public,
        "vk_alpha_1": _g1_to_json(key.alpha_g1),
        "vk_beta_2": _g2_to_json(key.beta_g2),
        "vk_gamma_2": _g2_to_json(key.gamma_g2),
        "vk_delta_2": _g2_to_json(key.delta_g2),
        "vk_alphabeta_12": [[numbers[i : i + 2] for i in range(half, half + 6, 2)] for half in (0, 6)],
        "IC": [_g1_to_json(point) for point in key.ic],
    }


def proof_to_json(proof: Proof) -> Json:
    """The document snarkjs writes."""
    return {
        "pi_a": _g1_to_json(proof.a),
        "pi_b": _g2_to_json(proof.b),
        "pi_c": _g1_to_json(proof.c),
        "protocol": PROTOCOL,
        "curve": proof.curve.snarkjs_name,
    }


def public_inputs_to_json(values: Sequence[int]) -> Json:
    """The document snarkjs writes; ``[]`` for none."""
    return [str(value) for value in values]


def to_text(document: Json) -> str:
    """The text of ``JSON.stringify(document, null, 1)``, without a newline at the end, as snarkjs has it."""
    return json.dumps(document, indent=1)


def write_verifying_key(path: PathLike, key: VerifyingKey, alpha_beta: Sequence[int]) -> None:
    """Raises OutputError; whole or not at all, as the other two writers."""
    _write(path, verifying_key_to_json(key, alpha_beta))


def write_proof(path: PathLike, proof: Proof) -> None:
    _write(path, proof_to_json(proof))


def write_public_inputs(path: PathLike, values: Sequence[int]) -> None:
    _write(path, public_inputs_to_json(values))


def _write(path: PathLike, document: Json) -> None:
    with atomic_output(path) as out:
        out.write(to_text(document).encode())


def _g1_to_json(point: G1Point) -> Json:
    return ["0", "1", "0"] if point is None else [str(point[0]), str(point[1]), "1"]


def _g2_to_json(point: G2Point) -> Json:
    coordinates = ((0, 0), (1, 0), (0, 0)) if point is None else (*point, (1, 0))
    return [[str(c0), str(c1)] for c0, c1 in coordinates]
