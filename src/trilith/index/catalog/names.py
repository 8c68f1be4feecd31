"""What does a note answer to, and what does a link ask for? Pure.

Both sides are *keys*: case and Unicode form folded, `/` between segments, without `.md` or `.markdown`. A note `a/b/C.md` has the key
`a/b/c` as its path, `b/c` as a suffix on whole segments, `c` as its stem; its id, title and aliases are keys too.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from trilith.language.normal import fold_case
from trilith.markdown.fields import extra_names
from trilith.model.ids import NoteId
from trilith.model.note import Link, LinkKind, Metadata
from trilith.ports.catalog import NameKind

KINDS = tuple(NameKind)
"""The catalog keeps a kind as its place here: strongest first."""

_PATH, _SUFFIX, _STEM, _ID, _TITLE, _ALIAS = range(len(KINDS))
_ENDING = re.compile(r"(?<=[^/])\.(?:md|markdown)\Z")


class Name(NamedTuple):
    key: str
    kind: int


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a link asks for: `near` is the exact path as seen from its note's folder, `key` a name of any kind.

    Both None for a link that leads out of the vault.
    """

    near: str | None
    key: str | None


def storable(text: str) -> str:
    """The text, with half characters (lone surrogates), which no database takes, replaced."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def folded(text: str) -> str:
    """Equal for what differs in case and Unicode form only."""
    return fold_case(storable(text))


def path_key(path: str) -> str:
    """The key of a path as it is on disk."""
    return _joined(_walk([], path) or [])


def key_of(name: str) -> str:
    """The key of a title or alias, or of a name asked for; empty when nothing of it is left."""
    return path_key(name.strip())


def folder_key(folder: str) -> str:
    """The key of a folder; empty for the vault itself."""
    return "/".join(_walk([], folder) or [])


def folder_of(path_key: str) -> str:
    """The key of the folder that a note is in; empty for the vault itself."""
    return path_key.rpartition("/")[0]


def names_of(path: str, note_id: NoteId, metadata: Metadata) -> frozenset[Name]:
    """Everything that a note answers to."""
    whole = path_key(path)
    segments = whole.split("/")
    names = {Name(whole, _PATH), Name(segments[-1], _STEM), Name(note_id, _ID), Name(key_of(metadata.title), _TITLE)}
    names |= {Name("/".join(segments[start:]), _SUFFIX) for start in range(1, len(segments) - 1)}
    names |= {Name(key_of(name), _ALIAS) for name in extra_names(metadata)}
    return frozenset(name for name in names if name.key)


def suffixes(path: str) -> list[str]:
    """Every suffix of a path on whole segments, the whole first, folded."""
    segments = folded(path).split("/")
    return ["/".join(segments[start:]) for start in range(len(segments))]


def wanted(link: Link, folder: str) -> Wanted:
    """What a link in a note of this folder (a key) asks for.

    Markdown links, and wiki links that begin with a dot, are looked for from the note's own folder first.
    """
    target = link.target.strip()
    key = key_of(target) or None
    if key is None:
        return Wanted(None, None)
    if target.startswith("/") or not (link.kind is LinkKind.MARKDOWN or target.startswith(("./", "../"))):
        return Wanted(None, key)
    steps = _walk(folder.split("/") if folder else [], target, bounded=True)
    if steps is None:
        return Wanted(None, None)
    near = _joined(steps)
    return Wanted(near if near and near != key else None, key)


def _walk(start: list[str], path: str, *, bounded: bool = False) -> list[str] | None:
    """The segments of `path` as seen from `start`; None when it leads above the root and `bounded`."""
    steps = list(start)
    for segment in folded(path).split("/"):
        if segment == "..":
            if not steps and bounded:
                return None
            del steps[-1:]
        elif segment not in ("", "."):
            steps.append(segment)
    return steps


def _joined(steps: list[str]) -> str:
    return _ENDING.sub("", "/".join(steps))
