"""uvicorn in this process, on a socket that listens already."""

from __future__ import annotations

import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.types import ASGIApp

from trilith.surfaces.mcp.leaving import go_within

LAST_REQUESTS_SECONDS = 1
"""How long requests under way may go on after a signal."""
BOTH = (signal.SIGTERM, signal.SIGINT)


class Process(uvicorn.Server):
    """A uvicorn that goes in time, and does not raise the signal again that ended it: there is still work to do then."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        former = {number: signal.signal(number, self.handle_exit) for number in BOTH}
        try:
            yield
        finally:
            for number, handler in former.items():
                signal.signal(number, handler)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        go_within()
        await super().shutdown(sockets)


def serve(app: ASGIApp, listener: socket.socket) -> None:
    """Answer on `listener` until SIGTERM or SIGINT."""
    config = uvicorn.Config(
        app,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=LAST_REQUESTS_SECONDS,
    )
    Process(config).run(sockets=[listener])
