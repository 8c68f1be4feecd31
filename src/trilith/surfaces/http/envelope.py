"""Failures as HTTP answers: `{status: "error", code, message}` with the fitting status, on every path."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from trilith.dialects.lithos.errors import render_error
from trilith.errors import TrilithError
from trilith.surfaces.mcp.calls import UNEXPECTED

MAX_BODY = 4 * 1024 * 1024
"""Bytes of a request's body: a note of the largest size, escaped as JSON, and some."""


def refused(failure: TrilithError) -> Response:
    """The answer to an anticipated failure."""
    return JSONResponse(render_error(failure), failure.status)


def refused_because(status: int, code: str, message: str, headers: Mapping[str, str] | None = None) -> Response:
    """The answer to what no use case knows of: routes, methods, headers, sizes."""
    return JSONResponse({"status": "error", "code": code, "message": message}, status, headers)


def too_large() -> Response:
    return refused_because(413, "content_too_large", f"A request may have {MAX_BODY} bytes at most.")


async def on_trilith_error(_request: Request, failure: Exception) -> Response:
    assert isinstance(failure, TrilithError)
    return refused(failure)


async def on_http_error(request: Request, failure: Exception) -> Response:
    """Unknown routes and methods, as the framework reports them."""
    assert isinstance(failure, HTTPException)
    if failure.status_code == 404:
        return refused_because(404, "not_found", f"There is nothing at {request.url.path}.")
    if failure.status_code == 405:
        allowed = (failure.headers or {}).get("Allow", "GET")
        message = f"{request.method} is not possible at {request.url.path}; allowed: {allowed}."
        return refused_because(405, "method_not_allowed", message, failure.headers)
    if failure.status_code == 413:
        return too_large()
    if failure.status_code == 415:
        return refused_because(415, "unsupported_media_type", "Send the body as JSON: Content-Type: application/json.")
    return refused_because(failure.status_code, "refused", failure.detail, failure.headers)


async def on_surprise(_request: Request, _failure: Exception) -> Response:
    """What nobody foresaw: the server logs it, the caller hears nothing of its text."""
    return refused_because(500, "internal", UNEXPECTED)
