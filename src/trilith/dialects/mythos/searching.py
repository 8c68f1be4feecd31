"""`search_memos`: by meaning, chunk by chunk, or for a text as it stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trilith.dialects import budget
from trilith.dialects.arguments import Arguments
from trilith.dialects.mythos.memos import HEAD, LIBRARY, heads, unread
from trilith.dialects.schema import BOOLEAN, INTEGER, NUMBER, STRING, listing, nullable, record
from trilith.dialects.tool import Json, Parameter, Tool
from trilith.errors import InvalidInput, InvalidMode
from trilith.model.hits import ChunkedHit, ChunkedOutcome, EngineState
from trilith.model.principal import Principal
from trilith.model.query import Listing

if TYPE_CHECKING:
    from trilith.app import App

MODES = ("substring", "semantic")
SEMANTIC_LIMIT, MOST_SEMANTIC = 5, 20
SUBSTRING_LIMIT, MOST_SUBSTRING = 50, 200
LONGEST_QUERY = 10_000
"""Characters."""


def search(app: App, caller: Principal, arguments: Arguments) -> Json:
    query = arguments.required_text("query")
    mode = arguments.text("mode") or "substring"
    if mode not in MODES:
        raise InvalidMode(f"Unknown search mode '{mode}'. Valid modes: {', '.join(MODES)}", field="mode")
    if mode == "substring":
        return substring(app, caller, query, arguments)
    return semantic(
        app,
        caller,
        query,
        limit=arguments.integer("limit", default=SEMANTIC_LIMIT, most=MOST_SEMANTIC),
        tags=arguments.strings("tags"),
        library=arguments.text("library"),
    )


def semantic(
    app: App, caller: Principal, query: str, *, limit: int, tags: tuple[str, ...], library: str | None
) -> Json:
    """The memos nearest to a query, best first, each with its best chunks."""
    filter = app.gate.filter_of(caller, library, tags=tags)
    outcome = app.chunk_searcher.search(query, filter, limit)
    shown = heads(app, filter, (hit.entry for hit in outcome.hits))
    memos = [{**shown[hit.entry.num], **_scored(hit)} for hit in outcome.hits]
    return {"success": True, "memos": memos, "diagnostics": _diagnostics(outcome)}


def substring(app: App, caller: Principal, query: str, arguments: Arguments) -> Json:
    """The memos that have a text in title, body or a tag, newest first."""
    from trilith.language.excerpt import excerpt_around  # its stemmer is an engine's

    if len(query) > LONGEST_QUERY:
        raise InvalidInput(f"The query is longer than {LONGEST_QUERY:,} characters.", field="query")
    limit = arguments.integer("limit", default=SUBSTRING_LIMIT, most=MOST_SUBSTRING)
    filter = app.gate.filter_of(caller, arguments.text("library"), tags=arguments.strings("tags"))
    page = app.catalog.page(Listing(filter=filter, contains=query.strip(), limit=limit))
    shown, texts = heads(app, filter, page.entries), app.catalog.bodies(entry.num for entry in page.entries)
    memos = [{**shown[entry.num], "snippet": excerpt_around(texts.get(entry.num, ""), query)} for entry in page.entries]
    kept, cut = (memos, False) if arguments.has("limit") else budget.fit(memos)
    answer: Json = {
        "success": True,
        "memos": kept,
        "diagnostics": {"vectorSearchFailed": False, **unread(app, filter)},
    }
    if cut or page.total > len(kept):
        answer |= {"truncated": True, "total": page.total, "hint": f"Say a limit up to {MOST_SUBSTRING} to see more."}
    return answer


def _scored(hit: ChunkedHit) -> Json:
    return {
        "memoScore": round(hit.score, 4),
        "chunkCount": hit.count,
        "chunks": [
            {"chunkText": chunk.text, "score": round(chunk.score, 4), "section": chunk.section} for chunk in hit.chunks
        ],
    }


def _diagnostics(outcome: ChunkedOutcome) -> Json:
    state = outcome.diagnostics
    shown: Json = {
        "vectorSearchFailed": state.semantic is not EngineState.OK,
        "semantic": state.semantic.value,
        "reason": state.reason,
        "pending": state.pending,
    }
    if state.fulltext is not EngineState.OK:
        shown["fulltext"] = state.fulltext.value
    return shown


CHUNK = record(
    {
        "chunkText": STRING,
        "score": {**NUMBER, "description": "0.7 x cosine + 0.3 x share of the query's words, 0 to 1."},
        "section": {**STRING, "description": "body, or notes for the notes among collaborators."},
    }
)

SEARCH = Tool(
    name="search_memos",
    title="Search memos",
    description=(
        "Search a library of memos. With mode 'semantic' by meaning and words at once: each memo comes with its best "
        "chunks. With mode 'substring', the default, for a text as it stands in title, tags or body, newest first."
    ),
    parameters=(
        Parameter(
            name="query",
            type="string",
            required=True,
            description="What to look for. In semantic mode richer queries do better than short acronyms.",
        ),
        Parameter(name="mode", type="string", description="semantic or substring (default)."),
        Parameter(
            name="limit",
            type="integer",
            description="Most memos to return. semantic: default 5, at most 20; substring: default 50, at most 200.",
        ),
        Parameter(
            name="tags",
            type="string",
            description="Only memos that have all of these tags, comma-separated; `a` includes `a/b`.",
        ),
        LIBRARY,
    ),
    output=record(
        {
            "success": BOOLEAN,
            "memos": listing(
                record(
                    HEAD,
                    {
                        "library": STRING,
                        "memoScore": {
                            **NUMBER,
                            "description": "Best chunk score + 0.1 x ln(chunkCount); semantic mode.",
                        },
                        "chunkCount": {**INTEGER, "description": "Chunks that count for the memo; semantic mode."},
                        "chunks": listing(CHUNK),
                        "snippet": {**STRING, "description": "Substring mode."},
                    },
                )
            ),
            "diagnostics": record(
                {
                    "vectorSearchFailed": {
                        **BOOLEAN,
                        "description": "The search by meaning failed; these are results of the text search alone.",
                    }
                },
                {
                    "semantic": {**STRING, "description": "ok, loading, degraded or off."},
                    "reason": nullable("Why a part is not ok"),
                    "pending": {**INTEGER, "description": "Chunks that have no embedding yet."},
                    "fulltext": {**STRING, "description": "Named only when not ok."},
                },
            ),
        },
        {
            "truncated": {**BOOLEAN, "description": "There are more memos than shown; substring mode."},
            "total": INTEGER,
            "hint": STRING,
        },
    ),
    run=search,
)
