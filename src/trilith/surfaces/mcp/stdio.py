"""`trilith mcp`: one client, over stdin and stdout."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trilith.settings import Settings


def run(settings: Settings, vaults: Sequence[Path], library: str | None, dialects: Sequence[str]) -> int:
    """Serve until the client hangs up, a signal comes or the parent process is gone; the exit status.

    Call it last: stdout is the client's afterwards, and the process ends within seconds of the return even where a
    thread is still busy.

    Args:
        vaults: folders to serve. Empty: `library`, or all that are registered.
        dialects: names of the dialects whose tools are offered.

    Raises `InvalidInput` for a path that is no folder and an unknown dialect, before anything is served.
    """
    from trilith.surfaces.mcp.wire import claim

    wire, parent = claim(), os.getppid()

    from trilith.surfaces.mcp.conversation import converse
    from trilith.surfaces.mcp.leaving import go_within
    from trilith.surfaces.mcp.offered import dialects as named
    from trilith.surfaces.mcp.server import build
    from trilith.surfaces.mcp.starting import can_write, check_folders, log_to_stderr, opened
    from trilith.surfaces.mcp.toolbox import toolbox
    from trilith.surfaces.opening import Opening

    log_to_stderr(settings.log_level)
    check_folders(vaults)
    opening = Opening(opened(settings, vaults, library))
    server = build(toolbox(named(dialects), opening), writable=can_write(settings, vaults, library))
    opening.start()
    try:
        converse(server, wire, parent)
    finally:
        go_within()
        opening.close()
    return 0
