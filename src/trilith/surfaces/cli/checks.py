"""What `doctor` looks at beside the index: home, its server and that one's port, how files are followed."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

from trilith.settings import AT_ONCE, FILE
from trilith.surfaces.cli.scope import Scope
from trilith.surfaces.cli.server import url
from trilith.surfaces.http import presence as serve
from trilith.surfaces.http.presence import left_over, running

Json = dict[str, Any]


def own_checks(scope: Scope) -> list[Json]:
    """In the shape of the checks that the app makes itself."""
    return [_home(scope), _server(scope), _following(scope)]


def _home(scope: Scope) -> Json:
    from trilith.home.layout import Home

    fault = Home(scope.settings.home).fault()
    if fault is None:
        return _check("home", "ok", f"{scope.settings.home} can be written")
    return _check("home", "failed", fault, "What was indexed is served meanwhile; nothing is written to any vault.")


def forget_dead_servers(scope: Scope) -> list[Json]:
    """Remove what killed servers have left in home to be found by; what was done, as repairs."""
    if running(scope.settings.home) is not None:
        return []
    left = left_over(scope.settings.home)
    for file in left:
        file.unlink(missing_ok=True)
    return [{"name": "server", "message": f"{file.name} of a server that is gone removed"} for file in left]


def _server(scope: Scope) -> Json:
    settings = scope.settings
    presence = running(settings.home)
    if presence is not None:
        message = f"{url(presence)} serves this home (process {presence.pid})"
        if not _changed_since(settings.home / FILE, settings.home / serve.FILE):
            return _check("server", "ok", message)
        return _check(
            "server",
            "notice",
            f"{message}; {FILE} was changed after its start",
            f"{', '.join(AT_ONCE)} hold already. For the rest, start the server again.",
        )
    if _is_free(settings.host, settings.port):
        return _check("server", "ok", f"none is running; {settings.host} port {settings.port} is free")
    message = (
        f"{settings.host} port {settings.port} cannot be used: another program listens there, or it is no address here"
    )
    return _check("server", "notice", message, "Start the server with another --port, or end the other program.")


def _following(scope: Scope) -> Json:
    how = {
        "auto": "follows the files by events where the disk gives them; `trilith status --json` tells",
        "polling": "looks over the files at short intervals",
        "off": "reads the files once",
    }
    return _check("following", "ok", f"a running server {how[scope.settings.watch]}")


def _changed_since(file: Path, start: Path) -> bool:
    try:
        return file.stat().st_mtime_ns > start.stat().st_mtime_ns
    except OSError:
        return False


def _is_free(host: str, port: int) -> bool:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def _check(name: str, verdict: str, message: str, next_step: str | None = None) -> Json:
    return {"name": name, "verdict": verdict, "message": message, "next_step": next_step}
