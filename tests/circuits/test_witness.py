"""Witnesses by wasmtime equal snarkjs's; bad inputs end in one clear error that tells no value."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import peers
from proverd.circuits.witness import WitnessCalculator, fnv1a
from proverd.circuits.witness_inputs import read_inputs
from proverd.curves import CURVES
from proverd.errors import BadArgument, Unsatisfied, UnsupportedCurve
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


def test_values_are_taken_modulo_r(product: WitnessCalculator) -> None:
    r = product.curve.fr.modulus
    expected = product.calculate({"left": 6, "right": r - 7})
    for left, right in [("6", "-7"), ("0x6", -7), ([6], [str(r - 7)]), (r + 6, -r - 7), ([["0o6"]], [[-7]])]:
        assert np.array_equal(product.calculate({"left": left, "right": right}), expected)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"left": 1}, "expected 2 input values, found 1"),
        ({}, "expected 2 input values, found 0"),
        ({"left": 1, "right": 2, "middle": 3}, "'middle': the circuit has no such input signal"),
        ({"left": 1, "right": 2, "\ud800": 3}, "'.ud800': the circuit has no such input signal"),
        ({"left": [1, 2], "right": 2}, "'left': expected 1 values, found 2"),
        ({"left": [], "right": 2}, "'left': expected 1 values, found 0"),
        ({"left": {"x": 1}, "right": 2}, "'left.x': the circuit has no such input signal"),
        ({"left": "seven", "right": 2}, "'left': expected an integer, found a string that is no integer"),
    ],
)
def test_bad_inputs_are_named(product: WitnessCalculator, inputs: dict[str, object], message: str) -> None:
    with pytest.raises(BadArgument, match=rf"product_bn128/circuit\.wasm: .*{message}$"):
        product.calculate(inputs)


def test_bad_values_name_the_file_they_are_in(product: WitnessCalculator, tmp_path: Path) -> None:
    path = tmp_path / "input.json"
    path.write_text('{"left": 1, "right": [null]}')
    with pytest.raises(BadArgument, match=r"input\.json: input signal 'right': expected an integer"):
        product.calculate(path)


def test_failed_assertion_names_the_place_and_no_value() -> None:
    folder = vector("public_only_bn128")
    inputs = dict(read_inputs(folder / "input.json"))
    inputs["sum"] = 987654321987654321
    with pytest.raises(Unsatisfied, match=r"assertion failed: Error in template \w+ line: \d+$") as caught:
        WitnessCalculator(folder / "circuit.wasm").calculate(inputs)
    assert "987654321" not in str(caught.value)


def test_calculator_works_again_after_an_error(product: WitnessCalculator) -> None:
    with pytest.raises(BadArgument):
        product.calculate({"left": 1})
    assert product.calculate({"left": 3, "right": 5})[1].tolist() == [15, 0, 0, 0]


def test_threads_get_their_own_witness_and_their_own_error(product: WitnessCalculator) -> None:
    def run(i: int) -> object:
        if i % 3 == 2:
            with pytest.raises(BadArgument, match=f"'unknown{i}'"):
                product.calculate({f"unknown{i}": i})
            return None
        return int(product.calculate({"left": i, "right": i + 1})[1, 0])

    with ThreadPoolExecutor(8) as pool:
        expected = [None if i % 3 == 2 else i * (i + 1) for i in range(150)]
        assert list(pool.map(run, range(150))) == expected


def test_hash_is_fnv1a() -> None:
    """Vectors of the FNV authors (isthe.com/chongo/src/fnv/test_fnv.c)."""
    assert fnv1a("") == 0xCBF29CE484222325
    assert fnv1a("a") == 0xAF63DC4C8601EC8C
    assert fnv1a("foobar") == 0x85944171F73967E8


def test_every_curve_has_vectors() -> None:
    assert {vector_curve(folder) for folder in VECTORS} == {curve.snarkjs_name for curve in CURVES.values()}


def vector_curve(folder: Path) -> str:
    return folder.name.rpartition("_")[2]


# --- circuits compiled here, against the tools that circom's users have --------------------------------

CIRCUITS = {
    "buses": """
        pragma circom 2.2.0;
        bus Point() { signal x; signal y; }
        bus Segment() { Point() end[2]; signal tag; }
        template Main() {
            input Segment() s[2];
            input Point() q;
            signal input k[2][2];
            signal output out;
            signal t <== s[0].end[0].x * s[1].end[1].y;
            signal u <== t * q.x;
            out <== u + s[0].tag * k[0][1];
        }""",
    "chatty": """
        pragma circom 2.0.0;
        template Inner() {
            signal input a;
            signal output b;
            log("inner", a);
            log(a, "and text");
            assert(a != 7);
            b <== a * a;
        }
        template Main() {
            signal input a[2];
            signal output sum;
            component c[2];
            c[0] = Inner();
            c[1] = Inner();
            c[0].a <== a[0];
            c[1].a <== a[1];
            sum <== c[0].b + c[1].b;
            log("done");
        }""",
    "no_inputs": """
        pragma circom 2.0.0;
        template Main() { signal output out; signal a; a <-- 5; out <== a * a; }""",
    "square": """
        pragma circom 2.0.0;
        template Main() { signal input a; signal output out; out <== a * a; }""",
}


def compiled(name: str, folder: Path, prime: str = "bn128") -> Path:
    """Path of the calculator; circuit.r1cs is beside it."""
    source = folder / "source"
    source.mkdir()
    (source / "circuit.circom").write_text(CIRCUITS[name] + "\ncomponent main = Main();\n")
    peers.compile_circom(source / "circuit.circom", folder, prime)
    return folder / "circuit.wasm"


def by_snarkjs(wasm: Path, inputs: dict[str, object]) -> np.ndarray:
    (wasm.parent / "input.json").write_text(json.dumps(inputs))
    peers.snarkjs("wtns", "calculate", wasm, wasm.parent / "input.json", wasm.parent / "witness.wtns")
    with Wtns.open(wasm.parent / "witness.wtns") as witness:
        return np.array(witness.values)


@pytest.mark.node
def test_buses_are_objects_or_qualified_names(tmp_path: Path) -> None:
    """snarkjs takes only the names."""
    wasm = compiled("buses", tmp_path)

    def segment(n: int) -> dict[str, object]:
        return {"end": [{"x": n, "y": n + 1}, {"x": n + 2, "y": n + 3}], "tag": n + 4}

    inputs = {"s": [segment(10), segment(20)], "q": {"x": 5, "y": 6}, "k": [[1, 2], [3, 4]]}
    qualified: dict[str, object] = {"q.x": "5", "q.y": "6", "k": ["1", "2", "3", "4"]}
    for i, n in enumerate((10, 20)):
        for j, x in enumerate((n, n + 2)):
            qualified |= {f"s[{i}].end[{j}].x": x, f"s[{i}].end[{j}].y": x + 1}
        qualified[f"s[{i}].tag"] = n + 4
    expected = by_snarkjs(wasm, qualified)
    calculator = WitnessCalculator(wasm)
    assert np.array_equal(calculator.calculate(inputs), expected)
    assert np.array_equal(calculator.calculate(qualified), expected)
    with pytest.raises(BadArgument, match=r"'s\[1\]': the circuit has no such input signal"):
        calculator.calculate({**inputs, "s": [segment(10), 5]})


@pytest.mark.node
def test_what_a_circuit_logs_is_heard_by_who_asks(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    calculator = WitnessCalculator(compiled("chatty", tmp_path))
    lines: list[str] = []
    calculator.calculate({"a": [2, -1]}, on_log=lines.append)
    r = calculator.curve.fr.modulus
    assert lines == ["inner 2", "2 and text", f"inner {r - 1}", f"{r - 1} and text", "done"]
    place = "Error in template Inner_0 line: 8; Error in template Main_1 line: 18"
    for on_log in (None, lines.append):
        lines.clear()
        with pytest.raises(Unsatisfied, match=f"assertion failed: {place}$"):
            calculator.calculate({"a": [2, 7]}, on_log=on_log)
    assert lines == ["inner 2", "2 and text", "inner 7", "7 and text"]
    assert capfd.readouterr() == ("", "")


@pytest.mark.node
def test_circuit_without_inputs(tmp_path: Path) -> None:
    wasm = compiled("no_inputs", tmp_path)
    assert np.array_equal(WitnessCalculator(wasm).calculate({}), by_snarkjs(wasm, {}))


@pytest.mark.node
@pytest.mark.parametrize("prime", ["goldilocks", "grumpkin", "pallas", "secq256r1"])
def test_fields_of_no_supported_curve(tmp_path: Path, prime: str) -> None:
    wasm = compiled("square", tmp_path, prime)
    with pytest.raises(
        UnsupportedCurve, match=r"circuit\.wasm: compiled for the field of \d+, which is of no"
    ):
        WitnessCalculator(wasm)
