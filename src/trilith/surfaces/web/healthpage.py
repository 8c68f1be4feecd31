"""The page that tells how the base is, and its part that changes by the second on its own for scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from trilith.app import App
from trilith.errors import Unavailable
from trilith.model.audit import Act
from trilith.model.principal import Principal, Right
from trilith.model.query import Filter, Listing
from trilith.ports.catalog import FileProblem
from trilith.surfaces.caller import caller_of
from trilith.surfaces.mcp.offered import DIALECTS
from trilith.surfaces.web.shop import Shop
from trilith.surfaces.web.views import activity, health

MOST_FOLDERS, MOST_TAGS = 12, 10
MOST_ACTS = 2_000
"""Of the log, the last so many are counted."""
WRITING = frozenset(tool.name for dialect in DIALECTS.values() for tool in dialect.tools if tool.writes)
_CHANGE = re.compile(r"(?:POST|PATCH|PUT|DELETE) ")


def page(shop: Shop, request: Request) -> Response:
    if not shop.is_open():
        return shop.pages.page(request, "starting", 503)
    app, caller = shop.app, caller_of(request.scope)
    filter = app.gate.filter(caller)
    tags = list(app.catalog.tag_counts(filter).items())[:MOST_TAGS]
    return shop.pages.page(
        request,
        "health",
        **_now(app, filter),
        tags=health.bars(tags, ""),
        folders=health.bars(_folders(app, filter), ""),
        kinds=health.kinds(tuple(_problems(app, filter))),
        most=health.MOST,
        sees_all=all(scope.reader is None for scope in filter.scopes),
        speeds=activity.speeds(shop.speeds()),
        **_activity(app, caller),
    )


def live(shop: Shop, request: Request) -> Response:
    """What changes while notes are indexed."""
    app = shop.app
    return shop.pages.page(request, "_health", **_now(app, app.gate.filter(caller_of(request.scope))))


def is_write(act: Act) -> bool:
    """Whether an act meant to change something."""
    return act.action in WRITING or _CHANGE.match(act.action) is not None


def _now(app: App, filter: Filter) -> dict[str, Any]:
    status, counts = app.reporter.status(filter), app.reporter.counts(filter)
    each = {
        scope.library: app.reporter.counts(replace(filter, scopes=(scope,))).chunks
        for scope in (filter.scopes if len(filter.scopes) > 1 else ())
    }
    chunks = each or dict.fromkeys(filter.libraries, counts.chunks)
    said, tone = health.state(status)
    return {
        "said": said,
        "tone": tone,
        "meaning": health.meaning(status),
        "figures": health.figures(counts),
        "shelves": health.shelves(status, chunks),
    }


def _problems(app: App, filter: Filter) -> Iterator[FileProblem]:
    for scope in filter.scopes:
        yield from health.visible(app.doctor.problems(scope.library) if scope.reader is None else (), scope)


def _folders(app: App, filter: Filter) -> Iterator[tuple[str, int]]:
    for folder in app.catalog.folders(filter)[:MOST_FOLDERS]:
        yield folder, app.catalog.page(Listing(filter=replace(filter, path_prefix=folder), limit=0)).total


def _activity(app: App, caller: Principal) -> dict[str, Any]:
    """Everybody's acts for those who may see how the server is doing, else the caller's own; a stranger has none."""
    acts: tuple[Act, ...] = ()
    unread = None
    try:
        if caller.name:
            acts = app.audit.recent(MOST_ACTS, None if Right.ADMIN in caller.rights else caller.name)
    except Unavailable as failure:
        unread = failure.message
    return {
        "unread": unread,
        "agents": activity.agents(acts, is_write),
        "recent": activity.recent(acts, is_write),
        "hours": activity.hours(acts, is_write, app.clock.now()),
    }
