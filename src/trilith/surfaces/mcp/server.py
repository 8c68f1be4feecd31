"""Tools as a server of the official SDK: they are listed from data, and called."""

from __future__ import annotations

from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    ToolAnnotations,
)
from mcp_types import Tool as ListedTool

from trilith import __version__
from trilith.dialects.tool import Json, Tool
from trilith.model.principal import Right
from trilith.surfaces.mcp.calls import Answer
from trilith.surfaces.mcp.toolbox import Toolbox

Context = ServerRequestContext[Any, Any]


def build(tools: Toolbox, *, writable: bool = True) -> Server[Any]:
    """A server that offers `tools`. It answers lists at once, and calls as soon as the app is open.

    Not `writable`, or for a caller who may not write, it lists no tool that writes; one that is called all the same is
    refused by the app.
    """
    calls = tools.calls
    offered = [call.tool for call in calls.values() if writable or not call.tool.writes]
    listings = {
        may_write: ListToolsResult(tools=[listed(tool) for tool in offered if may_write or not tool.writes])
        for may_write in (True, False)
    }

    async def list_tools(context: Context, _params: PaginatedRequestParams | None) -> ListToolsResult:
        return listings[Right.WRITE in tools.visit(context.request).caller.rights]

    async def call_tool(context: Context, params: CallToolRequestParams) -> CallToolResult:
        if params.name not in calls:
            # The protocol's own error: what the caller got wrong is not an argument of any tool.
            raise MCPError(INVALID_PARAMS, f"Unknown tool: '{params.name}'. Tools: {', '.join(calls)}.")
        return await tools.call(params.name, params.arguments or {}, context.request, result)

    def input_schema(name: str) -> Json | None:
        return calls[name].tool.input_schema() if name in calls else None

    return Server(
        "trilith",
        title="Trilith",
        version=__version__,
        instructions="\n\n".join(dialect.instructions for dialect in tools.dialects),
        get_tool_input_schema=input_schema,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def result(answer: Answer) -> CallToolResult:
    """An answer in the SDK's words."""
    return CallToolResult(
        content=[TextContent(text=answer.text)], structured_content=answer.body, is_error=answer.is_error
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
