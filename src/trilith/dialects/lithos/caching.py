"""`lithos_cache_lookup`: is the answer here already, and can it be trusted?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from trilith.dialects import shapes
from trilith.dialects.arguments import Arguments
from trilith.dialects.parameters import LIBRARY
from trilith.dialects.schema import BOOLEAN, nullable, record
from trilith.dialects.tool import Json, Parameter, Tool
from trilith.model.note import Entry
from trilith.model.principal import Principal
from trilith.model.query import Filter, Listing, Query

if TYPE_CHECKING:
    from trilith.app import App

SURE = 0.8
"""A hybrid score above this means that an answer is there."""
MAX_LIMIT = 50
HOUR = 3600.0


def lookup(app: App, caller: Principal, arguments: Arguments) -> Json:
    query = arguments.required_text("query")
    least = arguments.number("min_confidence", least=0.0, most=1.0) if arguments.has("min_confidence") else 0.5
    hours = arguments.number("max_age_hours", least=0.0) if arguments.has("max_age_hours") else None
    limit = arguments.integer("limit", default=3, most=MAX_LIMIT)
    filter = app.gate.filter(caller, arguments.text("library"), tags=arguments.strings("tags"))
    candidates = _candidates(app, filter, query, arguments.text("source_url"), limit)
    now = app.clock.now()
    fresh = [entry for entry in candidates if not entry.metadata.is_stale(now)]
    young = [entry for entry in fresh if hours is None or (now - entry.updated_at).total_seconds() <= hours * HOUR]
    good = [entry for entry in young if entry.metadata.confidence >= least]
    past = [entry for entry in candidates if entry not in young]
    return {
        "hit": bool(good),
        "document": _document(app, filter, good[0]) if good else None,
        "stale_exists": bool(past),
        "stale_id": past[0].id if past else None,
    }


def _candidates(app: App, filter: Filter, query: str, source_url: str | None, limit: int) -> list[Entry]:
    """Notes of the same source, then notes that answer the query."""
    same = replace(filter, where={"source_url": source_url}) if source_url else None
    found = list(app.catalog.page(Listing(filter=same, limit=limit)).entries) if same else []
    hits = app.searcher.search(Query(text=query, filter=filter, limit=limit)).hits
    return found + [hit.entry for hit in hits if hit.score > SURE and hit.entry not in found]


def _document(app: App, filter: Filter, entry: Entry) -> Json:
    note = app.reader.read(entry, filter)
    content, truncated = app.reader.shortened(note, None)
    return shapes.document(note, content, truncated=truncated, name_library=len(filter.scopes) > 1)


LOOKUP = Tool(
    name="lithos_cache_lookup",
    title="Look whether it is known already",
    description="Before researching something, ask whether a fresh and trusted document answers it already.",
    parameters=(
        Parameter(name="query", type="string", required=True, description="What you want to know."),
        Parameter(
            name="source_url", type="string", description="A document with this source is a hit whatever the query."
        ),
        Parameter(name="max_age_hours", type="number", description="Only documents updated within so many hours."),
        Parameter(name="min_confidence", type="number", description="Only documents at least this sure. Default 0.5."),
        Parameter(name="limit", type="integer", description="How many candidates to look at. Default 3, at most 50."),
        Parameter(name="tags", type="strings", description="Only documents that have all of these tags."),
        LIBRARY,
    ),
    output=record(
        {
            "hit": BOOLEAN,
            "document": nullable("The document, as lithos_read gives it"),
            "stale_exists": {**BOOLEAN, "description": "A document answers, but it is expired or too old."},
            "stale_id": nullable("The id of that document"),
        }
    ),
    run=lookup,
)
