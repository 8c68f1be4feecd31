"""Renaming a file to a name that nothing has yet, without ever writing over what has come there meanwhile.

Python's own `os.rename` replaces silently on POSIX. The kernels of Linux and macOS can refuse; where the disk or the
C library cannot, a hard link does it; where there are no hard links, nothing better is left than to look first.
"""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from collections.abc import Callable
from functools import cache

Rename = Callable[[bytes, bytes], None]

_CANNOT = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP)
"""What is said of a way that this disk or kernel does not know."""

_AT_FDCWD = -100
_RENAME_NOREPLACE = 1
"""`linux/fcntl.h` and `linux/fs.h`, for `renameat2(2)`."""
_RENAME_EXCL = 4
"""`sys/stdio.h` of macOS, for `renamex_np(2)`."""


class CannotHere(Exception):
    """This way of renaming is not known here; another may be."""


def rename_new(source: bytes, target: bytes) -> None:
    """Rename a file. Raises `FileExistsError` when the target is there; nothing has changed then."""
    for way in (by_kernel, by_link, by_look):
        try:
            way(source, target)
        except CannotHere:
            continue
        return


def by_kernel(source: bytes, target: bytes) -> None:
    """In one step. Raises `CannotHere`."""
    if os.name == "nt":
        os.rename(source, target)  # which refuses by itself there
        return
    call = _exclusive_rename()
    if call is None:
        raise CannotHere
    code = call(source, target)
    if code in _CANNOT:
        raise CannotHere
    if code:
        raise OSError(code, os.strerror(code), os.fsdecode(target))


def by_link(source: bytes, target: bytes) -> None:
    """In two steps: killed in between, the file has both names. Raises `CannotHere`."""
    try:
        os.link(source, target, follow_symlinks=False)
    except (FileExistsError, FileNotFoundError):
        raise
    except (
        OSError
    ) as error:  # no hard links here, said in as many ways as there are disks; a rename tells of true faults
        raise CannotHere from error
    unlink_either(source, target)


def unlink_either(source: bytes, target: bytes) -> None:
    """Take the first of two names of a file away; the second, when that is refused, and raise."""
    try:
        os.unlink(source)
    except OSError:
        os.unlink(target)
        raise


def by_look(source: bytes, target: bytes) -> None:
    """What another program puts at the target between the look and the rename is lost."""
    if os.path.lexists(target):
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fsdecode(target))
    os.rename(source, target)


@cache
def _exclusive_rename() -> Callable[[bytes, bytes], int] | None:
    """The system's call, as a function that gives the error number back, 0 for none; None where there is no such call."""
    library = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "darwin":
        excl = getattr(library, "renamex_np", None)
        return None if excl is None else lambda old, new: _errno_of(excl(old, new, _RENAME_EXCL))
    noreplace = getattr(library, "renameat2", None)
    if noreplace is None:
        return None
    return lambda old, new: _errno_of(noreplace(_AT_FDCWD, old, _AT_FDCWD, new, _RENAME_NOREPLACE))


def _errno_of(result: int) -> int:
    return ctypes.get_errno() if result else 0
