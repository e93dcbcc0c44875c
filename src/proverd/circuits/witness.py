"""Witnesses from circom's WebAssembly, run by wasmtime (the extra ``proverd[circom]``)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from proverd.circuits.circom_wasm import OnLog, Program, Run
from proverd.circuits.witness_inputs import Inputs, read_inputs, signals
from proverd.curves import CURVES, Curve
from proverd.errors import BadArgument, BadMagic, InputUnreadable, PathLike, UnsupportedCurve

if TYPE_CHECKING:
    from proverd.backend.api import Words

WASM_MAGIC = b"\0asm"
FNV_OFFSET, FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3


class WitnessCalculator:
    """A circuit's witness calculator, compiled once.

    ``calculate`` may be called from any number of threads at once: each call has a memory of its own, and
    the computation runs without the GIL.
    """

    def __init__(self, path: PathLike) -> None:
        """Compiles the file. Raises InputUnreadable, a FormatError, UnsupportedCurve, MissingExtra."""
        self.path = os.fspath(path)
        self._program = Program(self.path, _read_wasm(self.path))
        self.curve: Curve = _curve(self._program)
        self.n_wires: int = self._program.n_wires

    def calculate(
        self,
        inputs: Inputs | PathLike,
        *,
        timeout_seconds: float | None = None,
        on_log: OnLog | None = None,
    ) -> Words:
        """The witness (n_wires, 4), canonical, for inputs or for circom's ``input.json``.

        Values are taken modulo r, as snarkjs does. ``on_log`` gets the lines that the circuit logs, after
        the run, at most 16 MiB of them; they can hold secrets and go nowhere without it. Raises BadArgument
        for signals unknown, missing, or with too many or too few values; Unsatisfied where an assertion of
        the circuit fails; MalformedJson; OutOfMemory; StageTimeout, for which the limit covers the circuit's
        code alone.
        """
        source = self.path
        if isinstance(inputs, str | os.PathLike):
            source, inputs = os.fspath(inputs), read_inputs(inputs)
        with Run(self._program, timeout_seconds=timeout_seconds, log_wanted=on_log is not None) as run:
            try:
                self._set_inputs(run, inputs, source)
                raw = run.witness()
            finally:
                if on_log is not None:
                    for line in run.log_lines():
                        on_log(line)
        words: Words = np.frombuffer(raw, dtype="<u8").reshape(self.n_wires, self.curve.fr.limbs)
        return words

    def _set_inputs(self, run: Run, inputs: Inputs, source: str) -> None:
        run.call("init", 0)
        fr, total, found = self.curve.fr, self._program.n_inputs, 0
        for name, values in signals(inputs, source):
            data = b"".join((value % fr.modulus).to_bytes(fr.nbytes, "little") for value in values)
            run.set_signal(name, fnv1a(name), data)
            found += len(values)
        if found < total:
            raise BadArgument(f"{self.path}: expected {total} input values, found {found}")


def _read_wasm(path: str) -> bytes:
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputUnreadable(path, error.strerror or str(error)) from error
    if data[:4] != WASM_MAGIC:
        raise BadMagic(f"expected {WASM_MAGIC!r}, found {data[:4]!r}", path=path, offset=0)
    return data


def _curve(program: Program) -> Curve:
    """The curve whose scalar field the circuit was compiled for."""
    for curve in CURVES.values():
        if (curve.fr.modulus, curve.fr.nbytes) == (program.prime, program.nbytes):
            return curve
    raise UnsupportedCurve(
        f"compiled for the field of {program.prime}, which is of no supported curve", path=program.path
    )


def fnv1a(name: str) -> int:
    """64-bit FNV-1a of the name's bytes: how circom's wasm knows a signal."""
    state = FNV_OFFSET
    for byte in name.encode(errors="surrogatepass"):
        state = (state ^ byte) * FNV_PRIME % (1 << 64)
    return state
