"""What stands before every path: only this machine's own names and pages, no oversized bodies, honest content types."""

from __future__ import annotations

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trilith.surfaces.http.address import is_loopback
from trilith.surfaces.http.envelope import MAX_BODY, refused_because, too_large
from trilith.surfaces.http.origins import LOOPBACK, bare_host, comes_from_here, names_this_server

METHODS = "GET, POST, PATCH, DELETE, OPTIONS"
EXPOSED = "Mcp-Session-Id, WWW-Authenticate, Retry-After"
PREFLIGHT_SECONDS = "600"


class Guard:
    """Lets requests from this machine through to `app`; answers the others itself, and CORS preflights.

    `host` is the configured address; it counts as this machine's name beside the loopback ones. A server that listens
    beyond this machine has names that it cannot know: whatever `Host` says is its name there, and keys do the guarding.
    """

    def __init__(self, app: ASGIApp, host: str) -> None:
        self._app = app
        self._names = LOOPBACK | {host.lower()}
        self._reachable = not is_loopback(host)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        names = self._names | {bare_host(headers.get("host", ""))} if self._reachable else self._names

        async def send_marked(message: Message) -> None:
            if message["type"] == "http.response.start":
                _mark(MutableHeaders(scope=message), headers, names)
            await send(message)

        answer = _answer(scope["method"], headers, names)
        if answer is not None:
            await answer(scope, receive, send_marked)
        else:
            await self._app(scope, _measured(receive), send_marked)


def _answer(method: str, headers: Headers, names: frozenset[str]) -> Response | None:
    """What is said at the door; None when the request may pass."""
    hosts, origins = headers.getlist("host"), headers.getlist("origin")
    if len(hosts) != 1 or not names_this_server(hosts[0], names):
        return refused_because(403, "forbidden", "This server answers only to its own address in 'Host'.")
    if len(origins) > 1 or not all(comes_from_here(origin, names) for origin in origins):
        return refused_because(403, "forbidden", "Pages of other origins may not use this server.")
    length = headers.get("content-length", "")
    if length.isdecimal() and int(length) > MAX_BODY:
        return too_large()
    if method == "OPTIONS" and origins and "access-control-request-method" in headers:
        return _preflight(headers)
    return None


def _preflight(headers: Headers) -> Response:
    """A browser asks on behalf of a page of this machine: yes, with whatever headers it wants to send."""
    allowed = {"Access-Control-Allow-Methods": METHODS, "Access-Control-Max-Age": PREFLIGHT_SECONDS}
    wanted = headers.get("access-control-request-headers")
    if wanted is not None:
        allowed["Access-Control-Allow-Headers"] = wanted
    return Response(status_code=204, headers=allowed)


def _mark(answer: MutableHeaders, asked: Headers, names: frozenset[str]) -> None:
    answer["X-Content-Type-Options"] = "nosniff"
    answer.add_vary_header("Origin")
    origin = asked.get("origin")
    if origin is not None and comes_from_here(origin, names):
        answer["Access-Control-Allow-Origin"] = origin
        answer["Access-Control-Expose-Headers"] = EXPOSED


def _measured(receive: Receive) -> Receive:
    """`receive`, which raises the framework's 413 for a body that is too large and never told its length."""
    size = 0

    async def receive_measured() -> Message:
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        if size > MAX_BODY:
            raise HTTPException(413)
        return message

    return receive_measured
