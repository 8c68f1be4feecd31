"""Who visits? Somebody who has signed in, or shows a key, or needs none. Others are shown the way to sign in."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trilith.errors import TrilithError, Unauthorized
from trilith.model.principal import Principal
from trilith.surfaces.caller import CALLER
from trilith.surfaces.web.paths import SIGN_IN, is_asset, is_open, within
from trilith.surfaces.web.security import HEADERS, check_origin
from trilith.surfaces.web.sessions import Session, Sessions

VISIT = "trilith.visit"
"""Where the ASGI scope holds the `Visit`."""
REFUSED = "trilith.refused"
"""Where the ASGI scope holds the `TrilithError` by which a visitor was turned away."""
READING = ("GET", "HEAD")
PART = "x-trilith-part"
"""The header by which our scripts ask for a part of a page."""


class Door(Protocol):
    """Who comes in by a key, as on every other path."""

    def admit(self, headers: Headers, address: str) -> Principal: ...

    def again(self, key: str, address: str) -> Principal: ...

    def sign_in(self, secret: str) -> Principal: ...

    def wants_keys(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Visit:
    """`caller` is None for somebody who has yet to sign in; `token` is what the forms of their pages send along."""

    caller: Principal | None
    token: str
    secret: str | None = None
    """Of the session, for those who have signed in."""


class Visitors:
    """Puts the visit into the scope of each request, and the browser's orders on each answer.

    Args:
        app: the pages.
        refusing: the pages without what records a visit; shows a `REFUSED`.
    """

    def __init__(self, app: ASGIApp, refusing: ASGIApp, door: Door, sessions: Sessions) -> None:
        self._app = app
        self._refusing = refusing
        self._door = door
        self._sessions = sessions
        self._token = secrets.token_urlsafe(32)
        """Of visitors without a session: one from elsewhere cannot read it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    answer.setdefault(name, value)
            await send(message)

        headers = Headers(scope=scope)
        try:
            if scope["method"] not in READING:
                check_origin(headers)
            visit = self._visit(scope, headers)
        except TrilithError as failure:
            if isinstance(failure, Unauthorized) and scope["method"] in READING and PART not in headers:
                await _to_sign_in(scope)(scope, receive, send_guarded)
                return
            stranger = {VISIT: Visit(None, self._token), CALLER: NOBODY, REFUSED: failure}
            await self._refusing({**scope, **stranger}, receive, send_guarded)
            return
        await self._app({**scope, VISIT: visit, CALLER: visit.caller or NOBODY}, receive, send_guarded)

    def _visit(self, scope: Scope, headers: Headers) -> Visit:
        """Raises `Unauthorized` for somebody who has to sign in first."""
        path = within(scope["path"], scope.get("root_path", ""))
        if is_asset(path):
            return Visit(None, self._token)  # nobody's: it counts for no key, and is there for all
        secret = cookie(headers, cookie_name(scope))
        session = self._sessions.find(secret)
        try:
            return self._known(scope, headers, secret, session)
        except Unauthorized:
            self._sessions.end(secret)
            if is_open(path):
                return Visit(None, self._token)
            raise

    def _known(self, scope: Scope, headers: Headers, secret: str | None, session: Session | None) -> Visit:
        address = f"{scope['path']}?{scope['query_string'].decode('latin-1')}"
        if session is None:
            return Visit(self._door.admit(headers, address), self._token)
        return Visit(self._door.again(session.key, address), session.token, secret)


NOBODY = Principal("", is_owner=False, rights=frozenset())


def visit_of(scope: Scope) -> Visit:
    visit: Visit = scope[VISIT]
    return visit


def cookie_name(scope: Scope) -> str:
    """Browsers send the cookies of one port of a machine to all of them, so that each has a name of its own."""
    _, port = scope.get("server") or ("", 0)
    return f"trilith-{port}"


def cookie(headers: Headers, name: str) -> str | None:
    """Read as browsers write them: what another program of this machine puts beside ours may break every rule."""
    return cookie_parser("; ".join(headers.getlist("cookie"))).get(name)


def _to_sign_in(scope: Scope) -> Response:
    root = scope.get("root_path", "")
    asked, query = within(scope["path"], root), scope["query_string"].decode("latin-1")
    target = f"{asked}?{query}" if query else asked
    return RedirectResponse(f"{root}{SIGN_IN}?next={quote(target, safe='')}", 303)
