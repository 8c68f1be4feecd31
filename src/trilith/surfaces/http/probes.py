"""`/health` and `/metrics`: what monitors ask. Neither waits for an index that is still being opened."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from trilith import __version__
from trilith.access.gate import require
from trilith.errors import TrilithError
from trilith.model.principal import Principal, Right
from trilith.surfaces.caller import caller_of
from trilith.surfaces.http.meter import CONTENT_TYPE, Meter
from trilith.surfaces.opening import Opening

if TYPE_CHECKING:
    from trilith.health.status import Status


class Probes:
    """Answers about `opening`, and with what `meter` has counted."""

    def __init__(self, opening: Opening, meter: Meter) -> None:
        self._opening = opening
        self._meter = meter

    async def health(self, _request: Request) -> Response:
        """200 while anything can be served, or will be soon; 503 when nothing can."""
        body, healthy = await run_in_threadpool(self._health)
        return JSONResponse({**body, "version": __version__, "pid": os.getpid()}, 200 if healthy else 503)

    async def metrics(self, request: Request) -> Response:
        """Raises `Forbidden` for a key without the right to look."""
        require(caller_of(request.scope), Right.ADMIN)
        exposition = await run_in_threadpool(self._metrics)
        return Response(exposition, media_type=None, headers={"Content-Type": CONTENT_TYPE})

    def _health(self) -> tuple[dict[str, Any], bool]:
        try:
            status = self._status()
        except TrilithError as failure:
            return {"status": "unavailable", "reason": failure.message}, False
        state = status.state.value if status else "starting"
        return {"status": state}, state != "unavailable"

    def _metrics(self) -> bytes:
        try:
            status = self._status()
        except TrilithError:
            status = None  # /health tells; what was counted stays readable
        return self._meter.exposition(status)

    def _status(self) -> Status | None:
        app = self._opening.ready()
        return None if app is None else app.reporter.status(app.gate.filter(Principal()))
