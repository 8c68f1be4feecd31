"""How MythOS says that something went wrong."""

from __future__ import annotations

from typing import Any

from trilith.errors import TrilithError

TOLD = ("fallback", "setup")
"""Details that stand in the body."""


def render_error(failure: TrilithError) -> dict[str, Any]:
    """`{success: false, error, status}`, where `status` is that of HTTP; with the mode that works all the same, or with
    what the owner has to do, where there is such a thing."""
    told = {name: failure.details[name] for name in TOLD if name in failure.details}
    return {"success": False, "error": failure.message, "status": failure.status, **told}
