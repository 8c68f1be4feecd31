"""The links of a library, kept resolved: whatever appears, goes or is renamed, those that ask for it are settled anew."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from trilith.index.catalog.connection import Connection
from trilith.index.catalog.names import Wanted, folder_of, storable, wanted
from trilith.index.catalog.places import world
from trilith.index.catalog.resolution import Found, World, itself, resolve
from trilith.model.note import Link, LinkKind, Note

LINK_COLUMNS = "l.kind, l.target, l.fragment, l.text, l.start, l.stop, l.relation"


class Asking(NamedTuple):
    """A link as far as its resolution goes; `empty` when it names no target, `found` what it led to so far."""

    num: int
    ord: int
    kind: LinkKind
    empty: bool
    folder: str
    wanted: Wanted
    found: tuple[object, ...]


WRITE = (
    "INSERT INTO links (num, ord, lib, kind, target, fragment, text, start, stop, relation, near, key, state)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def rows(lib: int, num: int, folder: str, note: Note) -> list[tuple[object, ...]]:
    """The rows of `WRITE` for the links of a note, in order of appearance, frontmatter last; not settled yet."""
    ordered = sorted(note.links, key=lambda link: (link.start < 0, link.start))
    made: list[tuple[object, ...]] = []
    for ord, link in enumerate(ordered):
        asked = wanted(link, folder)
        texts = [None if text is None else storable(text) for text in (link.target, link.fragment, link.text)]
        made.append(
            (num, ord, lib, link.kind.value, *texts, link.start, link.end, link.relation, asked.near, asked.key, -1)
        )
    return made


def link_of(row: Sequence[Any]) -> Link:
    """The link in a row of `LINK_COLUMNS`."""
    kind, *rest = row
    return Link(LinkKind(kind), *rest)


def move(connection: Connection, nums: Sequence[int]) -> None:
    """Look anew at what the links of notes in other folders than before ask for; not settled yet."""
    found = connection.execute(
        f"SELECT {LINK_COLUMNS}, n.path_key, l.num, l.ord FROM links l JOIN notes n ON n.num = l.num"
        " WHERE l.num IN (SELECT value FROM json_each(?) j)",
        (json.dumps(nums),),
    ).fetchall()
    asked = [(wanted(link_of(row[:7]), folder_of(row[7])), row[8:]) for row in found]
    connection.executemany(
        "UPDATE links SET near = ?, key = ?, state = -1 WHERE num = ? AND ord = ?",
        [(each.near, each.key, *place) for each, place in asked],
    )


def settle(connection: Connection, lib: int, nums: Iterable[int], keys: Iterable[str]) -> None:
    """Resolve the links of these notes, and all links of the library that ask for one of these keys.

    A link's `key` is a suffix of its `near` path: what answers to the path answers to the key, too.
    """
    asking = list(_asking(connection, lib, nums, keys).values())
    changed = [
        (*found, link.num, link.ord)
        for link, found in zip(asking, _found(connection, lib, asking), strict=True)
        if found != link.found
    ]
    connection.executemany(
        "UPDATE links SET dest = ?, via = ?, hit = ?, attachment = ?, state = ? WHERE num = ? AND ord = ?", changed
    )


def settled(connection: Connection, lib: int, num: int, path_key: str, links: Sequence[Link]) -> list[Found]:
    """How links would be resolved if they stood in a note with this path (a key); nothing is kept."""
    folder = folder_of(path_key)
    asking = [
        Asking(num, ord, link.kind, not link.target, folder, wanted(link, folder), ()) for ord, link in enumerate(links)
    ]
    return _found(connection, lib, asking)


def _found(connection: Connection, lib: int, asking: Sequence[Asking]) -> list[Found]:
    answers = world(connection, lib, _keys(asking))
    return [_find(link, answers) for link in asking]


def _find(link: Asking, answers: World) -> Found:
    return itself(link.num) if link.empty else resolve(link.kind, link.wanted, link.folder, answers)


def _keys(links: Iterable[Asking]) -> set[str]:
    return {key for link in links for key in (link.wanted.near, link.wanted.key) if key is not None}


def _asking(
    connection: Connection, lib: int, nums: Iterable[int], keys: Iterable[str]
) -> dict[tuple[int, int], Asking]:
    columns = (
        "l.num, l.ord, l.kind, l.target = '', n.path_key, l.near, l.key, l.dest, l.via, l.hit, l.attachment, l.state"
    )
    found: dict[tuple[int, int], Asking] = {}
    for source, params in (
        ("j CROSS JOIN links l ON l.num = j.value", (json.dumps(list(nums)),)),
        ("k CROSS JOIN links l ON l.key = k.value AND l.lib = ?", (json.dumps(list(keys)), lib)),
    ):
        sql = f"SELECT {columns} FROM json_each(?) {source} CROSS JOIN notes n ON n.num = l.num"
        for num, ord, kind, empty, path_key, near, key, *former in connection.execute(sql, params):
            folder = folder_of(path_key)
            found[num, ord] = Asking(num, ord, LinkKind(kind), bool(empty), folder, Wanted(near, key), tuple(former))
    return found
