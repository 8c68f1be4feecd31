"""How Lithos says that something went wrong."""

from __future__ import annotations

from typing import Any

from trilith.errors import TrilithError


def render_error(failure: TrilithError) -> dict[str, Any]:
    """The envelope `{status, code, message}` with the failure's details beside them."""
    return {"status": "error", "code": failure.code, "message": failure.message, **failure.details}
