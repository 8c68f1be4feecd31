"""LoomBrain as an agent's owner sets it up: a server process, and the official MCP client talking to it."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, TextContent
from tests.doors.command_line import environment, indexed, serving

PATIENCE = 60.0
Json = dict[str, Any]


@dataclass(frozen=True)
class LoomBrain:
    """The tools as functions: `loom.search(query=...)` gives the structured answer, an error's too."""

    client: Client
    portal: BlockingPortal

    def tools(self) -> dict[str, Any]:
        return {tool.name: tool for tool in self.portal.call(self.client.list_tools).tools}

    def __getattr__(self, tool: str) -> Callable[..., Json]:
        def call(**arguments: Any) -> Json:
            result = self.portal.call(self.client.call_tool, f"lb_{tool}", arguments)
            assert isinstance(result, CallToolResult)
            (content,) = result.content
            assert isinstance(content, TextContent)
            assert result.structured_content == json.loads(content.text)
            assert result.is_error == ("error" in result.structured_content)
            return result.structured_content

        return call

    def ids(self, **arguments: Any) -> list[str]:
        """The ids that a search finds, best first."""
        return [hit["id"] for hit in self.search(**arguments)["data"]]


def refusal(answer: Json) -> str:
    """The code of an error."""
    assert set(answer) == {"error", "message"}, answer
    assert answer["message"]
    return str(answer["error"])


@contextmanager
def over_stdio(home: Path, *vault_and_flags: str, notes: int) -> Iterator[LoomBrain]:
    """`trilith mcp --dialect loombrain`, spoken to as clients before 2026 do, once so many notes are indexed."""
    command = ["-m", "trilith", "mcp", *vault_and_flags, "--dialect", "loombrain"]
    server = StdioServerParameters(command=sys.executable, args=command, env=environment(home))
    with connected(Client(server, mode="legacy")) as loom:
        deadline = time.monotonic() + PATIENCE
        while not _settled(loom.search(query="anything", mode="semantic", top_k=100), notes):
            assert time.monotonic() < deadline, "indexing took too long"
            time.sleep(0.05)
        yield loom


@contextmanager
def over_http(home: Path, vault: Path, mode: str) -> Iterator[LoomBrain]:
    """`trilith serve`, once everything is indexed."""
    with serving(vault, home=home, ready=_ready) as url, connected(Client(f"{url}/mcp/loombrain", mode=mode)) as loom:
        yield loom


@contextmanager
def connected(client: Client) -> Iterator[LoomBrain]:
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        yield LoomBrain(client, portal)


def _ready(status: Json) -> bool:
    return indexed(status) and not status["pending"]["vectors"]


def _settled(answer: Json, notes: int) -> bool:
    return "error" not in answer and answer["total"] == min(notes, 100) and not answer["diagnostics"]["pending"]
