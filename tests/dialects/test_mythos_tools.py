"""The other tools of the MythOS dialect, asked of a real server over stdio."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.dialects.mythos_client import Mythos, over_stdio
from tests.dialects.mythos_vault import BREAD, EMPTY, LOOPS, NOTES, TEA, write

LONG_AGO = "2020-01-01"
MEMO = {"memoId", "title", "content", "tags", "url", "visibility", "accessReason", "createdAt", "updatedAt"}


def memo_id(note_id: str) -> str:
    return f"owner-{hashlib.sha256(note_id.encode()).hexdigest()[:6]}"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write(tmp_path_factory.mktemp("notes"))


@pytest.fixture(scope="module")
def mythos(place: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mythos]:
    with over_stdio(place, tmp_path_factory.mktemp("home")) as mythos:
        yield mythos


def body(name: str) -> str:
    return NOTES[name].split("---\n", 2)[2]


# --- search_memos, substring


def test_substring_is_the_default_and_newest_first(mythos: Mythos) -> None:
    answer = mythos.search_memos(query="R")
    assert [memo["memoId"] for memo in answer["memos"]] == [memo_id(each) for each in (TEA, BREAD, LOOPS)]
    assert (answer["success"], answer["diagnostics"]) == (True, {"vectorSearchFailed": False})
    assert mythos.search_memos(query="r", mode="substring") == answer


@pytest.mark.parametrize("query", ["CAFE crème", "café CREME", "baking", "sourdough", "lively starter"])
def test_substring_looks_into_title_tags_and_body_whatever_case_and_accents(mythos: Mythos, query: str) -> None:
    (memo,) = mythos.search_memos(query=query)["memos"]
    assert set(memo) == MEMO - {"content", "createdAt", "updatedAt"} | {"snippet"}
    assert memo["memoId"] == memo_id(BREAD)
    assert memo["snippet"].startswith("Flour, water")


def test_substring_takes_tags_and_a_limit(mythos: Mythos) -> None:
    assert [memo["title"] for memo in mythos.search_memos(query="r", tags="tea, KITCHEN")["memos"]] == [
        "Brewing green tea"
    ]
    cut = mythos.search_memos(query="r", limit=1)
    assert ([memo["memoId"] for memo in cut["memos"]], cut["truncated"], cut["total"]) == ([memo_id(TEA)], True, 3)
    assert mythos.search_memos(query="nowhere at all")["memos"] == []
    assert mythos.search_memos(query="saffron")["memos"] == []


@pytest.mark.parametrize(
    ("arguments", "status", "part"),
    [
        ({"query": " "}, 400, "'query' is required"),
        ({}, 400, "'query' is required"),
        ({"query": 7}, 400, "a string"),
        ({"query": "x", "limit": 0}, 400, "whole number from 1"),
        ({"query": "x", "mode": "fuzzy"}, 400, "Valid modes: substring, semantic"),
        ({"query": "x", "library": "nobody"}, 404, "No user or library named 'nobody'"),
        ({"query": "x", "topK": 3}, 400, "Unknown argument 'topK'"),
        ({"query": "x" * 10_001}, 400, "longer than"),
    ],
)
def test_bad_input_is_refused_by_name(mythos: Mythos, arguments: dict[str, object], status: int, part: str) -> None:
    refusal = mythos.search_memos(**arguments)
    assert set(refusal) == {"success", "error", "status"}
    assert refusal["status"] == status
    assert part in refusal["error"]


# --- reading


def test_a_memo_is_read_by_its_id(mythos: Mythos) -> None:
    memo = mythos.read_memo(memoId=memo_id(TEA))
    assert set(memo) == MEMO
    assert memo["content"] == body("tea.md")
    assert (memo["createdAt"], memo["updatedAt"]) == ("2026-03-01T08:00:00Z", "2026-03-18T12:00:00Z")
    assert mythos.read_memo(memoId=TEA) == memo
    assert mythos.read_memo(memoId=memo_id(TEA), section="notes")["content"].startswith("Ask Ada")
    assert mythos.read_memo(memoId=memo_id(BREAD), section="notes")["content"] == ""


@pytest.mark.parametrize("wrong", ["owner-000000", "nobody-3f9c0b", "tea.md", "0b0c1a52-6f0e-4f0b-8a55-2f6a3d1d9a99"])
def test_a_memo_that_is_not_there_is_not_found(mythos: Mythos, wrong: str) -> None:
    for tool in (mythos.read_memo, mythos.delete_memo):
        refusal = tool(memoId=wrong)
        assert (refusal["success"], refusal["status"]) == (False, 404)
    assert mythos.read_memo(memoId=memo_id(TEA), section="all")["status"] == 400
    assert mythos.read_memo()["status"] == 400


def test_tags_are_counted(mythos: Mythos) -> None:
    assert mythos.list_tags() == {
        "tags": [{"name": name, "count": 1} for name in ("baking", "kitchen/kettle", "python", "tea")]
    }


def test_the_index_has_a_hash_of_each_memo(mythos: Mythos, place: Path) -> None:
    index = mythos.get_memo_index()
    assert index["total"] == 4
    assert [memo["memoId"] for memo in index["memos"]] == [memo_id(each) for each in (TEA, BREAD, LOOPS, EMPTY)]
    first = index["memos"][0]
    assert set(first) == {"memoId", "title", "tags", "hash", "updatedAt"}
    assert first["hash"] == hashlib.sha256((place / "tea.md").read_bytes()).hexdigest()
    page = mythos.get_memo_index(limit=2, offset="3")
    assert ([memo["memoId"] for memo in page["memos"]], page["total"]) == ([memo_id(EMPTY)], 4)


# --- writing, and what it leaves behind


def test_a_memo_is_made_changed_deleted_and_each_step_is_told(mythos: Mythos, place: Path) -> None:
    before = mythos.delta_sync(since=LONG_AGO)
    assert {memo["memoId"] for memo in before["memos"]} == {memo_id(each) for each in (TEA, BREAD, LOOPS, EMPTY)}
    assert (before["deleted"], before["more"]) == ([], False)
    assert mythos.delta_sync(since=before["next"]) == {
        "memos": [],
        "deleted": [],
        "next": before["next"],
        "more": False,
    }

    made = mythos.create_memo(title="Matcha", content="Whisk it.\n", tags="tea, japan", visibility="unlisted")
    assert set(made) == MEMO
    assert (made["title"], made["content"], made["tags"]) == ("Matcha", "Whisk it.\n", ["tea", "japan"])
    assert (made["visibility"], made["accessReason"]) == ("link", "owner")
    assert (place / "matcha.md").read_text(encoding="utf-8").endswith("Whisk it.\n")
    assert [memo["memoId"] for memo in mythos.search_memos(query="whisk")["memos"]] == [made["memoId"]]
    assert mythos.search_memos(query="whisk", mode="semantic")["memos"][0]["memoId"] == made["memoId"]

    changed = mythos.update_memo(memoId=made["memoId"], visibility="public", tags=[])
    assert (changed["content"], changed["tags"], changed["visibility"]) == ("Whisk it.\n", [], "public")
    step = mythos.delta_sync(since=before["next"])
    assert [memo["memoId"] for memo in step["memos"]] == [made["memoId"]]
    assert step["memos"][0]["hash"] == hashlib.sha256((place / "matcha.md").read_bytes()).hexdigest()

    assert mythos.delete_memo(memoId=made["memoId"]) == {"success": True}
    assert mythos.read_memo(memoId=made["memoId"])["status"] == 404
    last = mythos.delta_sync(since=step["next"])
    assert (last["memos"], last["deleted"]) == ([], [made["memoId"]])
    assert not (place / "matcha.md").exists()


@pytest.mark.parametrize(
    ("tool", "arguments", "status"),
    [
        ("create_memo", {"content": "no title"}, 400),
        ("create_memo", {"title": "x", "visibility": "secret"}, 400),
        ("create_memo", {"title": "x", "library": "nobody"}, 404),
        ("create_memo", {"title": "tea"}, 409),
        ("create_memo", {"title": "x", "content": "x" * 1_100_000}, 413),
        ("update_memo", {"memoId": memo_id(TEA)}, 400),
        ("update_memo", {"memoId": memo_id(TEA), "tags": 7}, 400),
        ("delta_sync", {}, 400),
        ("delta_sync", {"since": "yesterday"}, 400),
        ("delta_sync", {"since": LONG_AGO, "limit": 0}, 400),
        ("get_memo_index", {"offset": -1}, 400),
    ],
)
def test_a_write_or_a_list_that_cannot_be_changes_nothing(
    mythos: Mythos, place: Path, tool: str, arguments: dict[str, object], status: int
) -> None:
    before = {path.name: path.read_bytes() for path in place.iterdir()}
    refusal = getattr(mythos, tool)(**arguments)
    assert (refusal["success"], refusal["status"]) == (False, status)
    assert {path.name: path.read_bytes() for path in place.iterdir()} == before


def test_a_delta_comes_in_pages(mythos: Mythos) -> None:
    since, seen = LONG_AGO, []
    while True:
        page = mythos.delta_sync(since=since, limit=1)
        seen += [memo["memoId"] for memo in page["memos"]]
        since = page["next"]
        if not page["more"]:
            break
    assert set(seen) >= {memo_id(each) for each in (TEA, BREAD, LOOPS, EMPTY)}
    assert len(seen) == len(set(seen))
