"""How does a link name what it leads to? The same way of naming, for another place. Pure.

A target is written from the root (`/d/old`), from the linking note's folder (`../d/old`), as a whole path (`d/old`), or
as its last segments (`old`); with or without its `.md`.
"""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

NOTE_ENDING = re.compile(r"(?<=[^/])\.(?:md|markdown)\Z", re.IGNORECASE)

_NO_WIKI_TARGET = re.compile(r"[\x00-\x1f\x7f\[\]|#^`]|\A\s|\s\Z|\\\Z|\A\Z")

Unique = Callable[[str], bool]
"""Whether one note or file alone answers to a name (the last segments of its path, without `.md`), once all has moved."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A path in the vault, before and after; the same for what stays where it is."""

    was: str
    now: str

    @property
    def stays_in_folder(self) -> bool:
        return posixpath.dirname(self.was) == posixpath.dirname(self.now)


class Form(Enum):
    """How a link is written. Only a Markdown link is looked for from its note's folder first, without `./` in front."""

    WIKI = auto()
    MARKDOWN = auto()
    IMAGE = auto()
    """`![text](target)`: Markdown, and resolved as an embed."""


class _Way(Enum):
    FROM_ROOT = auto()
    FROM_FOLDER = auto()
    LAST_SEGMENTS = auto()
    """Up to the whole path."""
    NAME = auto()
    """A title, an alias: nothing of the path."""


def respelled(written: str, note: Moved, target: Moved, unique: Unique, form: Form) -> str:
    """The target of a link in `note`, named as `written` names it, for what has moved as `target` says.

    A name that would lead elsewhere, or to several notes, becomes a path: from the root in a wiki link, else from the
    note's folder. `written` is as the note has it, without fragment, escapes and percent-encoding.
    """
    way = _way(written, note, target, form)
    name = target.now if NOTE_ENDING.search(written) else without_ending(target.now)
    if way is _Way.FROM_ROOT:
        new = f"/{name}"
    elif way is _Way.FROM_FOLDER:
        new = _from_folder(name, note, dotted=form is Form.WIKI or written.startswith("./"))
    else:
        new = _last_segments(written if way is _Way.LAST_SEGMENTS else "", name, target.was)
        if not unique(NOTE_ENDING.sub("", new)):
            return name if form is Form.WIKI else _from_folder(name, note, dotted=form is Form.IMAGE)
    if way is not _Way.NAME and target.stays_in_folder and (way is not _Way.FROM_FOLDER or note.stays_in_folder):
        new = written if target.was == target.now else _folder_part(written) + posixpath.basename(new)
    by_name = form is Form.IMAGE and way is _Way.FROM_FOLDER and not new.startswith(("./", "../"))
    return f"./{new}" if by_name and not unique(NOTE_ENDING.sub("", new)) else _not_stripped(new, form)


def markdown_path(note: Moved, target: Moved, form: Form) -> str:
    """The target as a link of `note` names it that becomes one of this form."""
    return _from_folder(target.now, note, dotted=form is Form.IMAGE)


def is_wiki_target(name: str) -> bool:
    """Whether a wiki link can hold a name: it has no escapes for its own marks."""
    return _NO_WIKI_TARGET.search(name) is None


def without_ending(path: str) -> str:
    """The path without `.md`, unless what is left would be taken for another name."""
    short = NOTE_ENDING.sub("", path)
    return path if NOTE_ENDING.search(short) or short[-1:].isspace() else short


def _way(written: str, note: Moved, target: Moved, form: Form) -> _Way:
    if written.startswith("/") and _key(written) == _key(target.was):
        return _Way.FROM_ROOT
    near = posixpath.join(posixpath.dirname(note.was), written)
    if (form is not Form.WIKI or written.startswith(("./", "../"))) and _key(near) == _key(target.was):
        return _Way.FROM_FOLDER
    return _Way.LAST_SEGMENTS if f"/{_key(target.was)}".endswith(f"/{_key(written)}") else _Way.NAME


def _last_segments(written: str, name: str, was: str) -> str:
    """As many segments of `name` as are written of `was`; all of it where that is a whole path of several."""
    count = _key(written).count("/") + 1
    return name if count > 1 and count == was.count("/") + 1 else "/".join(name.split("/")[-count:])


def _from_folder(name: str, note: Moved, *, dotted: bool) -> str:
    # An absolute start keeps `relpath` from asking for the process's own folder.
    relative = posixpath.relpath(f"/{name}", f"/{posixpath.dirname(note.now)}")
    return f"./{relative}" if dotted and not relative.startswith("../") else _not_stripped(relative, Form.MARKDOWN)


def _not_stripped(new: str, form: Form) -> str:
    """A destination whose first letter is a blank, which only something in front of it can keep."""
    return f"./{new}" if form is not Form.WIKI and new[:1].isspace() else new


def _folder_part(path: str) -> str:
    return path[: path.rfind("/") + 1]


def _key(path: str) -> str:
    """What is equal for paths that lead to the same place: case, Unicode form and ending aside."""
    steps = [step for step in posixpath.normpath(f"/{path}").split("/") if step]
    folded = unicodedata.normalize("NFD", "/".join(steps)).casefold()
    return NOTE_ENDING.sub("", unicodedata.normalize("NFC", folded))
