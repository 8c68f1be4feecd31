"""The body of a request: one JSON object, and nothing that a form on somebody's page could send."""

from __future__ import annotations

from typing import Any

from pydantic_core import from_json
from starlette.exceptions import HTTPException
from starlette.requests import Request

from trilith.errors import InvalidInput

JSON = "application/json"


async def json_body(request: Request) -> dict[str, Any]:
    """The fields that were sent. Raises the framework's 415 for another content type, `InvalidInput` for what is no
    object."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise HTTPException(415)
    try:
        sent = from_json(await request.body(), allow_inf_nan=False)  # which takes no half characters either
    except ValueError as failure:
        raise InvalidInput(f"The body is not valid JSON: {failure}.", field="body") from None
    if not isinstance(sent, dict):
        raise InvalidInput("The body must be a JSON object.", field="body")
    return sent
