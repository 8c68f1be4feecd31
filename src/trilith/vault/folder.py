"""A vault that is a folder on disk. It is only ever read."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from trilith.access.paths import check
from trilith.errors import NotFound, PathForbidden, Unavailable
from trilith.ports import RawFile, Walk
from trilith.vault.names import is_in_hidden
from trilith.vault.paths import is_within
from trilith.vault.reading import read_file
from trilith.vault.walk import walk

_GONE = (errno.ENOENT, errno.ENOTDIR, errno.EISDIR, errno.EINVAL, errno.ELOOP, errno.ENXIO, errno.ENAMETOOLONG)
"""What the system says when there is no regular file at a path."""


class FolderVault:
    """Implements `ports.Vault`.

    Args:
        root: the folder; relative to the working directory of now, when it is relative.
        excluded: absolute paths of folders that are none of the vault's even if they lie in it, as Trilith's home.
    """

    def __init__(self, root: str, excluded: frozenset[str] = frozenset()) -> None:
        self._root = str(Path(root).absolute())
        self._excluded = [os.path.realpath(os.fsencode(path)) for path in sorted(excluded)]

    @property
    def root(self) -> str:
        return self._root

    def walk(self) -> Walk:
        """Raises `Unavailable` also when the folder goes away, or becomes another one, in the middle of it."""
        root, identity = self._resolved()
        try:
            found = walk(root, self._excluded_below(root))
        except OSError as error:
            raise self._unreadable(error) from error
        if self._resolved() != (root, identity):
            raise Unavailable(f"The vault {self._root} was replaced while it was being looked at. Try again.")
        return found

    def read(self, path: str) -> RawFile:
        """A file's bytes; `path` is relative, and what `walk` would not show for its name or place is not there.

        Raises `PathForbidden`, `NotFound`, and `Unavailable` when the vault, or this file alone, cannot be read.
        """
        asked = check(path)
        root, _ = self._resolved()
        try:
            real = os.path.realpath(b"/".join((root, asked.encode())), strict=True)
            if not is_within(real, root):
                raise PathForbidden(f"The path {path!r} is refused: a link in it leads out of the vault.")
            if is_in_hidden(asked) or any(is_within(real, folder) for folder in self._excluded_below(root)):
                raise NotFound(f"There is no file {path!r} in the vault.")
            return read_file(real)
        except UnicodeEncodeError as error:
            raise NotFound(f"There is no file {path!r} in the vault.") from error
        except OSError as error:
            if error.errno in _GONE:
                raise NotFound(f"There is no file {path!r} in the vault.") from error
            raise Unavailable(f"The file {path!r} cannot be read: {error.strerror}.") from error

    def _resolved(self) -> tuple[bytes, tuple[int, int]]:
        """The real path and the identity of the root. Raises `Unavailable`."""
        try:
            real = os.path.realpath(os.fsencode(self._root), strict=True)
            status = os.stat(real)  # noqa: PTH116 - pathlib has no paths of bytes
        except OSError as error:
            raise self._unreadable(error) from error
        if not stat.S_ISDIR(status.st_mode):
            raise Unavailable(f"The vault {self._root} is not a folder. Name the folder that holds the notes.")
        return real, (status.st_dev, status.st_ino)

    def _excluded_below(self, root: bytes) -> frozenset[bytes]:
        return frozenset(path for path in self._excluded if path != root and is_within(path, root))

    def _unreadable(self, error: OSError) -> Unavailable:
        if error.errno in (errno.ENOENT, errno.ENOTDIR):
            return Unavailable(
                f"The vault {self._root} is not there. Connect the disk it is on, or name the folder's new place."
            )
        remedy = " Let the user who runs Trilith read it." if error.errno in (errno.EACCES, errno.EPERM) else ""
        return Unavailable(f"The vault {self._root} cannot be read: {error.strerror}.{remedy}")
