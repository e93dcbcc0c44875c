"""The whole error tree, on one page.

    ProverdError
    ├ FormatError      BadMagic · UnsupportedVersion · UnsupportedProtocol · UnsupportedCurve · Truncated
    │                  MissingSection · MalformedSection · MalformedJson · ValueOutOfRange · NotOnCurve
    │                  NotInSubgroup
    ├ InputError       CurveMismatch · WrongLength · Unsatisfied · ReductionMismatch · UnsafeKey · BadArgument
    ├ OutputError · InputUnreadable
    ├ CapacityError    BudgetTooSmall · OutOfMemory
    ├ DeviceError      NoDevice · CompileError · SelfCheckFailed · StageTimeout
    └ MissingExtra

Broken input raises; a well-formed but wrong proof is ``False`` (exit code 1 of the command line is kept
for that one answer, 2 for wrong usage). ``str(error)`` is always one line that names what is at fault.
"""

from __future__ import annotations

import os
from typing import ClassVar

PathLike = str | os.PathLike[str]


class ProverdError(Exception):
    """Any error that proverd raises by intent."""

    exit_code: ClassVar[int] = 70
    http_status: ClassVar[int] = 500
    grpc_code: ClassVar[str] = "INTERNAL"


# --- a file or a message is broken ------------------------------------------------------------------


class FormatError(ProverdError):
    """A file is not what its format says; names the path, the section and the offset in bytes."""

    exit_code = 4
    http_status = 400
    grpc_code = "INVALID_ARGUMENT"

    def __init__(
        self,
        message: str,
        *,
        path: PathLike | None = None,
        section: str | None = None,
        offset: int | None = None,
    ) -> None:
        self.message = message
        self.path = None if path is None else os.fspath(path)
        self.section = section
        self.offset = offset
        super().__init__(message)

    def __str__(self) -> str:
        place = [part for part in (self.path, self.section) if part]
        if self.offset is not None:
            place.append(f"offset {self.offset}")
        return ": ".join([*place, self.message])


class BadMagic(FormatError):
    """The first bytes are not those of the expected format."""


class UnsupportedVersion(FormatError):
    """The format's version is one that proverd does not read."""


class UnsupportedProtocol(FormatError):
    """The key belongs to another proof system, or uses a feature Groth16 does not have."""


class UnsupportedCurve(FormatError):
    """The file's field or curve is none that proverd knows."""


class Truncated(FormatError):
    """The file ends before its contents do."""


class MissingSection(FormatError):
    """A section that the format requires is absent."""


class MalformedSection(FormatError):
    """A section's length or counts disagree with the header."""


class MalformedJson(FormatError):
    """Not JSON, or JSON of another shape than the format's."""


class ValueOutOfRange(FormatError):
    """A number is not below its modulus, or an index not below its count."""


class NotOnCurve(FormatError):
    """A point does not satisfy the curve equation."""


class NotInSubgroup(FormatError):
    """A point is on the curve but not in the subgroup of prime order."""


# --- well-formed inputs that do not fit together ----------------------------------------------------


class InputError(ProverdError):
    """Inputs that are well-formed alone but cannot be used together."""

    exit_code = 5
    http_status = 422
    grpc_code = "FAILED_PRECONDITION"


class BadArgument(InputError):
    """An argument is outside what the operation accepts."""


class CurveMismatch(InputError):
    """Two inputs are over different curves."""


class WrongLength(InputError):
    """A vector has another length than the circuit or key asks for."""

    def __init__(self, what: str, *, got: int, expected: int) -> None:
        self.got = got
        self.expected = expected
        super().__init__(f"{what}: expected {expected}, found {got}")


class Unsatisfied(InputError):
    """The witness does not satisfy the circuit; ``row`` is the first such constraint where it is known."""

    def __init__(self, message: str, *, row: int | None = None) -> None:
        self.row = row
        super().__init__(message)


class ReductionMismatch(InputError):
    """A key made for one quotient was given to the other."""


class UnsafeKey(InputError):
    """A verifying key under which anyone can forge proofs."""


# --- the world outside ------------------------------------------------------------------------------


class OutputError(ProverdError):
    """An output cannot be written; nothing half-written stays behind."""

    exit_code = 6
    grpc_code = "UNAVAILABLE"

    def __init__(self, path: PathLike, reason: str) -> None:
        self.path = os.fspath(path)
        self.reason = reason
        super().__init__(f"{self.path}: cannot be written: {reason}")


class InputUnreadable(ProverdError):
    """An input file cannot be opened or read."""

    exit_code = 6
    http_status = 404
    grpc_code = "NOT_FOUND"

    def __init__(self, path: PathLike, reason: str) -> None:
        self.path = os.fspath(path)
        self.reason = reason
        super().__init__(f"{self.path}: cannot be read: {reason}")


class CapacityError(ProverdError):
    """Not enough memory for what was asked."""

    exit_code = 7
    http_status = 503
    grpc_code = "RESOURCE_EXHAUSTED"


class OutOfMemory(CapacityError):
    """An allocation of host memory failed."""


class DeviceError(ProverdError):
    """The device that was asked for is absent, failed, or computed something wrong."""

    exit_code = 3
    http_status = 503
    grpc_code = "UNAVAILABLE"


class NoDevice(DeviceError):
    """The device that was asked for does not exist here."""


class CompileError(DeviceError):
    """A kernel did not compile; carries the compiler's log."""

    def __init__(self, kernel: str, log: str) -> None:
        self.kernel = kernel
        self.log = log
        first = next((line for line in log.splitlines() if "error" in line), "see .log")
        super().__init__(f"kernel {kernel} did not compile: {first.strip()}")


class SelfCheckFailed(DeviceError):
    """A finished proof did not verify although the witness satisfies the circuit: a computation was wrong."""


class StageTimeout(DeviceError):
    """A stage of a proof took longer than its limit."""

    http_status = 504
    grpc_code = "DEADLINE_EXCEEDED"


class MissingExtra(ProverdError):
    """A feature needs a package of an optional extra."""

    exit_code = 8
    grpc_code = "UNIMPLEMENTED"

    def __init__(self, feature: str, package: str, extra: str) -> None:
        super().__init__(
            f"{feature} needs the package {package}: install it with `pip install 'proverd[{extra}]'`"
        )
