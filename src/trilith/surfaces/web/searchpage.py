"""The search page, and its list of results on its own for scripts."""

from __future__ import annotations

from time import perf_counter

from starlette.requests import Request
from starlette.responses import Response

from trilith.app import App
from trilith.dialects.native import requests
from trilith.errors import NotFound, TrilithError
from trilith.health.status import State, Status
from trilith.language.excerpt import excerpt
from trilith.model.hits import Outcome
from trilith.model.principal import Principal
from trilith.model.query import Filter, Listing, Query
from trilith.surfaces.caller import caller_of
from trilith.surfaces.web.shop import Shop
from trilith.surfaces.web.views import asked as asking
from trilith.surfaces.web.views.asked import AGES, MODES, Asked
from trilith.surfaces.web.views.facets import Facets, facets
from trilith.surfaces.web.views.reasons import reasons
from trilith.surfaces.web.views.results import Results, found, listed

RECENT = 12
"""Notes that are shown before anything is searched."""


def page(shop: Shop, request: Request) -> Response:
    """The whole page; what is wrong with the question is told in the place of its results."""
    if not shop.is_open():
        return shop.pages.page(request, "starting", 503)
    caller = caller_of(request.scope)
    begun = perf_counter()
    asked, results, failure = asking.typed(request.query_params), None, None
    try:
        asked = asking.read(request.query_params)
        results = _results(shop.app, caller, asked)
    except TrilithError as error:
        failure = error
    return shop.pages.page(
        request,
        "search",
        200 if failure is None else failure.status,
        asked=asked,
        results=results,
        failure=failure,
        modes=MODES,
        ages=AGES,
        facets=_facets(shop.app, caller, asked),
        milliseconds=_since(begun),
        notice=_indexing(shop.app.reporter.status(shop.app.gate.filter(caller))),
    )


def results(shop: Shop, request: Request) -> Response:
    """What is wrong with the question is told in the place of its results, here too."""
    begun = perf_counter()
    asked, found, failure = asking.typed(request.query_params), None, None
    try:
        asked = asking.read(request.query_params)
        found = _results(shop.app, caller_of(request.scope), asked)
    except TrilithError as error:
        failure = error
    status = 200 if failure is None else failure.status
    shown = {"asked": asked, "results": found, "failure": failure, "milliseconds": _since(begun)}
    return shop.pages.page(request, "_results", status, **shown)


def why(shop: Shop, request: Request) -> Response:
    """Why one of the notes stands where it does. Raises what a search raises, and `NotFound` for one that is not there."""
    app, asked = shop.app, asking.read(request.query_params)
    filter = asked.narrowing(app.clock.now()).filter(app.gate, caller_of(request.scope))
    note, outcome = request.query_params.get("note", ""), _search(app, asked, filter, explain=True)
    found = next((hit.explanation for hit in outcome.hits if hit.entry.id == note), None)
    if found is None:
        raise NotFound("This note is not among the results any more.")
    return shop.pages.page(request, "_why", reasons=reasons(found))


def _results(app: App, caller: Principal, asked: Asked) -> Results:
    now = app.clock.now()
    narrowing = asked.narrowing(now)
    filter = narrowing.filter(app.gate, caller)
    several = len(app.gate.known(caller)) > 1
    if not asked.query:
        listing = app.catalog.page(Listing(filter=filter, limit=RECENT if asked.limit == asking.STEP else asked.limit))
        bodies = app.catalog.bodies(entry.num for entry in listing.entries)
        begun = {num: excerpt(text[:1_000], (), 180) for num, text in bodies.items()}
        return listed(listing.entries, begun, listing.total, now, several=several)
    return found(asked, _search(app, asked, filter), now, several=several)


def _search(app: App, asked: Asked, filter: Filter, *, explain: bool = False) -> Outcome:
    if asked.mode == "graph":
        start = app.reader.resolve(asked.query, filter.whole())
        return app.neighbourhood.around(start, filter, asked.limit)
    return app.searcher.search(
        Query(text=asked.q, filter=filter, mode=requests.mode(asked.mode), limit=asked.limit, explain=explain)
    )


def _facets(app: App, caller: Principal, asked: Asked) -> Facets:
    known = [library.name for library in app.gate.known(caller)]
    filter = app.gate.filter(caller, asked.library if asked.library in known else None)
    return facets(asked, app.catalog.tag_counts(filter), app.catalog.folders(filter), known)


def _indexing(status: Status) -> str | None:
    """What is not ready yet, before anything is asked."""
    if status.state is State.UNAVAILABLE:
        return "The folder of notes cannot be read at the moment; what was indexed is still found."
    if status.state is State.STARTING:
        return "The notes are being read for the first time. You can search already; more is found as it goes on."
    if status.pending_fulltext:
        return f"Indexing: {status.pending_fulltext:,} notes to go. They are not found yet."
    if status.pending_vectors:
        return f"Indexing: {status.pending_vectors:,} passages are still to be understood. Words are found already."
    return None


def _since(begun: float) -> int:
    return round(1_000 * (perf_counter() - begun))
