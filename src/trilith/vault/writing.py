"""Changes to single files, each whole or not at all, also through a kill or a power cut.

New bytes go to a draft beside the target, are synced, and get their name by one rename; then the folder is synced.
Paths are resolved bytes. Every function raises `OSError` as the system does, and leaves no draft behind then.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from trilith.errors import VersionConflict
from trilith.vault.leftovers import draft_name
from trilith.vault.patience import patiently
from trilith.vault.reading import OPEN_TO_READ, read_file
from trilith.vault.renaming import rename_new, unlink_either

_OPEN_NEW = (
    os.O_WRONLY | os.O_CREAT | os.O_EXCL | sum(getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_NOFOLLOW"))
)
_PIECE = 1 << 20


def create_file(path: bytes, data: bytes) -> None:
    """Raises `FileExistsError`."""
    with _draft(os.path.dirname(path), (data,)) as draft:
        patiently(lambda: rename_new(draft, path))
    sync_folder(os.path.dirname(path))


def replace_file(path: bytes, data: bytes, expected: str) -> None:
    """New bytes under the same name, mode and, where that is allowed, owner. Raises `VersionConflict`, and
    `PermissionError` also for a file that its owner has made read-only."""
    status = os.stat(path)
    if not os.access(path, os.W_OK, effective_ids=os.access in os.supports_effective_ids):
        raise PermissionError(errno.EACCES, "The file is read-only", os.fsdecode(path))
    with _draft(os.path.dirname(path), (data,), status) as draft:
        verify(path, expected)
        patiently(lambda: os.replace(draft, path))
    sync_folder(os.path.dirname(path))


def move_file(path: bytes, to: bytes, expected: str) -> None:
    """Raises `VersionConflict`, `FileExistsError`. `to` may name the same file, differing in case, on a disk to which
    that makes no difference."""
    verify(path, expected)
    if os.path.islink(path):
        _relink(path, to)
    elif os.path.lexists(to) and os.path.samefile(path, to):
        patiently(lambda: os.rename(path, to))
    else:
        _rename_or_carry(path, to, expected)
    _sync_both(to, path)


def remove_file(path: bytes, expected: str, trash: bytes) -> None:
    """To `trash`, whose folder is made. Of a link, what it leads to is copied there and stays where it is. Raises
    `VersionConflict`, `FileExistsError`."""
    os.makedirs(os.path.dirname(trash), mode=0o700, exist_ok=True)
    verify(path, expected)
    if os.path.islink(path):
        _carry(path, trash, expected)
    else:
        _rename_or_carry(path, trash, expected)
    _sync_both(trash, path)


def restore_file(trash: bytes, path: bytes) -> None:
    """What `remove_file` has taken away, back. Raises `FileExistsError`."""
    _rename_or_carry(trash, path, _checksum(trash))
    _sync_both(path, trash)


def verify(path: bytes, expected: str) -> None:
    """Raises `VersionConflict` when a file has another checksum."""
    if _checksum(path) != expected:
        raise VersionConflict("The file has been changed since it was read. Read it again and repeat the change.")


def sync_folder(folder: bytes) -> None:
    """Make what was done to a folder's entries outlast a power cut, where the system can."""
    if os.name == "nt":
        return
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some network and FUSE disks take no sync of a folder; they promise nothing about it either.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):
            raise
    finally:
        os.close(descriptor)


def _rename_or_carry(path: bytes, to: bytes, expected: str) -> None:
    try:
        patiently(lambda: rename_new(path, to))
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _carry(path, to, expected)


def _carry(path: bytes, to: bytes, expected: str) -> None:
    """To another disk: copied, synced, then unlinked. Killed in between, the file is in both places."""
    real = os.path.realpath(path, strict=True)
    status = os.stat(real)
    with _draft(os.path.dirname(to), _pieces(real), status) as draft:
        verify(draft, expected)
        os.utime(draft, ns=(status.st_atime_ns, status.st_mtime_ns))
        rename_new(draft, to)
    sync_folder(os.path.dirname(to))
    try:
        verify(real, expected)
        patiently(lambda: os.unlink(path))
    except BaseException:
        os.unlink(to)
        raise


def _relink(path: bytes, to: bytes) -> None:
    """A link to the same file from elsewhere."""
    real = os.path.realpath(path, strict=True)
    os.symlink(os.path.relpath(real, os.path.dirname(to)), to)
    unlink_either(path, to)


@contextmanager
def _draft(folder: bytes, pieces: Iterable[bytes], like: os.stat_result | None = None) -> Iterator[bytes]:
    """A synced file that holds `pieces`, with the mode and owner of `like`; gone again unless it is renamed."""
    path = os.path.join(folder, draft_name())
    descriptor = os.open(path, _OPEN_NEW, 0o666)
    try:
        with os.fdopen(descriptor, "wb") as file:
            if like is not None:
                _dress(path, file.fileno(), like)
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        yield path
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(path)
        raise


def _dress(path: bytes, descriptor: int, like: os.stat_result) -> None:
    """The owner first: a change of owner may take bits off the mode."""
    if os.name == "nt":
        os.chmod(path, stat.S_IMODE(like.st_mode))
        return
    mine = os.fstat(descriptor)
    if mine.st_uid != like.st_uid:
        with suppress(PermissionError):  # only root may give files away
            os.fchown(descriptor, like.st_uid, -1)
    if mine.st_gid != like.st_gid:
        with suppress(PermissionError):  # a group that the user is not in
            os.fchown(descriptor, -1, like.st_gid)
    # Disks without modes refuse to set even what they show.
    if stat.S_IMODE(os.fstat(descriptor).st_mode) != stat.S_IMODE(like.st_mode):
        os.fchmod(descriptor, stat.S_IMODE(like.st_mode))


def _checksum(path: bytes) -> str:
    return read_file(os.path.realpath(path, strict=True)).checksum


def _pieces(path: bytes) -> Iterator[bytes]:
    with os.fdopen(os.open(path, OPEN_TO_READ), "rb") as file:
        while piece := file.read(_PIECE):
            yield piece


def _sync_both(to: bytes, path: bytes) -> None:
    """The new name first: a power cut in between must not cost both."""
    folders = (os.path.dirname(to), os.path.dirname(path))
    for folder in dict.fromkeys(folders):
        sync_folder(folder)
