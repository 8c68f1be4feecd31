"""A conversation over stdio: messages from the wire reach the SDK server, its answers go back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import anyio
import anyio.to_thread
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.lowlevel import Server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from trilith.surfaces.mcp.leaving import go_within, on_orphaned, on_signals
from trilith.surfaces.mcp.wire import Wire

LAST_ANSWERS_SECONDS = 1.0
"""How long requests that came before the end of stdin may still be answered: `printf ... | trilith mcp` shows them."""

Outgoing = MemoryObjectSendStream[SessionMessage]


def converse(server: Server[Any], wire: Wire, parent: int) -> None:
    """Serve until stdin ends, nobody reads stdout, a signal comes, or process `parent` is gone."""
    anyio.run(Conversation(server, wire).run, parent)


class Conversation:
    """One client's requests and answers, in both directions, and which of them are still owed."""

    def __init__(self, server: Server[Any], wire: Wire) -> None:
        self._server = server
        self._wire = wire
        self._owed: set[RequestId] = set()

    async def run(self, parent: int) -> None:
        to_server, requests = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        answers, to_client = anyio.create_memory_object_stream[SessionMessage](0)
        async with anyio.create_task_group() as group:
            leave = _leaver(group.cancel_scope)
            on_signals(asyncio.get_running_loop(), leave)
            on_orphaned(parent, leave)
            group.start_soon(self._read, to_server, answers.clone())
            group.start_soon(self._write, to_client, leave)
            await self._server.run(requests, answers, self._server.create_initialization_options())
            group.cancel_scope.cancel()

    async def _read(self, to_server: MemoryObjectSendStream[SessionMessage | Exception], answers: Outgoing) -> None:
        async with to_server, answers:
            lines = self._lines()
            while (line := await lines.get()) is not None:
                if not line.strip():
                    continue
                message = _parsed(line)
                if isinstance(message, JSONRPCError):
                    await answers.send(SessionMessage(message))
                    continue
                if isinstance(message, JSONRPCRequest):
                    self._owed.add(message.id)
                await to_server.send(SessionMessage(message))
            await self._settle()

    def _lines(self) -> asyncio.Queue[bytes | None]:
        loop = asyncio.get_running_loop()
        lines: asyncio.Queue[bytes | None] = asyncio.Queue()

        def heard(line: bytes | None) -> None:
            with suppress(RuntimeError):  # the loop has been closed: nobody listens
                loop.call_soon_threadsafe(lines.put_nowait, line)

        self._wire.listen(heard)
        return lines

    async def _settle(self) -> None:
        """Wait a little for what is still owed."""
        with anyio.move_on_after(LAST_ANSWERS_SECONDS):
            while self._owed:
                await anyio.sleep(0.01)

    async def _write(self, to_client: MemoryObjectReceiveStream[SessionMessage], leave: Callable[[], None]) -> None:
        async with to_client:
            async for sent in to_client:
                message = sent.message
                line = message.model_dump_json(by_alias=True, exclude_unset=True).encode()
                try:
                    await anyio.to_thread.run_sync(self._wire.send, line, abandon_on_cancel=True)
                except OSError:  # the client has closed its end
                    leave()
                    return
                if isinstance(message, (JSONRPCResponse, JSONRPCError)) and message.id is not None:
                    self._owed.discard(message.id)


def _leaver(scope: anyio.CancelScope) -> Callable[[], None]:
    loop = asyncio.get_running_loop()

    def leave() -> None:
        go_within()
        with suppress(RuntimeError):  # the loop has been closed: the conversation is over already
            loop.call_soon_threadsafe(scope.cancel)

    return leave


def _parsed(line: bytes) -> JSONRPCMessage:
    """The message of a line, or the error that it deserves: whoever waits for an answer must get one."""
    try:
        return jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError as failure:
        broken = failure.errors(include_url=False, include_input=False)[0]["type"] == "json_invalid"
    error = (
        ErrorData(code=PARSE_ERROR, message="Parse error: a line must be one JSON-RPC message in UTF-8")
        if broken
        else ErrorData(code=INVALID_REQUEST, message="Invalid request: not a JSON-RPC message")
    )
    return JSONRPCError(jsonrpc="2.0", id=None, error=error)
