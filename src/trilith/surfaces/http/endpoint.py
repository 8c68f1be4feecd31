"""MCP over streamable HTTP: stateless, one JSON answer for each POST."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import INVALID_REQUEST, SERVER_INFO_META_KEY, ErrorData, JSONRPCError
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from trilith.surfaces.http.direct import KIND, encoded, recognised
from trilith.surfaces.http.envelope import MAX_BODY
from trilith.surfaces.mcp.server import build
from trilith.surfaces.mcp.toolbox import Toolbox


class McpEndpoint:
    """Tools behind one path: plain calls are answered here, everything else by an SDK server. The `running` context must be
    entered while it is asked."""

    def __init__(self, tools: Toolbox, *, writable: bool) -> None:
        server = build(tools, writable=writable)
        self._tools = tools
        # No security settings: the guard has looked at Host and Origin already, on this path as on all others.
        self._manager = StreamableHTTPSessionManager(
            server, json_response=True, stateless=True, max_request_body_size=MAX_BODY
        )
        said = {"resultType": "complete", "_meta": {SERVER_INFO_META_KEY: server.server_info_stamp}}
        self._encoded = partial(encoded, more=json.dumps(said, separators=(",", ":"))[1:-1])

    def running(self) -> AbstractAsyncContextManager[None]:
        return self._manager.run()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] == "POST":
            await self._post(scope, receive, send)
        else:
            await _only_post()(scope, receive, send)

    async def _post(self, scope: Scope, receive: Receive, send: Send) -> None:
        messages, request = await _sent(receive), Request(scope)
        if messages[-1]["type"] == "http.disconnect":
            return  # who went before the end of the body has asked for nothing, and hears no answer
        body = b"".join(message.get("body", b"") for message in messages)
        asked = recognised(request, body, self._tools.calls)
        if asked is None:
            await self._manager.handle_request(scope, _again(messages, receive), send)
            return
        answer = await self._tools.call(asked.name, asked.arguments, request, partial(self._encoded, asked))
        await Response(answer, media_type=KIND)(scope, receive, send)


async def _sent(receive: Receive) -> list[Message]:
    """All messages of a request, up to the end of its body or the client's going."""
    messages = [await receive()]
    while messages[-1].get("more_body", False):
        messages.append(await receive())
    return messages


def _again(messages: Sequence[Message], receive: Receive) -> Receive:
    """`receive`, which gives these messages once more first."""
    waiting = iter(messages)

    async def receive_again() -> Message:
        return next(waiting, None) or await receive()

    return receive_again


def _only_post() -> Response:
    """Without sessions there is no stream to GET and nothing to DELETE; the protocol's word for that is 405."""
    error = ErrorData(code=INVALID_REQUEST, message="Method not allowed: this server keeps no sessions; use POST.")
    body = JSONRPCError(jsonrpc="2.0", id=None, error=error).model_dump_json(by_alias=True, exclude_unset=True)
    return Response(body, 405, {"Allow": "POST"}, media_type="application/json")
