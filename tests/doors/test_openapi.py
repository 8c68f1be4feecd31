"""The OpenAPI document and the server agree: what the one allows the other takes, and what it forbids is refused."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, FormatChecker
from starlette.testclient import TestClient
from tests.doors.doorkeepers import doorkeeper

from trilith.access.keys import digest
from trilith.model.principal import Key
from trilith.settings import load
from trilith.surfaces.http.application import application
from trilith.surfaces.http.callers import MYTHOS_PATH
from trilith.surfaces.http.meter import Meter
from trilith.surfaces.mcp.starting import opened
from trilith.surfaces.opening import Opening

API = "/api/v1"
PATIENCE = 60.0
UUID = "f47ac10b-58cc-4372-a567-0e02b2c3d479"


def served(vaults: list[Path], home: Path, *dialects: str, **rules: Any) -> TestClient:
    """`rules` are those of the doorkeeper."""
    opening = Opening(opened(load(home, semantic="off", watch="off"), vaults, None))
    app = application(opening, dialects, "127.0.0.1", doorkeeper(**rules), Meter())
    return TestClient(app, base_url="http://localhost")


def ready(client: TestClient) -> None:
    deadline = time.monotonic() + PATIENCE
    while client.get(f"{API}/status").json()["state"] != "ready":
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("vault") / "notes"
    root.mkdir()
    (root / "plain.md").write_text("# Plain\n\ntext\n", encoding="utf-8")
    (root / "other.md").write_text("# Other\n", encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def client(vault: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with served([vault], tmp_path_factory.mktemp("home"), "mythos") as client:
        ready(client)
        yield client


@pytest.fixture(scope="module")
def document(client: TestClient) -> dict[str, Any]:
    found: dict[str, Any] = client.get(f"{API}/openapi.json").json()
    return found


FORMATS = FormatChecker()


@FORMATS.checks("date-time", ValueError)
def is_time(value: object) -> bool:
    return not isinstance(value, str) or datetime.fromisoformat(value).tzinfo is not None


def allows(schema: Any, value: Any) -> bool:
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema, format_checker=FORMATS).is_valid(value)


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield path, method, operation


# --- bodies

NEW = {"title": "New"}
FIELDS: list[tuple[dict[str, Any], bool]] = [
    ({"tags": ["a"], "aliases": [], "para": "a, b", "collaborators": ""}, True),
    ({"tags": ["a"] * 101}, False),
    ({"tags": " a, b"}, True),
    ({"tags": "[1]"}, False),
    ({"tags": [1]}, False),
    ({"summary": "two\nlines"}, True),
    ({"summary": "\x07"}, False),
    ({"content": "\x07"}, True),
    ({"content": "\x00"}, False),
    ({"confidence": 1}, True),
    ({"confidence": 1.1}, False),
    ({"derived_from_ids": [UUID, ""]}, True),
    ({"derived_from_ids": f"{UUID},{UUID}"}, True),
    ({"derived_from_ids": ["x"]}, False),
    ({"derived_from_ids": "x"}, False),
    ({"ttl_hours": 0}, True),
    ({"ttl_hours": -1}, False),
    ({"ttl_hours": 10**9}, False),
    ({"expires_at": "2031-03-18"}, True),
    ({"expires_at": "2031-03-18T12:00:00+01:00"}, True),
    ({"expires_at": ""}, True),
    ({"expires_at": "soon"}, False),
    ({"ttl_hours": 1, "expires_at": None}, True),
    ({"ttl_hours": 1, "expires_at": ""}, False),
    ({"status": "validated", "visibility": "unlisted"}, True),
    ({"status": "", "visibility": ""}, True),
    ({"status": None, "visibility": None, "tags": None, "wait": None}, True),
    ({"status": "odd"}, False),
    ({"visibility": "odd"}, False),
    ({"wait": "perhaps"}, False),
    ({"agent": "\x07"}, False),
    ({"titel": "x"}, False),
]
"""Fields beside a title, and whether they may be sent."""

BODIES: list[tuple[str, str, dict[str, Any], bool]] = [
    *(("post", "/notes", NEW | fields, fine) for fields, fine in FIELDS),
    *(("patch", "/notes/{reference}", NEW | fields, fine) for fields, fine in FIELDS),
    ("post", "/notes", {}, False),
    ("post", "/notes", {"title": " \t"}, False),
    ("post", "/notes", {"title": None}, False),
    ("post", "/notes", {"title": "x" * 500}, True),
    ("post", "/notes", {"title": "x" * 501}, False),
    ("patch", "/notes/{reference}", {"title": ""}, True),
    ("patch", "/notes/{reference}", {}, False),
    ("patch", "/notes/{reference}", {"agent": "ann", "wait": True}, False),
    ("patch", "/notes/{reference}", {"title": None}, False),
    ("patch", "/notes/{reference}", {"tags": "", "expected_version": None}, True),
    ("patch", "/notes/{reference}", {"tags": [], "expected_version": 0}, False),
    ("post", "/notes/{reference}/edit", {"operation": "append"}, True),
    ("post", "/notes/{reference}/edit", {"operation": "Append"}, False),
    ("post", "/notes/{reference}/edit", {"operation": "replace_section", "section": ["Plain"]}, True),
    ("post", "/notes/{reference}/edit", {"operation": "replace_section", "section": "Plain"}, True),
    ("post", "/notes/{reference}/edit", {"operation": "replace_section"}, False),
    ("post", "/notes/{reference}/edit", {"operation": "replace_section", "section": [" "]}, False),
    ("post", "/notes/{reference}/edit", {"operation": "replace_section", "section": " "}, False),
    ("post", "/notes/{reference}/edit", {"operation": "find_replace", "find": "Plain", "content": "Plain"}, True),
    ("post", "/notes/{reference}/edit", {"operation": "find_replace", "find": ""}, False),
    ("post", "/notes/{reference}/edit", {"operation": "find_replace"}, False),
    ("post", "/notes/{reference}/move", {"to": "/"}, True),
    ("post", "/notes/{reference}/move", {"to": " "}, False),
    ("post", "/notes/{reference}/move", {}, False),
]


@pytest.mark.parametrize(("method", "path", "body", "fine"), BODIES)
def test_bodies_are_taken_as_described(
    client: TestClient, document: dict[str, Any], vault: Path, method: str, path: str, body: dict[str, Any], fine: bool
) -> None:
    (vault / "plain.md").write_text("# Plain\n\ntext\n", encoding="utf-8")
    for made in vault.glob("[nx]*.md"):
        made.unlink()
    operation = document["paths"][f"{API}{path}"][method]
    schema = operation["requestBody"]["content"]["application/json"]["schema"]
    assert allows(schema, body) is fine
    answer = client.request(method, f"{API}{path}".format(reference="plain"), json=body)
    assert answer.is_success is fine, answer.text
    assert fine or answer.status_code == 400
    described = operation["responses"][str(answer.status_code)]["content"]["application/json"]["schema"]
    assert allows(described, answer.json())


def test_a_new_note_names_its_library_where_there_are_several(tmp_path: Path) -> None:
    folders = [tmp_path / "one", tmp_path / "two"]
    for folder in folders:
        folder.mkdir()
    with served(folders, tmp_path / "home", "lithos") as client:
        ready(client)
        operation = client.get(f"{API}/openapi.json").json()["paths"][f"{API}/notes"]["post"]
        schema = operation["requestBody"]["content"]["application/json"]["schema"]
        for library, status in ({"library": "one"}, 201), ({}, 400), ({"library": None}, 400):
            assert allows(schema, NEW | library) is (status == 201)
            assert client.post(f"{API}/notes", json=NEW | library).status_code == status


@pytest.mark.parametrize(
    "edit",
    [{"operation": "find_replace", "find": "absent"}, {"operation": "replace_section", "section": ["Absent"]}],
)
def test_an_edit_of_what_a_note_does_not_have_is_a_conflict(client: TestClient, edit: dict[str, Any]) -> None:
    answer = client.post(f"{API}/notes/other/edit", json=edit)
    assert (answer.status_code, answer.json()["code"]) == (409, "invalid_input")


# --- query parameters

PARAMETERS: list[tuple[str, str, Any, bool]] = [
    ("/search", "q", "bread", True),
    ("/search", "q", " ", False),
    ("/search", "q", "\x85", False),
    ("/search", "q", "x" * 10_000, True),
    ("/search", "q", "x" * 10_001, False),
    ("/search", "mode", "fulltext", True),
    ("/search", "mode", "fuzzy", False),
    ("/search", "sort", "updated", True),
    ("/search", "sort", "colour", False),
    *((path, "limit", 10**30, True) for path in ("/search", "/notes")),
    *((path, "limit", 0, False) for path in ("/search", "/notes")),
    *((path, "created_after", "2026-03-18T12:00:00Z", True) for path in ("/search", "/notes")),
    *((path, "created_after", "", False) for path in ("/search", "/notes")),
    *((path, "where", {"status": "doing"}, True) for path in ("/search", "/notes")),
    *((path, "where", {str(number): 1 for number in range(51)}, False) for path in ("/search", "/notes")),
    *((path, "where", ["status"], False) for path in ("/search", "/notes")),
    ("/notes", "offset", 10**30, True),
    ("/notes", "offset", -1, False),
    ("/notes", "sort", "title", True),
    ("/notes", "sort", "colour", False),
    ("/notes", "max_length", -1, False),
    ("/notes/{reference}", "max_length", 0, True),
    ("/notes/{reference}", "max_length", -1, False),
]


@pytest.mark.parametrize(("path", "name", "value", "fine"), PARAMETERS)
@pytest.mark.parametrize("beside", [{}, {"path": "other"}, {"mode": "graph", "q": "other"}])
def test_parameters_are_taken_as_described(
    client: TestClient,
    document: dict[str, Any],
    path: str,
    name: str,
    value: Any,
    fine: bool,
    beside: dict[str, str],
) -> None:
    """Also where they do not matter: in graph mode, and when one note is asked for."""
    parameters = {each["name"]: each for each in document["paths"][f"{API}{path}"]["get"]["parameters"]}
    described = parameters[name]
    schema = described["schema"] if "schema" in described else described["content"]["application/json"]["schema"]
    assert allows(schema, value) is fine
    usual = {"q": "text", "mode": "fulltext"} if path == "/search" else {}
    sent = {each: text for each, text in (usual | beside).items() if each in parameters}
    sent[name] = json.dumps(value) if "content" in described else str(value)
    answer = client.get(f"{API}{path}".format(reference="other"), params=sent)
    refused_as = (404,) if name == "q" and sent.get("mode") == "graph" else ()
    assert answer.is_success is fine or answer.status_code in refused_as, answer.text


def test_the_version_to_delete_is_from_one(client: TestClient, document: dict[str, Any]) -> None:
    parameters = document["paths"][f"{API}/notes/{{reference}}"]["delete"]["parameters"]
    schema = next(each["schema"] for each in parameters if each["name"] == "expected_version")
    assert (allows(schema, 1), allows(schema, 0)) == (True, False)
    assert client.delete(f"{API}/notes/other", params={"expected_version": 0}).status_code == 400


# --- methods, statuses, keys


@pytest.mark.parametrize("part", ["edit", "move"])
@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE", "PUT", "OPTIONS"])
def test_a_part_of_a_note_is_posted_and_nothing_else(client: TestClient, part: str, method: str) -> None:
    answer = client.request(method, f"{API}/notes/other/{part}", json={"title": "x"})
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_the_methods_of_a_note_are_its_own(client: TestClient) -> None:
    assert client.put(f"{API}/notes/other").headers["allow"] == "DELETE, GET, PATCH"
    assert client.put(f"{API}/notes").headers["allow"] == "GET, POST"


def test_every_operation_says_who_may_be_turned_away(document: dict[str, Any]) -> None:
    for path, method, operation in operations(document):
        answers = operation["responses"]
        assert {"403", "429", "default"} <= set(answers), (path, method)
        assert "Retry-After" in answers["429"]["headers"]
        if path != MYTHOS_PATH:
            assert "WWW-Authenticate" in answers["401"]["headers"]
        if "requestBody" in operation:
            assert {"400", "413", "415"} <= set(answers), (path, method)
    assert {tuple(each) for each in document["security"]} == {(), ("bearer",), ("memos",)}
    assert set(document["components"]["securitySchemes"]) == {"bearer", "memos"}


@pytest.mark.parametrize(
    ("method", "path", "sent"),
    [
        ("post", f"{API}/notes", {"json": {"title": "x"}}),
        ("get", f"{API}/trash", {}),
        ("get", MYTHOS_PATH, {"params": {"q": "x"}}),
    ],
)
def test_who_is_turned_away_hears_it_as_described(
    vault: Path, tmp_path: Path, document: dict[str, Any], method: str, path: str, sent: dict[str, Any]
) -> None:
    secret = "tri_" + "k" * 43
    key = Key(
        id="k", user="ada", digest=digest(secret), rights=frozenset(), created_at=datetime(2026, 1, 1, tzinfo=UTC)
    )
    shown = {"Authorization": f"Bearer {secret}"}
    with served([vault], tmp_path, "mythos", keys=lambda: (key,), per_minute=1) as client:
        answers = [client.request(method, path, headers=each, **sent) for each in ({}, shown, shown)]
    assert [answer.status_code for answer in answers] == [403 if path == MYTHOS_PATH else 401, 403, 429]
    for answer in answers:
        described = document["paths"][path][method]["responses"][str(answer.status_code)]
        assert allows(described["content"]["application/json"]["schema"], answer.json())
        assert all(name in answer.headers for name in described.get("headers", ()))


# --- answers


def test_a_list_or_a_note_is_as_described(client: TestClient, document: dict[str, Any]) -> None:
    operation = document["paths"][f"{API}/notes"]["get"]
    page, note = operation["responses"]["200"]["content"]["application/json"]["schema"]["anyOf"]
    assert allows(page, client.get(f"{API}/notes").json())
    assert allows(note, client.get(f"{API}/notes", params={"path": "other"}).json())


def test_filters_that_a_walk_ignores_are_described(client: TestClient, document: dict[str, Any]) -> None:
    schema = document["paths"][f"{API}/search"]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
    answer = client.get(f"{API}/search", params={"q": "other", "mode": "graph", "tags": "x"}).json()
    assert answer["ignored_filters"] == ["tags"]
    assert set(answer) <= set(schema["properties"])


def test_the_endpoint_of_mythos_is_described_where_it_is(
    client: TestClient, document: dict[str, Any], vault: Path, tmp_path: Path
) -> None:
    operation = document["paths"][MYTHOS_PATH]["get"]
    for parameters, status in (
        ({"q": "text"}, 422),
        ({"q": "text", "topK": 10**30, "tags": "a, b"}, 422),
        ({"q": " "}, 400),
        ({"q": "text", "topK": 0}, 400),
        ({"q": "text", "username": "nobody"}, 404),
    ):
        answer = client.get(MYTHOS_PATH, params=parameters)
        assert answer.status_code == status, answer.text
        schema = operation["responses"][str(status)]["content"]["application/json"]["schema"]
        assert allows(schema, answer.json())
        limits = {each["name"]: each["schema"] for each in operation["parameters"]}
        assert all(allows(limits[name], value) for name, value in parameters.items()) is (status != 400)
    with served([vault], tmp_path, "lithos") as other:
        assert MYTHOS_PATH not in other.get(f"{API}/openapi.json").json()["paths"]
