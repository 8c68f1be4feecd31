"""The REST endpoint of the MythOS pages: `GET /api/internal/memos/semantic-search`."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from trilith.dialects.arguments import Arguments
from trilith.dialects.mythos.searching import MOST_SEMANTIC, SEMANTIC_LIMIT, semantic
from trilith.errors import TrilithError
from trilith.model.principal import Principal
from trilith.surfaces.caller import caller_of
from trilith.surfaces.http.callers import MYTHOS_PATH, memos_refused
from trilith.surfaces.mcp.calls import UNEXPECTED
from trilith.surfaces.opening import Opening

PARAMETERS = frozenset({"q", "username", "topK", "tags"})

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SemanticSearch:
    """The endpoint; its answers and failures are those of `search_memos`."""

    opening: Opening

    async def answer(self, request: Request) -> Response:
        if request.method not in ("GET", "HEAD"):
            body = {"success": False, "error": f"{request.method} is not possible here; allowed: GET.", "status": 405}
            return JSONResponse(body, 405, {"Allow": "GET"})
        given = {name: ",".join(request.query_params.getlist(name)) for name in request.query_params}
        try:
            body = await run_in_threadpool(self._search, caller_of(request.scope), given)
        except TrilithError as failure:
            return memos_refused(failure)
        except Exception:  # what nobody foresaw stays in the log: its text may name paths or quote notes
            log.exception("%s failed", MYTHOS_PATH)
            return memos_refused(TrilithError(UNEXPECTED))
        return JSONResponse(body)

    def _search(self, caller: Principal, given: dict[str, str]) -> dict[str, object]:
        asked = Arguments(given, PARAMETERS)
        return semantic(
            self.opening.app(),
            caller,
            asked.required_text("q"),
            limit=asked.integer("topK", default=SEMANTIC_LIMIT, most=MOST_SEMANTIC),
            tags=asked.strings("tags"),
            library=asked.text("username"),
        )
