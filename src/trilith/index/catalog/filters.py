"""The one place where a filter becomes SQL: a condition on `notes n`.

SQLite plans without statistics here, so the condition says itself what drives it: a unary `+` keeps the indexes of a
column out of the plan wherever something narrower should be looked up first.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any

from trilith.index.catalog import terms
from trilith.index.catalog.connection import Connection
from trilith.index.catalog.names import folder_key, path_key
from trilith.index.catalog.terms import Term
from trilith.model.note import Visibility
from trilith.model.principal import Scope
from trilith.model.query import Filter

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_COMMON = 5_000
"""Notes with a term above which it does not matter how many more there are."""

AFTER_SLASH = chr(ord("/") + 1)
"""`a0` is the first key behind all of those below `a/`."""


class Asked(Enum):
    """How a note is come upon, which decides what hides it."""

    LISTED = "listed"
    """Among others: no dismissed notes, `link` notes only for those named on them."""
    BY_ID = "by id"
    BY_PATH = "by path"


@dataclass(frozen=True, slots=True)
class Condition:
    sql: str
    params: tuple[Any, ...] = ()


def passes(connection: Connection, filter: Filter, asked: Asked = Asked.LISTED, *, driven: bool = False) -> Condition:
    """The condition that a row of `notes n` passes `filter`; `driven` when the rows to test are named elsewhere."""
    libs = library_numbers(connection, filter.libraries)
    scopes = [scope for scope in filter.scopes if scope.library in libs]
    wanted = _rarest_first(connection, _terms(filter), libs)
    narrow = driven or bool(wanted)
    free = "+" if narrow else ""
    parts = [Condition(f"{free}n.lib IN ({_marks(libs)})", tuple(libs.values()))]
    if asked is Asked.LISTED:
        parts.append(Condition("+n.live = 1" if narrow or filter.path_prefix else "n.live = 1"))
    if any(scope.reader is not None or scope.denied for scope in scopes):
        parts.append(_any(_scope(scope, libs[scope.library], asked) for scope in scopes))
    parts += [_among(term, libs) if place == 0 and not driven else _has(term) for place, term in enumerate(wanted)]
    if filter.path_prefix:
        parts.append(_below(filter.path_prefix, "+" if narrow else ""))
    if filter.para is not None and filter.para.folder is not None:
        named = _has(terms.equals("para", filter.para.slug))
        parts.append(_any([named, _below(filter.para.folder, "+")]))
    if filter.without:
        parts.append(Condition("+n.num NOT IN (SELECT value FROM json_each(?) j)", (json.dumps(filter.without),)))
    parts += _dates(filter, free)
    return Condition(" AND ".join(part.sql for part in parts), tuple(value for part in parts for value in part.params))


def is_plain(filter: Filter) -> bool:
    """Whether a filter takes whole libraries."""
    return filter == Filter(scopes=filter.scopes) and not is_restricted(filter)


def is_restricted(filter: Filter) -> bool:
    """Whether there are notes in the filter's libraries that this caller may not see."""
    return any(scope.reader is not None or scope.denied for scope in filter.scopes)


def hides_path(filter: Filter, library: str, path: str) -> bool:
    """Whether a file of a library, of which there is no row in `notes`, is out of the caller's sight."""
    key = path_key(path)
    scopes = [scope for scope in filter.scopes if scope.library == library]
    return all(any(_is_below(key, folder_key(folder)) for folder in scope.denied) for scope in scopes)


def names_collaborator(reader: str) -> Condition:
    """The condition that a row of `notes n` names this user as a collaborator."""
    return _has(terms.equals("collaborators", reader))


def has_dismissed(connection: Connection, filter: Filter) -> bool:
    """Whether a library of the filter has a note that is dismissed."""
    row = connection.execute(
        "SELECT total(notes) > total(live) FROM libraries WHERE name IN (SELECT value FROM json_each(?) k)",
        (json.dumps(list(filter.libraries)),),
    ).fetchone()
    return bool(row[0])


def library_numbers(connection: Connection, names: Iterable[str]) -> dict[str, int]:
    """Those of the libraries that the catalog knows, with its numbers for them."""
    rows = connection.execute(
        "SELECT name, lib FROM libraries WHERE name IN (SELECT value FROM json_each(?) k)", (json.dumps(list(names)),)
    )
    return dict(rows.fetchall())


