"""Notes for full-text indexes, and ways to ask for them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from trilith.language.query import parse
from trilith.model.hits import Ranked
from trilith.model.ids import Num, derive_id
from trilith.model.principal import Scope
from trilith.model.query import Filter, Match
from trilith.ports.engines import FullTextRetriever, View
from trilith.ports.items import Changes, FullTextItem

LIBRARY = "main"
DAY_ONE = datetime(2026, 3, 1, tzinfo=UTC)
EVERYTHING = Filter(scopes=(Scope(library=LIBRARY),))


class Engine(View[FullTextItem], FullTextRetriever, Protocol):
    """A full-text engine shows both faces."""


def note(num: int, body: str = "", **fields: Any) -> FullTextItem:
    """A note; the higher its number, the newer it is."""
    day = DAY_ONE + timedelta(days=num)
    plain: dict[str, Any] = {
        "num": Num(num),
        "id": derive_id(LIBRARY, f"n{num}.md"),
        "checksum": f"checksum-{num}",
        "path": f"n{num}.md",
        "title": "",
        "aliases": (),
        "tags": (),
        "author": None,
        "summary": None,
        "headings": (),
        "body": body,
        "status": "raw",
        "visibility": "private",
        "collaborators": (),
        "para": (),
        "created_at": day,
        "updated_at": day,
    }
    return FullTextItem(**plain | fields)


def fed(engine: Engine, items: Iterable[FullTextItem], library: str = LIBRARY) -> Engine:
    """The engine, with these notes."""
    put = tuple(items)
    engine.apply(library, Changes(upto=engine.applied(library) + len(put), put=put))
    return engine


def ask(
    engine: FullTextRetriever,
    text: str,
    match: Match = Match.ANY,
    filter: Filter = EVERYTHING,
    depth: int = 10,
) -> Ranked:
    return engine.retrieve(parse(text), match, filter, depth, count=True)


def found(
    engine: FullTextRetriever, text: str, match: Match = Match.ANY, filter: Filter = EVERYTHING, depth: int = 10
) -> list[int]:
    """The numbers of the notes found, best first."""
    return [candidate.num for candidate in ask(engine, text, match, filter, depth).candidates]
