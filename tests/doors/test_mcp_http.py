"""MCP over HTTP, and what every path has in common: prefixes, methods, sizes, and who is let in."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from mcp_types import HEADER_MISMATCH
from starlette.routing import Mount
from starlette.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send
from tests.doors.doorkeepers import doorkeeper
from tests.doors.fake_app import failing, never, opening, status_of

from trilith import __version__
from trilith.errors import StartFailure
from trilith.surfaces.http.application import application
from trilith.surfaces.http.envelope import MAX_BODY
from trilith.surfaces.http.meter import Meter
from trilith.surfaces.opening import Opening

CALL = {"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {"name": "lithos_tags", "arguments": {}}}
JSON = {"accept": "application/json", "content-type": "application/json"}
TAGS = {"tags": {"a": 1, "b": 2}}
HERE = "http://127.0.0.1:8765"


def app_on(opened: Opening) -> ASGIApp:
    return application(opened, ["lithos"], "127.0.0.1", doorkeeper(), Meter())


@pytest.fixture
def client() -> Iterator[TestClient]:
    with TestClient(app_on(opening()), base_url=HERE, follow_redirects=False) as client:
        yield client


def structured(answer: Any) -> Any:
    assert answer.status_code == 200, answer.text
    return answer.json()["result"]["structuredContent"]


@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/mcp/lithos", "/mcp/lithos/"])
def test_a_call_is_answered_with_and_without_a_slash_at_the_end(client: TestClient, path: str) -> None:
    answer = client.post(path, json=CALL, headers=JSON)
    assert structured(answer) == TAGS
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize("accept", ["application/json", "application/json, text/event-stream", "*/*"])
def test_the_answer_is_json_whatever_else_is_accepted(client: TestClient, accept: str) -> None:
    answer = client.post("/mcp", json=CALL, headers={**JSON, "accept": accept})
    assert structured(answer) == TAGS
    assert answer.headers["content-type"] == "application/json"


def test_no_session_is_begun(client: TestClient) -> None:
    assert "mcp-session-id" not in client.post("/mcp", json=CALL, headers=JSON).headers


def test_a_session_of_another_server_does_not_matter(client: TestClient) -> None:
    assert structured(client.post("/mcp", json=CALL, headers={**JSON, "mcp-session-id": "of-yesterday"})) == TAGS


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
def test_there_is_no_stream_to_get_and_no_session_to_delete(client: TestClient, method: str, version: str) -> None:
    headers = {"accept": "text/event-stream", "mcp-protocol-version": version}
    answer = client.request(method, "/mcp", headers=headers)
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"
    assert answer.json()["error"]["message"].endswith("use POST.")


def test_a_dialect_that_is_not_offered_has_no_path(client: TestClient) -> None:
    assert client.post("/mcp/klingon", json=CALL, headers=JSON).status_code == 404


def test_headers_that_contradict_the_body_are_refused(client: TestClient) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    body = {**CALL, "params": {"name": "lithos_tags", "arguments": {}, "_meta": meta}}
    headers = {**JSON, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "lithos_read"}
    answer = client.post("/mcp", json=body, headers=headers)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == HEADER_MISMATCH
    assert structured(client.post("/mcp", json=body, headers={**headers, "mcp-name": "lithos_tags"})) == TAGS


# --- below a prefix


class MountedAt:
    """`app` below `/kb`, as another application would mount it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._mount = Mount("/kb", app)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await (self._app if scope["type"] == "lifespan" else self._mount)(scope, receive, send)


def test_it_works_where_it_is_mounted() -> None:
    with TestClient(MountedAt(app_on(opening())), base_url=HERE, follow_redirects=False) as client:
        for path in ("/kb/mcp", "/kb/mcp/", "/kb/mcp/lithos"):
            assert structured(client.post(path, json=CALL, headers=JSON)) == TAGS
        assert client.get("/kb/api/v1/tags/").json() == TAGS
        assert client.get("/kb/api/v1/openapi.json").json()["servers"] == [{"url": "/kb"}]


@pytest.mark.parametrize("path", ["/kb/mcp/", "/mcp/"], ids=["left on", "taken off"])
def test_it_works_behind_a_proxy_that_names_its_prefix(client: TestClient, path: str) -> None:
    headers = {**JSON, "x-forwarded-prefix": "/kb/"}
    assert structured(client.post(path, json=CALL, headers=headers)) == TAGS
    servers = client.get("/api/v1/openapi.json", headers=headers).json()["servers"]
    assert servers == [{"url": "/kb"}]


def test_it_works_behind_a_proxy_that_sets_the_root_path() -> None:
    with TestClient(app_on(opening()), base_url=HERE, root_path="/kb") as client:
        assert structured(client.post("/kb/mcp", json=CALL, headers=JSON)) == TAGS
        assert client.get("/kb/api/v1/tags").json() == TAGS


@pytest.mark.parametrize("prefix", ["kb", "//evil.example", "/<script>", "/../x y", "http://evil.example/"])
def test_a_prefix_that_is_none_is_passed_over(client: TestClient, prefix: str) -> None:
    answer = client.get("/api/v1/openapi.json", headers={"x-forwarded-prefix": prefix})
    assert "servers" not in answer.json()


# --- at the door


