"""A run of circom 2's witness calculator in wasmtime, with nothing called back into Python.

What the calculator imports is WebAssembly too, and so are the loops that carry values in and out
(circom_runtime.py): a run is a few native calls without the GIL. Python callbacks would also mix up runs of
several threads, as wasmtime's binding keeps what they raise in one global.

What a circuit logs can hold secrets: it is dropped unless asked for.
"""

from __future__ import annotations

import errno
import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Self

from proverd.circuits.circom_runtime import DRIVER, PAGE_BYTES, RUNTIME
from proverd.errors import (
    BadArgument,
    FormatError,
    MalformedSection,
    MissingExtra,
    OutOfMemory,
    ProverdError,
    StageTimeout,
    Unsatisfied,
    UnsupportedVersion,
)

if TYPE_CHECKING:
    import wasmtime

OnLog = Callable[[str], None]

MOST_MEMORY_BYTES = 4 << 30  # all that 32-bit WebAssembly can address
MOST_TABLE_ELEMENTS = 1 << 22
ADDRESS_SPACE_HINT = "a run reserves about 20 GiB of address space (ulimit -v), though it uses far less"
TICK_SECONDS = 0.05
FOREVER = 1 << 62  # ticks
PROBE_SECONDS = 30  # for functions that only return constants
MOST_ERROR_LINES = 8

#: What circom 2 exports: numbers of parameters and of results, all i32.
EXPORTS = {
    "getVersion": (0, 1),
    "getSharedRWMemoryStart": (0, 1),
    "readSharedRWMemory": (1, 1),
    "init": (1, 0),
    "setInputSignal": (3, 0),
    "getInputSize": (0, 1),
    "getRawPrime": (0, 0),
    "getFieldNumLen32": (0, 1),
    "getWitnessSize": (0, 1),
    "getWitness": (1, 0),
    "getMessageChar": (0, 1),
}
SIGNAL_SIZE = "getInputSignalSize"  # (2, 1), absent before circom 2.0.7
#: What circom 2 imports: numbers of parameters; early versions only the first two.
RUNTIME_IMPORTS = {
    "exceptionHandler": 1,
    "showSharedRWMemory": 0,
    "printErrorMessage": 0,
    "writeBufferMessage": 0,
}

#: circom's exception codes: what is raised, and what it means.
EXCEPTIONS: dict[int, tuple[type[ProverdError], str]] = {
    1: (BadArgument, "the circuit has no such input signal"),
    2: (BadArgument, "too many values"),
    3: (BadArgument, "set more than once"),
    4: (Unsatisfied, "the inputs do not satisfy the circuit: assertion failed"),
    5: (OutOfMemory, "the witness calculator ran out of memory"),
    6: (BadArgument, "too many values"),
    7: (Unsatisfied, "the inputs do not satisfy the circuit: array index out of bounds"),
}


def load_wasmtime() -> Any:
    """The module wasmtime; raises MissingExtra where it is not installed."""
    try:
        import wasmtime
    except ImportError:
        raise MissingExtra("computing a witness from circom's wasm", "wasmtime", "circom") from None
    return wasmtime


