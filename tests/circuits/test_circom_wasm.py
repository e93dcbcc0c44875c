"""Calculators that are broken, hostile or of early circom versions: one typed error each, in bounded time."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import wasmtime
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proverd.circuits.circom_wasm import EXCEPTIONS
from proverd.circuits.witness import WitnessCalculator
from proverd.curves import BN254
from proverd.errors import (
    BadArgument,
    BadMagic,
    FormatError,
    InputUnreadable,
    MalformedSection,
    MissingExtra,
    OutOfMemory,
    ProverdError,
    StageTimeout,
    Unsatisfied,
    UnsupportedCurve,
    UnsupportedVersion,
)

VECTORS = Path(__file__).parent.parent / "vectors"
GENUINE = (VECTORS / "product_bn128" / "circuit.wasm").read_bytes()

PRIME = "".join(f"\\{byte:02x}" for byte in BN254.fr.modulus.to_bytes(32, "little"))
#: A circuit of one input and two wires, the last of which is the input: what circom exports, and no more.
#: The window is at 64, the prime at 0, the message "hm." at 128.
PARTS = {
    "imports": '(import "runtime" "exceptionHandler" (func $exception (param i32)))',
    "memory": '(memory (export "memory") 1)',
    "data": f'(data (i32.const 0) "{PRIME}") (data (i32.const 128) "hm.")'
    " (global $at (mut i32) (i32.const 0))",
    "getVersion": "(result i32) (i32.const 2)",
    "getSharedRWMemoryStart": "(result i32) (i32.const 64)",
    "readSharedRWMemory": "(param i32) (result i32)"
    " (i32.load offset=64 (i32.mul (local.get 0) (i32.const 4)))",
    "init": "(param i32)",
    "setInputSignal": "(param i32 i32 i32) (memory.copy (i32.const 96) (i32.const 64) (i32.const 32))",
    "getInputSize": "(result i32) (i32.const 1)",
    "getRawPrime": "(memory.copy (i32.const 64) (i32.const 0) (i32.const 32))",
    "getFieldNumLen32": "(result i32) (i32.const 8)",
    "getWitnessSize": "(result i32) (i32.const 2)",
    "getWitness": "(param i32) (if (i32.eqz (local.get 0))"
    " (then (memory.fill (i32.const 64) (i32.const 0) (i32.const 32))"
    " (i32.store8 (i32.const 64) (i32.const 1)))"
    " (else (memory.copy (i32.const 64) (i32.const 96) (i32.const 32))))",
    "getMessageChar": "(result i32) (global.set $at (i32.add (global.get $at) (i32.const 1)))"
    " (i32.load8_u offset=127 (global.get $at))",
}
LOOP = "(loop $again (br $again))"

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes the small calculator with some of its parts replaced."""

    def write_module(**parts: str) -> Path:
        texts = {**PARTS, **parts}
        plain = [texts.pop(name) for name in ("imports", "memory", "data")]
        functions = [f'(func (export "{name}") {body})' for name, body in texts.items() if body]
        path = tmp_path / "circuit.wasm"
        path.write_bytes(wasmtime.wat2wasm(f"(module {' '.join(plain + functions)})"))
        return path

    return write_module


def raising(code: int) -> str:
    return f"(param i32 i32 i32) (call $exception (i32.const {code}))"


def test_the_small_calculator_works(write: Write) -> None:
    calculator = WitnessCalculator(write())
    assert (calculator.curve, calculator.n_wires) == (BN254, 2)
    assert calculator.calculate({"x": 7}).tolist() == [[1, 0, 0, 0], [7, 0, 0, 0]]


def test_files_that_are_no_wasm(tmp_path: Path) -> None:
    path = tmp_path / "circuit.wasm"
    with pytest.raises(InputUnreadable, match=r"circuit\.wasm"):
        WitnessCalculator(path)
    for contents in (b"", b"not wasm at all", b"wtns"):
        path.write_bytes(contents)
        with pytest.raises(BadMagic, match=r"circuit\.wasm: offset 0: expected"):
            WitnessCalculator(path)


