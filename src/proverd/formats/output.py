"""Files that appear whole or not at all."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from proverd.errors import OutputError, PathLike


@contextmanager
def atomic_output(path: PathLike, *, private: bool = False) -> Iterator[BinaryIO]:
    """A binary file that takes ``path``'s place once the block has ended well.

    It is written beside the target, flushed to the disk and renamed. Whatever goes wrong, an existing
    file stays as it was and nothing half-written remains; an operating-system error (unwritable, no space
    left) becomes OutputError. ``private`` makes the file readable by its owner alone. What is no regular
    file, like ``/dev/stdout``, is written directly.
    """
    name = os.fspath(path)
    if "\0" in name:
        raise OutputError(ascii(name), "the name holds a null byte")
    try:
        target = os.path.realpath(name)  # a symbolic link keeps pointing at the file it points at
        if _is_special(name):
            with open(name, "wb") as special:
                yield special
            return
        beside = f"{target}.{os.urandom(6).hex()}.part"
        descriptor = os.open(
            beside, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, 0o600 if private else 0o666
        )
        try:
            with open(descriptor, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(beside, target)
        except BaseException:
            with suppress(OSError):
                os.unlink(beside)
            raise
        _flush_directory(target)
    except OSError as error:
        raise OutputError(name, error.strerror or str(error)) from error


def _is_special(path: str) -> bool:
    """Whether something stands at ``path`` that must be written into rather than replaced."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return False
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not os.access(path, os.W_OK):  # renaming would replace even a write-protected file
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    # /dev/stdout may be a regular file, but one that others hold open: a new file would not reach them.
    return not stat.S_ISREG(mode) or os.path.abspath(path).startswith(("/dev/std", "/dev/fd/", "/proc/"))


def _flush_directory(target: str) -> None:
    """Makes the rename itself survive a power cut, where the file system can."""
    with suppress(OSError):
        descriptor = os.open(os.path.dirname(target), os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
