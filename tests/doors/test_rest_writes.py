"""REST, what is written: statuses, bodies, and how each mistake is told."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient
from tests.doors.doorkeepers import doorkeeper

from trilith.settings import load
from trilith.surfaces.http.application import application
from trilith.surfaces.http.meter import Meter
from trilith.surfaces.mcp.starting import opened
from trilith.surfaces.opening import Opening

API = "/api/v1"
PATIENCE = 60.0
JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("vault") / "notes"
    root.mkdir()
    (root / "plain.md").write_text("# Plain\n\ntext\n", encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def client(vault: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = load(tmp_path_factory.mktemp("home"), semantic="off", watch="off")
    app = application(Opening(opened(settings, [vault], None)), ["lithos"], "127.0.0.1", doorkeeper(), Meter())
    with TestClient(app, base_url="http://localhost") as client:
        deadline = time.monotonic() + PATIENCE
        while client.get(f"{API}/status").json()["state"] != "ready":
            assert time.monotonic() < deadline
            time.sleep(0.02)
        yield client


def described(client: TestClient, path: str, method: str, status: int) -> Any:
    operation = client.get(f"{API}/openapi.json").json()["paths"][f"{API}{path}"][method]
    return operation["responses"][str(status)]["content"]["application/json"]["schema"]


def test_every_answer_has_its_status_and_is_as_described(client: TestClient) -> None:
    def checked(answer: Any, path: str, status: int) -> dict[str, Any]:
        assert answer.status_code == status, answer.text
        schema = described(client, path, answer.request.method.lower(), status)
        Draft202012Validator(schema).validate(answer.json())
        assert set(answer.json()) <= set(schema["properties"])
        found: dict[str, Any] = answer.json()
        return found

    new = {"title": "New", "content": "a b a", "source_url": "https://a.example/", "tags": ["x"], "agent": "ann"}
    made = checked(client.post(f"{API}/notes", json=new), "/notes", 201)
    assert made["status"] == "created"
    again = checked(client.post(f"{API}/notes", json={**new, "title": "Other"}), "/notes", 200)
    assert (again["status"], again["duplicate_of"]["id"]) == ("duplicate", made["id"])
    one = f"{API}/notes/{made['id']}"
    assert checked(client.patch(one, json={"summary": "s"}), "/notes/{reference}", 200)["version"] == 2
    edit = {"operation": "find_replace", "find": "a", "content": "c", "all": True, "expected_version": 2}
    edited = checked(client.post(f"{one}/edit", json=edit), "/notes/{reference}/edit", 200)
    assert (edited["replaced"], edited["version"]) == (2, 3)
    gone = checked(client.delete(one, params={"expected_version": 3, "agent": "bob"}), "/notes/{reference}", 200)
    assert gone["deleted_by"] == "bob"
    kept = checked(client.get(f"{API}/trash"), "/trash", 200)["items"]
    assert {**kept[0], "success": True} == gone
    back = checked(client.post(f"{API}/trash/{gone['key']}/restore"), "/trash/{key}/restore", 200)
    assert (back["id"], back["version"]) == (made["id"], 3)
    assert client.delete(one).status_code == 200


@pytest.mark.parametrize("suffix", ["", ".md"])
def test_a_note_is_changed_by_its_path_too(client: TestClient, suffix: str) -> None:
    client.post(f"{API}/notes", json={"title": "Deep", "path": "a/b"})
    for answer in (
        client.patch(f"{API}/notes/a/b/deep{suffix}", json={"tags": ["x"]}),
        client.post(f"{API}/notes/a/b/deep{suffix}/edit", json={"operation": "append", "content": "x"}),
        client.delete(f"{API}/notes/a%2Fb%2Fdeep{suffix}"),
    ):
        assert answer.status_code == 200, answer.text
        assert answer.json()["path"] == "a/b/deep.md"


def test_without_a_name_the_owner_writes(client: TestClient, vault: Path) -> None:
    made = client.post(f"{API}/notes", json={"title": "Mine", "agent": " "}).json()
    assert "author: owner\n" in (vault / made["path"]).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "headers", [{}, {"content-type": "text/plain"}, {"content-type": "application/x-www-form-urlencoded"}]
)
def test_only_json_is_taken_and_no_form_of_a_page(client: TestClient, headers: dict[str, str]) -> None:
    for method, path in (("POST", "/notes"), ("PATCH", "/notes/plain"), ("POST", "/notes/plain/edit")):
        answer = client.request(method, f"{API}{path}", content=b'{"title": "T"}', headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
    answer = client.post(f"{API}/notes", content=b"{}", headers={"content-type": "Application/JSON; charset=utf-8"})
    assert answer.json()["field"] == "title"


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[" * 100_000, b"\xff", b"[1]", b'"x"', b"null", b'{"title": "\\ud800"}', b'{"title": NaN}']
)
def test_a_body_that_is_no_object_is_refused(client: TestClient, content: bytes) -> None:
    answer = client.post(f"{API}/notes", content=content, headers=JSON)
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "invalid_input", "body")


@pytest.mark.parametrize(
    ("method", "path", "body", "field"),
    [
        ("POST", "/notes", {"title": "T", "titel": "x"}, "titel"),
        ("POST", "/notes", {"title": "T", "id": "x"}, "id"),
        ("POST", "/notes", {"title": "T", "expected_version": 1}, "expected_version"),
        ("POST", "/notes", {"content": "x"}, "title"),
        ("POST", "/notes", {"title": "a\0"}, "title"),
        ("POST", "/notes", {"title": "T", "content": 5}, "content"),
        ("PATCH", "/notes/plain", {}, "content"),
        ("PATCH", "/notes/plain", {"tags": None}, "content"),
        ("PATCH", "/notes/plain", {"path": "x"}, "path"),
        ("PATCH", "/notes/plain", {"status": "doing"}, "status"),
        ("PATCH", "/notes/plain", {"expected_version": 0, "tags": ["x"]}, "expected_version"),
        ("POST", "/notes/plain/edit", {"content": "x"}, "operation"),
        ("POST", "/notes/plain/edit", {"operation": "append", "text": "x"}, "text"),
    ],
)
def test_what_is_not_well_formed_is_named(
    client: TestClient, vault: Path, *, method: str, path: str, body: dict[str, Any], field: str
) -> None:
    before = {path: path.read_bytes() for path in vault.rglob("*.md")}
    answer = client.request(method, f"{API}{path}", json=body)
    assert (answer.status_code, answer.json()["code"], answer.json()["field"]) == (400, "invalid_input", field)
    assert f"'{field}'" in answer.json()["message"]
    assert {path: path.read_bytes() for path in vault.rglob("*.md")} == before


def test_a_parameter_that_is_not_known_deletes_nothing(client: TestClient, vault: Path) -> None:
    answer = client.delete(f"{API}/notes/plain", params={"expected": 9})
    assert (answer.status_code, answer.json()["field"]) == (400, "expected")
    assert client.delete(f"{API}/notes/plain", params={"expected_version": 9}).status_code == 409
    assert (vault / "plain.md").exists()


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PUT", "/notes", "GET, POST"),
        ("POST", "/notes/plain", "DELETE, GET, PATCH"),
        ("PUT", "/notes/a/b", "DELETE, GET, PATCH"),
        ("DELETE", "/trash/x/restore", "POST"),
        ("POST", "/trash", "GET"),
    ],
)
def test_a_method_that_is_none_is_told_all_that_are(client: TestClient, method: str, path: str, allowed: str) -> None:
    answer = client.request(method, f"{API}{path}")
    assert (answer.status_code, answer.headers["allow"]) == (405, allowed)


def test_a_page_of_this_machine_may_ask_for_every_method(client: TestClient) -> None:
    headers = {"origin": "http://localhost:5173", "access-control-request-method": "PATCH"}
    answer = client.options(f"{API}/notes/plain", headers=headers)
    assert "PATCH" in answer.headers["access-control-allow-methods"]
    for origin in ("https://evil.example", "null"):
        answer = client.post(f"{API}/notes", json={"title": "Evil"}, headers={"origin": origin})
        assert answer.status_code == 403


def test_what_may_be_sent_is_described(client: TestClient) -> None:
    paths = client.get(f"{API}/openapi.json").json()["paths"]
    for path, method, required in (
        ("/notes", "post", ["title"]),
        ("/notes/{reference}", "patch", []),
        ("/notes/{reference}/edit", "post", ["operation"]),
    ):
        schema = paths[f"{API}{path}"][method]["requestBody"]["content"]["application/json"]["schema"]
        Draft202012Validator.check_schema(schema)
        assert schema["required"] == required
        assert schema["additionalProperties"] is False
        assert all(each["description"] for each in schema["properties"].values())