@pytest.mark.parametrize("length", [4, 9, len(GENUINE) // 2, len(GENUINE) - 1])
def test_truncated_files(tmp_path: Path, length: int) -> None:
    path = tmp_path / "circuit.wasm"
    path.write_bytes(GENUINE[:length])
    with pytest.raises(MalformedSection, match=r"circuit\.wasm: not valid WebAssembly"):
        WitnessCalculator(path)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ({"getVersion": ""}, "not a circom witness calculator"),
        ({"getVersion": "", "getNVars": "(result i32) (i32.const 4)"}, "circom 1 is not supported"),
        ({"getVersion": "(result i32) (i32.const 3)"}, "expected circom 2, found version 3"),
        *(({name: ""}, f"found no such {name}") for name in PARTS if name[0] in "iRgs" and name[3] in "tS"),
        ({"getWitness": "(result i32) (i32.const 4)"}, "found no such getWitness"),
        ({"getInputSize": "(result i64) (i64.const 4)"}, "found no such getInputSize"),
        ({"init": "(param i32 i32)"}, "found no such init"),
        ({"memory": "(memory 1)"}, "found no memory"),
        ({"imports": PARTS["imports"] + '(import "env" "exit" (func))'}, "found env.exit"),
        ({"imports": PARTS["imports"] + '(import "runtime" "exit" (func))'}, "found runtime.exit"),
        ({"imports": '(import "runtime" "exceptionHandler" (func))'}, "found runtime.exceptionHandler"),
        (
            {"imports": '(import "runtime" "exceptionHandler" (memory 1))', "memory": ""},
            "found no memory|found runtime.exceptionHandler",
        ),
    ],
)
def test_other_interfaces(write: Write, parts: dict[str, str], message: str) -> None:
    with pytest.raises(UnsupportedVersion, match=rf"circuit\.wasm: .*({message})"):
        WitnessCalculator(write(**parts))


@pytest.mark.parametrize(
    ("parts", "kind", "message"),
    [
        ({"getSharedRWMemoryStart": "(result i32) (i32.const -8)"}, UnsupportedCurve, "the field of 0"),
        ({"getFieldNumLen32": "(result i32) (i32.const 2)"}, UnsupportedCurve, "no supported curve"),
        ({"getFieldNumLen32": "(result i32) (i32.const 0)"}, UnsupportedCurve, "no supported curve"),
        ({"getFieldNumLen32": "(result i32) (i32.const -1)"}, FormatError, "fit 4 GiB"),
        ({"getWitnessSize": "(result i32) (i32.const 0)"}, FormatError, "fit 4 GiB"),
        ({"getWitnessSize": "(result i32) (i32.const -1)"}, FormatError, "fit 4 GiB, found 4294967295"),
        ({"getInputSize": "(result i32) (i32.const 0x8000000)"}, FormatError, "fit 4 GiB"),
        ({"getRawPrime": "(unreachable)"}, FormatError, "failed: .*unreachable"),
        ({"getRawPrime": "(call $exception (i32.const 99))"}, FormatError, "failed: with circom's code 99"),
        (
            {"memory": '(memory (export "memory") 1) (table 50000000 funcref)'},
            FormatError,
            "(failed: .*table|not valid)",
        ),
        (
            {"memory": '(memory (export "memory") 1) (memory 65536 65536) (memory 65537)'},
            FormatError,
            "valid",
        ),
        ({"memory": PARTS["memory"] + "(memory 1)"}, FormatError, "failed: .*memory count too high"),
    ],
)
def test_calculators_that_cannot_be_loaded(
    write: Write, parts: dict[str, str], kind: type[ProverdError], message: str
) -> None:
    with pytest.raises(kind, match=rf"circuit\.wasm: .*{message}") as caught:
        WitnessCalculator(write(**parts))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("code", EXCEPTIONS)
def test_exceptions_of_circom(write: Write, code: int) -> None:
    """Early versions leave the message to be fetched; each kind of exception has its own error."""
    kind, text = EXCEPTIONS[code]
    subject = "input signal 'x': " if kind is BadArgument else ""
    with pytest.raises(kind, match=rf"circuit\.wasm: {subject}{text}: hm\.$"):
        WitnessCalculator(write(setInputSignal=raising(code))).calculate({"x": 123456})


def test_messages_are_fetched_when_they_are_printed(write: Write) -> None:
    imports = PARTS["imports"] + '(import "runtime" "printErrorMessage" (func $print))'
    body = "(param i32 i32 i32) (call $print) (global.set $at (i32.const 1)) (call $print)"
    path = write(imports=imports, setInputSignal=body + "(call $exception (i32.const 4))")
    with pytest.raises(Unsatisfied, match=r"assertion failed: hm\.; m\.$"):
        WitnessCalculator(path).calculate({"x": 1})


@pytest.mark.parametrize(
    ("parts", "kind", "message"),
    [
        ({"init": "(param i32) (unreachable)"}, FormatError, "unreachable"),
        ({"init": "(param i32) (drop (i32.load (i32.const -8)))"}, FormatError, "out of bounds"),
        ({"getWitness": "(param i32) (call $exception (i32.const 12))"}, FormatError, "circom's code 12"),
        (
            {"data": PARTS["data"] + "(func $f (call $f))", "init": "(param i32) (call $f)"},
            FormatError,
            "stack",
        ),
        ({"setInputSignal": raising(5)}, OutOfMemory, "out of memory"),
        ({"init": f"(param i32) {LOOP}"}, StageTimeout, "longer than 0.2 seconds"),
        ({"getWitness": f"(param i32) {LOOP}"}, StageTimeout, "longer than 0.2 seconds"),
        (
            {"getMessageChar": "(result i32) (i32.const 7)", "setInputSignal": raising(4)},
            StageTimeout,
            "longer",
        ),
    ],
)
def test_runs_that_fail(write: Write, parts: dict[str, str], kind: type[ProverdError], message: str) -> None:
    """That the limit is kept shows also that the GIL is free: the clock is a Python thread."""
    calculator = WitnessCalculator(write(**parts))
    with pytest.raises(kind, match=rf"circuit\.wasm: .*{message}") as caught:
        calculator.calculate({"x": 1}, timeout_seconds=0.2)
    assert "\n" not in str(caught.value)


