"""`trilith search`, `read`, `list` and `related` on an index of their own."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from tests.doors.command_line import CommandLine, write_vault

ASYNCIO = "f47ac10b-58cc-4372-a567-0e02b2c3d479"


@pytest.fixture
def trilith(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    command_line = CommandLine(tmp_path / "home", monkeypatch, capsys)
    monkeypatch.setenv("TRILITH_SEMANTIC", "off")
    return command_line


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write_vault(tmp_path / "notes")


def test_a_new_folder_is_searched_at_once(trilith: CommandLine, vault: Path) -> None:
    done = trilith("search", "gather", "coroutines", "--vault", vault)
    assert done.status == 0
    first, path, snippet = done.out.splitlines()[:3]
    assert first.endswith("Gather patterns")
    assert path.strip() == "asyncio.md"
    assert "asyncio.gather()" in snippet


def test_json_is_the_native_answer(trilith: CommandLine, vault: Path) -> None:
    answer = trilith("search", "gather", "--vault", vault, "--json").json
    assert list(answer) == ["results", "total", "query_interpretation", "query_interpretation_reason", "diagnostics"]
    hit = answer["results"][0]
    assert (hit["id"], hit["path"], hit["updated_at"]) == (ASYNCIO, "asyncio.md", "2026-03-18T14:30:00Z")
    assert hit["match"]["fulltext"]["rank"] == 1
    assert answer["diagnostics"]["semantic"] == "off"


@pytest.mark.parametrize(
    ("narrowing", "expected"),
    [
        (["--tag", "python"], {"asyncio.md", "procedures/backup.md"}),
        (["--tag", "python", "--tag", "async"], {"asyncio.md"}),
        (["--tag", "python,async/io"], {"asyncio.md"}),
        (["--author", "bob"], {"bread.md"}),
        (["--path-prefix", "procedures/"], {"procedures/backup.md"}),
        (["--modified-before", "2025-06-01"], {"bread.md"}),
        (["--where", '{"mood": "calm"}'], {"bread.md"}),
        (["--where", '{"project.phase": 2}'], {"bread.md"}),
        (["--where", '{"mood": "stormy"}'], set()),
    ],
)
def test_filters_narrow_search_and_list_alike(
    trilith: CommandLine, vault: Path, narrowing: list[str], expected: set[str]
) -> None:
    listed = trilith("list", "--vault", vault, "--json", *narrowing).json["items"]
    found = trilith("search", "*", "--mode", "fulltext", "--vault", vault, "--json", *narrowing).json["results"]
    assert {note["path"] for note in listed} == expected
    assert {note["path"] for note in found} == expected


def test_a_change_of_a_file_is_found_by_the_next_search(trilith: CommandLine, vault: Path) -> None:
    assert trilith("search", "zeppelin", "--vault", vault).out == "No match.\n"
    (vault / "bread.md").write_text("# Bread\n\nBaked in a zeppelin.\n", encoding="utf-8")
    assert "bread.md" in trilith("search", "zeppelin", "--vault", vault).out
    (vault / "bread.md").unlink()
    assert trilith("search", "zeppelin", "--vault", vault).out == "No match.\n"


def test_no_match_is_an_answer_and_no_failure(trilith: CommandLine, vault: Path) -> None:
    done = trilith("search", "xyzzy", "--vault", vault)
    assert (done.status, done.out, done.err) == (0, "No match.\n", "")


def test_what_looks_like_syntax_and_is_none_is_told_to_be_searched_literally(trilith: CommandLine, vault: Path) -> None:
    done = trilith("search", "gather: bar (baz", "--vault", vault)
    assert done.status == 0
    assert "asyncio.md" in done.out
    assert "Searched as it stands" in done.err


def test_a_note_that_has_expired_is_marked(trilith: CommandLine, vault: Path) -> None:
    assert "Old prices  (stale)" in trilith("search", "costs little", "--vault", vault).out


def test_explain_says_which_engine_found_a_note(trilith: CommandLine, vault: Path) -> None:
    assert "full text rank 1" in trilith("search", "gather", "--explain", "--vault", vault).out
    assert "full text rank" not in trilith("search", "gather", "--vault", vault).out
    explained = trilith("search", "gather", "--explain", "--json", "--vault", vault).json["results"][0]
    assert [term["text"] for term in explained["explanation"]["terms"]] == ["gather"]
    assert "explanation" not in trilith("search", "gather", "--json", "--vault", vault).json["results"][0]
    assert "link away" in trilith("search", "asyncio", "--mode", "graph", "--explain", "--vault", vault).out


def test_graph_mode_walks_from_a_note(trilith: CommandLine, vault: Path) -> None:
    answer = trilith("search", "asyncio", "--mode", "graph", "--vault", vault, "--json").json
    assert [(hit["path"], hit["depth"]) for hit in answer["results"]] == [("loop.md", 1)]
    missing = trilith("search", "nothing such", "--mode", "graph", "--vault", vault)
    assert missing.status == 1
    assert "nothing such" in missing.err


def test_read_prints_the_text_alone_on_stdout(trilith: CommandLine, vault: Path) -> None:
    by_path, by_id = (trilith("read", name, "--vault", vault) for name in ("asyncio.md", ASYNCIO))
    assert by_path.out == by_id.out == "Use `asyncio.gather()` to run coroutines concurrently. See [[loop]].\n"
    assert "Gather patterns" in by_path.err
    assert ASYNCIO in by_path.err
    document = trilith("read", "asyncio", "--vault", vault, "--json").json
    assert document["content"] == by_path.out
    assert document["metadata"]["tags"] == ["python", "async/io"]


def test_read_cuts_where_a_sentence_ends(trilith: CommandLine, vault: Path) -> None:
    done = trilith("read", "asyncio.md", "--max-length", "60", "--vault", vault)
    assert done.out == "Use `asyncio.gather()` to run coroutines concurrently."
    assert "Cut" in done.err


@pytest.mark.parametrize("command", ["read", "related"])
def test_a_note_that_is_not_there_is_status_1(trilith: CommandLine, vault: Path, command: str) -> None:
    done = trilith(command, "none.md", "--vault", vault)
    assert done.status == 1
    assert done.out == ""
    assert done.err.startswith("error: No document found")


def test_an_error_is_a_body_on_stdout_with_json(trilith: CommandLine, vault: Path) -> None:
    done = trilith("read", "none.md", "--vault", vault, "--json")
    assert done.status == 1
    assert done.json["status"] == "error"
    assert done.json["code"] == "doc_not_found"
    assert done.err.startswith("error: ")


def test_list_is_newest_first_and_says_how_to_go_on(trilith: CommandLine, vault: Path) -> None:
    done = trilith("list", "--vault", vault, "--sort", "title", "--limit", "2")
    lines = done.out.splitlines()
    assert [line.split("  ")[1] for line in lines[:2]] == ["Backups", "Gather patterns"]
    assert lines[2] == "2 of 5 notes; go on with --offset 2"
    rest = trilith("list", "--vault", vault, "--sort", "title", "--offset", "2", "--json").json
    assert (len(rest["items"]), rest["total"], rest["has_more"]) == (3, 5, False)
    newest = trilith("list", "--vault", vault, "--json").json["items"]
    assert [item["updated"] for item in newest] == sorted((item["updated"] for item in newest), reverse=True)


def test_related_names_what_surrounds_a_note(trilith: CommandLine, vault: Path) -> None:
    done = trilith("related", "The event loop", "--vault", vault)
    assert done.out.splitlines() == [
        "Links to",
        "  Gather patterns  asyncio.md",
        "Linked from",
        "  Gather patterns  asyncio.md",
        "Nothing answers to",
        "  nowhere",
    ]
    assert trilith("related", "bread.md", "--vault", vault).out == "No links.\n"


def test_several_libraries_are_searched_together_and_named(trilith: CommandLine, vault: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "gather.md").write_text("How to gather mushrooms.\n", encoding="utf-8")
    for root in (vault, other):
        assert trilith("library", "add", root).status == 0
    together = trilith("search", "gather", "--json").json["results"]
    assert {(hit["library"], hit["path"]) for hit in together} == {("notes", "asyncio.md"), ("other", "gather.md")}
    assert "other: gather.md" in trilith("search", "gather").out
    alone = trilith("search", "gather", "--library", "other", "--json").json["results"]
    assert [hit["path"] for hit in alone] == ["gather.md"]
    assert "library" not in alone[0]


def test_a_vault_that_is_away_is_answered_for_from_the_index(trilith: CommandLine, vault: Path, tmp_path: Path) -> None:
    trilith("search", "gather", "--vault", vault)
    vault.rename(tmp_path / "elsewhere")
    done = trilith("search", "gather", "--library", "notes")
    assert done.status == 0
    assert "asyncio.md" in done.out
    assert "warning: library 'notes'" in done.err
    (tmp_path / "elsewhere").rename(vault)
    assert trilith("list", "--library", "notes", "--json").json["total"] == 5


def test_colours_are_for_terminals(trilith: CommandLine, vault: Path) -> None:
    done = trilith("search", "gather", "--vault", vault)
    assert "\x1b" not in done.out + done.err


def test_control_characters_of_a_note_do_not_reach_the_terminal(trilith: CommandLine, vault: Path) -> None:
    (vault / "bell.md").write_text('---\ntitle: "bell\\e[2J"\n---\nrings \x1b[31mloudly\n', encoding="utf-8")
    done = trilith("search", "rings loudly", "--vault", vault)
    assert "bell.md" in done.out
    assert "\x1b" not in done.out
    found = trilith("read", "bell.md", "--vault", vault)
    assert found.out == "rings \x1b[31mloudly\n"  # a pipe gets the file's own text
    assert "\x1b" not in found.err


def test_nothing_is_written_into_the_vault(trilith: CommandLine, vault: Path) -> None:
    def picture() -> dict[str, tuple[bytes, int]]:
        return {str(path): (path.read_bytes(), path.stat().st_mtime_ns) for path in vault.rglob("*") if path.is_file()}

    before = picture()
    for command in (["search", "gather"], ["list"], ["read", "bread.md"], ["related", "loop"], ["status"], ["doctor"]):
        trilith(*command, "--vault", vault)
    assert picture() == before


def test_json_of_any_title_can_be_parsed(trilith: CommandLine, vault: Path) -> None:
    (vault / "知识库.md").write_text("深層 学習\n", encoding="utf-8")
    done = trilith("search", "学", "--vault", vault, "--json")
    assert [hit["title"] for hit in json.loads(done.out)["results"]] == ["知识库"]


def test_a_relative_path_means_the_same_folder(
    trilith: CommandLine, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trilith("search", "gather", "--vault", vault)
    monkeypatch.chdir(vault / "procedures")
    assert "asyncio.md" in trilith("search", "gather", "--vault", os.pardir).out
    assert [each["root"] for each in trilith("library", "list", "--json").json["libraries"]] == [str(vault)]
