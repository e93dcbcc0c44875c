"""Witnesses by wasmtime equal snarkjs's; bad inputs end in one clear error that tells no value."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from proverd.circuits.witness import WitnessCalculator, fnv1a, read_inputs
from proverd.curves import CURVES
from proverd.errors import (
    BadArgument,
    BadMagic,
    FormatError,
    InputUnreadable,
    MalformedJson,
    MalformedSection,
    Unsatisfied,
    UnsupportedVersion,
)
from proverd.formats import Wtns

VECTORS = sorted(path.parent for path in (Path(__file__).parent.parent / "vectors").glob("*/circuit.wasm"))


def vector(name: str) -> Path:
    return next(path for path in VECTORS if path.name == name)


@pytest.fixture(scope="module")
def product() -> WitnessCalculator:
    return WitnessCalculator(vector("product_bn128") / "circuit.wasm")


@pytest.mark.parametrize("folder", VECTORS, ids=lambda path: path.name)
def test_equals_snarkjs(folder: Path) -> None:
    calculator = WitnessCalculator(folder / "circuit.wasm")
    with Wtns.open(folder / "witness.wtns") as expected:
        assert calculator.curve is expected.curve
        assert calculator.n_wires == expected.n_wires
        assert np.array_equal(calculator.calculate(folder / "input.json"), expected.values)


def test_values_are_read_as_snarkjs_reads_them(product: WitnessCalculator) -> None:
    r = product.curve.fr.modulus
    expected = product.calculate({"left": 6, "right": r - 7})
    for left, right in [("6", "-7"), ("0x6", -7), ([6], [str(r - 7)]), (r + 6, "0b0"), ([["0o6"]], [[-7]])]:
        got = product.calculate({"left": left, "right": right})
        if right == "0b0":
            assert got[1].tolist() == [0, 0, 0, 0]
        else:
            assert np.array_equal(got, expected)
    assert np.array_equal(
        product.calculate({"left": True, "right": 1}), product.calculate({"left": 1, "right": 1})
    )


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"left": 1}, "expected 2 input values, found 1"),
        ({}, "expected 2 input values, found 0"),
        ({"left": 1, "right": 2, "middle": 3}, "no input signal 'middle'"),
        ({"left": [1, 2], "right": 2}, "'left': expected 1 values, found 2"),
        ({"left": [], "right": 2}, "'left': expected 1 values, found 0"),
        ({"left": 1.5, "right": 2}, "'left': expected integers, found a float"),
        ({"left": "1_0", "right": 2}, "found a string that is none"),
        ({"left": "- 1", "right": 2}, "found a string that is none"),
        ({"left": "", "right": 2}, "found a string that is none"),
        ({"left": None, "right": 2}, "found a NoneType"),
        ({"left": {"x": 1}, "right": 2}, "found a dict"),
        ({"left": "9" * 5000, "right": 2}, "found a string that is none"),
    ],
)
def test_bad_inputs_are_named(product: WitnessCalculator, inputs: dict[str, object], message: str) -> None:
    with pytest.raises(BadArgument, match=message):
        product.calculate(inputs)


def test_absurd_nesting_is_refused(product: WitnessCalculator) -> None:
    value: object = 1
    for _ in range(500):
        value = [value]
    with pytest.raises(BadArgument, match="nested"):
        product.calculate({"left": value, "right": 1})


def test_failed_assertion_names_the_place_and_no_value() -> None:
    folder = vector("public_only_bn128")
    inputs = dict(read_inputs(folder / "input.json"))
    inputs["sum"] = 987654321987654321
    with pytest.raises(Unsatisfied, match="assertion failed") as caught:
        WitnessCalculator(folder / "circuit.wasm").calculate(inputs)
    assert "987654321" not in str(caught.value)
    assert "line" in str(caught.value)


def test_calculator_works_again_after_an_error(product: WitnessCalculator) -> None:
    with pytest.raises(BadArgument):
        product.calculate({"left": 1})
    assert product.calculate({"left": 3, "right": 5})[1].tolist() == [15, 0, 0, 0]


def test_many_threads_at_once(product: WitnessCalculator) -> None:
    def run(i: int) -> int:
        return int(product.calculate({"left": i, "right": i + 1})[1, 0])

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(run, range(100))) == [i * (i + 1) for i in range(100)]


def test_files_that_are_no_calculator(tmp_path: Path) -> None:
    path = tmp_path / "circuit.wasm"
    with pytest.raises(InputUnreadable, match=r"circuit\.wasm"):
        WitnessCalculator(path)
    path.write_bytes(b"not wasm at all")
    with pytest.raises(BadMagic, match=r"circuit\.wasm"):
        WitnessCalculator(path)
    path.write_bytes(b"\0asm\1\0\0\0")
    with pytest.raises(UnsupportedVersion, match="circom"):
        WitnessCalculator(path)
    whole = (vector("product_bn128") / "circuit.wasm").read_bytes()
    for length in (9, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(FormatError, match=r"circuit\.wasm") as caught:
            WitnessCalculator(path)
        assert isinstance(caught.value, MalformedSection)


@pytest.mark.parametrize("text", ["[1]", "7", "{", '{"a": NaN}', '{"a": 1, "a": 2}', "[" * 10_000])
def test_input_files_that_are_no_inputs(tmp_path: Path, text: str) -> None:
    path = tmp_path / "input.json"
    path.write_text(text)
    with pytest.raises(MalformedJson, match=r"input\.json"):
        read_inputs(path)


def test_hash_is_fnv1a() -> None:
    """Vectors of the FNV authors (isthe.com/chongo/src/fnv/test_fnv.c)."""
    assert fnv1a("") == 0xCBF29CE484222325
    assert fnv1a("a") == 0xAF63DC4C8601EC8C
    assert fnv1a("foobar") == 0x85944171F73967E8


def test_every_curve_has_vectors() -> None:
    assert {json.dumps(WitnessCalculator(v / "circuit.wasm").curve.name) for v in VECTORS} == {
        json.dumps(name) for name in CURVES
    }
