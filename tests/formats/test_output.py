"""Output appears whole or not at all."""

from __future__ import annotations

import os
import resource
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from proverd.errors import OutputError
from proverd.formats import atomic_output, write_binfile


def test_whole_file_replaces_the_old(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old and longer")
    with atomic_output(path) as out:
        out.write(b"new")
        assert path.read_bytes() == b"old and longer"
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [ValueError("broken"), KeyboardInterrupt()])
def test_failure_keeps_the_old(tmp_path: Path, error: BaseException) -> None:
    path = tmp_path / "out"
    path.write_bytes(b"old")

    def fail() -> None:
        with atomic_output(path) as out:
            out.write(b"new")
            raise error

    with pytest.raises(type(error)):
        fail()
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions(tmp_path: Path) -> None:
    old = os.umask(0o027)
    try:
        for name, private in (("shared", False), ("secret", True)):
            with atomic_output(tmp_path / name, private=private):
                pass
    finally:
        os.umask(old)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert modes == {"shared": 0o640, "secret": 0o600}


def test_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "folder" / "real")
    with atomic_output(link) as out:
        out.write(b"x")
    assert link.is_symlink()
    assert (tmp_path / "folder" / "real").read_bytes() == b"x"


def test_unwritable(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path, tmp_path / "absent" / "out", tmp_path / "file" / "out", tmp_path / "a\0b"):
        with pytest.raises(OutputError, match="cannot be written: "), atomic_output(path):
            pytest.fail("opened")
    assert (tmp_path / "file").read_bytes() == b""


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write to any file")
def test_write_protected_file_is_respected(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.touch(0o444)
    with pytest.raises(OutputError, match="Permission denied"), atomic_output(path):
        pytest.fail("opened")


def test_no_space_left_on_device() -> None:
    with pytest.raises(OutputError, match="No space left on device"):
        write_binfile("/dev/full", b"zkey", 1, [(1, [bytes(1 << 20)])])


def test_file_too_large_leaves_nothing(tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from proverd.errors import OutputError\n"
        "from proverd.formats import write_binfile\n"
        "try:\n"
        "    write_binfile(sys.argv[1], b'zkey', 1, [(1, [bytes(4096)] * 64)])\n"
        "except OutputError as error:\n"
        "    print(error.reason)\n"
    )

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))

    result = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path / "out")],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=True,
    )
    assert result.stdout == "File too large\n"
    assert list(tmp_path.iterdir()) == []


def test_special_file_is_written_into(capfd: pytest.CaptureFixture[str]) -> None:
    with atomic_output("/dev/stdout") as out:
        out.write(b"shown")
    assert capfd.readouterr().out == "shown"
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    with atomic_output("/dev/null") as out:
        out.write(b"gone")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
