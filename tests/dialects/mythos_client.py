"""MythOS as an agent's owner sets it up: a server process, and the official MCP client talking to it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, TextContent
from tests.doors.command_line import environment, indexed, serving

PATIENCE = 60.0


@dataclass(frozen=True)
class Mythos:
    """The tools as functions: `mythos.search_memos(query=...)` gives the structured answer, an error's too."""

    client: Client
    portal: BlockingPortal

    def __getattr__(self, tool: str) -> Any:
        def call(**arguments: Any) -> dict[str, Any]:
            result = self.portal.call(self.client.call_tool, tool, arguments)
            assert isinstance(result, CallToolResult)
            (content,) = result.content
            assert isinstance(content, TextContent)
            assert result.structured_content == json.loads(content.text)
            assert result.is_error == (result.structured_content.get("success") is False)
            return result.structured_content

        return call


@contextmanager
def over_stdio(vault: Path, home: Path) -> Iterator[Mythos]:
    """`trilith mcp --dialect mythos`, once everything is indexed."""
    command = ["-m", "trilith", "mcp", str(vault), "--dialect", "mythos"]
    server = StdioServerParameters(command=sys.executable, args=command, env=environment(home))
    with connected(Client(server, mode="legacy")) as mythos:
        deadline = time.monotonic() + PATIENCE
        while not _settled(mythos.search_memos(query="anything", mode="semantic")):
            assert time.monotonic() < deadline, "indexing took too long"
            time.sleep(0.05)
        yield mythos


@contextmanager
def over_http(vault: Path, home: Path) -> Iterator[Mythos]:
    """`trilith serve`, once everything is indexed."""
    with serving(vault, home=home, ready=ready) as url, connected(Client(f"{url}/mcp/mythos")) as mythos:
        yield mythos


@contextmanager
def connected(client: Client) -> Iterator[Mythos]:
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        yield Mythos(client, portal)


def ready(status: dict[str, Any]) -> bool:
    return indexed(status) and not status["pending"]["vectors"]


def _settled(answer: dict[str, Any]) -> bool:
    diagnostics = answer.get("diagnostics", {"pending": 1})
    return not diagnostics["pending"] and "fulltext" not in diagnostics
