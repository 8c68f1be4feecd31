"""Requests over HTTP leave a trace in the audit log, and are known to wait for their answer."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

from starlette.datastructures import QueryParams
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from trilith.model.audit import Act
from trilith.surfaces.caller import caller_of
from trilith.surfaces.opening import Opening
from trilith.surfaces.web.paths import within

UNTOLD = ("/status", "/openapi.json")
"""Ends of paths whose requests read nothing of a note."""
SUBJECTS = ("q", "path", "query")


def is_told_of(path: str) -> bool:
    """Whether a request over REST leaves a trace."""
    return not path.endswith(UNTOLD)


class Audited:
    """Records who asked `app` for what, once it has answered."""

    def __init__(self, app: ASGIApp, opening: Opening, door: str, tells: Callable[[str], bool]) -> None:
        self._app = app
        self._opening = opening
        self._door = door
        self._tells = tells

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_recorded(message: Message) -> None:
            if message["type"] == "http.response.start":
                self._record(scope, message["status"])
            await send(message)

        if scope["type"] != "http" or not self._tells(within(scope["path"], scope.get("root_path", ""))):
            await self._app(scope, receive, send)
            return
        app = self._opening.opened()
        with nullcontext() if app is None else app.foreground.working():
            await self._app(scope, receive, send_recorded)

    def _record(self, scope: Scope, status: int) -> None:
        app = self._opening.opened()
        if app is None:
            return
        asked, caller = QueryParams(scope["query_string"]), caller_of(scope)
        act = Act(
            at=app.clock.now(),
            user=caller.name,
            key=caller.key,
            door=self._door,
            action=f"{scope['method']} {scope['path']}",
            library=asked.get("library") or asked.get("username"),
            subject=next((asked[name] for name in SUBJECTS if name in asked), ""),
            outcome="ok" if status < 400 else str(status),
        )
        app.audit.record(act)
