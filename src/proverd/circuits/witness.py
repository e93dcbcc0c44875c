"""Witnesses from circom's WebAssembly, run by wasmtime (the extra ``proverd[circom]``).

The interface is that of circom 2 (circom/code_producers/src/wasm_elements): inputs are set value by value
through a window of shared memory, under the 64-bit FNV-1a hash of the signal's name; setting the last one
computes the witness. What a circuit prints with ``log()`` can hold secrets: it goes nowhere.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from proverd.curves import CURVES, Curve
from proverd.errors import (
    BadArgument,
    BadMagic,
    FormatError,
    InputUnreadable,
    MalformedJson,
    MalformedSection,
    MissingExtra,
    OutOfMemory,
    PathLike,
    Unsatisfied,
    UnsupportedCurve,
    UnsupportedVersion,
)
from proverd.formats.json import read_json

if TYPE_CHECKING:
    import wasmtime

    from proverd.backend.api import Words

Inputs = Mapping[str, Any]  #: signal name → value, or nested lists of values: int, decimal or 0x string, bool

WASM_MAGIC = b"\0asm"
MOST_MEMORY_BYTES = 4 << 30  # all that 32-bit WebAssembly can address
FNV_OFFSET, FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3
MOST_NESTING = 32
MOST_VALUE_CHARACTERS = 1024

# The codes of circom's exceptionHandler.
SIGNAL_NOT_FOUND, TOO_MANY_SIGNALS, SIGNAL_ALREADY_SET, ASSERT_FAILED, NOT_ENOUGH_MEMORY, ARRAY_EXCEEDED = (
    range(1, 7)
)

# Copies all values out of the calculator in one call: for each wire, getWitness leaves its canonical value
# in the shared window, from where it goes to memory of our own. From Python this would be two calls a wire.
COPIER = """
(module
  (import "circuit" "memory" (memory $circuit 0))
  (import "circuit" "getWitness" (func $get (param i32)))
  (memory $out (export "out") {pages})
  (func (export "copy") (param $wires i32) (param $window i32) (param $bytes i32)
    (local $i i32) (local $to i32)
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $i) (local.get $wires)))
      (call $get (local.get $i))
      (memory.copy $out $circuit (local.get $to) (local.get $window) (local.get $bytes))
      (local.set $to (i32.add (local.get $to) (local.get $bytes)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br $next)))))
"""
PAGE_BYTES = 1 << 16


def load_wasmtime() -> Any:
    """The module wasmtime; raises MissingExtra where it is not installed."""
    try:
        import wasmtime
    except ImportError:
        raise MissingExtra("computing a witness from circom's wasm", "wasmtime", "circom") from None
    return wasmtime


class WitnessCalculator:
    """A circuit's witness calculator, compiled once.

    ``calculate`` may be called from several threads at once: each call has an instance of its own, and the
    computation runs without the GIL.
    """

    def __init__(self, path: PathLike) -> None:
        """Compiles the file. Raises InputUnreadable, a FormatError, UnsupportedCurve, MissingExtra."""
        self.path = os.fspath(path)
        wasmtime = load_wasmtime()
        config = wasmtime.Config()
        config.wasm_multi_memory = True
        self._engine = wasmtime.Engine(config)
        try:
            self._module = wasmtime.Module(self._engine, _read_wasm(self.path))
        except wasmtime.WasmtimeError as error:
            reason = str(error).splitlines()[0]
            raise MalformedSection(f"not valid WebAssembly: {reason}", path=self.path) from None
        self._check_interface()
        instance = _Instance(self)
        self.curve: Curve = instance.curve()
        self.n_wires: int = instance.call("getWitnessSize")
        if self.n_wires * self.curve.fr.nbytes > MOST_MEMORY_BYTES - PAGE_BYTES:
            raise BadArgument(f"{self.path}: a witness of {self.n_wires} wires is more than wasm can hold")
        pages = -(-self.n_wires * self.curve.fr.nbytes // PAGE_BYTES)
        self._copier = wasmtime.Module(self._engine, COPIER.format(pages=pages))

    def calculate(self, inputs: Inputs | PathLike) -> Words:
        """The witness (n_wires, 4), canonical, for inputs or for circom's ``input.json``.

        Values are taken modulo r, as snarkjs does. Raises BadArgument for signals unknown, missing, or with
        too many or too few values, MalformedJson, Unsatisfied where an assertion of the circuit fails.
        """
        if isinstance(inputs, str | os.PathLike):
            inputs = read_inputs(inputs)
        instance = _Instance(self)
        instance.call("init", 0)
        remaining = instance.call("getInputSize")
        for name, values in inputs.items():
            remaining -= instance.set_signal(name, list(_flat_values(name, values)), self.curve.fr.modulus)
        if remaining > 0:
            total = instance.call("getInputSize")
            raise BadArgument(f"{self.path}: expected {total} input values, found {total - remaining}")
        return instance.witness()

    def _check_interface(self) -> None:
        exports = {export.name for export in self._module.exports}
        if "getVersion" not in exports or "setInputSignal" not in exports:
            hint = "circom 1 wasm is not read" if "getNVars" in exports else "not a circom witness calculator"
            raise UnsupportedVersion(f"expected circom 2's interface, found none: {hint}", path=self.path)
        for imported in self._module.imports:
            if imported.module != "runtime":
                raise UnsupportedVersion(
                    f"expected imports from 'runtime' only, found {imported.module!r}", path=self.path
                )


def read_inputs(path: PathLike) -> Inputs:
    """Circom's ``input.json``: an object of signals. Raises InputUnreadable or MalformedJson."""
    document = read_json(path)
    if not isinstance(document, dict):
        raise MalformedJson("expected an object of input signals", path=path)
    return document


