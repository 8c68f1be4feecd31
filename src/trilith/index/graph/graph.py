"""The link graph, over the catalog's own tables."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence

from trilith.index.catalog import terms
from trilith.index.catalog.catalog import SqlCatalog
from trilith.index.catalog.connection import Connection
from trilith.index.catalog.filters import Asked, hides_path, is_plain, passes
from trilith.index.catalog.links import LINK_COLUMNS, link_of, settled
from trilith.index.catalog.names import KINDS, names_of
from trilith.index.catalog.reading import entries
from trilith.index.catalog.sight import EDGE_COLUMNS, Edge, Sight, visible
from trilith.model.ids import NoteId, Num
from trilith.model.note import Link
from trilith.model.query import Filter
from trilith.ports.graph import Orphans, ResolvedLink

_LINKS = f"SELECT {EDGE_COLUMNS} FROM {{}} CROSS JOIN notes s ON s.num = l.num"


class SqlGraph:
    """Implements `ports.Graph`. Raises `Unavailable` when the catalog does."""

    def __init__(self, catalog: SqlCatalog) -> None:
        self._database = catalog.database

    def outgoing(self, num: Num, filter: Filter) -> tuple[ResolvedLink, ...]:
        with self._database.reading() as connection:
            return _outgoing(connection, num, filter)

    def between(self, source: Num, target: Num, filter: Filter) -> tuple[Link, ...]:
        with self._database.reading() as connection:
            # Of one that several notes answer to, who asks decides where it leads.
            found = _outgoing(connection, source, filter, "AND (l.dest = ? OR l.hit IS NOT NULL)", target)
        return tuple(each.link for each in found if each.target == target)

    def resolved(self, num: Num, links: Sequence[Link], filter: Filter) -> tuple[ResolvedLink, ...]:
        with self._database.reading() as connection:
            return _resolved_in(connection, num, links, filter)

    def incoming(self, num: Num, filter: Filter) -> tuple[Num, ...]:
        with self._database.reading() as connection:
            found = _into(connection, [num], filter)
            return _by_path(connection, {source for source, target in found if source != target})

    def neighbours(self, nums: Sequence[Num], filter: Filter) -> dict[Num, tuple[Num, ...]]:
        """For each, the notes one link away in either direction, without itself, by path."""
        with self._database.reading() as connection:
            near: dict[int, set[int]] = {num: set() for num in nums}
            for source, target in _from(connection, nums, filter):
                near[source].add(target)
            for source, target in _into(connection, nums, filter):
                near[target].add(source)
            order = {num: place for place, num in enumerate(_by_path(connection, set().union(*near.values())))}
            return {
                Num(num): tuple(sorted((Num(other) for other in others - {num}), key=order.__getitem__))
                for num, others in near.items()
            }

    def derived(self, note_id: NoteId, filter: Filter) -> tuple[Num, ...]:
        """Notes that name this id among their `derived_from_ids`, by path."""
        with self._database.reading() as connection:
            condition = passes(connection, filter, driven=True)
            rows = connection.execute(
                "SELECT n.num FROM libraries l CROSS JOIN terms t ON t.lib = l.lib AND t.field = ? AND t.value = ?"
                f" CROSS JOIN notes n ON n.num = t.num WHERE {condition.sql} ORDER BY n.path, n.num",
                (*terms.equals("derived_from_ids", note_id), *condition.params),
            )
            return tuple(Num(num) for (num,) in rows)

    def orphans(self, filter: Filter) -> Orphans:
        with self._database.reading() as connection:
            condition = passes(connection, filter)
            rows = connection.execute(
                f"SELECT n.num FROM notes n WHERE {condition.sql} ORDER BY n.path, n.num", condition.params
            )
            nums = [Num(num) for (num,) in rows]
            edges = [(source, target) for source, target in _from(connection, nums, filter) if source != target]
        linking = {source for source, _ in edges}
        linked = {target for _, target in edges}
        return Orphans(
            no_inbound=tuple(num for num in nums if num not in linked),
            no_outbound=tuple(num for num in nums if num not in linking),
            neither=tuple(num for num in nums if num not in linked and num not in linking),
            links=len(edges),
        )


def _outgoing(
    connection: Connection, num: Num, filter: Filter, condition: str = "", *params: int
) -> tuple[ResolvedLink, ...]:
    if not visible(connection, [num], filter, Asked.BY_ID):
        return ()
    rows = connection.execute(
        f"SELECT {EDGE_COLUMNS}, b.name, l.attachment, {LINK_COLUMNS} FROM links l CROSS JOIN notes s ON s.num = l.num"
        f" CROSS JOIN libraries b ON b.lib = l.lib WHERE l.num = ? {condition} ORDER BY l.ord",
        (num, *params),
    ).fetchall()
    edges = [Edge(*row[:6]) for row in rows]
    sight = Sight(connection, filter)
    sight.look_at(edges)
    return tuple(
        _resolved(sight, edge, row[6], row[7], link_of(row[8:])) for edge, row in zip(edges, rows, strict=True)
    )


def _resolved_in(connection: Connection, num: Num, links: Sequence[Link], filter: Filter) -> tuple[ResolvedLink, ...]:
    if not visible(connection, [num], filter, Asked.BY_ID):
        return ()
    ((lib, library, path_key),) = connection.execute(
        "SELECT n.lib, b.name, n.path_key FROM notes n JOIN libraries b ON b.lib = n.lib WHERE n.num = ?", (num,)
    )
    found = settled(connection, lib, num, path_key, links)
    edges = [Edge(num, lib, path_key, each.dest, each.via, each.hit) for each in found]
    sight = Sight(connection, filter)
    sight.look_at(edges)
    return tuple(
        _resolved(sight, edge, library, each.attachment, link)
        for edge, each, link in zip(edges, found, links, strict=True)
    )


def _resolved(sight: Sight, edge: Edge, library: str, attachment: str | None, link: Link) -> ResolvedLink:
    targets = [Num(target) for target in sight.targets(edge)]
    hidden = attachment is not None and hides_path(sight.filter, library, attachment)
    return ResolvedLink(
        link=link,
        target=targets[0] if targets else None,
        via=KINDS[edge.via] if targets and edge.via is not None else None,
        candidates=tuple(targets) if len(targets) > 1 else (),
        attachment=None if hidden else attachment,
    )


def _from(connection: Connection, nums: Iterable[int], filter: Filter) -> set[tuple[int, int]]:
    """The links of these notes to notes in sight, as (source, target)."""
    sources = json.dumps(sorted(visible(connection, nums, filter, Asked.BY_ID)))
    links = "json_each(?) j CROSS JOIN links l ON l.num = j.value AND l.dest IS NOT NULL"
    if is_plain(filter):
        return set(connection.execute(f"SELECT l.num, l.dest FROM {links}", (sources,)))
    return _judged(connection, {Edge(*row) for row in connection.execute(_LINKS.format(links), (sources,))}, filter)


def _into(connection: Connection, nums: Iterable[int], filter: Filter) -> set[tuple[int, int]]:
    """The links from notes in sight to these, as (source, target)."""
    asked = visible(connection, nums, filter, Asked.BY_ID)
    links = "json_each(?) j CROSS JOIN links l ON l.dest = j.value"
    if is_plain(filter):
        found = set(connection.execute(f"SELECT l.num, l.dest FROM {links}", (json.dumps(sorted(asked)),)))
    else:
        found = _judged(connection, _perhaps_into(connection, asked, links), filter)
    sources = visible(connection, {source for source, _ in found}, filter)
    return {(source, target) for source, target in found if target in asked and source in sources}


def _perhaps_into(connection: Connection, asked: set[int], links: str) -> set[Edge]:
    """Links that lead to these notes, and links that would if others that answer as well were out of sight."""
    rows = connection.execute(_LINKS.format(f"{links} AND l.hit IS NULL"), (json.dumps(sorted(asked)),))
    edges = {Edge(*row) for row in rows}
    several = (
        "json_each(?) q CROSS JOIN libraries b ON b.name = json_extract(q.value, '$[0]')"
        " CROSS JOIN links l ON l.lib = b.lib AND l.hit = json_extract(q.value, '$[1]')"
    )
    rows = connection.execute(_LINKS.format(several), (json.dumps(_answering(connection, asked)),))
    return edges.union(Edge(*row) for row in rows)


def _answering(connection: Connection, nums: Iterable[int]) -> list[tuple[str, str]]:
    """What these notes answer to, each with its library."""
    keys: dict[str, set[str]] = defaultdict(set)
    for entry in entries(connection, map(Num, nums)).values():
        keys[entry.library].update(name.key for name in names_of(entry.path, entry.id, entry.metadata))
    return [(library, key) for library, among in keys.items() for key in among]


def _judged(connection: Connection, edges: Iterable[Edge], filter: Filter) -> set[tuple[int, int]]:
    edges = list(edges)
    sight = Sight(connection, filter)
    sight.look_at(edges)
    ends = ((edge.num, sight.target(edge)) for edge in edges)
    return {(source, target) for source, target in ends if target is not None}


def _by_path(connection: Connection, nums: Iterable[int]) -> tuple[Num, ...]:
    rows = connection.execute(
        "SELECT n.num FROM json_each(?) j CROSS JOIN notes n ON n.num = j.value ORDER BY n.path, n.num",
        (json.dumps(sorted(nums)),),
    )
    return tuple(Num(num) for (num,) in rows)
