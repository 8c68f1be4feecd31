"""How LoomBrain says that something went wrong."""

from __future__ import annotations

from typing import Any

from trilith import errors
from trilith.errors import TrilithError

_CODES: tuple[tuple[tuple[type[TrilithError], ...], str], ...] = (
    ((errors.InvalidInput,), "INVALID_INPUT"),
    ((errors.NotFound,), "NOT_FOUND"),
    ((errors.ReadOnly, errors.PathForbidden, errors.Forbidden, errors.Unauthorized), "FORBIDDEN"),
    ((errors.Refused, errors.Ambiguous), "CONFLICT"),
)
"""The first that fits; what is left is that a part is down."""


def render_error(failure: TrilithError) -> dict[str, Any]:
    """`{error, message}`, with one of five codes."""
    return {"error": _code(failure), "message": failure.message}


def _code(failure: TrilithError) -> str:
    return next((code for kinds, code in _CODES if isinstance(failure, kinds)), "UNAVAILABLE")