def _read_wasm(path: str) -> bytes:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputUnreadable(path, error.strerror or str(error)) from error
    if data[:4] != WASM_MAGIC:
        raise BadMagic(f"expected {WASM_MAGIC!r}, found {data[:4]!r}", path=path, offset=0)
    return data


def _flat_values(name: str, value: Any, depth: int = 0) -> Iterator[int]:
    if depth > MOST_NESTING:
        raise BadArgument(f"input signal {name!r}: nested more than {MOST_NESTING} deep")
    if isinstance(value, Sequence) and not isinstance(value, str):
        for item in value:
            yield from _flat_values(name, item, depth + 1)
    else:
        yield _integer(name, value)


def _integer(name: str, value: Any) -> int:
    """As JavaScript's BigInt reads it, which is what circom's users are used to."""
    if isinstance(value, int):
        return int(value)
    if isinstance(value, str) and len(value) <= MOST_VALUE_CHARACTERS:
        text = value.strip()
        base = {"0x": 16, "0o": 8, "0b": 2}.get(text[:2].lower(), 10)
        digits = text[2:] if base != 10 else text.removeprefix("-")
        if digits.isascii() and digits.isalnum():  # no underscores, signs or spaces within
            try:
                return int(text, base)
            except ValueError:
                pass
    kind = "string" if isinstance(value, str) else type(value).__name__
    raise BadArgument(f"input signal {name!r}: expected integers, found a {kind} that is none")


def fnv1a(name: str) -> int:
    """64-bit FNV-1a of the name's bytes."""
    state = FNV_OFFSET
    for byte in name.encode():
        state = (state ^ byte) * FNV_PRIME % (1 << 64)
    return state


