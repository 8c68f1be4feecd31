"""The pages by their paths: what `surfaces.http` puts at the top of its address."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from trilith.errors import NotFound, TrilithError
from trilith.surfaces.opening import Opening
from trilith.surfaces.web import editpage, graphpage, healthpage, notepage, paths, searchpage
from trilith.surfaces.web.assets import Assets
from trilith.surfaces.web.frame import Pages
from trilith.surfaces.web.sessions import Sessions
from trilith.surfaces.web.shop import Shop, Speeds
from trilith.surfaces.web.signing import Signing, form_of, typed
from trilith.surfaces.web.visitors import REFUSED, Door

log = logging.getLogger(__name__)

Handler = Callable[[Shop, Request], Response]
Changing = Callable[[Shop, Request, Mapping[str, str]], Response]
"""Takes the fields of a form of ours, too."""


Failing = Callable[[Request, Exception], Awaitable[Response]]

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


def build(opening: Opening, door: Door, sessions: Sessions, speeds: Speeds) -> ASGIApp:
    """Everything behind `Visitors`."""
    assets = Assets()
    pages = Pages(assets, wants_keys=door.wants_keys)
    signing = Signing(pages, door, sessions)
    shop = Shop(opening, pages, speeds)

    def route(path: str, handler: Handler) -> Route:
        async def answer(request: Request) -> Response:
            return await run_in_threadpool(handler, shop, request)

        return Route(path, answer, methods=["GET"])

    def posted(path: str, handler: Changing) -> Route:
        async def answer(request: Request) -> Response:
            sent = await form_of(request)
            return await run_in_threadpool(handler, shop, request, sent)

        return Route(path, answer, methods=["POST"])

    routes = [
        Route(f"{paths.STATIC}/{{version}}/{{name}}", assets.answer),
        Route(paths.SIGN_IN, signing.form, methods=["GET"]),
        Route(paths.SIGN_IN, signing.sign_in, methods=["POST"]),
        Route(paths.SIGN_OUT, signing.sign_out, methods=["POST"]),
        route("/", searchpage.page),
        route("/results", searchpage.results),
        route("/why", searchpage.why),
        route("/note/{id:uuid}", notepage.page),
        route("/note/{id:uuid}/raw", notepage.raw),
        route("/note/{id:uuid}/edit", editpage.form),
        posted("/note/{id:uuid}/edit", editpage.save),
        posted("/note/{id:uuid}/preview", editpage.preview),
        route("/note/{id:uuid}/near", notepage.nearest),
        route("/note/{name:path}", notepage.named),
        route("/graph", graphpage.page),
        route("/graph/data", graphpage.data),
        route("/graph/found", graphpage.found),
        route("/status", healthpage.page),
        route("/status/live", healthpage.live),
        route("/file/{id:uuid}/{path:path}", notepage.file),
        route("/me/{owner}/{hex}", notepage.memo),
    ]

    handlers = _failing(pages)
    site = Starlette(routes=routes, exception_handlers=handlers)
    refusing = Starlette(routes=[Route("/{path:path}", _refused, methods=METHODS)], exception_handlers=handlers)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await (refusing if REFUSED in scope else site)(scope, receive, send)

    return app


def _failing(pages: Pages) -> dict[type[Exception], Failing]:
    """The pages that tell of what went wrong."""

    async def on_failure(request: Request, failure: Exception) -> Response:
        assert isinstance(failure, TrilithError)
        return pages.failure(request, failure, await typed(request))

    async def on_http(request: Request, failure: Exception) -> Response:
        assert isinstance(failure, HTTPException)
        answer = pages.failure(request, NotFound("There is no such page."))
        answer.status_code = failure.status_code
        return answer

    async def on_surprise(request: Request, _failure: Exception) -> Response:
        return pages.surprise(request)

    return {TrilithError: on_failure, HTTPException: on_http, Exception: on_surprise}


async def _refused(request: Request) -> Response:
    failure: TrilithError = request.scope[REFUSED]
    raise failure
