"""Calls of tools, answered without the machinery of a session: nearly every request is one.

For each POST the SDK begins a session with its streams and tasks, and it takes an answer apart and together four times: more
than two milliseconds of the event loop, for which all other searches wait. What is plainly a call is checked by the SDK's own
rules here, and answered in its words. All else, and all that is wrong, is left to the SDK.
"""

from __future__ import annotations

import json
from collections.abc import Container, Mapping
from dataclasses import dataclass
from typing import Any

from mcp.server.streamable_http import check_accept_headers
from mcp.shared.inbound import (
    MCP_PARAM_HEADER_PREFIX,
    MCP_PROTOCOL_VERSION_HEADER,
    InboundModernRoute,
    classify_inbound_request,
    find_duplicated_routing_header,
)
from mcp_types import DEFAULT_NEGOTIATED_VERSION
from mcp_types.methods import validate_client_request
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS
from pydantic import ValidationError
from pydantic_core import from_json
from starlette.requests import Request

from trilith.dialects.tool import Json
from trilith.surfaces.mcp.calls import Answer

METHOD = "tools/call"
MEMBERS = {"jsonrpc", "id", "method", "params"}
PARAMETERS = {"name", "arguments", "_meta"}
KIND = "application/json"


@dataclass(frozen=True, slots=True)
class Asked:
    """A call that arrived. `is_modern`: by a version of the protocol that has no handshake, whose answers say more."""

    id: int | str
    name: str
    arguments: Mapping[str, Any]
    is_modern: bool


def recognised(request: Request, body: bytes, names: Container[str]) -> Asked | None:
    """The call in a POST, if it is one of a tool of these `names` and nothing about it is unusual."""
    if request.headers.get("content-type") != KIND or not check_accept_headers(request)[0]:
        return None
    message = _decoded(body)
    if message is None:
        return None
    params, version = message["params"], request.headers.get(MCP_PROTOCOL_VERSION_HEADER, DEFAULT_NEGOTIATED_VERSION)
    is_modern = version not in HANDSHAKE_PROTOCOL_VERSIONS
    if params["name"] not in names or (is_modern and not _is_routed(request, message)):
        return None
    try:
        validate_client_request(METHOD, version, params)
    except ValidationError:
        return None
    return Asked(message["id"], params["name"], params.get("arguments") or {}, is_modern)


def encoded(asked: Asked, answer: Answer, more: str) -> bytes:
    """The body of the response. `more`: what else modern results have, as members of an object."""
    content = f'"content":[{{"type":"text","text":{_json(answer.text)}}}],"structuredContent":{answer.text}'
    result = f'{content},"isError":{_json(answer.is_error)}{"," + more if asked.is_modern else ""}'
    # Half a surrogate pair, which a note can spell out, has no place in UTF-8.
    return f'{{"jsonrpc":"2.0","id":{_json(asked.id)},"result":{{{result}}}}}'.encode("utf-8", "replace")


def _decoded(body: bytes) -> Json | None:
    try:
        message = from_json(body)
    except ValueError:
        return None
    if not isinstance(message, dict) or message.keys() != MEMBERS:
        return None
    is_call = message["jsonrpc"] == "2.0" and message["method"] == METHOD and type(message["id"]) in (int, str)
    params = message["params"]
    is_named = isinstance(params, dict) and params.keys() <= PARAMETERS and isinstance(params.get("name"), str)
    return message if is_call and is_named else None


def _is_routed(request: Request, message: Json) -> bool:
    """Whether the headers say the same as the body, to which they must."""
    headers = request.headers
    return (
        find_duplicated_routing_header(headers.items()) is None
        and not any(name.startswith(MCP_PARAM_HEADER_PREFIX.lower()) for name in headers)
        and isinstance(classify_inbound_request(message, headers=dict(headers)), InboundModernRoute)
    )


def _json(value: str | int | bool) -> str:
    return json.dumps(value, ensure_ascii=False)
