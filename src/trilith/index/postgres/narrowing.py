"""Which notes may an engine find? Filters and permissions as a condition on its own rows, part of the statement that ranks them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from trilith.index.catalog.allowed import hidden_chunks
from trilith.index.catalog.connection import Connection
from trilith.index.catalog.filters import Condition, has_dismissed, is_plain, passes
from trilith.model.query import Filter

ALL = Condition("true")


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowed:
    """Conditions in SQLite's words on a row `v` of a chunk or a note, which has its number as `v.num`."""

    notes: Condition = ALL
    """That its note passes."""
    chunks: Condition = ALL
    """That the chunk `v.ordinal` of a note that passes is not hidden."""


Narrowing = Callable[[Connection, Filter], Narrowed]


def narrowed(connection: Connection, filter: Filter) -> Narrowed:
    """As the catalog's tables say, in the same state of them that the engine's statement sees."""
    if is_plain(filter) and not has_dismissed(connection, filter):
        return Narrowed()
    condition = passes(connection, filter)
    hidden = hidden_chunks(connection, filter).tolist()
    return Narrowed(
        # As an array they are looked up once, and the engine's statement keeps the plan that it has without them.
        notes=Condition(f"v.num = ANY(ARRAY(SELECT n.num FROM notes n WHERE {condition.sql}))", condition.params),
        chunks=without(hidden) if hidden else ALL,
    )


def without(chunks: list[tuple[int, int]]) -> Condition:
    """That a row is of none of these chunks."""
    among = one_of(chunks)
    return Condition(f"NOT {among.sql}", among.params)


def one_of(chunks: list[tuple[int, int]]) -> Condition:
    """That a row is of one of these chunks."""
    pair = "json_extract(p.value, '$[0]') = v.num AND json_extract(p.value, '$[1]') = v.ordinal"
    return Condition(f"EXISTS (SELECT 1 FROM json_each(?) p WHERE {pair})", (json.dumps(chunks),))
