"""`trilith index`, `status`, `doctor` and `library`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.doors.command_line import CommandLine, write_vault


@pytest.fixture
def trilith(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write_vault(tmp_path / "notes")


def test_index_reads_and_embeds_everything(trilith: CommandLine, vault: Path) -> None:
    done = trilith("index", vault, "--json")
    (report,) = done.json["libraries"]
    assert (report["name"], report["root"], report["documents"], report["read"]) == ("notes", str(vault), 5, 5)
    assert report["embedded"] >= 5
    assert "embedding" in done.err
    again = trilith("index", vault, "--json").json["libraries"][0]
    assert (again["read"], again["embedded"]) == (0, 0)
    status = trilith("status", "--json").json
    assert (status["state"], status["pending"]) == ("ready", {"fulltext": 0, "vectors": 0})


def test_search_by_meaning_finds_what_was_indexed(trilith: CommandLine, vault: Path) -> None:
    trilith("index", vault)
    answer = trilith("search", "baking a loaf at home", "--mode", "semantic", "--json").json
    assert answer["results"][0]["path"] == "bread.md"
    assert answer["diagnostics"] == {"semantic": "ok", "reason": None, "pending": 0}


def test_search_embeds_a_new_note_by_itself(trilith: CommandLine, vault: Path) -> None:
    answer = trilith("search", "baking a loaf at home", "--vault", vault, "--json").json
    assert answer["diagnostics"]["pending"] == 0
    assert answer["results"][0]["path"] == "bread.md"
    assert "semantic" in answer["results"][0]["match"]


def test_search_by_words_alone_needs_no_vectors(trilith: CommandLine, vault: Path) -> None:
    trilith("search", "loaf", "--mode", "fulltext", "--vault", vault)
    assert trilith("status", "--json").json["pending"]["vectors"] > 0


def test_rebuild_begins_anew_and_keeps_the_ids(trilith: CommandLine, vault: Path) -> None:
    trilith("index", vault)
    before = {item["path"]: item["id"] for item in trilith("list", "--json").json["items"]}
    report = trilith("index", vault, "--rebuild", "--json").json["libraries"][0]
    assert (report["read"], report["documents"]) == (5, 5)
    assert {item["path"]: item["id"] for item in trilith("list", "--json").json["items"]} == before
    assert trilith("doctor", "--json").json["healthy"]


def test_rebuild_of_one_library_leaves_the_other_alone(trilith: CommandLine, vault: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "mushrooms.md").write_text("Chanterelles under oaks.\n", encoding="utf-8")
    for root in (vault, other):
        trilith("library", "add", root)
    trilith("index")
    reports = trilith("index", "--library", "notes", "--rebuild", "--json").json["libraries"]
    assert [(each["name"], each["read"]) for each in reports] == [("notes", 5)]
    assert "mushrooms.md" in trilith("search", "chanterelles", "--mode", "fulltext").out
    assert trilith("index", "--library", "other", "--json").json["libraries"][0]["read"] == 0


def test_status_of_a_library_that_was_never_read_says_so(trilith: CommandLine, vault: Path) -> None:
    trilith("library", "add", vault)
    done = trilith("status")
    assert "not read yet, 0 notes" in done.out
    assert "trilith index" in done.out


def test_status_of_a_vault_that_is_away(trilith: CommandLine, vault: Path, tmp_path: Path) -> None:
    trilith("index", vault)
    vault.rename(tmp_path / "elsewhere")
    status = trilith("status", "--json").json
    assert status["state"] == "unavailable"
    assert status["documents"] == 5
    assert status["libraries"][0]["problem"]
    assert "cannot be read" in trilith("status").out


def test_doctor_names_what_is_odd_and_where(trilith: CommandLine, vault: Path) -> None:
    (vault / "broken.md").write_text('---\ntitle: x\nsummary: "a" (b #1)\n---\nbody\n', encoding="utf-8")
    trilith("index", vault)
    done = trilith("doctor")
    assert done.status == 0
    assert "notes: broken.md:3:" in done.out
    assert "loop.md" in done.out  # its link that nothing answers to
    assert "nowhere" in done.out


def test_doctor_fails_when_a_vault_is_away(trilith: CommandLine, vault: Path, tmp_path: Path) -> None:
    trilith("index", vault)
    vault.rename(tmp_path / "elsewhere")
    done = trilith("doctor", "--json")
    assert done.status == 1
    assert not done.json["healthy"]
    failed = [check for check in done.json["checks"] if check["verdict"] == "failed"]
    assert [check["name"] for check in failed] == ["vault notes"]
    assert str(vault) in failed[0]["next_step"]


def test_libraries_are_added_listed_and_removed(trilith: CommandLine, vault: Path, tmp_path: Path) -> None:
    assert trilith("library", "list").out == "No library is registered yet: trilith library add PATH\n"
    rules: dict[str, Any] = {"owner": "owner", "read_only": False, "hidden": [], "protected": []}
    work = {"name": "work", "root": str(vault), **rules}
    assert trilith("library", "add", vault, "--name", "work", "--json").json == work
    assert trilith("library", "list", "--json").json == {"libraries": [work]}
    trilith("index")
    removed = trilith("library", "remove", "work")
    assert removed.status == 0
    assert "untouched" in removed.out
    assert (vault / "bread.md").exists()
    assert trilith("library", "list", "--json").json == {"libraries": []}
    assert trilith("search", "bread").status == 2


def test_a_library_that_is_removed_and_added_again_is_read_again(trilith: CommandLine, vault: Path) -> None:
    trilith("index", vault)
    ids = {item["path"]: item["id"] for item in trilith("list", "--json").json["items"]}
    trilith("library", "remove", "notes")
    trilith("library", "add", vault)
    assert trilith("index", "--json").json["libraries"][0]["read"] == 5
    assert {item["path"]: item["id"] for item in trilith("list", "--json").json["items"]} == ids


def test_a_library_is_registered_as_read_only_from_the_start(trilith: CommandLine, vault: Path) -> None:
    assert trilith("library", "add", vault, "--read-only", "--json").json["read_only"] is True
    assert "(read-only)" in trilith("library", "list").out
    assert trilith("library", "add", vault).status == 0
    assert trilith("library", "list", "--json").json["libraries"][0]["read_only"] is True
    trilith("library", "remove", "notes")
    trilith("library", "add", vault)
    done = trilith("library", "add", vault, "--read-only")
    assert done.status == 2
    assert "trilith library remove notes" in done.err


def test_two_folders_may_not_have_one_name(trilith: CommandLine, vault: Path, tmp_path: Path) -> None:
    trilith("library", "add", vault, "--name", "work")
    other = tmp_path / "other"
    other.mkdir()
    done = trilith("library", "add", other, "--name", "work")
    assert done.status == 2
    assert "work" in done.err
    assert trilith("library", "remove", "nothere").status == 1
