"""`lb_search`: three modes behind one tool."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trilith.dialects import budget, shapes
from trilith.dialects.arguments import Arguments
from trilith.dialects.loombrain.scope import item_of_id, members, nodes
from trilith.dialects.loombrain.shapes import BRIEF, brief
from trilith.dialects.parameters import LIBRARY
from trilith.dialects.schema import BOOLEAN, INTEGER, NUMBER, STRING, diagnostics, listing, record
from trilith.dialects.tool import Json, Parameter, Tool
from trilith.errors import InvalidInput
from trilith.model.hits import Hit, Outcome
from trilith.model.principal import Principal
from trilith.model.query import Filter, Match, Mode, Query, Ranking

if TYPE_CHECKING:
    from trilith.app import App

MODES = {"keyword": Mode.FULLTEXT, "semantic": Mode.SEMANTIC, "hybrid": Mode.HYBRID}
MATCHES = {Mode.FULLTEXT: (Match.ALL,), Mode.HYBRID: (Match.ALL, Match.ANY)}
"""All words must be there; a hybrid search that finds no such node takes those with any of them."""
LIMIT, MAX_LIMIT = 20, 100
TOP_K, MAX_TOP_K = 50, 100
CHARACTERS_EACH = budget.DEFAULT_CHARACTERS // LIMIT
"""Of the answer, for each result asked for."""


def search(app: App, caller: Principal, arguments: Arguments) -> Json:
    text, mode = arguments.required_text("query"), _mode(arguments)
    limit = arguments.integer("limit", default=LIMIT, most=MAX_LIMIT)
    top_k = arguments.integer("top_k", default=TOP_K, most=MAX_TOP_K)
    filter = _filter(app, caller, arguments)
    query = Query(
        text=text,
        filter=filter,
        mode=mode,
        limit=limit,
        pool=MAX_LIMIT if mode is Mode.FULLTEXT else top_k,
        lexical_text=_override(arguments, "keyword_query"),
        semantic_text=_override(arguments, "semantic_query"),
        matches=MATCHES.get(mode, (Match.ALL,)),
        ranking=Ranking.PURE,
        count=mode is not Mode.SEMANTIC,
        snippets=False,
    )
    return _answer(query, app.searcher.search(query), several=len(app.gate.known(caller)) > 1)


def _mode(arguments: Arguments) -> Mode:
    name = arguments.text("mode") or "hybrid"
    if name not in MODES:
        raise InvalidInput(f"'mode' must be one of {', '.join(MODES)}, not '{name[:80]}'.", field="mode")
    return MODES[name]


def _filter(app: App, caller: Principal, arguments: Arguments) -> Filter:
    filter = nodes(app, caller, arguments.text("library"), tags=arguments.strings("tags"))
    item_id = arguments.text("para_item_id")
    return members(filter, item_of_id(app.para.all(filter), item_id)) if item_id else filter


def _override(arguments: Arguments, name: str) -> str | None:
    return (arguments.text(name) or "").strip() or None


def _answer(query: Query, outcome: Outcome, *, several: bool) -> Json:
    shown = [_hit(found, query.mode, several=several) for found in outcome.hits]
    data, cut = budget.fit(shown, CHARACTERS_EACH * query.limit)
    keyword = query.mode is Mode.FULLTEXT
    matches = outcome.total_matches
    answer: Json = {
        "data": data,
        "total": matches if keyword else outcome.total,
        "coverage_capped": query.mode is Mode.HYBRID and (matches or 0) > query.pool,
        "page": 1,
        "per_page": query.limit,
        "diagnostics": shapes.diagnostics(outcome.diagnostics),
    }
    if matches is not None:
        answer["total_matches"] = matches
    if query.mode is not Mode.SEMANTIC:
        answer["query_interpretation"] = outcome.interpretation.value
    if not keyword and matches and outcome.match is Match.ANY:
        answer["diagnostics"]["keyword"] = "any_term"
    return {**answer, "truncated": True} if cut else answer


def _hit(found: Hit, mode: Mode, *, several: bool) -> Json:
    shown = brief(found.entry)
    if mode is Mode.HYBRID:
        shown["match_provenance"] = {
            "keyword": found.fulltext is not None,
            "semantic": found.semantic is not None,
            "score": found.score,
        }
    return {**shown, "library": found.entry.library} if several else shown


PROVENANCE = {
    **record(
        {
            "keyword": {**BOOLEAN, "description": "It is among the top_k nodes by keyword."},
            "semantic": {**BOOLEAN, "description": "It is among the top_k nodes by meaning."},
            "score": {**NUMBER, "description": "Sum of 1/(60 + rank) over the lists that it is in."},
        }
    ),
    "description": "Which index found the node. In hybrid mode only.",
}

SEARCH = Tool(
    name="lb_search",
    title="Search the knowledge graph",
    description=(
        "Search all nodes by words and meaning (hybrid, the default), by words (keyword: all of them must be there, the last may be "
        "unfinished) or by meaning (semantic). Filters are strict in every mode. Read a whole node with lb_get_node."
    ),
    parameters=(
        Parameter(name="query", type="string", required=True, description="What to look for."),
        Parameter(name="mode", type="string", description="keyword, semantic or hybrid (default)."),
        Parameter(name="para_item_id", type="string", description="Only nodes of this PARA item."),
        Parameter(
            name="tags", type="strings", description="Only nodes that have all of these tags; `a` includes `a/b`."
        ),
        Parameter(
            name="top_k",
            type="integer",
            description="How many nodes each index contributes to semantic and hybrid mode. Default 50, at most 100.",
        ),
        Parameter(
            name="keyword_query",
            type="string",
            description=(
                'Look for these words instead of `query`\'s. AND, OR, NOT, "phrases", title:, tags: and word* are understood. Not for '
                "semantic mode."
            ),
        ),
        Parameter(
            name="semantic_query",
            type="string",
            description="Look for this meaning instead of `query`'s. Not for keyword mode.",
        ),
        Parameter(name="limit", type="integer", description="Most results to return. Default 20, at most 100."),
        LIBRARY,
    ),
    output=record(
        {
            "data": listing(record(BRIEF, {"match_provenance": PROVENANCE, "library": STRING})),
            "total": {**INTEGER, "description": "Nodes in the served set."},
            "coverage_capped": {
                **BOOLEAN,
                "description": "More nodes match by keyword than the pool of top_k can hold.",
            },
            "page": INTEGER,
            "per_page": INTEGER,
            "diagnostics": diagnostics(
                {"keyword": {**STRING, "description": "any_term: no node has all words, so those with any were taken."}}
            ),
        },
        {
            "total_matches": {**INTEGER, "description": "All nodes that match by keyword. Not in semantic mode."},
            "query_interpretation": {**STRING, "description": "syntax or literal."},
            "truncated": {
                **BOOLEAN,
                "description": "Results were left out to keep the answer short; ask for fewer, or narrow the search.",
            },
        },
    ),
    run=search,
)
