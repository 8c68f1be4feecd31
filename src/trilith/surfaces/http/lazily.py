"""An ASGI app that is imported when it is first asked for, on a thread, so that a start does not wait for it."""

from __future__ import annotations

from collections.abc import Callable

import anyio
from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send


class Lazily:
    """Stands for the app that `build` gives."""

    def __init__(self, build: Callable[[], ASGIApp]) -> None:
        self._build = build
        self._app: ASGIApp | None = None
        self._turn = anyio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._turn:
            if self._app is None:
                self._app = await run_in_threadpool(self._build)
        await self._app(scope, receive, send)
