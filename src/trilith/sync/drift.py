"""How far have the files moved on from what the catalog remembers? Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trilith.model.ids import NoteId
from trilith.ports.catalog import KnownFile
from trilith.ports.vault import SeenFile, Stamp, Walk


@dataclass(frozen=True, slots=True)
class Drift:
    """`look` are files to read: new, or with another stamp than remembered. `gone` are remembered paths without a file;
    each may yet turn out to have been renamed to one of `look`."""

    look: tuple[SeenFile, ...]
    gone: frozenset[str]


def compare(known: Mapping[str, Stamp], walk: Walk, *, reread: bool = False) -> Drift:
    """What must be looked at, given what is remembered; everything when `reread`, as after a change of the parsing rules."""
    present = {file.path: file for file in walk.notes}
    unread = tuple(skipped.path for skipped in walk.skipped if skipped.unread)
    look = tuple(file for file in present.values() if reread or known.get(file.path) != file.stamp)
    gone = frozenset(path for path in known if path not in present and not _is_below(path, unread))
    return Drift(look=look, gone=gone)


def is_emptied(known: Mapping[str, Stamp], walk: Walk) -> bool:
    """Whether a vault that held notes holds nothing at all now, not even a hidden folder: as the empty folder does that a
    disk which is not mounted leaves in its place. Whoever really deleted every file says so by asking for an index."""
    return bool(known) and not (walk.notes or walk.attachments or walk.skipped)


def renamed_from(file: SeenFile, checksum: str, declared: NoteId | None, gone: Mapping[str, KnownFile]) -> str | None:
    """The former path of a file that is new at its path, or None for a new note.

    The note's own id decides; then the same inode (an edit after a rename keeps it); then the same content, when just one
    vanished file had it.
    """
    if declared is not None:
        return next((path for path, former in gone.items() if former.id == declared), None)
    same_inode = [path for path, former in gone.items() if file.stamp.inode and former.stamp.inode == file.stamp.inode]
    if len(same_inode) == 1:
        return same_inode[0]
    same_content = [path for path, former in gone.items() if former.checksum == checksum]
    return same_content[0] if len(same_content) == 1 else None


def _is_below(path: str, places: Sequence[str]) -> bool:
    return any(path == place or path.startswith(f"{place}/") for place in places)
