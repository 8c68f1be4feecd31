"""Calls that are answered without the SDK's sessions: the same answers as with them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_MODERN_VERSION
from starlette.requests import Request
from starlette.testclient import TestClient
from tests.doors.doorkeepers import doorkeeper
from tests.doors.fake_app import opening

from trilith.surfaces.http.application import application
from trilith.surfaces.http.direct import Asked, encoded, recognised
from trilith.surfaces.http.endpoint import McpEndpoint
from trilith.surfaces.http.meter import Meter
from trilith.surfaces.mcp.calls import Answer
from trilith.surfaces.mcp.offered import dialects
from trilith.surfaces.mcp.toolbox import toolbox

PLAIN = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
LONGER = {**PLAIN, "content-type": "application/json; charset=utf-8"}
"""Right, and not plain: the SDK's own way answers it."""
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": LATEST_MODERN_VERSION,
    "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {"sampling": {}},
    "progressToken": 3,
}
TOOLS = ("lithos_tags", "lithos_search")


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    said = {'"quoted" \\ \n \u2028 知识 \x01': 1}
    app = application(opening(lambda: said), ["lithos"], "127.0.0.1", doorkeeper(), Meter())
    with TestClient(app, base_url="http://127.0.0.1:8765") as client:
        yield client


def call(name: str = "lithos_tags", number: Any = 7, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {"name": name, **params}}


def routed(name: str = "lithos_tags", **more: str) -> dict[str, str]:
    return {"mcp-protocol-version": LATEST_MODERN_VERSION, "mcp-method": "tools/call", "mcp-name": name, **more}


def request(headers: dict[str, str]) -> Request:
    raw = [(name.encode(), value.encode()) for name, value in headers.items()]
    return Request({"type": "http", "method": "POST", "headers": raw})


PLAIN_CALLS = [
    (call(), {}),
    (call(arguments={}), {}),
    (call(arguments=None), {}),
    (call(number="seven"), {}),
    (call("lithos_search", arguments={"query": "x", "mode": "fuzzy"}), {}),
    (call("lithos_search", arguments={"query": 1}), {}),
    (call(arguments={"library": "知识"}), {}),
    (call(_meta={"progressToken": "a", "more": 1}), {}),
    (call(_meta=ENVELOPE), routed()),
    (call("lithos_search", arguments={}, _meta=ENVELOPE), routed("lithos_search")),
    *((call(arguments={}), {"mcp-protocol-version": version}) for version in HANDSHAKE_PROTOCOL_VERSIONS),
]

OTHERS = [
    ("{", {}),
    ("[]", {}),
    ("7", {}),
    ('"\\ud800"', {}),
    ([call()], {}),
    ({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}, {}),
    ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {}}, {}),
    ({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "lithos_tags"}}, {}),
    ({**call(), "jsonrpc": "1.0"}, {}),
    ({**call(), "more": 1}, {}),
    ({**call(), "params": []}, {}),
    (call(number=None), {}),
    (call(number=1.5), {}),
    (call(number=True), {}),
    (call("lithos_none"), {}),
    (call(["lithos_tags"]), {}),  # type: ignore[arg-type]
    (call(arguments=[]), {}),
    (call(_meta=1), {}),
    (call(_meta={"progressToken": 1.5}), {}),
    (call(requestState=3), {}),
    (call(), {"mcp-protocol-version": "1999-01-01"}),
    (call(), routed()),
    (call(_meta=ENVELOPE), routed("lithos_search")),
    (call(_meta=ENVELOPE), routed(**{"mcp-param-library": "a"})),
    (call(_meta={**ENVELOPE, "io.modelcontextprotocol/clientCapabilities": 1}), routed()),
    (call(), {"accept": "text/plain"}),
]


def body_of(message: Any) -> bytes:
    return message.encode() if isinstance(message, str) else json.dumps(message).encode()


@pytest.mark.parametrize(("message", "headers"), PLAIN_CALLS)
def test_a_plain_call_is_answered_as_the_sdk_answers_it(client: TestClient, message: Any, headers: Any) -> None:
    body = body_of(message)
    assert recognised(request({**PLAIN, **headers}), body, TOOLS) is not None
    assert recognised(request({**LONGER, **headers}), body, TOOLS) is None
    ours = client.post("/mcp", content=body, headers={**PLAIN, **headers})
    theirs = client.post("/mcp", content=body, headers={**LONGER, **headers})
    assert ours.status_code == theirs.status_code == 200
    assert dict(ours.headers).keys() == dict(theirs.headers).keys()
    assert ours.headers["content-type"] == theirs.headers["content-type"]
    assert ours.json() == theirs.json()


@pytest.mark.parametrize(("message", "headers"), OTHERS)
def test_everything_else_is_left_to_the_sdk(client: TestClient, message: Any, headers: Any) -> None:
    body = body_of(message)
    assert recognised(request({**PLAIN, **headers}), body, TOOLS) is None
    assert client.post("/mcp", content=body, headers={**PLAIN, **headers}).status_code < 500


def test_half_a_surrogate_pair_spoils_no_answer() -> None:
    answer = Answer({"a": "\ud800"}, '{"a":"\ud800"}', is_error=False)
    said = json.loads(encoded(Asked(1, "lithos_tags", {}, is_modern=False), answer, ""))
    assert said["result"]["structuredContent"] == {"a": "?"}


@pytest.mark.parametrize("headers", [PLAIN, LONGER])
def test_a_call_whose_sender_went_before_its_end_is_not_run(headers: dict[str, str]) -> None:
    opened: list[str] = []
    app = opening(lambda: {"run": opened.append("run")})
    app.start()
    endpoint = McpEndpoint(toolbox(dialects(["lithos"]), app), writable=True)
    arriving = [
        {"type": "http.request", "body": body_of(call(arguments={})), "more_body": True},
        {"type": "http.disconnect"},
    ]
    sent: list[Any] = []

    async def receive() -> Any:
        return arriving.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    async def ask() -> None:
        async with endpoint.running():
            await endpoint({**request(headers).scope, "path": "/mcp", "query_string": b""}, receive, send)

    asyncio.run(ask())
    assert (opened, sent) == ([], [])
