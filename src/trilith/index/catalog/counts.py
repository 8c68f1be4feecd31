"""How much there is, and what is odd about it, as far as a filter lets through."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from trilith.index.catalog.allowed import hidden_chunks
from trilith.index.catalog.connection import Connection
from trilith.index.catalog.filters import (
    Condition,
    has_dismissed,
    is_plain,
    is_restricted,
    library_numbers,
    passes,
    to_microseconds,
)
from trilith.index.catalog.names import folded
from trilith.index.catalog.resolution import State
from trilith.index.catalog.sight import EDGE_COLUMNS, Edge, Sight
from trilith.index.catalog.terms import SOURCE_URL, TAG_AS_WRITTEN
from trilith.model.query import Filter
from trilith.ports.catalog import Counts


def counts(connection: Connection, filter: Filter, now: datetime) -> Counts:
    """Links are judged by what the caller may see, whatever else the filter asks for."""
    found = passes(connection, filter)
    documents, chunks, links = connection.execute(
        f"SELECT count(*), total(n.chunks), total(n.links) FROM notes n WHERE {found.sql}", found.params
    ).fetchone()
    unresolved, ambiguous, missing = _link_faults(connection, filter)
    return Counts(
        documents=documents,
        chunks=int(chunks) - len(hidden_chunks(connection, filter)),
        tags=len(tag_counts(connection, filter)),
        links=int(links),
        unresolved_links=unresolved,
        ambiguous_links=ambiguous,
        missing_attachments=missing,
        expired=_expired(connection, filter, now),
        duplicate_urls=_duplicate_urls(connection, filter),
        pending_vectors=_pending(connection, filter, int(chunks)),
    )


def pending(connection: Connection, filter: Filter) -> int:
    """Distinct texts that wait for a vector of the embedder last used."""
    found = passes(connection, filter)
    sql = f"SELECT total(n.chunks) FROM notes n WHERE {found.sql}"
    (chunks,) = connection.execute(sql, found.params).fetchone()
    return _pending(connection, filter, int(chunks))


def tag_counts(connection: Connection, filter: Filter) -> dict[str, int]:
    """How many notes have each tag, by the spelling that most of them use; most frequent first."""
    found = Condition("1 = 1")
    if not is_plain(filter) or has_dismissed(connection, filter):
        listed = passes(connection, filter)
        found = Condition(f"t.num IN (SELECT n.num FROM notes n WHERE {listed.sql})", listed.params)
    libs = tuple(library_numbers(connection, filter.libraries).values())
    rows = connection.execute(
        f"SELECT t.value, count(*) FROM terms t WHERE t.lib IN ({', '.join('?' * len(libs))}) AND t.field = ?"
        f" AND {found.sql} GROUP BY t.value ORDER BY count(*) DESC, t.value",
        (*libs, TAG_AS_WRITTEN, *found.params),
    )
    spellings: dict[str, str] = {}
    totals: dict[str, int] = defaultdict(int)
    for written, notes in rows:
        totals[spellings.setdefault(folded(written), written)] += notes
    return dict(sorted(totals.items(), key=lambda item: (-item[1], item[0])))


def _link_faults(connection: Connection, filter: Filter) -> tuple[int, int, int]:
    """How many links lead nowhere, to several notes alike, and to an attachment that is not there."""
    source = passes(connection, filter, driven=True)
    libs = tuple(library_numbers(connection, filter.libraries).values())
    within = f"l.lib IN ({', '.join('?' * len(libs))})"
    join = "links l CROSS JOIN notes n ON n.num = l.num"
    faults = dict(
        connection.execute(
            f"SELECT l.state, count(*) FROM {join} WHERE {within} AND l.state > 0 AND {source.sql} GROUP BY l.state",
            (*libs, *source.params),
        ).fetchall()
    )
    several = connection.execute(
        f"SELECT {EDGE_COLUMNS.replace('s.', 'n.')} FROM {join} WHERE {within} AND l.hit IS NOT NULL AND {source.sql}",
        (*libs, *source.params),
    ).fetchall()
    unresolved, missing = faults.get(State.UNRESOLVED, 0), faults.get(State.MISSING, 0)
    if not is_restricted(filter):
        return unresolved, len(several), missing
    sight = Sight(connection, filter.whole())
    edges = [Edge(*row) for row in several]
    sight.look_at(edges)
    answers = [len(sight.targets(edge)) for edge in edges]
    unresolved += answers.count(0) + _hidden_targets(connection, filter)
    return unresolved, sum(number > 1 for number in answers), missing


def _hidden_targets(connection: Connection, filter: Filter) -> int:
    """Links to the one note that answers, where that is out of the caller's sight."""
    source, target = passes(connection, filter), passes(connection, filter.whole())
    row = connection.execute(
        "SELECT count(*) FROM notes h CROSS JOIN links l ON l.dest = h.num AND l.hit IS NULL AND l.num <> h.num"
        f" WHERE h.num NOT IN (SELECT n.num FROM notes n WHERE {target.sql})"
        f" AND +l.num IN (SELECT n.num FROM notes n WHERE {source.sql})",
        (*target.params, *source.params),
    ).fetchone()
    return int(row[0])


def _expired(connection: Connection, filter: Filter, now: datetime) -> int:
    found = passes(connection, filter, driven=True)
    row = connection.execute(
        f"SELECT count(*) FROM notes n WHERE n.expires <= ? AND {found.sql}", (to_microseconds(now), *found.params)
    ).fetchone()
    return int(row[0])


def _duplicate_urls(connection: Connection, filter: Filter) -> int:
    """How many source URLs, normalised, several notes name."""
    found = passes(connection, filter, driven=True)
    libs = tuple(library_numbers(connection, filter.libraries).values())
    row = connection.execute(
        "SELECT count(*) FROM (SELECT 1 FROM terms t CROSS JOIN notes n ON n.num = t.num"
        f" WHERE t.lib IN ({', '.join('?' * len(libs))}) AND t.field = ? AND {found.sql}"
        " GROUP BY t.value HAVING count(*) > 1)",
        (*libs, SOURCE_URL, *found.params),
    ).fetchone()
    return int(row[0])


def _pending(connection: Connection, filter: Filter, chunks: int) -> int:
    """Distinct texts, of the `chunks` that pass, that wait for a vector of the embedder last used."""
    libs = tuple(library_numbers(connection, filter.libraries).values())
    within = f"lib IN ({', '.join('?' * len(libs))})"
    (total,) = connection.execute(f"SELECT total(pending) FROM libraries WHERE {within}", libs).fetchone()
    if is_plain(filter) or not total:
        return int(total)
    if chunks < total:
        found = passes(connection, filter)
        sql = (
            "SELECT count(DISTINCT c.digest) FROM notes n CROSS JOIN chunks c ON c.num = n.num"
            f" CROSS JOIN backlog b ON b.lib = n.lib AND b.digest = c.digest WHERE {found.sql}"
        )
        return int(connection.execute(sql, found.params).fetchone()[0])
    found = passes(connection, filter, driven=True)
    sql = (
        "SELECT count(DISTINCT b.digest) FROM backlog b CROSS JOIN chunks c ON c.digest = b.digest"
        f" CROSS JOIN notes n ON n.num = c.num AND n.lib = b.lib WHERE b.{within} AND {found.sql}"
    )
    return int(connection.execute(sql, (*libs, *found.params)).fetchone()[0])
