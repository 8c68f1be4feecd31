"""The app, awaited: no thread is asked for once it is open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from trilith.surfaces.opening import Opening

if TYPE_CHECKING:
    from trilith.app import App


async def app_for(request: Request) -> App:
    """Raises as `Opening.app`."""
    opening: Opening = request.app.state.opening
    app = opening.ready()
    return await run_in_threadpool(opening.app) if app is None else app
