"""`lithos_search`: four modes behind one tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trilith.dialects import shapes
from trilith.dialects.arguments import Arguments
from trilith.dialects.parameters import LIBRARY
from trilith.dialects.schema import (
    BOOLEAN,
    FREE,
    INTEGER,
    NUMBER,
    STRING,
    STRINGS,
    diagnostics,
    listing,
    nullable,
    record,
)
from trilith.dialects.tool import Json, Parameter, Tool
from trilith.errors import InvalidMode
from trilith.model.hits import Outcome
from trilith.model.principal import Principal
from trilith.model.query import Filter, Mode, Query

if TYPE_CHECKING:
    from trilith.app import App

MODES = ("hybrid", "fulltext", "semantic", "graph")
GRAPH_IGNORES = ("tags", "path_prefix")
"""Filters that a walk over links does not apply."""
MAX_LIMIT = 50


def search(app: App, caller: Principal, arguments: Arguments) -> Json:
    query = arguments.required_text("query")
    mode = arguments.text("mode") or "hybrid"
    if mode not in MODES:
        raise InvalidMode(f"Unknown search mode '{mode}'. Valid modes: {', '.join(MODES)}", field="mode")
    limit = arguments.integer("limit", default=10, most=MAX_LIMIT)
    filter = app.gate.filter(
        caller,
        arguments.text("library"),
        tags=arguments.strings("tags"),
        author=arguments.text("author"),
        path_prefix=arguments.text("path_prefix"),
    )
    if mode == "graph":
        start = app.reader.resolve(query.strip(), filter.whole())
        outcome = app.neighbourhood.around(start, filter, limit)
        ignored = [name for name in GRAPH_IGNORES if arguments.has(name)]
        return {
            **_answer(app, outcome, filter, arguments),
            **({"ignored_filters": ignored} if ignored else {}),
            **({"truncated": True} if outcome.is_cut else {}),
        }
    outcome = app.searcher.search(
        Query(text=query, filter=filter, mode=Mode(mode), limit=limit, explain=arguments.boolean("explain"))
    )
    interpretation: Json = {"query_interpretation": outcome.interpretation.value} if mode != "semantic" else {}
    if outcome.interpretation_reason and interpretation:
        interpretation["query_interpretation_reason"] = outcome.interpretation_reason
    return {
        **_answer(app, outcome, filter, arguments),
        **interpretation,
        "diagnostics": shapes.diagnostics(outcome.diagnostics),
    }


def _answer(app: App, outcome: Outcome, filter: Filter, arguments: Arguments) -> Json:
    now, explain = app.clock.now(), arguments.boolean("explain")
    name_library = len(filter.scopes) > 1
    return {"results": [shapes.hit(hit, now, match=explain, name_library=name_library) for hit in outcome.hits]}


RESULT = record(
    {
        "id": STRING,
        "title": STRING,
        "snippet": STRING,
        "score": {
            **NUMBER,
            "description": "0..1, higher is more relevant. In hybrid mode the probability of an answer.",
        },
        "path": STRING,
        "source_url": nullable("Where the document came from"),
        "updated_at": STRING,
        "is_stale": {**BOOLEAN, "description": "expires_at has passed; the document may still be right."},
        "derived_from_ids": STRINGS,
    },
    {
        "depth": {**INTEGER, "description": "Hops from the start, in graph mode."},
        "library": STRING,
        "match": {**FREE, "description": "With explain: rank and raw score per engine."},
        "explanation": {
            **FREE,
            "description": (
                "With explain: the query's terms that it has and where, its best chunk, what each list adds to the fused "
                "sum, and how the score came about."
            ),
        },
    },
)

SEARCH = Tool(
    name="lithos_search",
    title="Search the knowledge base",
    description=(
        "Search documents by words and meaning (hybrid, the default), by exact words and query syntax (fulltext), by "
        "meaning alone (semantic), or walk the links around a document (graph). Results carry a snippet; read the whole "
        "document with lithos_read."
    ),
    parameters=(
        Parameter(
            name="query",
            type="string",
            required=True,
            description=(
                'What to look for. fulltext and hybrid understand AND, OR, NOT, "phrases", title:, tags:, author:, path:, '
                "word* and word~1; anything that is not such syntax is searched as it stands. In graph mode: the id, path, "
                "slug, title or alias of the document to start from."
            ),
        ),
        Parameter(name="mode", type="string", description="hybrid (default), fulltext, semantic or graph."),
        Parameter(name="limit", type="integer", description="Most results to return. Default 10, at most 50."),
        Parameter(
            name="tags", type="strings", description="Only documents that have all of these tags; `a` includes `a/b`."
        ),
        Parameter(name="author", type="string", description="Only documents by this author."),
        Parameter(
            name="path_prefix", type="string", description="Only documents below this folder, for example procedures/."
        ),
        LIBRARY,
        Parameter(name="explain", type="boolean", description="Add to each result why it was found. Default false."),
    ),
    output=record(
        {"results": listing(RESULT)},
        {
            "query_interpretation": {**STRING, "description": "syntax or literal."},
            "query_interpretation_reason": STRING,
            "ignored_filters": STRINGS,
            "truncated": {**BOOLEAN, "description": "There are more notes around it than shown, in graph mode."},
            "diagnostics": diagnostics(),
        },
    ),
    run=search,
)
