"""What a search found, as cards. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from trilith.errors import InvalidInput
from trilith.language.query import parse
from trilith.language.wanted import asked_words
from trilith.model.hits import Diagnostics, EngineMatch, EngineState, Hit, Interpretation, Outcome
from trilith.model.ids import Num
from trilith.model.note import Entry
from trilith.model.query import POOL, Mode
from trilith.surfaces.web.views.asked import STEP, Asked
from trilith.surfaces.web.views.marked import Piece, marked
from trilith.surfaces.web.views.readable import readable

SYNTAX = re.compile(r"[\":*~()]|\b(?:AND|OR|NOT)\b")
"""What somebody who means the query syntax would write."""
MOST_TAGS = 6
"""On a card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A note that was found. `score` is in percent; `why` says in words what each engine said of it."""

    id: str
    href: str
    title: tuple[Piece, ...]
    where: str
    library: str
    snippet: tuple[Piece, ...]
    tags: tuple[str, ...]
    more_tags: int
    author: str
    updated: datetime
    stale: datetime | None
    score: int | None
    why: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """`total` is how many notes were found, `is_cut` whether there may be more than an engine tells of; `more` the address of a
    longer list; `notices` what did not work."""

    cards: tuple[Card, ...]
    total: int
    is_cut: bool = False
    notices: tuple[str, ...] = ()
    more: str | None = None
    reading: str | None = None
    """Why a query that looks like one in the query syntax was read as plain words."""


def found(asked: Asked, outcome: Outcome, now: datetime, *, several: bool) -> Results:
    """The cards of a search; `several` libraries have their names shown."""
    words = words_of(asked)
    total = outcome.total if outcome.total is not None else len(outcome.hits)
    return Results(
        cards=tuple(_found(hit, words, now, several=several) for hit in outcome.hits),
        total=total,
        is_cut=asked.mode != "graph" and total >= POOL,
        notices=tuple(notices(asked.mode, outcome.diagnostics)),
        more=asked.address(limit=asked.limit + STEP) if len(outcome.hits) == asked.limit < min(total, 200) else None,
        reading=_reading(asked, outcome),
    )


def listed(entries: Sequence[Entry], bodies: Mapping[Num, str], total: int, now: datetime, *, several: bool) -> Results:
    """Notes that nobody searched for, with how their texts begin."""
    cards = (_card(entry, (), bodies.get(entry.num, ""), now, several=several) for entry in entries)
    return Results(cards=tuple(cards), total=total)


def _reading(asked: Asked, outcome: Outcome) -> str | None:
    is_plain = outcome.interpretation is Interpretation.LITERAL
    return outcome.interpretation_reason if is_plain and SYNTAX.search(asked.query) else None


def words_of(asked: Asked) -> tuple[str, ...]:
    """The words to be marked in texts."""
    if asked.mode == "graph" or not asked.query:
        return ()
    try:
        return tuple(asked_words(parse(asked.query).root))
    except InvalidInput:
        return ()


def notices(mode: str, diagnostics: Diagnostics) -> Iterator[str]:
    """What a visitor should know of an answer: what was not asked, or not there yet."""
    by_meaning = mode in (Mode.HYBRID, Mode.SEMANTIC)
    by_words = diagnostics.reason if diagnostics.semantic is EngineState.OK else None  # there is one reason for both
    if diagnostics.fulltext is EngineState.LOADING:
        yield f"Still indexing: {by_words or 'notes may be missing here'}."
    elif diagnostics.fulltext is not EngineState.OK:
        yield f"Search by words is down: {by_words or 'no reason is known'}."
    if diagnostics.similar:
        yield "No note has these words; similar ones were taken."
    if by_meaning and diagnostics.semantic is EngineState.LOADING:
        yield "The model is still being loaded; these were found by words alone."
    elif by_meaning and diagnostics.semantic is not EngineState.OK:
        yield f"Found by words alone: {diagnostics.reason or 'search by meaning is down'}."
    elif by_meaning and diagnostics.pending:
        yield f"{diagnostics.pending:,} passages are still to be understood; search by meaning does not find them yet."


def _found(hit: Hit, words: Sequence[str], now: datetime, *, several: bool) -> Card:
    return _card(
        hit.entry,
        words,
        hit.snippet,
        now,
        several=several,
        score=round(100 * min(max(hit.score, 0.0), 1.0)),
        why=tuple(_why(hit)),
    )


def _card(
    entry: Entry,
    words: Sequence[str],
    snippet: str,
    now: datetime,
    *,
    several: bool,
    score: int | None = None,
    why: tuple[str, ...] = (),
) -> Card:
    metadata = entry.metadata
    return Card(
        id=entry.id,
        href=f"/note/{entry.id}",
        title=marked(metadata.title, words),
        where=entry.path,
        library=entry.library if several else "",
        snippet=marked(readable(snippet, metadata.title), words),
        tags=metadata.tags[:MOST_TAGS],
        more_tags=max(len(metadata.tags) - MOST_TAGS, 0),
        author=metadata.author or "",
        updated=entry.updated_at,
        stale=metadata.expires_at if metadata.is_stale(now) else None,
        score=score,
        why=why,
    )


def _why(hit: Hit) -> Iterator[str]:
    if hit.depth is not None:
        yield "linked directly" if hit.depth == 1 else f"{hit.depth} links away"
    yield from (_ranked(name, match) for name, match in (("words", hit.fulltext), ("meaning", hit.semantic)) if match)


def _ranked(engine: str, match: EngineMatch) -> str:
    return f"{ordinal(match.rank)} by {engine} ({match.raw:.2f})"


def ordinal(number: int) -> str:
    """`1st`, `22nd`, `113th`"""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"
