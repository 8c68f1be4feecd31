"""All doors of HTTP behind one address."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.routing import Route, request_response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trilith.dialects.mythos import MYTHOS
from trilith.errors import TrilithError
from trilith.surfaces.caller import caller_of
from trilith.surfaces.http import memos
from trilith.surfaces.http.audited import Audited, is_told_of
from trilith.surfaces.http.callers import MYTHOS_PATH, Callers, Doorkeeper
from trilith.surfaces.http.discovery import METADATA, metadata
from trilith.surfaces.http.endpoint import McpEndpoint
from trilith.surfaces.http.envelope import on_http_error, on_surprise, on_trilith_error
from trilith.surfaces.http.guard import Guard
from trilith.surfaces.http.lazily import Lazily
from trilith.surfaces.http.meter import Meter, outcome
from trilith.surfaces.http.paths import Paths
from trilith.surfaces.http.probes import Probes
from trilith.surfaces.mcp.calls import Visit
from trilith.surfaces.mcp.offered import dialects as named
from trilith.surfaces.mcp.toolbox import toolbox
from trilith.surfaces.opening import Opening
from trilith.surfaces.web.paths import is_page, is_told, within
from trilith.surfaces.web.sessions import Sessions
from trilith.surfaces.web.visitors import Visitors

if TYPE_CHECKING:
    from trilith.dialects.tool import Dialect


def application(
    opening: Opening,
    dialects: Sequence[str],
    host: str,
    doorkeeper: Doorkeeper,
    meter: Meter,
    *,
    ready: Callable[[], None] = lambda: None,
    writable: bool = True,
) -> ASGIApp:
    """Everything that `trilith serve` answers.

    Args:
        opening: not begun yet; it is begun and closed with the application.
        dialects: names of those whose tools `/mcp` offers; each has a path of its own besides.
        host: the configured address.
        doorkeeper: decides who comes in.
        ready: called once requests are answered.
        writable: whether tools that write are listed.
    """
    chosen = named(dialects)
    endpoints = {
        "": _endpoint(chosen, opening, meter, writable=writable),
        **{f"/{each.name}": _endpoint((each,), opening, meter, writable=writable) for each in chosen},
    }
    probes = Probes(opening, meter)

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            for endpoint in endpoints.values():
                await stack.enter_async_context(endpoint.running())
            opening.start()
            ready()
            yield
            await run_in_threadpool(opening.close)

    routes = [
        *(Route(f"/mcp{name}", endpoint) for name, endpoint in endpoints.items()),
        *(Route(f"/l/{{library}}/mcp{name}", endpoint) for name, endpoint in endpoints.items()),
        *(Route(path, metadata) for path in (METADATA, f"{METADATA}/{{path:path}}")),
        Route("/health", probes.health),
        Route("/metrics", probes.metrics),
        *([Route(MYTHOS_PATH, _memos(opening, meter))] if MYTHOS in chosen else []),
        Route(
            "/api/{rest:path}",
            Counted(
                Audited(Lazily(lambda: _rest(opening, memos=MYTHOS in chosen)), opening, "rest", is_told_of),
                meter,
                "rest",
            ),
        ),
    ]
    handlers = {HTTPException: on_http_error, TrilithError: on_trilith_error, Exception: on_surprise}
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
    app.router.redirect_slashes = False
    return Guard(Paths(_parted(_visitors(opening, doorkeeper, meter), Callers(app, doorkeeper))), host)


def _visitors(opening: Opening, doorkeeper: Doorkeeper, meter: Meter) -> ASGIApp:
    """The web page, made when somebody comes."""
    sessions = Sessions(doorkeeper.clock.monotonic)
    pages = Lazily(lambda: _site(opening, doorkeeper, sessions, meter))
    return Visitors(
        Counted(Audited(pages, opening, "web", is_told), meter, "web"),
        Counted(pages, meter, "web"),
        doorkeeper,
        sessions,
    )


def _parted(pages: ASGIApp, rest: ASGIApp) -> ASGIApp:
    """Pages are for people, who sign in; everything else for programs, which show a key each time."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        root = scope.get("root_path", "")
        path = within(scope["path"], root) if scope["type"] == "http" else ""
        if is_page(path):
            await pages({**scope, "path": f"{root}{path}"}, receive, send)
        else:
            await rest(scope, receive, send)

    return app


def _endpoint(dialects: Sequence[Dialect], opening: Opening, meter: Meter, *, writable: bool) -> McpEndpoint:
    def count(failure: TrilithError | None) -> None:
        meter.count("mcp", outcome(200 if failure is None else failure.status))

    return McpEndpoint(toolbox(dialects, opening, visit_of, count), writable=writable)


def visit_of(request: Request) -> Visit:
    """Who calls a tool, and in which library."""
    return Visit(caller_of(request.scope), request.path_params.get("library"))


def _memos(opening: Opening, meter: Meter) -> ASGIApp:
    return Counted(
        Audited(request_response(memos.SemanticSearch(opening).answer), opening, "rest", is_told_of), meter, "rest"
    )


def _rest(opening: Opening, *, memos: bool) -> ASGIApp:
    from trilith.surfaces.http.rest import build as build_rest  # FastAPI costs a quarter of a second

    return build_rest(opening, memos=memos)


def _site(opening: Opening, doorkeeper: Doorkeeper, sessions: Sessions, meter: Meter) -> ASGIApp:
    from trilith.surfaces.web.site import build as build_site

    return build_site(opening, doorkeeper, sessions, meter.speeds)


class Counted:
    """Counts the answers of an app at `door`."""

    def __init__(self, app: ASGIApp, meter: Meter, door: str) -> None:
        self._app = app
        self._meter = meter
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_counted(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._meter.count(self._door, outcome(message["status"]))
            await send(message)

        await self._app(scope, receive, send_counted)
