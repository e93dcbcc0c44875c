"""Input signals as circom's users write them: ``input.json``, or the same as a mapping."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from proverd.errors import BadArgument, MalformedJson, PathLike
from proverd.formats.json import read_json

#: signal name → value, nested lists of values, or for a bus an object; a value is an int, a bool, or a string
#: of a decimal, 0x, 0o or 0b number
Inputs = Mapping[str, Any]

MOST_NESTING = 32
MOST_VALUE_CHARACTERS = 1024


def read_inputs(path: PathLike) -> Inputs:
    """Circom's ``input.json``: an object of signals. Raises InputUnreadable or MalformedJson."""
    document = read_json(path)
    if not isinstance(document, dict):
        raise MalformedJson("expected an object of input signals", path=path)
    return document


def signals(inputs: Inputs, source: str) -> Iterator[tuple[str, list[int]]]:
    """Each signal with all its values, as integers of any size and sign.

    Arrays are flattened. Buses are given as objects and become a signal for each field, named as circom
    names it: ``{"p": [{"x": 1}]}`` is ``p[0].x``. Raises BadArgument, which tells ``source`` and the signal,
    and no value.
    """
    for name, value in inputs.items():
        try:
            yield from _signals(name, value, 0)
        except _Unfit as unfit:
            raise BadArgument(f"{source}: input signal {name!r}: {unfit}") from None


class _Unfit(Exception):
    """What is wrong with a signal."""


def _signals(name: str, value: Any, depth: int) -> Iterator[tuple[str, list[int]]]:
    if depth > MOST_NESTING:
        raise _Unfit(f"nested more than {MOST_NESTING} deep")
    if isinstance(value, Mapping):
        for field, inner in value.items():
            yield from _signals(f"{name}.{field}", inner, depth + 1)
    elif _holds_objects(value):
        for i, inner in enumerate(value):
            yield from _signals(f"{name}[{i}]", inner, depth + 1)
    else:
        yield name, list(_flat(value, depth))


def _holds_objects(value: Any) -> bool:
    """Whether the first thing in nested lists is an object."""
    for _ in range(MOST_NESTING):
        if not _is_list(value) or not value:
            return False
        value = value[0]
        if isinstance(value, Mapping):
            return True
    return False


def _flat(value: Any, depth: int) -> Iterator[int]:
    if depth > MOST_NESTING:
        raise _Unfit(f"nested more than {MOST_NESTING} deep")
    if _is_list(value):
        for item in value:
            yield from _flat(item, depth + 1)
    else:
        yield _integer(value)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _integer(value: Any) -> int:
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
    found = "string that is no integer" if isinstance(value, str) else type(value).__name__
    raise _Unfit(f"expected an integer, found a {found}")
