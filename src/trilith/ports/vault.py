"""The files of a library: reading, changing and watching them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a file looks like without reading it; equal stamps mean equal content.

    The change time tells edits that keep size and mtime; where a platform has none, `ctime_ns` is 0.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class SeenFile:
    path: str
    """Relative, `/` between segments, as spelled on disk."""
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file or folder that was passed over."""

    path: str
    reason: str
    unread: bool = False
    """It should have been read and could not be: notes that were indexed from there are not gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawFile:
    """A file's bytes: all of them, or its head when it is above the size limit (`truncated`)."""

    data: bytes
    checksum: str
    """SHA-256 of the whole file, hex."""
    stamp: Stamp
    created_ns: int
    """Birth time where the platform knows it, else the earliest time known."""
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """One look over the vault. Paths are unique and sorted."""

    notes: tuple[SeenFile, ...]
    attachments: frozenset[str] = frozenset()
    """Relative paths of all other visible files."""
    skipped: tuple[SkippedFile, ...] = ()


class Vault(Protocol):
    """A folder of Markdown. Raises `Unavailable` when the folder is gone or unreadable, `PathForbidden` for paths that
    leave it, `NotFound` for files that are not there."""

    @property
    def root(self) -> str: ...

    def walk(self) -> Walk: ...

    def read(self, path: str) -> RawFile: ...

    def look(self, paths: Collection[str]) -> tuple[SeenFile, ...] | None:
        """Those of these files that are there, as a walk that knows them shows them. None where it takes a walk to tell."""
        ...


class WritableVault(Vault, Protocol):
    """A vault that may be changed. Every change is whole or not at all, also through a crash: bytes are written to a
    temporary file beside the target, synced, and renamed into place. The caller holds `Locks.editing`.

    Raises `ReadOnly` when the folder cannot be written, `PathForbidden` as `read` does, `Unavailable` when the disk is
    full or fails; nothing has changed then.
    """

    def create(self, path: str, data: bytes) -> RawFile:
        """A new file, and the folders above it. Raises `SlugCollision` when a file is there already, or one whose path
        differs only in case or Unicode form."""
        ...

    def resolved(self, path: str) -> str:
        """The path within the vault where a file really lies, or would be made: links on the way followed."""
        ...

    def spelled(self, path: str) -> str:
        """The path of a file to be made, its folders spelled as on disk where they differ from those only in case or
        Unicode form: what `create` would otherwise refuse. Raises `PathForbidden`."""
        ...

    def replace(self, path: str, data: bytes, expected: str) -> RawFile:
        """New bytes for a file whose checksum is `expected`; mode and links stay. Raises `NotFound`, and
        `VersionConflict` when it holds something else by now."""
        ...

    def move(self, path: str, to: str, expected: str) -> RawFile:
        """The same file elsewhere. Raises as `create` and `replace` do; a change of case alone is no collision."""
        ...

    def remove(self, path: str, expected: str, trash: str) -> None:
        """The file goes to the absolute path `trash`, by rename, or by copy, sync and unlink where that is on another
        disk. Raises `NotFound`, `VersionConflict`."""
        ...

    def restore(self, trash: str, path: str) -> RawFile:
        """A file from the trash comes back, as `create` would make it; the trash keeps none of it. Raises `NotFound` when
        the trash has it no more."""
        ...


class WatchMode(StrEnum):
    EVENTS = "events"
    POLLING = "polling"
    """Where the system gives no events: the vaults are looked over at intervals."""
    OFF = "off"
    """This process does not follow changes of the files."""


class Watcher(Protocol):
    """Tells that something has changed in the vaults, without saying that it understood what."""

    def wait(self, seconds: float) -> frozenset[str]:
        """The roots in which something has changed, once a burst has settled; empty after `seconds` without a change or
        once `stop` was called. A `wake` since the last call, or during this one, ends it as soon as that."""
        ...

    def named(self, root: str) -> frozenset[str] | None:
        """Of a root that the last `wait` gave: the relative paths of the files in which something was heard. None when
        anything may have changed."""
        ...

    def wake(self) -> None:
        """Let whoever waits look for other work."""
        ...

    def stop(self) -> None: ...

    def mode(self, root: str) -> WatchMode: ...

    def problem(self, root: str) -> str | None:
        """Why there are no events for a root, and what to do about it."""
        ...