def test_a_limit_holds_for_its_own_run_alone(write: Write) -> None:
    """One run in an endless loop is stopped while another of the same calculator goes on."""
    store = "(memory.copy (i32.const 96) (i32.const 64) (i32.const 32))"
    body = f"(param i32 i32 i32) (if (i32.load8_u (i32.const 64)) (then {LOOP})) {store}"
    calculator = WitnessCalculator(write(setInputSignal=body))
    with ThreadPoolExecutor(2) as pool:
        stuck = pool.submit(calculator.calculate, {"x": 1}, timeout_seconds=0.5)
        for _ in range(20):
            assert calculator.calculate({"x": 256}, timeout_seconds=60)[1, 0] == 256
        with pytest.raises(StageTimeout):
            stuck.result()


def test_early_circom_tells_no_sizes_of_signals(write: Write) -> None:
    calculator = WitnessCalculator(write())
    with pytest.raises(BadArgument, match="'x': too many values"):
        calculator.calculate({"x": [1, 2]})
    with pytest.raises(BadArgument, match="expected 1 input values, found 0"):
        calculator.calculate({"x": []})


@pytest.mark.parametrize("size", [-1, 0])
def test_unknown_signals_by_size(write: Write, size: int) -> None:
    calculator = WitnessCalculator(
        write(getInputSignalSize=f"(param i32 i32) (result i32) (i32.const {size})")
    )
    with pytest.raises(BadArgument, match="'x': the circuit has no such input signal"):
        calculator.calculate({"x": 1})


def test_log_of_early_circom_is_a_value_a_line(write: Write) -> None:
    imports = PARTS["imports"] + '(import "runtime" "showSharedRWMemory" (func $show))'
    body = "(param i32 i32 i32) (call $show) (i32.store8 offset=95 (i32.const 0) (i32.const 1)) (call $show)"
    calculator = WitnessCalculator(write(imports=imports, setInputSignal=body))
    lines: list[str] = []
    calculator.calculate({"x": 5}, on_log=lines.append)
    assert lines == ["5", str(5 + (1 << 248))]


def test_endless_log_is_cut_off(write: Write) -> None:
    """At 16 MiB; nothing is kept for a caller who did not ask."""
    imports = PARTS["imports"] + '(import "runtime" "showSharedRWMemory" (func $show))'
    body = (
        "(param i32 i32 i32) (local $i i32) (loop $again (call $show)"
        " (local.set $i (i32.add (local.get $i) (i32.const 1)))"
        " (br_if $again (i32.lt_u (local.get $i) (i32.const 600000))))"
    )
    calculator = WitnessCalculator(write(imports=imports, setInputSignal=body))
    lines: list[str] = []
    calculator.calculate({"x": 5}, on_log=lines.append)
    assert lines == ["5"] * ((16 << 20) // 33)
    calculator.calculate({"x": 5})


@pytest.mark.parametrize("gibibytes", [2, 10])
def test_address_space_is_refused(gibibytes: int) -> None:
    """As under ``ulimit -v``: already for the runtime's memories, or only for the calculator's own."""
    script = f"""
import resource
from proverd.circuits.witness import WitnessCalculator
from proverd.errors import OutOfMemory
wasm = {str(VECTORS / "product_bn128" / "circuit.wasm")!r}
calculator = WitnessCalculator(wasm)
_, hard = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, ({gibibytes} << 30, hard))
for use in (lambda: calculator.calculate({{"left": 3, "right": 5}}), lambda: WitnessCalculator(wasm)):
    try:
        use()
    except OutOfMemory as error:
        print(error)
"""
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert result.stderr == ""
    lines = result.stdout.splitlines()
    assert len(lines) == 2
    assert all("circuit.wasm: no memory for the witness calculator: " in line for line in lines)


def test_without_wasmtime_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    with pytest.raises(MissingExtra, match=r"pip install 'proverd\[circom\]'"):
        WitnessCalculator(VECTORS / "product_bn128" / "circuit.wasm")


@given(
    changes=st.lists(st.tuples(st.integers(8, len(GENUINE) - 1), st.integers(1, 255)), min_size=1, max_size=4)
)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_altered_files_never_crash(tmp_path: Path, changes: list[tuple[int, int]]) -> None:
    """They compute something, or end in a typed error."""
    data = bytearray(GENUINE)
    for offset, difference in changes:
        data[offset] ^= difference
    path = tmp_path / "circuit.wasm"
    path.write_bytes(data)
    try:
        WitnessCalculator(path).calculate({"left": 3, "right": 5}, timeout_seconds=1)
    except ProverdError as error:
        assert "\n" not in str(error)  # noqa: PT017
