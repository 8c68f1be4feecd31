"""The page with the whole graph, and what its drawing is made of."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from trilith.errors import InvalidInput
from trilith.model.principal import Principal
from trilith.model.query import Listing, Query, Sort
from trilith.surfaces.caller import caller_of
from trilith.surfaces.web.shop import Shop
from trilith.surfaces.web.views import wholegraph
from trilith.surfaces.web.views.wholegraph import MOST_LISTED, Whole, hubs, orphans

MOST = 20_000
"""Notes that are drawn, those changed last; a drawing of more shows nothing."""
MOST_FOUND = 200
MOST_KEPT = 4
"""Graphs: the page is asked for first, and then its drawing."""


def page(shop: Shop, request: Request) -> Response:
    if not shop.is_open():
        return shop.pages.page(request, "starting", 503)
    graph = _whole(shop, caller_of(request.scope))
    alone = orphans(graph)
    return shop.pages.page(
        request,
        "graph",
        notes=len(graph.nodes),
        links=len(graph.edges),
        hubs=hubs(graph),
        orphans=alone[:MOST_LISTED],
        alone=len(alone),
        folders=graph.folders,
        tags=graph.tags,
        is_cut=len(graph.nodes) == MOST,
        note=request.query_params.get("note", ""),
    )


def data(shop: Shop, request: Request) -> Response:
    """The graph as numbers, for the drawing."""
    graph = _whole(shop, caller_of(request.scope))
    return JSONResponse({"nodes": graph.nodes, "edges": graph.edges})


def found(shop: Shop, request: Request) -> Response:
    """The ids of the notes that a search finds, for the drawing to show them. Raises whatever a search raises."""
    text = request.query_params.get("q", "")
    if not text.strip():
        raise InvalidInput("'q' must not be blank.", field="q")
    app = shop.app
    query = Query(text=text, filter=app.gate.filter(caller_of(request.scope)), limit=MOST_FOUND, snippets=False)
    return JSONResponse({"found": [hit.entry.id for hit in app.searcher.search(query).hits]})


def _whole(shop: Shop, caller: Principal) -> Whole:
    """Made anew only when something has changed, or for somebody who sees something else."""
    app = shop.app
    filter = app.gate.filter(caller)
    several = len(app.gate.known(caller)) > 1
    key = (app.catalog.generation(), several, *filter.scopes)
    graph = shop.graphs.get(key)
    if graph is None:
        entries = app.catalog.page(Listing(filter=filter, sort=Sort.UPDATED, limit=MOST)).entries
        near = app.graph.neighbours([entry.num for entry in entries], filter)
        graph = wholegraph.whole(entries, near, several=several)
        shop.graphs[key] = graph
        while len(shop.graphs) > MOST_KEPT:
            shop.graphs.pop(next(iter(shop.graphs)), None)
    return graph
