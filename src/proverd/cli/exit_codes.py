"""What the exit codes mean. Those of errors stand beside each error in errors.py."""

from __future__ import annotations

OK = 0
INVALID_PROOF = 1
USAGE = 2
INTERNAL = 70
INTERRUPTED = 130
OUTPUT_CLOSED = 141
TERMINATED = 143

EXIT_CODES: dict[int, str] = {
    OK: "done; for verify: the proof is valid",
    INVALID_PROOF: "verify: the proof is well-formed but invalid; nothing else gives this code",
    USAGE: "wrong usage: unknown command, option or setting",
    3: "the device is absent, failed, or computed something wrong",
    4: "a file is broken, or of a kind that is not supported",
    5: "inputs do not fit together: curve, length, witness does not satisfy the circuit, unsafe key",
    6: "a file cannot be read or written: missing, no permission, no space left",
    7: "not enough memory",
    8: "an optional package is not installed",
    INTERNAL: "internal error: a fault of proverd",
    INTERRUPTED: "interrupted (Ctrl-C)",
    OUTPUT_CLOSED: "the reader of standard output went away",
    TERMINATED: "terminated (SIGTERM)",
}


def exit_code_table() -> str:
    """The table as ``--help`` shows it."""
    return "exit codes:\n" + "\n".join(f"  {code:<4} {meaning}" for code, meaning in EXIT_CODES.items())
