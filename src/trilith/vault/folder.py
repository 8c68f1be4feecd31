"""A vault that is a folder on disk."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Collection
from pathlib import Path

from trilith.access.paths import check
from trilith.errors import NotFound, PathForbidden, Unavailable
from trilith.ports.vault import RawFile, SeenFile, Walk
from trilith.vault.failing import GONE, told
from trilith.vault.names import is_in_hidden, is_note, why_skipped
from trilith.vault.paths import is_within
from trilith.vault.placing import check_new, made, place_new, spelled
from trilith.vault.reading import read_file, stamp_of
from trilith.vault.walk import walk
from trilith.vault.writing import create_file, move_file, remove_file, replace_file, restore_file


class FolderVault:
    """Implements `ports.WritableVault`. Only the methods that change files write to it.

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
        _, real = self._find(path)
        try:
            return read_file(real)
        except OSError as error:
            raise _unread(error, path) from error

    def look(self, paths: Collection[str]) -> tuple[SeenFile, ...] | None:
        """As in the port. It takes a walk for what is no plain note in plain folders: links lead elsewhere."""
        root, _ = self._resolved()
        excluded = self._excluded_below(root)
        found = []
        for path in paths:
            real = os.path.join(root, os.fsencode(path))
            folder = os.path.dirname(real)
            if not is_note(path) or any(map(why_skipped, path.split("/"))) or os.path.realpath(folder) != folder:
                return None
            if any(is_within(real, each) for each in excluded):
                return None
            try:
                status = os.lstat(real)
            except OSError as error:
                if error.errno in GONE:
                    continue
                return None
            if not stat.S_ISREG(status.st_mode) or not os.access(real, os.R_OK):
                return None
            found.append(SeenFile(path, stamp_of(status, status.st_ino)))
        return tuple(found)

    def create(self, path: str, data: bytes) -> RawFile:
        """As in the port. `SlugCollision` also for a folder on the way that is there in another spelling; its details
        hold what is there as `existing.path`."""
        asked = check_new(path)
        root, _ = self._resolved()
        with told(asked), made(place_new(root, asked, self._excluded_below(root))) as target:
            create_file(target, data)
            return read_file(target)

    def resolved(self, path: str) -> str:
        """As in the port; a path that leads out of the vault comes back as it is, for whoever touches it to refuse."""
        root, _ = self._resolved()
        real = os.path.realpath(os.path.join(root, os.fsencode(path)))
        within = os.fsdecode(os.path.relpath(real, root)).replace(os.sep, "/")
        return within if is_within(real, root) else path

    def spelled(self, path: str) -> str:
        asked = check_new(path)
        root, _ = self._resolved()
        with told(asked):
            return spelled(root, asked)

    def replace(self, path: str, data: bytes, expected: str) -> RawFile:
        """As in the port. Of a link, what it leads to is replaced; other hard links keep the old bytes."""
        _, real = self._find(path)
        with told(path):
            replace_file(real, data, expected)
            return read_file(real)

    def move(self, path: str, to: str, expected: str) -> RawFile:
        """As in the port. A link is moved as a link; the folder that the file leaves stays, even if it is empty."""
        asked = check_new(to)
        entry, _ = self._find(path)
        root, _ = self._resolved()
        with told(asked), made(place_new(root, asked, self._excluded_below(root), moved=entry)) as target:
            move_file(entry, target, expected)
            return read_file(os.path.realpath(target, strict=True))

    def remove(self, path: str, expected: str, trash: str) -> None:
        """As in the port. Of a link, the trash gets a copy of what it leads to, which stays."""
        entry, _ = self._find(path)
        with told(path):
            remove_file(entry, expected, os.fsencode(trash))

    def restore(self, trash: str, path: str) -> RawFile:
        asked = check_new(path)
        root, _ = self._resolved()
        kept = os.fsencode(trash)
        if not os.path.isfile(kept):
            raise NotFound(f"{path!r} is not in the trash any more.")
        with told(asked), made(place_new(root, asked, self._excluded_below(root))) as target:
            restore_file(kept, target)
            return read_file(target)

    def _find(self, path: str) -> tuple[bytes, bytes]:
        """A file's place in its resolved folder, which may be a link, and the file that is really meant."""
        asked = check(path)
        root, _ = self._resolved()
        try:
            wanted = os.path.join(root, asked.encode())
        except UnicodeEncodeError as error:
            raise _not_there(path) from error
        straight = _leads_straight(root, asked.encode())
        # As far as it goes: nobody is told whether something is there outside the vault.
        real = wanted if straight else os.path.realpath(wanted)
        if not is_within(real, root):
            raise PathForbidden(f"The path {path!r} is refused: a link in it leads out of the vault.")
        if is_in_hidden(asked) or any(is_within(real, folder) for folder in self._excluded_below(root)):
            raise _not_there(path)
        if straight:
            return wanted, wanted
        try:
            folder, name = os.path.split(wanted)
            return os.path.join(os.path.realpath(folder, strict=True), name), os.path.realpath(wanted, strict=True)
        except OSError as error:
            raise _unread(error, path) from error

    def _resolved(self) -> tuple[bytes, tuple[int, int]]:
        """The real path and the identity of the root. Raises `Unavailable`."""
        try:
            real = os.path.realpath(os.fsencode(self._root), strict=True)
            status = os.stat(real)
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
                f"The vault {self._root} is not there. Connect the disk it is on, or say where the folder is now (trilith library move)."
            )
        remedy = " Let the user who runs Trilith read it." if error.errno in (errno.EACCES, errno.EPERM) else ""
        return Unavailable(f"The vault {self._root} cannot be read: {error.strerror}.{remedy}")


def _leads_straight(root: bytes, asked: bytes) -> bool:
    """Whether there is something, and no link on the way to it: resolving the whole path takes five times as long."""
    if os.name == "nt":
        return False  # where there are other kinds of links, and other spellings of a path
    place = root
    for segment in asked.split(b"/"):
        place = os.path.join(place, segment)
        try:
            if stat.S_ISLNK(os.lstat(place).st_mode):
                return False
        except OSError:
            return False
    return True


def _unread(error: OSError, path: str) -> NotFound | Unavailable:
    if error.errno in GONE:
        return _not_there(path)
    return Unavailable(f"The file {path!r} cannot be read: {error.strerror}.")


def _not_there(path: str) -> NotFound:
    return NotFound(f"There is no file {path!r} in the vault.")
