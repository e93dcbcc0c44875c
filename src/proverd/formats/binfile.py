"""The container that .zkey, .wtns, .r1cs and .ptau share, mapped into memory.

    bytes   content (little-endian)
    4       magic: the format's name
    4       version
    4       number of sections
    …       sections, in any order, each:  u32 id · u64 size · size bytes

Sections with an id that the format does not know are skipped; one that stands twice is refused.
Source: https://github.com/iden3/binfileutils and
https://github.com/iden3/r1csfile/blob/master/doc/r1cs_bin_format.md

Nothing is read before it is asked for: opening costs the same at any size of file.
"""

from __future__ import annotations

import errno
import math
import mmap
import os
import stat
import struct
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from proverd.errors import (
    BadMagic,
    FormatError,
    InputUnreadable,
    MalformedSection,
    MissingSection,
    OutOfMemory,
    PathLike,
    Truncated,
    UnsupportedVersion,
)
from proverd.formats.output import atomic_output

if TYPE_CHECKING:
    from numpy.typing import DTypeLike, NDArray

Buffer = Any  #: anything contiguous with the buffer protocol

FILE_HEADER = struct.Struct("<4sII")
SECTION_HEADER = struct.Struct("<IQ")
U32 = struct.Struct("<I")
U64 = struct.Struct("<Q")

# No format has more than twenty; the bound keeps a forged table from costing memory.
MAX_SECTIONS = 1024


@dataclass(frozen=True)
class Section:
    """Where a section's contents lie in the file, in bytes."""

    offset: int
    size: int


class BinFile:
    """A file of sections, mapped read-only.

    Views and arrays taken from it stay valid after ``close``: the map goes with the last of them. The file
    must not be shortened while it is open.
    """

    def __init__(
        self, path: str, data: mmap.mmap, version: int, sections: dict[int, Section], names: Mapping[int, str]
    ) -> None:
        self.path = path
        self.version = version
        self.sections = sections
        self.size = len(data)
        self._data = data
        self._names = names

    @classmethod
    def open(
        cls,
        path: PathLike,
        magic: bytes,
        versions: tuple[int, ...] = (1,),
        names: Mapping[int, str] | None = None,
    ) -> BinFile:
        """Maps the file and reads its section table. ``names`` are the sections' names, for messages.

        Raises InputUnreadable, BadMagic, UnsupportedVersion, Truncated or MalformedSection.
        """
        name = os.fspath(path)
        names = names or {}
        data = _map(name)
        try:
            version, sections = _read_table(name, data, magic, versions, names)
        except FormatError:
            data.close()
            raise
        return cls(name, data, version, sections, names)

    def close(self) -> None:
        with suppress(BufferError):  # views still refer to the map
            self._data.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def end(self) -> int:
        """Offset of the first byte behind the last section."""
        return max((s.offset + s.size for s in self.sections.values()), default=FILE_HEADER.size)

    def label(self, section_id: int) -> str:
        """A section as messages call it: ``section 4 (coefficients)``."""
        return _label(section_id, self._names)

    def section(self, section_id: int) -> Section:
        """Raises MissingSection."""
        found = self.sections.get(section_id)
        if found is None:
            present = ", ".join(str(i) for i in sorted(self.sections)) or "none"
            raise MissingSection(
                f"expected {self.label(section_id)}, found sections {present}", path=self.path
            )
        return found

    def expect_size(self, section_id: int, expected: int, reason: str) -> None:
        """Raises MissingSection, or MalformedSection if the section is not ``expected`` bytes long."""
        section = self.section(section_id)
        if section.size != expected:
            raise self.malformed(section_id, f"expected {expected} bytes ({reason}), found {section.size}")

    def view(self, section_id: int) -> memoryview:
        """A section's bytes, read-only and not copied. Raises MissingSection."""
        section = self.section(section_id)
        return memoryview(self._data)[section.offset : section.offset + section.size]

    def array(
        self, section_id: int, shape: tuple[int, ...], *, dtype: DTypeLike = "<u8", skip: int = 0
    ) -> NDArray[Any]:
        """A read-only view of ``shape`` elements that begin ``skip`` bytes into the section.

        It may be unaligned: a section starts wherever the file puts it. The caller has checked the size.
        """
        import numpy as np

        count = math.prod(shape)
        if count == 0:
            return np.empty(shape, dtype)
        return np.frombuffer(self.view(section_id), dtype, count, skip).reshape(shape)

    def cursor(self, section_id: int) -> Cursor:
        """A reader of the section's contents from its first byte on. Raises MissingSection."""
        return Cursor(self, section_id, self.section(section_id))

    def malformed(self, section_id: int, message: str, at: int = 0) -> MalformedSection:
        """An error about byte ``at`` of a section."""
        return MalformedSection(message, **self.place(section_id, at))

    def place(self, section_id: int, at: int = 0) -> dict[str, Any]:
        """Path, section and offset in the file of byte ``at`` of a section, as errors take them."""
        section = self.section(section_id)
        return {"path": self.path, "section": self.label(section_id), "offset": section.offset + at}