class _Instance:
    """One run of a calculator."""

    def __init__(self, calculator: WitnessCalculator) -> None:
        self._wasmtime = load_wasmtime()
        self._calculator = calculator
        self._path = calculator.path
        self._message = ""
        self._failure: Exception | None = None
        self._store: wasmtime.Store = self._wasmtime.Store(calculator._engine)
        self._store.set_limits(memory_size=MOST_MEMORY_BYTES)
        linker = self._wasmtime.Linker(calculator._engine)
        handlers = {"exceptionHandler": self._on_exception, "printErrorMessage": self._on_message}
        for imported in calculator._module.imports:
            handler = handlers.get(imported.name, _ignore)
            linker.define_func("runtime", imported.name, imported.type, handler)
        try:
            self._exports = linker.instantiate(self._store, calculator._module).exports(self._store)
        except self._wasmtime.WasmtimeError as error:
            raise self._translated(error) from None
        self._memory = self._exports["memory"]

    def call(self, name: str, *arguments: int) -> int:
        """An exported function. Raises what the circuit's exception means."""
        try:
            result: int = self._exports[name](self._store, *arguments)
        except (self._wasmtime.Trap, self._wasmtime.WasmtimeError) as error:
            raise self._translated(error) from None
        return result

    def curve(self) -> Curve:
        """The curve whose scalar field the circuit was compiled for."""
        self.call("getRawPrime")
        nbytes = 4 * self.call("getFieldNumLen32")
        window = self.call("getSharedRWMemoryStart")
        prime = int.from_bytes(self._memory.read(self._store, window, window + nbytes), "little")
        for curve in CURVES.values():
            if curve.fr.modulus == prime:
                return curve
        raise UnsupportedCurve(
            f"compiled for the field of {prime}, which is of no supported curve", path=self._path
        )

    def set_signal(self, name: str, values: list[int], modulus: int) -> int:
        """Sets all values of a signal; returns how many."""
        key = fnv1a(name)
        high, low = (_signed32(key >> 32), _signed32(key))
        size = self.call("getInputSignalSize", high, low)
        if size < 0 or (size == 0 and values):  # circom versions differ in what stands for "unknown"
            raise BadArgument(f"{self._path}: the circuit has no input signal {name!r}")
        if len(values) != size:
            raise BadArgument(
                f"{self._path}: input signal {name!r}: expected {size} values, found {len(values)}"
            )
        window = self.call("getSharedRWMemoryStart")
        for i, value in enumerate(values):
            self._memory.write(self._store, (value % modulus).to_bytes(32, "little"), window)
            self.call("setInputSignal", high, low, i)
        return size

    def witness(self) -> Words:
        """All values, canonical."""
        curve, wires = self._calculator.curve, self._calculator.n_wires
        nbytes = curve.fr.nbytes
        imports = [self._memory, self._exports["getWitness"]]
        copier = self._wasmtime.Instance(self._store, self._calculator._copier, imports).exports(self._store)
        copier["copy"](self._store, wires, self.call("getSharedRWMemoryStart"), nbytes)
        raw = copier["out"].read(self._store, 0, wires * nbytes)
        words: Words = np.frombuffer(raw, dtype="<u8").reshape(wires, nbytes // 8).copy()
        return words

    def _on_message(self) -> None:
        """Circom's account of a failure: template and line, no values."""
        text = ""
        while character := self._exports["getMessageChar"](self._store):
            text += chr(character)
        self._message += text.strip() + " "

    def _on_exception(self, code: int) -> None:
        where = self._message.strip()
        if code == ASSERT_FAILED:
            text = f"{self._path}: the inputs do not satisfy the circuit: assertion failed"
            self._failure = Unsatisfied(f"{text}: {where}" if where else text)
        elif code == NOT_ENOUGH_MEMORY:
            self._failure = OutOfMemory(f"{self._path}: the witness calculator ran out of memory")
        elif code in (SIGNAL_NOT_FOUND, TOO_MANY_SIGNALS, SIGNAL_ALREADY_SET, ARRAY_EXCEEDED):
            self._failure = BadArgument(
                f"{self._path}: the circuit refuses the inputs (circom's code {code}) {where}"
            )
        else:
            self._failure = FormatError(
                f"the witness calculator failed with code {code} {where}", path=self._path
            )
        raise self._failure

    def _translated(self, error: Exception) -> Exception:
        if self._failure is not None:
            return self._failure
        reason = str(error).strip().splitlines()[-1].strip()
        return FormatError(f"the witness calculator failed: {reason}", path=self._path)


def _ignore(*_: int) -> None:
    """For what a circuit prints."""


def _signed32(value: int) -> int:
    """The low 32 bits as WebAssembly's i32 is passed."""
    low = value & 0xFFFFFFFF
    return low - (1 << 32) if low >> 31 else low
