"""The least that the SDK can do: a low-level server with one empty tool, over stdio or HTTP, and there an empty route.

usage: python bench/bare_server.py stdio | http PORT

What a client waits for with this server is what it waits for with any; `handshake.py` holds ours against it.
"""

from __future__ import annotations

import sys
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp_types import CallToolResult, ListToolsResult, TextContent, Tool


async def list_tools(_context: Any, _params: Any) -> ListToolsResult:
    return ListToolsResult(tools=[Tool(name="empty", input_schema={"type": "object", "properties": {}})])


async def call_tool(_context: Any, _params: Any) -> CallToolResult:
    return CallToolResult(content=[TextContent(text="")])


def main() -> None:
    server: Server[Any] = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
    if sys.argv[1] == "stdio":
        anyio.run(_stdio, server)
    else:
        import uvicorn
        from starlette.responses import JSONResponse
        from starlette.routing import Route

        async def empty(_request: Any) -> JSONResponse:
            return JSONResponse({})

        app = server.streamable_http_app(json_response=True, stateless_http=True)
        app.router.routes.append(Route("/empty", empty))
        uvicorn.run(app, port=int(sys.argv[2]), log_level="error", access_log=False)


async def _stdio(server: Server[Any]) -> None:
    from mcp.server.stdio import stdio_server

    async with stdio_server() as (requests, answers):
        await server.run(requests, answers, server.create_initialization_options())


if __name__ == "__main__":
    main()
