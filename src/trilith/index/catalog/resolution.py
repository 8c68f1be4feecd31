"""Which note, or which file, does a link lead to? Pure.

First match wins: exact path (from the note's folder where the link is written so, then from the vault's root), path
suffix on whole segments, stem, id, title, alias. Of several notes that answer alike: one in the linking note's folder,
then the one with the fewest segments, then the first by path. A link with a file's suffix leads to an attachment if
there is one. A link to nothing within the note leads to the note itself.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from trilith.index.catalog.names import KINDS, Wanted
from trilith.markdown.links import is_attachment
from trilith.model.note import LinkKind

_PATH, _SUFFIX, _STEM, _ID, _TITLE, _ALIAS = range(len(KINDS))
_ORDER = (_PATH, _SUFFIX, _STEM, _ID, _TITLE, _ALIAS)
_TYPED_ORDER = (_ID, _PATH, _SUFFIX, _STEM, _TITLE, _ALIAS)

_ENDING = re.compile(r"[^/]\.[^./\s]{1,12}\Z")


class State(IntEnum):
    FOUND = 0
    UNRESOLVED = 1
    MISSING = 2
    """Asks for an attachment that is not there."""


class Place(NamedTuple):
    """A note or a file that answers to a key; sorts as links prefer. `num` is -1 for a file."""

    segments: int
    path: str
    folder: str
    num: int = -1
    whole: bool = True
    """For a file: whether the key is its whole path."""


@dataclass(frozen=True, slots=True)
class World:
    """What there is to find: `notes[key][kind]` and `files[key]`, each sorted."""

    notes: Mapping[str, Mapping[int, Sequence[Place]]] = field(default_factory=dict)
    files: Mapping[str, Sequence[Place]] = field(default_factory=dict)


class Found(NamedTuple):
    """`hit` is the key that several notes answer to, None unless they do."""

    dest: int | None = None
    via: int | None = None
    hit: str | None = None
    attachment: str | None = None
    state: State = State.FOUND


def resolve(kind: LinkKind, wanted: Wanted, folder: str, world: World) -> Found:
    """Where a link in a note of `folder` (a key) leads."""
    note = _note(wanted, folder, world, _TYPED_ORDER if kind is LinkKind.TYPED else _ORDER)
    if _ENDING.search(wanted.key or ""):
        return _file(wanted, folder, world) or note or _nothing(wanted.key)
    return note or _file(wanted, folder, world) or _nothing(wanted.key)


def itself(num: int) -> Found:
    """Where `[[#Here]]` leads."""
    return Found(dest=num)


def preferred(places: Sequence[Place], folder: str) -> list[Place]:
    """Sorted `places` in the order in which a link from `folder` chooses."""
    return [place for place in places if place.folder == folder] + [place for place in places if place.folder != folder]


def _note(wanted: Wanted, folder: str, world: World, kinds: Sequence[int]) -> Found | None:
    asked = [(wanted.near, (_PATH,)), (wanted.key, kinds)]
    for key, among in asked:
        answers = world.notes.get(key, {}) if key is not None else {}
        for kind in among:
            if places := answers.get(kind):
                chosen = next((place for place in places if place.folder == folder), places[0])
                return Found(chosen.num, kind, key if len(places) > 1 else None)
    return None


def _file(wanted: Wanted, folder: str, world: World) -> Found | None:
    near = [place for place in world.files.get(wanted.near or "", ()) if place.whole]
    places = world.files.get(wanted.key or "", ())
    whole = [place for place in places if place.whole]
    chosen = next(iter(near or whole or preferred(places, folder)), None)
    return None if chosen is None else Found(attachment=chosen.path)


def _nothing(key: str | None) -> Found:
    return Found(state=State.MISSING if key is not None and is_attachment(key) else State.UNRESOLVED)
