"""`trilith serve` and `trilith mcp`: the doors through which programs come."""

from __future__ import annotations

from typing import Annotated

import typer

from trilith.surfaces.cli import options
from trilith.surfaces.cli.scope import check_registered, choose

Host = Annotated[
    str | None, typer.Option("--host", metavar="ADDRESS", help="Address to listen on. Default: 127.0.0.1.")
]
Port = Annotated[
    int | None, typer.Option("--port", metavar="N", help="Port to listen on; 0 takes a free one. Default: 8765.")
]
ReadOnly = Annotated[
    bool, typer.Option("--read-only", help="Offer no tool that writes, and refuse every change on every door.")
]
NoWatch = Annotated[bool, typer.Option("--no-watch", help="Read the files once and do not follow their changes.")]
Dialects = Annotated[
    str | None, typer.Option("--dialects", metavar="NAMES", help="Dialects that /mcp offers, as a comma list.")
]
Dialect = Annotated[
    str | None, typer.Option("--dialect", metavar="NAME", help="Dialect that is offered; several as a comma list.")
]


def serve(
    path: options.Folder = None,
    *,
    library: options.Library = None,
    host: Host = None,
    port: Port = None,
    dialects: Dialects = None,
    read_only: ReadOnly = False,
    no_watch: NoWatch = False,
    log_level: options.LogLevel = None,
    home: options.Home = None,
) -> int:
    """Serve MCP and REST over HTTP, and keep the index level with the files."""
    flags = {"host": host, "port": port, "dialects": dialects, "log_level": log_level}
    limits = {"read_only": read_only or None, "watch": "off" if no_watch else None}
    scope = choose(home, path, library, **flags, **limits)
    check_registered(scope)
    from trilith.surfaces.http.server import run

    return run(scope.settings, scope.vaults, scope.library)


def mcp(
    path: options.Folder = None,
    *,
    library: options.Library = None,
    dialect: Dialect = None,
    read_only: ReadOnly = False,
    log_level: options.LogLevel = None,
    home: options.Home = None,
) -> int:
    """Serve MCP over stdin and stdout, for an agent that starts this program itself."""
    scope = choose(home, path, library, dialects=dialect, read_only=read_only or None, log_level=log_level)
    check_registered(scope)
    from trilith.surfaces.mcp.stdio import run

    return run(scope.settings, scope.vaults, scope.library, scope.settings.dialects)
