"""One look over a vault: which notes and other files are in it, and what is passed over and why.

Real folders come first and links last, so that a file is found by its own path where it has one. A link is followed
when it leads to something in the vault that has not been seen: so nothing comes twice, and no walk goes round.

Paths on disk are bytes here, so that names are UTF-8 whatever the locale says.
"""

from __future__ import annotations

import errno
import os
import stat
from dataclasses import dataclass, field

from trilith.access.paths import is_askable
from trilith.ports.vault import SeenFile, SkippedFile, Walk
from trilith.vault import names
from trilith.vault.ignore import Ignored
from trilith.vault.paths import is_within
from trilith.vault.reading import OPEN_TO_READ, stamp_of

IGNORED = "left out by .trilithignore"
LEADS_OUT = "a link that leads out of the vault"
LEADS_NOWHERE = "a link that leads nowhere"
SEEN_ALREADY = "in the vault already, by another path"
OWN_FOLDER = "the folder where Trilith keeps its own files"
SPECIAL = "not a regular file"
BAD_NAME = "its name is not valid UTF-8"
BAD_PATH = "its name could be taken for a path that leads elsewhere"

_ODD = frozenset("\\%:")
"""Characters without which a name cannot be taken for a path."""
_IGNORE_BYTES = 1_000_000
_ALL_READ = stat.S_IRUSR | stat.S_IRGRP | stat.S_IROTH
_OWN_LIMITS = (errno.EMFILE, errno.ENFILE, errno.ENOMEM)
"""What says nothing about a folder, only that this process cannot go on."""

Identity = tuple[int, int]
"""Device and inode."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A file or folder: where it really is, and its path in the vault, by way of links."""

    real: bytes
    path: str
    ignored: Ignored
    """The rules that hold in the folder it is in."""


def walk(root: bytes, excluded: frozenset[bytes]) -> Walk:
    """`root` and `excluded`, the folders that are none of the vault's, are resolved paths.

    Raises `OSError` when the root cannot be listed.
    """
    look = _Look(root, excluded)
    look.folders(_Place(root, "", Ignored()), linked=False)
    look.follow_links()
    return Walk(
        notes=tuple(sorted(look.notes, key=lambda note: note.path)),
        attachments=frozenset(look.attachments),
        skipped=tuple(sorted(look.skipped, key=lambda skipped: skipped.path)),
    )


def folders(root: bytes, excluded: frozenset[bytes]) -> tuple[bytes, ...]:
    """The resolved folders in which `walk` finds files: what changes a vault, changes in one of these.

    Raises `OSError` when the root cannot be listed.
    """
    look = _Look(root, excluded, with_files=False)
    look.folders(_Place(root, "", Ignored()), linked=False)
    look.follow_links()
    return tuple(sorted(look.entered))


