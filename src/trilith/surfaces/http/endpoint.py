"""MCP over streamable HTTP: stateless, one JSON answer for each POST."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import INVALID_REQUEST, ErrorData, JSONRPCError
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from trilith.surfaces.http.envelope import MAX_BODY


class McpEndpoint:
    """An SDK server behind one path. Its `running` context must be entered while it is asked."""

    def __init__(self, server: Server[Any]) -> None:
        # No security settings: the guard has looked at Host and Origin already, on this path as on all others.
        self._manager = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=MAX_BODY
        )

    def running(self) -> AbstractAsyncContextManager[None]:
        return self._manager.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "POST":
            await self._manager.handle_request(scope, receive, send)
        else:
            await _only_post()(scope, receive, send)


def _only_post() -> Response:
    """Without sessions there is no stream to GET and nothing to DELETE; the protocol's word for that is 405."""
    error = ErrorData(code=INVALID_REQUEST, message="Method not allowed: this server keeps no sessions; use POST.")
    body = JSONRPCError(jsonrpc="2.0", id=None, error=error).model_dump_json(by_alias=True, exclude_unset=True)
    return Response(body, 405, {"Allow": "POST"}, media_type="application/json")
