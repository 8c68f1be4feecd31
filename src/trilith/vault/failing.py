"""What the system says when a file cannot be had or changed, told to the person who asked."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from trilith.errors import NotFound, PathForbidden, ReadOnly, SlugCollision, TrilithError, Unavailable
from trilith.vault.patience import HELD, windows_code

GONE = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EINVAL, errno.ELOOP, errno.ENXIO, errno.ENAMETOOLONG)
"""What the system says when there is no regular file at a path."""

_BAD_NAME = (errno.EINVAL, errno.ENAMETOOLONG, errno.EILSEQ)
"""Said of a name that the disk does not take: too long, or with characters that it cannot store."""
_DENIED = (errno.EROFS, errno.EACCES, errno.EPERM)
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


@contextmanager
def told(path: str) -> Iterator[None]:
    """Turns the `OSError` of a change to the file at `path`, relative to the vault, into one of ours."""
    try:
        yield
    except OSError as error:
        raise failure(error, path) from error


def failure(error: OSError, path: str) -> TrilithError:
    """The anticipated failure that an error of the system stands for while `path` is being changed."""
    why = error.strerror or str(error)
    if windows_code(error) in HELD:
        return Unavailable(f"{path!r} was not changed: another program has it open. Close it there and try again.")
    if error.errno in _DENIED:
        return ReadOnly(
            f"{path!r} was not changed: {why}. Let the user who runs Trilith write the folder and the file."
        )
    if error.errno in _FULL:
        return Unavailable(f"{path!r} was not changed: {why}. Make room on the disk and try again.")
    if error.errno == errno.EEXIST:
        return SlugCollision(f"There is a file {path!r} already.", existing={"path": path})
    if error.errno in _BAD_NAME:
        return PathForbidden(f"The path {path!r} is refused: the disk does not take this name ({why}).", field="path")
    if error.errno in GONE:
        return NotFound(f"{path!r}, or the folder that it is in, is not there any more.")
    return Unavailable(f"{path!r} was not changed: {why}.")
