"""Dialects as a server of the official SDK: tools are listed from data and called on threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import anyio
import anyio.to_thread
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    ToolAnnotations,
)
from mcp_types import Tool as ListedTool

from trilith import __version__
from trilith.dialects.tool import Dialect, Json, Tool
from trilith.errors import TrilithError
from trilith.model.principal import Principal, Right
from trilith.surfaces.mcp.calls import Call, Count, Visit
from trilith.surfaces.opening import Opening

AT_ONCE = 16
"""Calls that run side by side; more wait. Most wait for an engine or a model, which use all cores by themselves."""

Context = ServerRequestContext[Any, Any]
Visitor = Callable[[Any], Visit]
"""From the HTTP request that carries a call (None where there is none) to who is calling."""


def uncounted(failure: TrilithError | None) -> None:
    """For a door that counts nothing."""
    del failure


def as_owner(_request: object) -> Visit:
    """For a door that the owner's own programs alone come through."""
    return Visit(Principal())


def build(
    dialects: Sequence[Dialect],
    opening: Opening,
    visit: Visitor = as_owner,
    count: Count = uncounted,
    *,
    writable: bool = True,
) -> Server[Any]:
    """A server that offers the tools of `dialects`. It answers lists at once, and calls as soon as the app is open.

    Not `writable`, or for a caller who may not write, it lists no tool that writes; one that is called all the same is
    refused by the app.
    """
    calls = {tool.name: Call(dialect, tool, opening, count) for dialect in dialects for tool in dialect.tools}
    offered = [call.tool for call in calls.values() if writable or not call.tool.writes]
    listings = {
        may_write: ListToolsResult(tools=[listed(tool) for tool in offered if may_write or not tool.writes])
        for may_write in (True, False)
    }
    limiter = anyio.CapacityLimiter(AT_ONCE)

    async def list_tools(context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return listings[Right.WRITE in visit(context.request).caller.rights]

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        call = calls.get(params.name)
        if call is None:
            # The protocol's own error: what the caller got wrong is not an argument of any tool.
            raise MCPError(INVALID_PARAMS, f"Unknown tool: '{params.name}'. Tools: {', '.join(calls)}.")
        work = partial(call.run, visit(context.request), params.arguments or {})
        return await anyio.to_thread.run_sync(work, limiter=limiter, abandon_on_cancel=True)

    def input_schema(name: str) -> Json | None:
        return calls[name].tool.input_schema() if name in calls else None

    return Server(
        "trilith",
        title="Trilith",
        version=__version__,
        instructions="\n\n".join(dialect.instructions for dialect in dialects),
        get_tool_input_schema=input_schema,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def listed(tool: Tool) -> ListedTool:
    """A tool as `tools/list` shows it."""
    return ListedTool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema(),
        output_schema=output_schema(tool),
        annotations=ToolAnnotations(
            title=tool.title,
            read_only_hint=not tool.writes,
            destructive_hint=tool.destructive,
            idempotent_hint=not tool.writes,
            open_world_hint=False,
        ),
    )


def output_schema(tool: Tool) -> Json:
    """The schema of a tool's structured answers, with nothing required at the top.

    A failure is structured too, in the dialect's words, and some clients hold whatever is structured against the schema.
    """
    return {name: value for name, value in tool.output.items() if name != "required"}