def to_microseconds(moment: datetime) -> int:
    return (moment - _EPOCH) // timedelta(microseconds=1)


def from_microseconds(microseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds)


def _terms(filter: Filter) -> list[Term]:
    wanted = [terms.equals(key, value) for key, value in filter.where.items()]
    wanted += [terms.tag(tag) for tag in filter.tags]
    if filter.author is not None:
        wanted.append(terms.author(filter.author))
    if filter.para is not None and filter.para.folder is None:
        wanted.append(terms.equals("para", filter.para.slug))
    return wanted


def _scope(scope: Scope, lib: int, asked: Asked) -> Condition:
    parts = [Condition("n.lib = ?", (lib,))]
    if scope.reader is not None:
        open_to_all = [Visibility.PUBLIC, *([Visibility.LINK] if asked is Asked.BY_ID else [])]
        readable = [Condition(f"n.visibility IN ({_marks(open_to_all)})", tuple(open_to_all))]
        if scope.reader:
            readable.append(names_collaborator(scope.reader))
        parts.append(_any(readable))
    for folder in scope.denied:
        low, high = _range(folder_key(folder))
        parts.append(Condition("NOT (n.path_key >= ? AND n.path_key < ?)", (low, high)))
    return Condition(
        f"({' AND '.join(part.sql for part in parts)})", tuple(value for part in parts for value in part.params)
    )


def _rarest_first(connection: Connection, wanted: list[Term], libs: Mapping[str, int]) -> list[Term]:
    if len(wanted) < 2:
        return wanted
    sql = f"SELECT count(*) FROM ({_among_sql(libs)} LIMIT {_COMMON})"
    return sorted(wanted, key=lambda term: int(connection.execute(sql, (*libs.values(), *term)).fetchone()[0]))


def _among(term: Term, libs: Mapping[str, int]) -> Condition:
    """Looks the notes up by the term."""
    return Condition(f"n.num IN ({_among_sql(libs)})", (*libs.values(), *term))


def _among_sql(libs: Mapping[str, int]) -> str:
    return f"SELECT t.num FROM terms t WHERE t.lib IN ({_marks(libs)}) AND t.field = ? AND t.value = ?"


def _has(term: Term) -> Condition:
    """Looks the term up for a note."""
    sql = "EXISTS (SELECT 1 FROM terms t WHERE t.lib = n.lib AND t.field = ? AND t.value = ? AND t.num = n.num)"
    return Condition(sql, term)


def _below(prefix: str, free: str) -> Condition:
    """Notes in a folder, or the one note whose whole path it is."""
    low, high = _range(folder_key(prefix))
    within = Condition(f"{free}n.path_key >= ? AND {free}n.path_key < ?", (low, high))
    if path_key(prefix) == folder_key(prefix):
        return within
    return Condition(f"({within.sql} OR {free}n.path_key = ?)", (*within.params, path_key(prefix)))


def _dates(filter: Filter, free: str) -> Iterator[Condition]:
    bounds = (
        ("updated", ">=", filter.updated_after),
        ("updated", "<", filter.updated_before),
        ("created", ">=", filter.created_after),
        ("created", "<", filter.created_before),
    )
    for column, operator, moment in bounds:
        if moment is not None:
            yield Condition(f"{free}n.{column} {operator} ?", (to_microseconds(moment),))


def _range(folder: str) -> tuple[str, str]:
    """Keys from the first inclusive to the second exclusive are below the folder; all of them for the vault itself."""
    return (f"{folder}/", f"{folder}{AFTER_SLASH}") if folder else ("", "\U0010ffff")


def _is_below(key: str, folder: str) -> bool:
    low, high = _range(folder)
    return low <= key < high


def _any(conditions: Iterable[Condition]) -> Condition:
    parts = list(conditions)
    return Condition(
        f"({' OR '.join(part.sql for part in parts)})", tuple(value for part in parts for value in part.params)
    )


def _marks(values: Iterable[object]) -> str:
    return ", ".join("?" for _ in values)