class Program:
    """A compiled witness calculator; runs of it share nothing else."""

    def __init__(self, path: str, data: bytes) -> None:
        """``path`` is for messages. Raises a FormatError for what is no calculator of circom 2."""
        library = load_wasmtime()
        self.path = path
        config = library.Config()
        config.wasm_multi_memory = True
        config.epoch_interruption = True
        self.engine: wasmtime.Engine = library.Engine(config)
        self.clock = _Clock(self.engine)
        try:
            self.module: wasmtime.Module = library.Module(self.engine, data)
        except library.WasmtimeError as error:
            raise MalformedSection(
                f"not valid WebAssembly: {str(error).splitlines()[0]}", path=path
            ) from None
        self.imports = _check_interface(library, self.module, path)
        self.runtime: wasmtime.Module = library.Module(self.engine, RUNTIME)
        self.driver: wasmtime.Module | None = None
        with Run(self, timeout_seconds=PROBE_SECONDS) as run:
            self.words = run.call("getFieldNumLen32")
            self.prime = run.prime()
            version = run.call("getVersion")
            self.n_wires, self.n_inputs = run.call("getWitnessSize"), run.call("getInputSize")
        if version != 2:
            raise UnsupportedVersion(f"expected circom 2, found version {version}", path=path)
        most = max(self.n_wires, self.n_inputs)
        if self.n_wires == 0 or most * self.nbytes > MOST_MEMORY_BYTES - PAGE_BYTES:
            raise FormatError(f"expected a witness and inputs that fit 4 GiB, found {most} values", path=path)
        pages = -(-most * self.nbytes // PAGE_BYTES)
        self.driver = library.Module(self.engine, DRIVER.format(pages=pages))

    @property
    def nbytes(self) -> int:
        """Of a field element."""
        return 4 * self.words


def _check_interface(library: Any, module: wasmtime.Module, path: str) -> set[str]:
    """Names of the imports. Raises UnsupportedVersion for any other interface than circom 2's."""
    exports = {export.name: export.type for export in module.exports}
    if "getVersion" not in exports:
        hint = "circom 1 is not supported" if "getNVars" in exports else "not a circom witness calculator"
        raise UnsupportedVersion(f"expected circom 2's interface, found none: {hint}", path=path)
    wanted = EXPORTS | ({SIGNAL_SIZE: (2, 1)} if SIGNAL_SIZE in exports else {})
    for name, (parameters, results) in wanted.items():
        if not _is_function(library, exports.get(name), parameters, results):
            raise UnsupportedVersion(f"expected circom 2's interface, found no such {name}", path=path)
    if not isinstance(exports.get("memory"), library.MemoryType):
        raise UnsupportedVersion("expected circom 2's interface, found no memory", path=path)
    names = set()
    for imported in module.imports:
        parameters = RUNTIME_IMPORTS.get(imported.name or "", -1)
        if imported.module != "runtime" or not _is_function(library, imported.type, parameters, 0):
            raise UnsupportedVersion(
                f"expected imports of circom 2's runtime, found {imported.module}.{imported.name}", path=path
            )
        names.add(str(imported.name))
    return names


def _is_function(library: Any, found: Any, parameters: int, results: int) -> bool:
    if not isinstance(found, library.FuncType):
        return False
    types = [str(kind) for kind in (*found.params, *found.results)]
    return types == ["i32"] * (parameters + results) and len(found.params) == parameters


class _Clock:
    """Advances an engine's epoch once in TICK_SECONDS while somebody waits for it."""

    def __init__(self, engine: wasmtime.Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._waiting = 0
        self._ticking = False

    @contextmanager
    def running(self) -> Iterator[None]:
        with self._lock:
            self._waiting += 1
            if not self._ticking:
                self._ticking = True
                threading.Thread(target=self._tick, name="proverd-witness-clock", daemon=True).start()
        try:
            yield
        finally:
            with self._lock:
                self._waiting -= 1

    def _tick(self) -> None:
        while True:
            time.sleep(TICK_SECONDS)
            with self._lock:
                if not self._waiting:
                    self._ticking = False
                    return
            self._engine.increment_epoch()


class Run:
    """One run of a program; a context manager that gives the memory back."""

    def __init__(
        self, program: Program, *, timeout_seconds: float | None = None, log_wanted: bool = False
    ) -> None:
        library = load_wasmtime()
        self._program = program
        self._errors = (library.Trap, library.WasmtimeError)
        self._interrupted = library.TrapCode.INTERRUPT
        self._timeout_seconds = timeout_seconds
        self._runtime: Any = None  # until it is there, when an error has no exception of circom's behind it
        self._store: wasmtime.Store = library.Store(program.engine)
        self._store.set_limits(
            memory_size=MOST_MEMORY_BYTES,  # of each memory
            table_elements=MOST_TABLE_ELEMENTS,
            instances=3,
            tables=8,
            memories=3 if program.driver is None else 4,  # two of the runtime's, the circuit's, the driver's
        )
        ticks = FOREVER if timeout_seconds is None else math.ceil(timeout_seconds / TICK_SECONDS) + 1
        self._store.set_epoch_deadline(ticks)
        self._runtime = self._instantiate(program.runtime, [])
        self._set_global("log_wanted", log_wanted)
        self._set_global("silent", "printErrorMessage" not in program.imports)
        imports = [self._runtime[imported.name] for imported in program.module.imports]
        self._circuit = self._instantiate(program.module, imports)
        if program.driver is not None:
            self._set_global("words", program.words)
            modules = {"circuit": self._circuit, "runtime": self._runtime}
            imports = [modules[imported.module][imported.name] for imported in program.driver.imports]
            self._driver = self._instantiate(program.driver, imports)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._store.close()  # now, not when an exception that holds this frame is dropped

    def call(self, name: str, *arguments: int) -> int:
        """An exported function of the calculator; the result unsigned."""
        return int(self._call(self._circuit[name], *arguments) or 0) & 0xFFFFFFFF

    def prime(self) -> int:
        """The field that the circuit was compiled for."""
        self.call("getRawPrime")
        window, nbytes = self.call("getSharedRWMemoryStart"), 4 * self.call("getFieldNumLen32")
        return int.from_bytes(self._circuit["memory"].read(self._store, window, window + nbytes), "little")

    def set_signal(self, name: str, key: int, values: bytes) -> None:
        """Sets a signal by the hash of its name to all its values; the name is for messages."""
        program = self._program
        subject = f"input signal {name!r}: "
        count = len(values) // program.nbytes
        high, low = _signed32(key >> 32), _signed32(key)
        if SIGNAL_SIZE in self._circuit:
            size = _signed32(self.call(SIGNAL_SIZE, high, low))
            if size < 0 or (size == 0 and count):  # versions of circom differ in what stands for "unknown"
                raise BadArgument(f"{program.path}: {subject}{EXCEPTIONS[1][1]}")
            if count != size:
                raise BadArgument(f"{program.path}: {subject}expected {size} values, found {count}")
        if count > program.n_inputs:
            raise BadArgument(f"{program.path}: {subject}{EXCEPTIONS[2][1]}")
        self._driver["values"].write(self._store, values)
        window = self.call("getSharedRWMemoryStart")
        self._call(self._driver["set"], high, low, count, window, program.nbytes, subject=subject)

    def witness(self) -> bytearray:
        """All values, one after another."""
        program = self._program
        window = self.call("getSharedRWMemoryStart")
        self._call(self._driver["get"], program.n_wires, window, program.nbytes)
        values: bytearray = self._driver["values"].read(self._store, 0, program.n_wires * program.nbytes)
        return values

    def log_lines(self) -> Iterator[str]:
        """What the circuit has logged, line by line as circom's own tools print it."""
        lines_end = "writeBufferMessage" in self._program.imports  # before circom 2.0.7 each value is a line
        line: list[str] = []
        for piece in self._log_pieces():
            if piece != "\n":
                line.append(piece)
            if piece == "\n" or not lines_end:
                yield " ".join(line)
                line.clear()

    def _log_pieces(self) -> Iterator[str]:
        """Texts and decimal values from the runtime's log; "\\n" ends a line."""
        raw = self._runtime["log"].read(self._store, 0, self._global("log_end"))
        nbytes, at = self._program.nbytes, 0
        while at < len(raw):
            kind, start = raw[at], at + 1
            end = raw.find(0, start) if kind == 0 else start + nbytes
            if not start <= end <= len(raw):  # cut off: the log was full
                return
            piece = raw[start:end]
            yield piece.decode(errors="replace") if kind == 0 else str(int.from_bytes(piece, "little"))
            at = end + (kind == 0)

    def _instantiate(self, module: wasmtime.Module, imports: list[Any]) -> Any:
        try:
            return load_wasmtime().Instance(self._store, module, imports).exports(self._store)
        except self._errors as error:
            raise self._explained(error, "") from None

    def _call(self, function: Any, *arguments: int, subject: str = "") -> int | None:
        try:
            with self._program.clock.running() if self._timeout_seconds is not None else nullcontext():
                result: int | None = function(self._store, *arguments)
        except self._errors as error:
            raise self._explained(error, subject) from None
        return result

    def _explained(self, error: Any, subject: str) -> ProverdError:
        """What is raised for a trap: circom's exception where it was one."""
        path, code = self._program.path, 0 if self._runtime is None else self._global("code")
        if f"(os error {errno.ENOMEM})" in str(error):
            return OutOfMemory(f"{path}: no memory for the witness calculator: {ADDRESS_SPACE_HINT}")
        if getattr(error, "trap_code", None) == self._interrupted:
            return StageTimeout(f"{path}: the witness took longer than {self._timeout_seconds:g} seconds")
        if code in EXCEPTIONS:
            kind, text = EXCEPTIONS[code]
            place = self._error_lines()
            subject = subject if kind is BadArgument else ""
            return kind(f"{path}: {subject}{text}" + (f": {place}" if place else ""))
        reason = f"with circom's code {code}" if code else str(error).strip().splitlines()[-1].strip()
        return FormatError(f"the witness calculator failed: {reason}", path=path)

    def _error_lines(self) -> str:
        """Circom's account of a failure on one line: templates and line numbers, the innermost first."""
        raw = self._runtime["errors"].read(self._store, 0, self._global("errors_end"))
        lines = [line.strip() for line in raw.decode("ascii", "backslashreplace").splitlines()]
        return "; ".join([line for line in lines if line][:MOST_ERROR_LINES])

    def _global(self, name: str) -> int:
        return int(self._runtime[name].value(self._store))

    def _set_global(self, name: str, value: int) -> None:
        self._runtime[name].set_value(self._store, int(value))


def _signed32(value: int) -> int:
    """The low 32 bits as WebAssembly's i32 is passed."""
    low = value & 0xFFFFFFFF
    return low - (1 << 32) if low >> 31 else low
