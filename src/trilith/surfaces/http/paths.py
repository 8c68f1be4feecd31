"""Paths as they come, before they are routed: with a slash at the end or without, below a prefix or not."""

from __future__ import annotations

import re

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

PREFIX = re.compile(r"(?:/[\w.~-]+)+")
"""What a proxy may put before our paths."""


class Paths:
    """Takes a final slash off, for a redirect would lose a POST's body, and minds the prefix that a proxy names in
    `X-Forwarded-Prefix`, whether it has taken it off the path or not."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            prefix = Headers(scope=scope).get("x-forwarded-prefix", "").rstrip("/")
            if PREFIX.fullmatch(prefix):
                scope = {**scope, "root_path": prefix}
            if scope["path"].endswith("/"):
                scope = {**scope, "path": scope["path"].rstrip("/") or "/"}
        await self._app(scope, receive, send)
