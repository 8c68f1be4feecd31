"""REST on a real index: what each path answers, and how each mistake is told."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient
from tests.dialects.lithos_vault import BACKOFF, FILLERS, GATHER, LOOP, MISTAKES, NOTES, PATTERNS, QUOTA, write
from tests.doors.doorkeepers import doorkeeper

from trilith.settings import load
from trilith.surfaces.http.application import application
from trilith.surfaces.http.meter import Meter
from trilith.surfaces.http.server import measured
from trilith.surfaces.mcp.starting import opened

PATIENCE = 60.0
API = "/api/v1"
GATHER_PATH = "python-asyncio-gather-patterns.md"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    vault, home = write(tmp_path_factory.mktemp("vault") / "notes"), tmp_path_factory.mktemp("home")
    meter = Meter()
    opening = measured(opened(load(home), [vault], None), meter)
    with TestClient(
        application(opening, ["lithos"], "127.0.0.1", doorkeeper(), meter), base_url="http://localhost"
    ) as client:
        deadline = time.monotonic() + PATIENCE
        while (status := client.get(f"{API}/status").json())["state"] != "ready":
            assert time.monotonic() < deadline, status
            time.sleep(0.05)
        yield client


def get(client: TestClient, path: str, /, **parameters: Any) -> Any:
    answer = client.get(f"{API}{path}", params=parameters)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(client: TestClient, path: str, /, **parameters: Any) -> tuple[int, str, dict[str, Any]]:
    answer = client.get(f"{API}{path}", params=parameters)
    body = answer.json()
    assert body["status"] == "error"
    assert body["message"]
    return answer.status_code, body["code"], body


def ids(answer: dict[str, Any]) -> list[str]:
    return [hit["id"] for hit in answer.get("results", answer.get("items"))]


# --- answers


def test_a_search_tells_why_each_hit_is_there(client: TestClient) -> None:
    get(client, "/search", q="the model is loaded now", mode="semantic")
    answer = get(client, "/search", q="asyncio gather patterns")
    first = answer["results"][0]
    assert first["id"] == GATHER
    assert first["match"]["fulltext"]["rank"] == 1
    assert 0 < first["match"]["semantic"]["cosine"] <= 1
    assert answer["diagnostics"]["semantic"] == "ok"
    assert answer["query_interpretation"] == "literal"
    assert "explanation" not in first


def test_an_explanation_is_given_where_it_is_asked_for(client: TestClient) -> None:
    first = get(client, "/search", q="asyncio gather patterns", explain="true")["results"][0]
    assert {term["text"] for term in first["explanation"]["terms"]} >= {"asyncio", "gather"}
    assert first["explanation"]["chunk"]["text"]
    assert get(client, "/search", q=GATHER, mode="graph", explain="true")["results"][0]["depth"] == 1


@pytest.mark.parametrize("mode", ["hybrid", "fulltext", "semantic"])
def test_every_mode_takes_every_filter(client: TestClient, mode: str) -> None:
    def found(**narrowing: Any) -> set[str]:
        return set(ids(get(client, "/search", q="python patterns", mode=mode, **narrowing)))

    assert found(tags="python,asyncio") == {GATHER, PATTERNS}
    assert found(tags=["python", "asyncio"]) == {GATHER, PATTERNS}
    assert found(author="research-agent") - {LOOP} == {GATHER}
    assert found(tags="python", modified_before="2026-03-14") == {MISTAKES}
    assert found(tags="asyncio", modified_after="2026-03-17") == {GATHER}
    assert found(path_prefix="nowhere") == set()


@pytest.mark.parametrize("mode", ["hybrid", "fulltext", "semantic"])
def test_frontmatter_properties_narrow(client: TestClient, mode: str) -> None:
    for where in ({"team.name": "loom"}, {"team.name": "loom", "team": {"name": "loom"}}):
        assert ids(get(client, "/search", q="exponential backoff", mode=mode, where=json.dumps(where))) == [BACKOFF]
    assert ids(get(client, "/search", q="exponential backoff", mode=mode, where='{"team.name": "weft"}')) == []


def test_a_graph_is_walked(client: TestClient) -> None:
    results = get(client, "/search", q=GATHER, mode="graph")["results"]
    assert [(hit["id"], hit["depth"]) for hit in results] == [(LOOP, 1), (PATTERNS, 2)]


def test_hits_can_be_sorted_by_date(client: TestClient) -> None:
    updated = [hit["updated_at"] for hit in get(client, "/search", q="python asyncio", sort="updated")["results"]]
    assert updated == sorted(updated, reverse=True)


@pytest.mark.parametrize("reference", [GATHER, GATHER_PATH, GATHER_PATH.removesuffix(".md")])
def test_a_note_is_read_by_id_and_by_path(client: TestClient, reference: str) -> None:
    note = get(client, f"/notes/{reference}")
    assert (note["id"], note["path"], note["library"]) == (GATHER, GATHER_PATH, "notes")
    assert get(client, "/notes", path=reference) == note


def test_a_note_in_a_folder_is_read_by_path(client: TestClient) -> None:
    for path in ("procedures/onboarding.md", quote("procedures/onboarding.md", safe="")):
        assert get(client, f"/notes/{path}")["path"] == "procedures/onboarding.md"


def test_a_note_is_cut_on_request(client: TestClient) -> None:
    note = get(client, f"/notes/{GATHER}", max_length=100)
    assert note["truncated"]
    assert len(note["content"]) <= 100
    assert get(client, "/notes", path=GATHER, max_length=100) == note


def test_notes_are_listed_page_by_page(client: TestClient) -> None:
    pages = [get(client, "/notes", limit=25, offset=offset, sort="path") for offset in (0, 25, 50, 75)]
    paths = [item["path"] for page in pages for item in page["items"]]
    assert paths == sorted(paths)
    assert set(paths) == {*NOTES, *(f"fillers/filler-{number:02}.md" for number in range(FILLERS))}
    assert len(paths) == len(set(paths))
    assert {page["total"] for page in pages} == {len(NOTES) + FILLERS}
    assert [page["has_more"] for page in pages] == [True, True, False, False]
    assert pages[-1]["items"] == []


def test_lists_are_newest_first_and_narrowed(client: TestClient) -> None:
    items = get(client, "/notes", tags="python")["items"]
    assert [item["id"] for item in items] == [GATHER, LOOP, PATTERNS, MISTAKES]


def test_tags_are_counted(client: TestClient) -> None:
    assert get(client, "/tags")["tags"] == {
        "python": 4,
        "asyncio": 2,
        "patterns": 1,
        "http": 1,
        "antipattern": 1,
        "people": 1,
    }


def test_what_surrounds_a_note_is_told(client: TestClient) -> None:
    for reference in (LOOP, "python-event-loop-internals"):
        answer = get(client, f"/related/{reference}")
        assert [note["id"] for note in answer["links"]["outgoing"]] == [PATTERNS]
        assert [note["id"] for note in answer["links"]["incoming"]] == [GATHER]
        assert [note["id"] for note in answer["provenance"]["sources"]] == [GATHER]


def test_status_counts_what_is_done_and_what_waits(client: TestClient) -> None:
    status = get(client, "/status")
    assert status["state"] == "ready"
    assert status["documents"] == len(NOTES) + FILLERS
    assert status["pending"] == {"fulltext": 0, "vectors": 0}
    assert status["semantic"]["state"] == "ok"


def test_searches_are_measured_by_mode(client: TestClient) -> None:
    for mode in ("hybrid", "fulltext", "semantic", "graph"):
        get(client, "/search", q=GATHER, mode=mode)
    metrics = client.get("/metrics").text
    for mode in ("hybrid", "fulltext", "semantic", "graph"):
        assert f'trilith_search_seconds_count{{mode="{mode}"}}' in metrics
    assert f'trilith_documents{{library="notes"}} {len(NOTES) + FILLERS}.0' in metrics


# --- mistakes


@pytest.mark.parametrize(
    ("path", "parameters", "field"),
    [
        ("/search", {}, "q"),
        ("/search", {"q": "   "}, "q"),
        ("/search", {"q": "x", "limit": "2.5"}, "limit"),
        ("/search", {"q": "x", "limit": "many"}, "limit"),
        ("/search", {"q": "x", "limit": ""}, "limit"),
        ("/search", {"q": "x", "limit": 0}, "limit"),
        ("/search", {"q": "x", "limit": -1}, "limit"),
        ("/search", {"q": "x", "tag": "python"}, "tag"),
        ("/search", {"q": "x", "sort": "colour"}, "sort"),
        ("/search", {"q": "x", "modified_after": "soon"}, "modified_after"),
        ("/search", {"q": "x", "where": "status=doing"}, "where"),
        ("/notes", {"offset": -1}, "offset"),
        ("/notes", {"limit": 0}, "limit"),
        ("/notes", {"max_length": "x"}, "max_length"),
        (f"/notes/{GATHER}", {"max_length": -1}, "max_length"),
        (f"/notes/{GATHER}", {"maxlength": 1}, "maxlength"),
        ("/tags", {"prefix": "x"}, "prefix"),
    ],
)
def test_what_is_not_well_formed_is_named(
    client: TestClient, path: str, parameters: dict[str, Any], field: str
) -> None:
    status, code, body = refused(client, path, **parameters)
    assert (status, code) == (400, "invalid_input")
    assert body["field"] == field
    assert f"'{field}'" in body["message"]


@pytest.mark.parametrize(
    ("path", "parameters", "status", "code"),
    [
        ("/search", {"q": "x", "mode": "fuzzzy"}, 400, "invalid_mode"),
        ("/search", {"q": "no such note", "mode": "graph"}, 404, "doc_not_found"),
        ("/search", {"q": "x", "library": "other"}, 404, "doc_not_found"),
        ("/notes/f47ac10b-0000-4372-a567-0e02b2c3d479", {}, 404, "doc_not_found"),
        ("/notes/patterns.md", {}, 404, "doc_not_found"),
        ("/notes", {"path": "../secret.md"}, 403, "path_forbidden"),
        ("/notes/..%2Fsecret.md", {}, 403, "path_forbidden"),
        ("/notes/%2Fetc%2Fpasswd", {}, 403, "path_forbidden"),
        ("/notes/C:%5Csecret.md", {}, 403, "path_forbidden"),
        ("/related/no-such-note", {}, 404, "doc_not_found"),
        ("/nowhere", {}, 404, "not_found"),
    ],
)
def test_every_failure_has_its_status(
    client: TestClient, path: str, parameters: dict[str, Any], status: int, code: str
) -> None:
    assert refused(client, path, **parameters)[:2] == (status, code)


def test_a_limit_above_the_most_is_cut(client: TestClient) -> None:
    assert len(get(client, "/notes", limit=10**9)["items"]) == len(NOTES) + FILLERS


# --- the description


def test_openapi_describes_every_path_and_its_failures(client: TestClient) -> None:
    document = get(client, "/openapi.json")
    assert document["openapi"].startswith("3.")
    assert set(document["paths"]) == {
        f"{API}/search",
        f"{API}/notes",
        f"{API}/notes/{{reference}}",
        f"{API}/tags",
        f"{API}/related/{{reference}}",
        f"{API}/status",
        f"{API}/notes/{{reference}}/edit",
        f"{API}/notes/{{reference}}/move",
        f"{API}/trash",
        f"{API}/trash/{{key}}/restore",
    }
    for operations in document["paths"].values():
        for operation in operations.values():
            assert operation["summary"]
            assert operation["description"]
    assert "HTTPValidationError" not in json.dumps(document), "the framework's own errors never reach a caller"


def test_answers_are_as_described(client: TestClient) -> None:
    paths = get(client, "/openapi.json")["paths"]
    for path, answer in {
        "/search": get(client, "/search", q="python asyncio"),
        "/notes": get(client, "/notes"),
        "/notes/{reference}": get(client, f"/notes/{QUOTA}"),
        "/tags": get(client, "/tags"),
        "/related/{reference}": get(client, f"/related/{BACKOFF}"),
        "/status": get(client, "/status"),
    }.items():
        content = paths[f"{API}{path}"]["get"]["responses"]["200"]["content"]
        schema = content["application/json"]["schema"]
        Draft202012Validator(schema).validate(answer)
        known = schema if "properties" in schema else schema["anyOf"][0]
        assert set(answer) <= set(known["properties"])


def test_no_page_loads_anything_from_elsewhere(client: TestClient) -> None:
    for path in ("/docs", "/redoc", f"{API}/docs"):
        assert client.get(path).status_code == 404
