"""The container: every fault is one typed error that says where; order and unknown sections do not matter."""

from __future__ import annotations

import os
import struct
from pathlib import Path

import numpy as np
import pytest

from formats.samples import Parts
from proverd.errors import (
    BadMagic,
    InputUnreadable,
    MalformedSection,
    MissingSection,
    Truncated,
    UnsupportedVersion,
)
from proverd.formats import BinFile, write_binfile

NAMES = {1: "first", 4: "coefficients"}
SAMPLE = Parts(b"zkey", 1, [(1, b"abc"), (4, b""), (77, b"unknown"), (2, bytes(range(16)))])


def open_bytes(folder: Path, data: bytes) -> BinFile:
    path = folder / "file.bin"
    path.write_bytes(data)
    return BinFile.open(path, b"zkey", (1,), NAMES)


def test_reads_sections_in_any_order(tmp_path: Path) -> None:
    for sections in (SAMPLE.sections, SAMPLE.sections[::-1]):
        with open_bytes(tmp_path, Parts(b"zkey", 1, sections).build()) as file:
            assert {i: bytes(file.view(i)) for i in file.sections} == dict(sections)
            assert file.view(2).readonly


def test_written_files_read_back(tmp_path: Path) -> None:
    path = tmp_path / "made.bin"
    pieces = (bytes([i]) for i in range(5))
    write_binfile(path, b"zkey", 1, [(3, [b"ab", np.arange(2, dtype=np.uint32)]), (9, pieces), (4, [])])
    assert (
        path.read_bytes()
        == Parts(b"zkey", 1, [(3, b"ab\0\0\0\0\1\0\0\0"), (9, bytes(range(5))), (4, b"")]).build()
    )


def test_arrays_outlive_the_file(tmp_path: Path) -> None:
    file = open_bytes(tmp_path, SAMPLE.build())
    array = file.array(2, (2,))
    file.close()
    assert array.tobytes() == bytes(range(16))
    assert not array.flags.writeable


def test_trailing_bytes_are_tolerated(tmp_path: Path) -> None:
    with open_bytes(tmp_path, SAMPLE.build() + b"rest") as file:
        assert file.size - file.end == 4


@pytest.mark.parametrize("kept", [0, 1, 3, 4, 8, 11])
def test_truncated_header(tmp_path: Path, kept: int) -> None:
    with pytest.raises(Truncated):
        open_bytes(tmp_path, SAMPLE.build()[:kept])


def test_truncated_anywhere(tmp_path: Path) -> None:
    data = SAMPLE.build()
    for kept in range(12, len(data)):
        with pytest.raises(Truncated, match="truncated") as caught:
            open_bytes(tmp_path, data[:kept])
        assert caught.value.path == str(tmp_path / "file.bin")
        assert caught.value.offset is not None
        assert 12 <= caught.value.offset <= kept


def test_truncation_names_section_expected_and_found(tmp_path: Path) -> None:
    parts = Parts(b"zkey", 1, [(1, b"abc"), (4, bytes(100))])
    with pytest.raises(Truncated) as caught:
        open_bytes(tmp_path, parts.build()[:-40])
    assert str(caught.value) == (
        f"{tmp_path}/file.bin: section 4 (coefficients): offset 27: "
        "expected 100 bytes, found 60 up to the end of the file: it looks truncated"
    )


@pytest.mark.parametrize("size", [1 << 32, 1 << 63, (1 << 64) - 1])
def test_section_longer_than_the_file(tmp_path: Path, size: int) -> None:
    with pytest.raises(Truncated, match=f"section 1 .first.*expected {size} bytes, found 3"):
        open_bytes(tmp_path, b"zkey" + struct.pack("<IIIQ", 1, 1, 1, size) + b"abc")


def test_wrong_magic(tmp_path: Path) -> None:
    for data in (b"wtns" + SAMPLE.build()[4:], b"zk3y", b"{"):
        with pytest.raises(BadMagic, match="expected magic 'zkey', found '"):
            open_bytes(tmp_path, data)


def test_wrong_version(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedVersion, match="expected 'zkey' version 1, found 9"):
        open_bytes(tmp_path, Parts(b"zkey", 9, []).build())


def test_section_twice(tmp_path: Path) -> None:
    with pytest.raises(MalformedSection, match=r"section 4 \(coefficients\).*a second time"):
        open_bytes(tmp_path, Parts(b"zkey", 1, [(4, b"a"), (1, b""), (4, b"a")]).build())


@pytest.mark.parametrize("count", [1025, 0xFFFFFFFF])
def test_absurd_number_of_sections(tmp_path: Path, count: int) -> None:
    with pytest.raises(MalformedSection, match=f"found a count of {count}"):
        open_bytes(tmp_path, b"zkey" + struct.pack("<II", 1, count) + bytes(1 << 16))


def test_missing_section_lists_what_is_there(tmp_path: Path) -> None:
    with open_bytes(tmp_path, SAMPLE.build()) as file, pytest.raises(MissingSection) as caught:
        file.view(5)
    assert "expected section 5, found sections 1, 2, 4, 77" in str(caught.value)


def test_cursor_stays_in_its_section(tmp_path: Path) -> None:
    with open_bytes(tmp_path, SAMPLE.build()) as file:
        cursor = file.cursor(1)
        assert cursor.u8("first") == ord("a")
        with pytest.raises(MalformedSection, match="count: expected 4 bytes, found the section's last 2"):
            cursor.u32("count")
        with pytest.raises(MalformedSection, match="expected 1 bytes, found 3"):
            cursor.end()


def test_what_is_no_regular_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # opening it for reading would wait for ever
    for path, reason in (
        (tmp_path, "not a regular file"),
        (tmp_path / "pipe", "not a regular file"),
        (tmp_path / "absent", "No such file"),
        (tmp_path / "a\0b", "null"),
    ):
        with pytest.raises(InputUnreadable, match=reason):
            BinFile.open(path, b"zkey")
