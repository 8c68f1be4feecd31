"""Lithos as an agent's owner sets it up: a server process, and the official MCP client talking to it."""

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
class Lithos:
    """The tools as functions: `lithos.search(query=...)` gives the structured answer, an error's too. `lithos.edit` is
    `note_edit`, `lithos.move` is `note_move`."""

    client: Client
    portal: BlockingPortal

    def result(self, tool: str, arguments: dict[str, Any]) -> CallToolResult:
        name = f"note_{tool}" if tool in ("edit", "move") else f"lithos_{tool}"
        result = self.portal.call(self.client.call_tool, name, arguments)
        assert isinstance(result, CallToolResult)
        return result

    def __getattr__(self, tool: str) -> Any:
        def call(**arguments: Any) -> dict[str, Any]:
            result = self.result(tool, arguments)
            (content,) = result.content
            assert isinstance(content, TextContent)
            assert result.structured_content == json.loads(content.text)
            assert result.is_error == (result.structured_content.get("status") == "error")
            return result.structured_content

        return call

    def ids(self, **arguments: Any) -> list[str]:
        """The ids that a search finds, best first."""
        return [hit["id"] for hit in self.search(**arguments)["results"]]


@contextmanager
def over_stdio(vault: Path, home: Path, *flags: str) -> Iterator[Lithos]:
    """`trilith mcp`, spoken to as clients before 2026 do, once everything is indexed."""
    command = ["-m", "trilith", "mcp", str(vault), *flags]
    server = StdioServerParameters(command=sys.executable, args=command, env=environment(home))
    with connected(Client(server, mode="legacy")) as lithos:
        deadline = time.monotonic() + PATIENCE
        while not _settled(lithos.stats(), vault):
            assert time.monotonic() < deadline, "indexing took too long"
            time.sleep(0.05)
        yield lithos


@contextmanager
def over_http(vault: Path, home: Path, mode: str) -> Iterator[Lithos]:
    """`trilith serve`, once everything is indexed."""
    with serving(vault, home=home, ready=_ready) as url, connected(Client(f"{url}/mcp/lithos", mode=mode)) as lithos:
        yield lithos


@contextmanager
def connected(client: Client) -> Iterator[Lithos]:
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        yield Lithos(client, portal)


def _ready(status: dict[str, Any]) -> bool:
    return indexed(status) and not status["pending"]["vectors"]


def _settled(stats: dict[str, Any], vault: Path) -> bool:
    notes = sum(1 for _ in vault.rglob("*.md"))
    return bool(stats.get("documents") == notes and not stats["pending"])