@pytest.mark.parametrize("path", ["/mcp", "/mcp/lithos", "/api/v1/tags", "/health", "/metrics", "/nowhere"])
def test_every_path_is_guarded(client: TestClient, path: str) -> None:
    for headers in ({"host": "evil.example"}, {"origin": "https://evil.example"}, {"origin": "null"}):
        for method in ("GET", "POST", "OPTIONS"):
            answer = client.request(method, path, headers=headers)
            assert answer.status_code == 403
            assert answer.json()["status"] == "error"
            assert answer.json()["code"] == "forbidden"
            assert "access-control-allow-origin" not in answer.headers


def test_two_hosts_are_no_host(client: TestClient) -> None:
    assert client.get("/health", headers=[("host", "127.0.0.1"), ("host", "evil.example")]).status_code == 403


def test_a_page_of_this_machine_may_read_answers(client: TestClient) -> None:
    answer = client.get("/api/v1/tags", headers={"origin": "http://localhost:5173"})
    assert answer.headers["access-control-allow-origin"] == "http://localhost:5173"
    assert "origin" in answer.headers["vary"].lower()


@pytest.mark.parametrize("path", ["/api/v1/tags", "/health", "/nowhere", "/mcp"])
def test_no_answer_is_taken_for_something_else(client: TestClient, path: str) -> None:
    assert client.get(path).headers["x-content-type-options"] == "nosniff"


def test_a_body_above_the_limit_is_refused_unread(client: TestClient) -> None:
    for content in (b" " * (MAX_BODY + 1), iter([b" " * (MAX_BODY // 2)] * 3)):
        answer = client.post("/mcp", content=content, headers=JSON)
        assert answer.status_code == 413
        assert answer.json()["code"] == "content_too_large"


def test_a_body_at_the_limit_is_read(client: TestClient) -> None:
    assert client.post("/mcp", content=b" " * MAX_BODY, headers=JSON).status_code == 400


def test_unknown_paths_and_methods_answer_with_the_envelope(client: TestClient) -> None:
    for method, path, status, code in (
        ("GET", "/nowhere", 404, "not_found"),
        ("GET", "/api/v1/nowhere", 404, "not_found"),
        ("POST", "/health", 405, "method_not_allowed"),
        ("DELETE", "/api/v1/tags", 405, "method_not_allowed"),
    ):
        answer = client.request(method, path)
        assert answer.status_code == status
        assert (answer.json()["status"], answer.json()["code"]) == ("error", code)


# --- how things are


def test_health_is_fine_while_the_index_is_being_opened() -> None:
    with TestClient(app_on(never()), base_url=HERE) as client:
        answer = client.get("/health")
        assert answer.status_code == 200
        assert (answer.json()["status"], answer.json()["version"]) == ("starting", __version__)
        assert client.get("/api/v1/status").json()["state"] == "starting"
        assert client.get("/metrics").status_code == 200


def test_health_is_bad_when_nothing_can_be_served() -> None:
    broken = failing(StartFailure("Home is full."))
    with TestClient(app_on(broken), base_url=HERE) as client:
        assert client.get("/api/v1/tags").status_code == 503
        answer = client.get("/health")
        assert answer.status_code == 503
        assert (answer.json()["status"], answer.json()["reason"]) == ("unavailable", "Home is full.")
        assert client.get("/api/v1/status").json()["code"] == "start_failure"
        assert client.get("/metrics").status_code == 200


@pytest.mark.parametrize("state", ["starting", "indexing", "ready"])
def test_health_is_fine_while_there_is_something_to_serve(state: str) -> None:
    with TestClient(app_on(opening(status=status_of(state))), base_url=HERE) as client:
        answer = client.get("/health")
    assert (answer.status_code, answer.json()["status"]) == (200, state)


def test_health_is_bad_when_every_vault_is_away() -> None:
    with TestClient(app_on(opening(status=status_of("unavailable"))), base_url=HERE) as client:
        answer = client.get("/health")
    assert (answer.status_code, answer.json()["status"]) == (503, "unavailable")


def test_metrics_tell_what_was_asked_and_how_far_the_index_is(client: TestClient) -> None:
    client.post("/mcp", json=CALL, headers=JSON)
    client.post("/mcp/lithos", json=CALL, headers=JSON)
    client.post("/mcp", json={**CALL, "params": {"name": "lithos_search"}}, headers=JSON)
    client.get("/api/v1/tags")
    client.get("/api/v1/tags?colour=red")
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    lines = answer.text.splitlines()
    for line in (
        'trilith_requests_total{door="mcp",outcome="ok"} 2.0',
        'trilith_requests_total{door="mcp",outcome="refused"} 1.0',
        'trilith_requests_total{door="rest",outcome="ok"} 1.0',
        'trilith_requests_total{door="rest",outcome="refused"} 1.0',
        'trilith_documents{library="notes"} 3.0',
        'trilith_pending{index="fulltext",library="notes"} 1.0',
        'trilith_pending{index="vectors",library="notes"} 2.0',
    ):
        assert line in lines


def test_each_server_counts_for_itself(client: TestClient) -> None:
    client.post("/mcp", json=CALL, headers=JSON)
    with TestClient(app_on(opening()), base_url=HERE) as other:
        assert "trilith_requests_total{" not in other.get("/metrics").text


def test_what_nobody_foresaw_is_no_more_than_internal() -> None:
    def broken() -> dict[str, int]:
        raise KeyError("/home/ann/secret.md")

    with TestClient(app_on(opening(broken)), base_url=HERE, raise_server_exceptions=False) as client:
        answer = client.get("/api/v1/tags")
    assert answer.status_code == 500
    assert answer.json()["code"] == "internal"
    assert "secret" not in answer.text
