"""Writing as the Lithos dialect promises it, asked of a real server by the official client."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from tests.dialects.lithos_client import Lithos, over_stdio
from tests.dialects.lithos_vault import BACKOFF, GATHER, LOOP, QUOTA, write

NOWHERE = "0b0c1a52-6f0e-4f0b-8a55-2f6a3d1d9aff"
SOURCE = "https://docs.example/event-loop"
"""Of the note LOOP."""
AGED = "https://aged.example/"
WRITTEN = {"status", "id", "path", "version", "library", "warnings"}
LIMIT = 1_000_000


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = write(tmp_path_factory.mktemp("vault") / "notes")
    (root / "latin.md").write_bytes(b"# Caf\xe9\n\nunreadable\n")
    (root / "broken.md").write_text('---\nsummary: "a" (b #1)\n---\nbroken\n', encoding="utf-8")
    (root / "aged.md").write_text(f"---\nsource_url: {AGED}\nupdated_at: 2020-01-01\n---\nold\n", encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def lithos(vault: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lithos]:
    with over_stdio(vault, tmp_path_factory.mktemp("home")) as lithos:
        yield lithos


def refusal(answer: dict[str, Any]) -> str:
    assert answer["status"] == "error"
    assert answer["message"]
    return str(answer["code"])


def made(lithos: Lithos, title: str, content: str = "text\n", **more: Any) -> dict[str, Any]:
    answer: dict[str, Any] = lithos.write(title=title, content=content, agent="ann", **more)
    assert answer["status"] == "created", answer
    return answer


def update(lithos: Lithos, note: dict[str, Any], **more: Any) -> dict[str, Any]:
    asked = {"title": "T", "content": "text\n", "agent": "ann", "id": note["id"], **more}
    answer: dict[str, Any] = lithos.write(**asked)
    return answer


def metadata(lithos: Lithos, note: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = lithos.read(id=note["id"])["metadata"]
    return found


# --- created


def test_a_new_document_is_a_file_with_what_was_given(lithos: Lithos, vault: Path) -> None:
    answer = made(
        lithos,
        "Créer: un début",
        "# Hi\n\nbody",
        tags=["#one", "two/three"],
        confidence=0.5,
        source_task="task-7",
        source_url="https://new.example/a",
        derived_from_ids=[GATHER],
        expires_at="2030-01-01T00:00:00+01:00",
    )
    assert set(answer) == WRITTEN
    assert str(UUID(answer["id"])) == answer["id"]
    assert (answer["path"], answer["version"], answer["warnings"]) == ("créer-un-début.md", 1, [])
    document = lithos.read(id=answer["id"])
    assert (document["title"], document["content"]) == ("Créer: un début", "# Hi\n\nbody")
    known = document["metadata"]
    assert (known["author"], known["contributors"], known["tags"]) == ("ann", [], ["one", "two/three"])
    assert (known["confidence"], known["source_url"]) == (0.5, "https://new.example/a")
    assert (known["derived_from_ids"], known["expires_at"]) == ([GATHER], "2029-12-31T23:00:00Z")
    assert "\nsource: task-7\n" in (vault / answer["path"]).read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("projects", "projects/in-a-folder.md"),
        ("projects/deep/", "projects/deep/in-a-folder.md"),
        ("projects/My File.md", "projects/My File.md"),
        ("Procedures", "procedures/in-a-folder.md"),
        ("/", "in-a-folder.md"),
    ],
)
def test_a_path_is_a_folder_or_a_file(lithos: Lithos, path: str, expected: str) -> None:
    answer = made(lithos, "In a folder", path=path)
    assert answer["path"] == expected
    assert lithos.delete(id=answer["id"], agent="ann")["success"] is True


def test_a_time_to_live_becomes_a_time(lithos: Lithos) -> None:
    known = metadata(lithos, made(lithos, "Short lived", ttl_hours=2))
    left = datetime.fromisoformat(known["expires_at"]) - datetime.now(UTC)
    assert timedelta(hours=1.9) < left <= timedelta(hours=2)


def test_a_source_that_is_not_there_is_a_warning(lithos: Lithos) -> None:
    answer = made(lithos, "From nowhere", derived_from_ids=[NOWHERE, GATHER])
    assert answer["warnings"] == [f"No document has the id '{NOWHERE}' of derived_from_ids."]


def test_a_document_is_found_at_once_and_with_wait_by_meaning(lithos: Lithos) -> None:
    answer = made(lithos, "Zoology", "The quagga was a zebra of the southern plains.\n", wait=True)
    assert lithos.ids(query="quagga", mode="fulltext") == [answer["id"]]
    assert answer["id"] in lithos.ids(query="extinct striped horse", mode="semantic")[:3]


# --- updated


def test_an_update_keeps_what_is_left_out_and_takes_away_what_is_empty(lithos: Lithos) -> None:
    note = made(lithos, "Keeper", tags=["a", "b"], confidence=0.3, source_url="https://keep.example/", ttl_hours=5)
    before = metadata(lithos, note)
    answer = update(lithos, note, title="Keeper", content="new\n", agent="bob")
    assert set(answer) == WRITTEN
    assert (answer["status"], answer["id"], answer["version"]) == ("updated", note["id"], 2)
    after = metadata(lithos, note)
    same = ("author", "tags", "confidence", "source_url", "expires_at", "created_at")
    assert {name: after[name] for name in same} == {name: before[name] for name in same}
    assert after["contributors"] == ["bob"]
    update(lithos, note, title="Keeper", tags=[], source_url="", expires_at="")
    cleared = metadata(lithos, note)
    assert (cleared["tags"], cleared["source_url"], cleared["expires_at"]) == ([], None, None)
    assert (cleared["contributors"], cleared["version"], cleared["confidence"]) == (["bob"], 3, 0.3)


def test_a_new_title_leaves_the_file_where_it_is(lithos: Lithos) -> None:
    note = made(lithos, "Old name")
    assert update(lithos, note, title="New name")["path"] == note["path"] == "old-name.md"
    assert lithos.read(id=note["id"])["title"] == "New name"


def test_what_was_not_asked_for_stays_byte_for_byte(lithos: Lithos, vault: Path) -> None:
    front, _, _ = (vault / "rate-limiting.md").read_text(encoding="utf-8").partition("\n---\n")
    answer = update(lithos, {"id": BACKOFF}, title="Rate limiting with exponential backoff", content="Shorter.\n")
    assert answer["status"] == "updated"
    after, _, body = (vault / "rate-limiting.md").read_text(encoding="utf-8").partition("\n---\n")
    assert body == "Shorter.\n"
    kept = [line for line in front.splitlines() if not line.startswith("updated_at:")]
    assert [line for line in after.splitlines() if line in kept] == kept
    new = [line.partition(":")[0] for line in after.splitlines() if line not in kept]
    assert new == ["updated_at", "version", "contributors"]


# --- duplicate


@pytest.mark.parametrize("url", [SOURCE, "HTTPS://Docs.Example:443/event-loop/#part"])
def test_a_second_document_of_a_source_is_not_written(lithos: Lithos, vault: Path, url: str) -> None:
    answer = lithos.write(title="Loops again", content="x", agent="ann", source_url=url)
    assert answer["status"] == "duplicate"
    assert answer["duplicate_of"] == {
        "id": LOOP,
        "title": "Python event loop internals",
        "path": "python-event-loop-internals.md",
        "source_url": SOURCE,
    }
    assert not (vault / "loops-again.md").exists()


def test_an_update_may_not_take_the_source_of_another_but_keep_its_own(lithos: Lithos) -> None:
    note = made(lithos, "Own source", source_url="https://own.example/x")
    answer = update(lithos, note, source_url=SOURCE)
    assert (answer["status"], answer["duplicate_of"]["id"]) == ("duplicate", LOOP)
    assert metadata(lithos, note)["version"] == 1
    assert update(lithos, note, source_url="https://own.example/x/")["status"] == "updated"


# --- refused


def test_a_stale_version_is_refused_and_told(lithos: Lithos) -> None:
    note = made(lithos, "Contested", "one\n")
    assert update(lithos, note, content="two\n", expected_version=1)["version"] == 2
    for stale in (
        update(lithos, note, content="three\n", expected_version=1),
        lithos.edit(id=note["id"], operation="append", content="x", agent="a", expected_version="1"),
        lithos.edit(id=note["id"], operation="append", content="x", agent="a", expected_hash="0" * 64),
    ):
        assert refusal(stale) == "version_conflict"
        assert stale["current_version"] == 2
    assert lithos.read(id=note["id"])["content"] == "two\n"


def test_a_change_by_another_program_makes_a_version_stale(lithos: Lithos, vault: Path) -> None:
    note = made(lithos, "Shared", "one\n")
    file = vault / note["path"]
    file.write_text(file.read_text(encoding="utf-8").replace("one", "two"), encoding="utf-8")
    answer = update(lithos, note, content="three\n", expected_version=1)
    assert (refusal(answer), answer["current_version"]) == ("version_conflict", 2)
    assert answer["current_checksum"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert file.read_text(encoding="utf-8").endswith("---\ntwo\n")
    assert update(lithos, note, content="three\n", expected_version=2)["version"] == 3


def test_a_file_that_is_there_is_never_written_over(lithos: Lithos, vault: Path) -> None:
    before = (vault / "mistakes.md").read_bytes()
    for path in ("mistakes.md", "Mistakes.md"):
        answer = lithos.write(title="Mine", content="x", agent="ann", path=path)
        assert refusal(answer) == "slug_collision"
        assert answer["existing"] == {
            "id": lithos.read(path="mistakes")["id"],
            "path": "mistakes.md",
            "version": 1,
        }
    assert (vault / "mistakes.md").read_bytes() == before


def test_a_file_that_nobody_has_read_yet_is_in_the_way_too(lithos: Lithos, vault: Path) -> None:
    (vault / "just-now.md").write_text("mine\n", encoding="utf-8")
    answer = lithos.write(title="Just now", content="x", agent="ann")
    assert (refusal(answer), answer["existing"]["path"]) == ("slug_collision", "just-now.md")
    assert answer["existing"]["id"] == lithos.read(path="just-now.md")["id"]
    assert (vault / "just-now.md").read_text(encoding="utf-8") == "mine\n"


def test_the_limit_of_a_text(lithos: Lithos, vault: Path) -> None:
    assert refusal(lithos.write(title="Large", content="x" * (LIMIT + 1), agent="a")) == "content_too_large"
    assert not (vault / "large.md").exists()
    note = made(lithos, "Large", "x" * LIMIT)
    assert refusal(lithos.edit(id=note["id"], operation="append", content="y", agent="a")) == "content_too_large"
    assert len(lithos.read(id=note["id"])["content"]) == LIMIT


@pytest.mark.parametrize(
    "path",
    [
        "../out",
        "a/../../out",
        "/etc",
        "C:\\temp",
        "\\\\host\\share",
        "%2e%2e/out",
        ".obsidian",
        "a/.trash/x.md",
        "x.tmp",
    ],
)
def test_a_path_that_leads_out_or_into_hiding_is_refused(lithos: Lithos, vault: Path, path: str) -> None:
    before = sorted(vault.parent.rglob("*"))
    assert refusal(lithos.write(title="Out", content="x", agent="ann", path=path)) == "path_forbidden"
    assert sorted(vault.parent.rglob("*")) == before


def test_what_cannot_be_read_is_not_rewritten(lithos: Lithos, vault: Path) -> None:
    for path, code in (("latin.md", "not_utf8"), ("broken.md", "refused")):
        before = (vault / path).read_bytes()
        note = lithos.read(path=path)
        assert refusal(update(lithos, note)) == code
        assert refusal(lithos.edit(id=note["id"], operation="append", content="x", agent="ann")) == code
        assert (vault / path).read_bytes() == before


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"title": " "}, "title"),
        ({"title": "a\0b"}, "title"),
        ({"title": "x" * 501}, "title"),
        ({"content": None}, "content"),
        ({"content": "a\0b"}, "content"),
        ({"agent": ""}, "agent"),
        ({"confidence": 2}, "confidence"),
        ({"derived_from_ids": ["x"]}, "derived_from_ids"),
        ({"ttl_hours": -1}, "ttl_hours"),
        ({"ttl_hours": 1, "expires_at": "2030-01-01"}, "ttl_hours"),
        ({"expires_at": "soon"}, "expires_at"),
        ({"expected_version": 1}, "expected_version"),
        ({"wait": "perhaps"}, "wait"),
        ({"colour": "red"}, "colour"),
        ({"id": GATHER, "path": "x"}, "path"),
        ({"id": GATHER, "expected_version": 2.5}, "expected_version"),
    ],
)
def test_what_is_not_well_formed_is_named(lithos: Lithos, vault: Path, asked: dict[str, Any], field: str) -> None:
    before = {path: path.read_bytes() for path in vault.rglob("*.md")}
    answer = lithos.write(**{"title": "Wrong", "content": "x", "agent": "ann", **asked})
    assert (refusal(answer), answer["field"]) == ("invalid_input", field)
    assert {path: path.read_bytes() for path in vault.rglob("*.md")} == before


def test_a_document_is_named_by_its_id_alone(lithos: Lithos) -> None:
    for note_id in (NOWHERE, "Onboarding", "procedures/onboarding.md"):
        assert refusal(update(lithos, {"id": note_id})) == "doc_not_found"
        assert refusal(lithos.delete(id=note_id, agent="ann")) == "doc_not_found"
        assert refusal(lithos.edit(id=note_id, operation="append", content="x", agent="a")) == "doc_not_found"


# --- edited


def test_a_part_is_edited_and_the_rest_stays(lithos: Lithos) -> None:
    note = made(lithos, "Parts", "# Top\n\n## A, b\n\nold\n\n## C\n\nend\n")

    def edited(**asked: Any) -> str:
        answer = lithos.edit(id=note["id"], agent="bob", **asked)
        assert answer["status"] == "updated", answer
        return str(lithos.read(id=note["id"])["content"])

    assert edited(operation="append", content="last") == "# Top\n\n## A, b\n\nold\n\n## C\n\nend\nlast\n"
    assert edited(operation="replace_section", section="A, b", content="new\n") == (
        "# Top\n\n## A, b\n\nnew\n\n## C\n\nend\nlast\n"
    )
    assert edited(operation="find_replace", find="end\nlast", content="END").endswith("## C\n\nEND\n")
    assert edited(operation="prepend", content="first").startswith("first\n# Top\n")
    assert (
        lithos.edit(id=note["id"], agent="bob", operation="find_replace", find="n", content="m", all=True)["replaced"]
        == 1
    )
    assert metadata(lithos, note)["version"] == 6


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"operation": "erase"}, "invalid_input"),
        ({"operation": "replace_section", "section": "Non-existent"}, "invalid_input"),
        ({"operation": "replace_section"}, "invalid_input"),
        ({"operation": "find_replace", "find": "zzz"}, "invalid_input"),
        ({"operation": "find_replace"}, "invalid_input"),
        ({"operation": "find_replace", "find": "a"}, "ambiguous"),
    ],
)
def test_an_edit_that_cannot_be_made_changes_nothing(lithos: Lithos, asked: dict[str, Any], code: str) -> None:
    note = lithos.read(id=GATHER)
    assert refusal(lithos.edit(id=GATHER, agent="ann", content="x", **asked)) == code
    assert lithos.read(id=GATHER) == note


# --- deleted


def test_a_deleted_document_is_gone_everywhere(lithos: Lithos, vault: Path) -> None:
    note = made(lithos, "Ephemera", "A dodecahedron that links [[asyncio-patterns]].\n", tags=["fleeting"], wait=True)
    assert lithos.delete(id=note["id"], agent="ann") == {"success": True, "path": note["path"], "library": "notes"}
    assert not (vault / note["path"]).exists()
    assert lithos.ids(query="dodecahedron", mode="fulltext") == []
    assert note["id"] not in lithos.ids(query="dodecahedron", mode="semantic")
    assert refusal(lithos.read(id=note["id"])) == "doc_not_found"
    assert "fleeting" not in lithos.tags()["tags"]
    assert note["id"] not in lithos.read(path="asyncio-patterns")["links"]["incoming"]
    assert refusal(lithos.delete(id=note["id"], agent="ann")) == "doc_not_found"
    again = made(lithos, "Ephemera", "A dodecahedron that links [[asyncio-patterns]].\n")
    assert again["id"] != note["id"]
    assert lithos.ids(query="dodecahedron", mode="fulltext") == [again["id"]]


# --- looked up


def test_a_document_of_the_same_source_is_a_hit(lithos: Lithos) -> None:
    answer = lithos.cache_lookup(
        query="whatever it may be", source_url=SOURCE.upper().replace("/EVENT-LOOP", "/event-loop/")
    )
    assert set(answer) == {"hit", "document", "stale_exists", "stale_id"}
    assert (answer["hit"], answer["stale_exists"], answer["stale_id"]) == (True, False, None)
    assert answer["document"] == lithos.read(id=LOOP)


def test_nothing_known_is_no_hit(lithos: Lithos) -> None:
    nothing = {"hit": False, "document": None, "stale_exists": False, "stale_id": None}
    assert lithos.cache_lookup(query="qwertz asdfgh", source_url="https://unknown.example/") == nothing
    assert lithos.cache_lookup(query="qwertz asdfgh") == nothing


def test_an_expired_document_is_told_but_no_hit(lithos: Lithos) -> None:
    url = "https://quota.example/"
    update(lithos, {"id": QUOTA}, title="GitHub API quota", content="limits by the hour\n", source_url=url)
    answer = lithos.cache_lookup(query="x", source_url=url)
    assert (answer["hit"], answer["document"]) == (False, None)
    assert (answer["stale_exists"], answer["stale_id"]) == (True, QUOTA)


def test_a_document_must_be_young_and_sure_enough(lithos: Lithos) -> None:
    def looked(**asked: Any) -> tuple[bool, bool]:
        answer = lithos.cache_lookup(query="x", source_url=AGED, **asked)
        return answer["hit"], answer["stale_exists"]

    assert looked(max_age_hours=1e300) == (True, False)
    assert looked(max_age_hours=1) == (False, True)
    note = made(lithos, "Rumour", confidence=0.4, source_url="https://rumour.example/")
    url = "https://rumour.example"
    assert lithos.cache_lookup(query="x", source_url=url)["hit"] is False
    assert lithos.cache_lookup(query="x", source_url=url)["stale_exists"] is False
    assert lithos.cache_lookup(query="x", source_url=url, min_confidence=0.4)["document"]["id"] == note["id"]
    assert lithos.cache_lookup(query="x", source_url=SOURCE, tags=["people"])["hit"] is False


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"query": ""}, "query"),
        ({"min_confidence": 2}, "min_confidence"),
        ({"max_age_hours": -1}, "max_age_hours"),
        ({"limit": 0}, "limit"),
    ],
)
def test_a_lookup_that_is_none_is_named(lithos: Lithos, asked: dict[str, Any], field: str) -> None:
    answer = lithos.cache_lookup(**{"query": "x", **asked})
    assert (refusal(answer), answer["field"]) == ("invalid_input", field)


# --- read-only


def test_a_read_only_server_lists_no_tool_that_writes_and_refuses_those(tmp_path: Path) -> None:
    vault = tmp_path / "notes"
    vault.mkdir()
    (vault / "a.md").write_text("hello\n", encoding="utf-8")
    with over_stdio(vault, tmp_path / "home", "--read-only") as lithos:
        listed = {tool.name for tool in lithos.portal.call(lithos.client.list_tools).tools}
        assert "lithos_search" in listed
        assert listed.isdisjoint({"lithos_write", "lithos_delete", "note_edit"})
        note = lithos.read(path="a.md")
        for answer in (
            lithos.write(title="T", content="x", agent="ann"),
            lithos.write(),
            lithos.edit(id=note["id"], operation="append", content="x", agent="ann"),
            lithos.delete(id=note["id"], agent="ann"),
        ):
            assert refusal(answer) == "read_only"
    assert [path.name for path in vault.iterdir()] == ["a.md"]
    assert (vault / "a.md").read_text(encoding="utf-8") == "hello\n"