@dataclass(slots=True)
class _Look:
    """What has been found so far."""

    root: bytes
    excluded: frozenset[bytes]
    with_files: bool = True
    """Whether more is wanted than folders and links, which takes most of the time."""
    notes: list[SeenFile] = field(default_factory=list)
    attachments: list[str] = field(default_factory=list)
    skipped: list[SkippedFile] = field(default_factory=list)
    links: list[_Place] = field(default_factory=list)
    seen: set[Identity] = field(default_factory=set)
    entered: set[bytes] = field(default_factory=set)

    def folders(self, start: _Place, *, linked: bool) -> None:
        """Everything below a folder but its links, which are put aside."""
        waiting = [start]
        while waiting:
            place = waiting.pop()
            try:
                device, entries = self._enter(place)
                ignored = self._rules(place, entries)
            except (FileNotFoundError, NotADirectoryError):
                if place.real == self.root:
                    raise
                continue  # gone, or become a file, since its name was read
            except OSError as error:
                if place.real == self.root or error.errno in _OWN_LIMITS:
                    raise
                self._skip(place.path, f"cannot be read: {error.strerror}", unread=True)
                continue
            inside = _Place(place.real, place.path, ignored)
            for entry in entries:
                self._entry(entry, device, inside, waiting, linked)

    def follow_links(self) -> None:
        while self.links:
            links, self.links = sorted(self.links, key=lambda link: link.path), []
            for link in links:
                self._follow(link)

    def _enter(self, place: _Place) -> tuple[int, list[os.DirEntry[bytes]]]:
        """The folder's device and entries; none when it is not to be entered."""
        status = os.stat(place.real)
        identity = (status.st_dev, status.st_ino)
        if place.real in self.excluded:
            self._skip(place.path, OWN_FOLDER)
            return status.st_dev, []
        if identity in self.seen:
            self._skip(place.path, SEEN_ALREADY)
            return status.st_dev, []
        self.seen.add(identity)
        with os.scandir(place.real) as entries:
            self.entered.add(place.real)
            return status.st_dev, list(entries)

    def _rules(self, place: _Place, entries: list[os.DirEntry[bytes]]) -> Ignored:
        for entry in entries:
            if entry.name == names.IGNORE_FILE.encode() and not entry.is_dir():
                ignored, wrong = place.ignored.below(place.path, read_rules(entry.path, self.root))
                for line in wrong:
                    self._skip(_below(place.path, names.IGNORE_FILE), line)
                return ignored
        return place.ignored

    def _entry(
        self, entry: os.DirEntry[bytes], device: int, folder: _Place, waiting: list[_Place], linked: bool
    ) -> None:
        if not self.with_files and entry.is_file(follow_symlinks=False):
            return
        name = entry.name.decode("utf-8", "replace")
        path = _below(folder.path, name)
        is_folder = entry.is_dir(follow_symlinks=False)
        reason = _why_not(entry.name, name, path)
        if reason is None and folder.ignored.covers(path, is_folder=is_folder):
            reason = IGNORED
        if reason is not None:
            if is_folder or names.concerns_a_note(name):
                self._skip(path, reason)
        elif entry.is_file(follow_symlinks=False):
            self._file(entry, (device, entry.inode()), path, linked)
        elif entry.is_symlink() or _is_junction(entry):
            self.links.append(_Place(entry.path, path, folder.ignored))
        elif is_folder:
            waiting.append(_Place(entry.path, path, folder.ignored))
        elif names.concerns_a_note(name):
            self._skip(path, SPECIAL)

    def _file(self, entry: os.DirEntry[bytes], identity: Identity, path: str, linked: bool) -> None:
        # Two hard links are two files to their owner; only what a link leads to is held against what is there.
        if linked and identity in self.seen:
            self._skip(path, SEEN_ALREADY)
            return
        self.seen.add(identity)
        if not names.is_note(path):
            self.attachments.append(path)
            return
        try:
            self._note(entry.path, path, entry.stat(follow_symlinks=False), identity)
        except FileNotFoundError:
            return  # gone since its name was read
        except OSError as error:
            self._skip(path, f"cannot be read: {error.strerror}", unread=True)

    def _note(self, real: bytes, path: str, status: os.stat_result, identity: Identity) -> None:
        # What everybody may read needs no further question to the system, which is a tenth of the time of a walk.
        if status.st_mode & _ALL_READ == _ALL_READ or os.access(real, os.R_OK):
            self.notes.append(SeenFile(path, stamp_of(status, identity[1])))
        else:
            self._skip(path, "cannot be read: permission denied", unread=True)

    def _follow(self, link: _Place) -> None:
        try:
            real = os.path.realpath(link.real, strict=True)
            status = os.stat(real)
        except OSError:
            self._skip(link.path, LEADS_NOWHERE)
            return
        identity = (status.st_dev, status.st_ino)
        is_folder = stat.S_ISDIR(status.st_mode)
        if not is_within(real, self.root):
            self._skip(link.path, LEADS_OUT)
        elif any(is_within(real, folder) for folder in self.excluded):
            self._skip(link.path, OWN_FOLDER)
        elif link.ignored.covers(link.path, is_folder=is_folder):
            self._skip(link.path, IGNORED)
        elif identity in self.seen:
            self._skip(link.path, SEEN_ALREADY)
        elif is_folder:
            self.folders(_Place(real, link.path, link.ignored), linked=True)
        elif not stat.S_ISREG(status.st_mode):
            self._skip(link.path, SPECIAL)
        else:
            self.seen.add(identity)
            self.entered.add(os.path.dirname(real))
            if names.is_note(link.path):
                self._note(real, link.path, status, identity)
            else:
                self.attachments.append(link.path)

    def _skip(self, path: str, reason: str, *, unread: bool = False) -> None:
        self.skipped.append(SkippedFile(path, reason, unread))


def _why_not(raw: bytes, name: str, path: str) -> str | None:
    """Why a file or folder is none of ours, by its name."""
    reason = names.why_skipped(name)
    if reason is None and "\ufffd" in name and name.encode() != raw:
        return BAD_NAME
    if reason is None and not (_ODD.isdisjoint(name) and name.strip(". ")) and not is_askable(path):
        return BAD_PATH
    return reason


def _below(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _is_junction(entry: os.DirEntry[bytes]) -> bool:
    """Windows' other kind of link, which Python tells from a folder since 3.12."""
    return bool(getattr(entry, "is_junction", bool)())


def read_rules(path: bytes, root: bytes) -> str:
    """The text of a `.trilithignore`. Raises `OSError` for one outside the vault too: better nothing than what was meant to
    be left out."""
    try:
        real = os.path.realpath(path, strict=True)
        if not is_within(real, root):
            raise OSError(errno.EACCES, LEADS_OUT)
        with os.fdopen(os.open(real, OPEN_TO_READ), "rb") as file:
            return file.read(_IGNORE_BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise PermissionError(errno.EACCES, f"{names.IGNORE_FILE}: {error.strerror}") from error
