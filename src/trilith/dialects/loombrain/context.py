"""`lb_get_context`: what is known already, at the beginning of some work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from trilith.dialects import budget
from trilith.dialects import shapes as common
from trilith.dialects.arguments import Arguments
from trilith.dialects.loombrain import shapes
from trilith.dialects.loombrain.scope import item_of_id, members, nodes
from trilith.dialects.loombrain.searching import MATCHES
from trilith.dialects.parameters import LIBRARY
from trilith.dialects.schema import BOOLEAN, STRING, diagnostics, listing, record
from trilith.dialects.tool import Json, Parameter, Tool
from trilith.model.hits import Hit
from trilith.model.ids import Num
from trilith.model.para import ParaItem
from trilith.model.principal import Principal
from trilith.model.query import Filter, Mode, Query, Ranking
from trilith.para.matching import matched

if TYPE_CHECKING:
    from trilith.app import App

LIMIT, MAX_LIMIT = 20, 50
SHORT_BODY = 400
"""Characters of a body; a longer one is cut, and the best place in it shown besides."""
CHARACTERS_EACH = budget.DEFAULT_CHARACTERS // LIMIT
"""Of the answer, for each node asked for."""


def get_context(app: App, caller: Principal, arguments: Arguments) -> Json:
    topic, limit = arguments.required_text("topic"), arguments.integer("limit", default=LIMIT, most=MAX_LIMIT)
    filter = nodes(app, caller, arguments.text("library"))
    items = app.para.all(filter)
    filter, item = _scoped(filter, items, arguments)
    query = Query(
        text=topic, filter=filter, limit=limit, pool=MAX_LIMIT, matches=MATCHES[Mode.HYBRID], ranking=Ranking.PURE
    )
    outcome = app.searcher.search(query)
    bodies = app.catalog.bodies(hit.entry.num for hit in outcome.hits)
    found = [_node(hit, bodies, items) for hit in outcome.hits]
    kept, cut = budget.fit(found, CHARACTERS_EACH * limit)
    answer: Json = {
        "nodes": kept,
        "matched_para_item": None if item is None else shapes.item(app.para.dated(filter, item)),
        "diagnostics": common.diagnostics(outcome.diagnostics),
    }
    return {**answer, "truncated": True} if cut else answer


def _scoped(filter: Filter, items: tuple[ParaItem, ...], arguments: Arguments) -> tuple[Filter, ParaItem | None]:
    """What was asked for by id is all there is, even when that is nothing; a guess narrows where it is clear."""
    asked, place = arguments.text("para_item_id"), arguments.text("working_directory")
    if asked:
        item = item_of_id(items, asked)
        return members(filter, item), item
    guessed = matched(place, items) if place else None
    return (filter, None) if guessed is None else (members(filter, guessed), guessed)


def _node(hit: Hit, bodies: Mapping[Num, str], items: tuple[ParaItem, ...]) -> Json:
    from trilith.markdown.shorten import shorten  # brings a sentence splitter, which no handshake waits for

    body, cut = shorten(bodies.get(hit.entry.num, ""), SHORT_BODY)
    shown = {**shapes.node(hit.entry, body, items), "summary": shapes.brief(hit.entry)["summary"]}
    return {**shown, "truncated": True, "snippet": hit.snippet} if cut else shown


GET_CONTEXT = Tool(
    name="lb_get_context",
    title="What is known about a topic",
    description=(
        "The most relevant nodes for a topic, to begin work with. They are of one PARA item when that is named, or when the last "
        "part of working_directory is clearly the name of an active one."
    ),
    parameters=(
        Parameter(name="topic", type="string", required=True, description="The topic or question."),
        Parameter(name="para_item_id", type="string", description="Only nodes of this PARA item."),
        Parameter(
            name="working_directory",
            type="string",
            description="The folder that you work in, such as /home/me/site-relaunch; only its last part counts.",
        ),
        Parameter(name="limit", type="integer", description="Most nodes to return. Default 20, at most 50."),
        LIBRARY,
    ),
    output=record(
        {
            "nodes": listing(
                record(
                    shapes.NODE,
                    {
                        "truncated": {**BOOLEAN, "description": "The body is longer; lb_get_node has all of it."},
                        "snippet": {**STRING, "description": "The best place in a body that was cut."},
                    },
                )
            ),
            "matched_para_item": {"description": "The PARA item that the nodes are of; null when they are of any"},
            "diagnostics": diagnostics(),
        },
        {"truncated": {**BOOLEAN, "description": "Nodes were left out to keep the answer short; narrow the topic."}},
    ),
    run=get_context,
)
