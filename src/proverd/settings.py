"""Every setting, once: name, type, unit, default, help. Nothing else states a default.

A setting is an option of the command line (``--threads``) or, with lower rank, an environment variable
(``PROVERD_THREADS``). The Python API takes arguments and reads no environment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from proverd.errors import BadArgument

T = TypeVar("T")


@dataclass(frozen=True)
class Setting(Generic[T]):
    """One setting. ``parse`` takes the text a user wrote and raises ValueError where it means nothing."""

    name: str
    parse: Callable[[str], T]
    expected: str  #: what the text must be, for messages and documents; with its unit
    default: T
    default_text: str
    help: str

    @property
    def environment(self) -> str:
        """Name of the environment variable."""
        return f"PROVERD_{self.name.upper()}"

    def read(self, environment: Mapping[str, str]) -> T:
        """The value the environment gives, or the default. Raises BadArgument."""
        text = environment.get(self.environment, "")
        if not text:
            return self.default
        try:
            return self.parse(text)
        except ValueError:
            raise BadArgument(f"{self.environment}: expected {self.expected}, found {text!r}") from None


def parse_count(text: str) -> int:
    """A whole number of at least 1."""
    count = int(text)
    if count < 1:
        raise ValueError(text)
    return count


def parse_switch(text: str) -> bool:
    """A boolean as people write it: 0 is false, not a non-empty string."""
    value = {"1": True, "true": True, "yes": True, "on": True}.get(text.lower())
    if value is None and text.lower() not in ("0", "false", "no", "off"):
        raise ValueError(text)
    return bool(value)


DEVICES = ("auto", "cpu")


def parse_device(text: str) -> str:
    if text not in DEVICES:
        raise ValueError(text)
    return text


THREADS: Setting[int | None] = Setting(
    "threads",
    parse_count,
    "a whole number of at least 1",
    None,
    "the CPUs this process may run on",
    "most threads that compute at once",
)
DEVICE: Setting[str] = Setting(
    "device",
    parse_device,
    " or ".join(DEVICES),
    "auto",
    "auto",
    "where to compute; auto picks the best device there is, and the result names it",
)
DEBUG: Setting[bool] = Setting(
    "debug",
    parse_switch,
    "0 or 1",
    False,
    "0",
    "print the Python traceback of an error as well; it may show secret values",
)

SETTINGS: tuple[Setting[int | None] | Setting[str] | Setting[bool], ...] = (THREADS, DEVICE, DEBUG)
