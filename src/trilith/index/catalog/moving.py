"""What becomes of the links of a library when one of its notes goes elsewhere? Asked before it goes.

`moved` is always the note as it will be: its number and id, with the path and the metadata that it will have then.
"""

from __future__ import annotations

import json
import posixpath
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from trilith.index.catalog import places
from trilith.index.catalog.connection import Connection
from trilith.index.catalog.filters import library_numbers
from trilith.index.catalog.names import KINDS, Name, Wanted, folder_of, names_of, path_key, wanted
from trilith.index.catalog.reading import entries
from trilith.index.catalog.resolution import Place, World, resolve
from trilith.model.ids import Num
from trilith.model.note import Entry, Link, LinkKind, Status
from trilith.ports.catalog import NameKind, Reference

_BY_PATH = frozenset(map(KINDS.index, (NameKind.PATH, NameKind.SUFFIX, NameKind.STEM)))


class _Led(NamedTuple):
    """A link that leads somewhere, and what it asks for once the note has moved, from which folder (a key)."""

    num: int
    link: Link
    wanted: Wanted
    folder: str
    dest: int | None
    via: int | None
    leads_to: str

    @property
    def reference(self) -> Reference:
        return Reference(source=Num(self.num), kind=self.link.kind, target=self.link.target, leads_to=self.leads_to)


def drawn(connection: Connection, moved: Entry) -> tuple[Reference, ...]:
    """As in `ports.Catalog`."""
    lib, before = _lib(connection, moved), entries(connection, [moved.num])[moved.num]
    led = _led(connection, lib, moved, {name.key for name in _names(before) | _names(moved)})
    world = _world(connection, lib, moved, {key for each in led for key in (each.wanted.near, each.wanted.key) if key})
    found = [each for each in led if _is_written_by_place(each, before, moved) or _strays(each, world)]
    return tuple(dict.fromkeys(each.reference for each in found))


def is_unique(connection: Connection, name: str, moved: Entry) -> bool:
    """As in `ports.Catalog`."""
    key = path_key(name)
    world = _world(connection, _lib(connection, moved), moved, [key])
    notes = {place.num for kind, found in world.notes.get(key, {}).items() if kind in _BY_PATH for place in found}
    return len(notes) + len(world.files.get(key, ())) == 1


def astray(connection: Connection, moved: Entry, links: Sequence[Reference]) -> tuple[Reference, ...]:
    """As in `ports.Catalog`."""
    sources = {num: entry.path for num, entry in entries(connection, {link.source for link in links}).items()}
    folders = {num: folder_of(path_key(path)) for num, path in (sources | {moved.num: moved.path}).items()}
    asked = [wanted(Link(link.kind, link.target), folders[link.source]) for link in links]
    world = _world(
        connection, _lib(connection, moved), moved, {key for each in asked for key in (each.near, each.key) if key}
    )
    found = [resolve(link.kind, each, folders[link.source], world) for link, each in zip(links, asked, strict=True)]
    dests = entries(connection, {Num(each.dest) for each in found if each.dest is not None})
    paths = {num: entry.path for num, entry in dests.items()} | {moved.num: moved.path}
    leads = [each.attachment if each.dest is None else paths[Num(each.dest)] for each in found]
    return tuple(link for link, path in zip(links, leads, strict=True) if path != link.leads_to)


def _is_written_by_place(each: _Led, before: Entry, moved: Entry) -> bool:
    """Whether a link names the note by its path, or by the way from the note's own folder."""
    if each.dest == moved.num and each.via in _BY_PATH:
        return True
    folder = posixpath.dirname(before.path)
    if each.num != moved.num or folder == posixpath.dirname(moved.path):
        return False
    target = each.link.target
    if each.link.kind not in (LinkKind.MARKDOWN, LinkKind.EMBED) and not target.startswith(("./", "../")):
        return False
    return not target.startswith("/") and path_key(posixpath.join(folder, target)) == path_key(each.leads_to)


def _strays(each: _Led, world: World) -> bool:
    """Whether a link would lead elsewhere than it does now."""
    found = resolve(each.link.kind, each.wanted, each.folder, world)
    return found.dest != each.dest or (each.dest is None and found.attachment != each.leads_to)


def _led(connection: Connection, lib: int, moved: Entry, keys: Iterable[str]) -> list[_Led]:
    """The note's own links, and all that ask for one of these keys."""
    columns = "l.num, s.path_key, l.kind, l.target, l.near, l.key, l.dest, l.via, coalesce(d.path, l.attachment)"
    rest = "CROSS JOIN notes s ON s.num = l.num LEFT JOIN notes d ON d.num = l.dest WHERE l.target <> ''"
    rows = connection.execute(
        f"SELECT {columns} FROM links l {rest} AND l.num = ?"
        f" UNION SELECT {columns} FROM json_each(?) k CROSS JOIN links l ON l.lib = ? AND l.key = k.value {rest}",
        (moved.num, json.dumps(list(keys)), lib),
    )
    found = []
    for num, path, kind, target, near, key, dest, via, leads_to in rows:
        if leads_to is not None:
            link, folder = Link(LinkKind(kind), target), folder_of(path)
            asked = Wanted(near, key)
            if num == moved.num:
                folder = folder_of(path_key(moved.path))
                asked = wanted(link, folder)
            found.append(_Led(num, link, asked, folder, dest, via, leads_to))
    return found


def _world(connection: Connection, lib: int, moved: Entry, keys: Iterable[str]) -> World:
    """What answers to these keys once the note has moved."""
    asked = set(keys)
    notes = {
        key: {kind: [place for place in found if place.num != moved.num] for kind, found in kinds.items()}
        for key, kinds in places.notes(connection, lib, asked).items()
    }
    place = Place(moved.path.count("/") + 1, moved.path, folder_of(path_key(moved.path)), moved.num)
    for name in _names(moved):
        if name.key in asked:
            notes.setdefault(name.key, {}).setdefault(name.kind, []).append(place)
    for kinds in notes.values():
        for found in kinds.values():
            found.sort()
    return World(notes=notes, files=places.files(connection, lib, asked))


def _names(entry: Entry) -> frozenset[Name]:
    dismissed = entry.metadata.status is Status.DISMISSED
    return frozenset() if dismissed else names_of(entry.path, entry.id, entry.metadata)


def _lib(connection: Connection, moved: Entry) -> int:
    return library_numbers(connection, [moved.library]).get(moved.library, 0)