class Cursor:
    """Reads a section's fields one after the other; raises MalformedSection where it ends too early."""

    def __init__(self, file: BinFile, section_id: int, section: Section) -> None:
        self.file = file
        self.section_id = section_id
        self.at = 0
        self._section = section

    def take(self, count: int, what: str) -> bytes:
        remaining = self._section.size - self.at
        if count > remaining:
            raise self.malformed(f"{what}: expected {count} bytes, found the section's last {remaining}")
        start = self._section.offset + self.at
        self.at += count
        return self.file._data[start : start + count]

    def u8(self, what: str) -> int:
        return self.take(1, what)[0]

    def u32(self, what: str) -> int:
        value: int = U32.unpack(self.take(4, what))[0]
        return value

    def u64(self, what: str) -> int:
        value: int = U64.unpack(self.take(8, what))[0]
        return value

    def end(self) -> None:
        """Raises MalformedSection if the section holds more than was read."""
        if self.at != self._section.size:
            raise self.malformed(f"expected {self.at} bytes, found {self._section.size}")

    def malformed(self, message: str) -> MalformedSection:
        return self.file.malformed(self.section_id, message, self.at)

    def place(self) -> dict[str, Any]:
        return self.file.place(self.section_id, self.at)


class SectionedFile:
    """Base of the readers: a BinFile that is closed with the reader."""

    def __init__(self, file: BinFile) -> None:
        self.file = file

    @property
    def path(self) -> str:
        return self.file.path

    def close(self) -> None:
        """Gives the map back as soon as no array refers to it."""
        self.file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def write_binfile(
    path: PathLike,
    magic: bytes,
    version: int,
    sections: Iterable[tuple[int, Iterable[Buffer]]],
    *,
    private: bool = False,
) -> None:
    """Writes a file of sections, each an id and the contiguous buffers that make up its contents.

    Both iterables are consumed as the file grows, so contents may be made piece by piece. Written beside
    the target and renamed: raises OutputError and leaves nothing behind if anything fails. ``private``:
    readable by the owner alone.
    """
    with atomic_output(path, private=private) as out:
        out.write(FILE_HEADER.pack(magic, version, 0))
        count = 0
        for section_id, pieces in sections:
            header_at = out.tell()
            out.write(SECTION_HEADER.pack(section_id, 0))
            for piece in pieces:
                out.write(piece)
            end = out.tell()
            out.seek(header_at)
            out.write(SECTION_HEADER.pack(section_id, end - header_at - SECTION_HEADER.size))
            out.seek(end)
            count += 1
        out.seek(0)
        out.write(FILE_HEADER.pack(magic, version, count))


def _map(path: str) -> mmap.mmap:
    try:
        # Non-blocking, so that a named pipe is refused below and does not wait for a writer.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise InputUnreadable(path, "not a regular file")
            if status.st_size == 0:
                raise Truncated("the file is empty", path=path)
            return mmap.mmap(descriptor, 0, access=mmap.ACCESS_READ)
        finally:
            os.close(descriptor)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno == errno.ENOMEM:
            raise OutOfMemory(f"{path}: cannot be mapped: no address space left (ulimit -v)") from error
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise InputUnreadable(path, reason) from error


def _read_table(
    path: str, data: mmap.mmap, magic: bytes, versions: tuple[int, ...], names: Mapping[int, str]
) -> tuple[int, dict[int, Section]]:
    size = len(data)
    found = data[: len(magic)]
    if found != magic[: len(found)]:
        raise BadMagic(f"expected magic {_text(magic)}, found {_text(found)}", path=path, offset=0)
    if size < FILE_HEADER.size:
        raise Truncated(f"expected a header of {FILE_HEADER.size} bytes, found {size}", path=path)
    _, version, count = FILE_HEADER.unpack_from(data)
    if version not in versions:
        expected = " or ".join(str(v) for v in versions)
        raise UnsupportedVersion(
            f"expected {_text(magic)} version {expected}, found {version}", path=path, offset=4
        )
    if count > MAX_SECTIONS:
        raise MalformedSection(
            f"expected at most {MAX_SECTIONS} sections, found a count of {count}", path=path, offset=8
        )
    sections: dict[int, Section] = {}
    at = FILE_HEADER.size
    for i in range(count):
        if size - at < SECTION_HEADER.size:
            raise Truncated(
                f"expected {count} sections, found the end of the file after {i}: it looks truncated",
                path=path,
                offset=at,
            )
        section_id, length = SECTION_HEADER.unpack_from(data, at)
        place: dict[str, Any] = {"path": path, "section": _label(section_id, names), "offset": at}
        at += SECTION_HEADER.size
        if length > size - at:
            raise Truncated(
                f"expected {length} bytes, found {size - at} up to the end of the file: it looks truncated",
                **place,
            )
        if section_id in sections:
            raise MalformedSection("expected once, found a second time", **place)
        sections[section_id] = Section(at, length)
        at += length
    return version, sections


def _label(section_id: int, names: Mapping[int, str]) -> str:
    name = names.get(section_id)
    return f"section {section_id} ({name})" if name else f"section {section_id}"


def _text(magic: bytes) -> str:
    return ascii(magic.decode("latin-1"))
