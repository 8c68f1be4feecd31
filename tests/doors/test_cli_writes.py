"""Writing in a terminal: what people see, what they may give, and how mistakes are told."""

from __future__ import annotations

import getpass
import io
from pathlib import Path
from typing import Any

import pytest
from tests.doors.command_line import CommandLine, indexed, process, serving, write_vault


@pytest.fixture
def trilith(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    command_line = CommandLine(tmp_path / "home", monkeypatch, capsys)
    monkeypatch.setenv("TRILITH_SEMANTIC", "off")
    return command_line


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write_vault(tmp_path / "notes")


def piped(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_a_note_is_made_in_any_folder_without_other_set_up(trilith: CommandLine, vault: Path) -> None:
    done = trilith(
        "write", "Rye: a log", "--content", "Dense.\n", "--tag", "bread, log", "--path", "logs", "--vault", vault
    )
    assert done.status == 0
    assert done.out.startswith("created  logs/rye-a-log.md  version 1\n")
    assert done.err == ""
    text = (vault / "logs" / "rye-a-log.md").read_text(encoding="utf-8")
    assert f"author: {getpass.getuser()}\n" in text
    assert "tags: [bread, log]\n" in text
    assert text.endswith("---\nDense.\n")


def test_a_text_is_piped_or_read_from_a_file(
    trilith: CommandLine, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    piped(monkeypatch, "from a pipe\n")
    assert trilith("write", "Piped", "--vault", vault).status == 0
    assert trilith("read", "piped").out == "from a pipe\n"
    (tmp_path / "text.txt").write_text("from a file\n", encoding="utf-8")
    assert trilith("write", "Piped", "--id", "piped.md", "--file", tmp_path / "text.txt").status == 0
    assert trilith("read", "piped").out == "from a file\n"
    piped(monkeypatch, "")
    assert trilith("write", "Piped", "--id", "piped.md", "--tag", "kept").status == 0
    assert trilith("read", "piped").out == "from a file\n"


def test_a_change_leaves_alone_what_is_not_given(trilith: CommandLine, vault: Path) -> None:
    before = trilith("read", "bread.md", "--vault", vault, "--json").json
    done = trilith("write", "Sourdough", "--id", "bread.md", "--content", "New.\n", "--summary", "How to", "--json")
    assert (done.json["status"], done.json["version"]) == ("updated", 2)
    after = trilith("read", "bread.md", "--json").json
    same = ("author", "tags", "extra", "status", "confidence")
    assert {name: after["metadata"][name] for name in same} == {name: before["metadata"][name] for name in same}
    assert (after["content"], after["metadata"]["summary"]) == ("New.\n", "How to")
    trilith("write", "Sourdough", "--id", "bread.md", "--content", "New.\n", "--summary", "", "--tag", "x")
    trilith("write", "Sourdough", "--id", "bread.md", "--content", "New.\n", "--tag", "")
    assert trilith("read", "bread.md", "--json").json["metadata"]["tags"] == []


def test_parts_are_changed(trilith: CommandLine, vault: Path) -> None:
    trilith("index", vault)
    assert "version 2" in trilith("edit", "loop.md", "--append", "Last.").out
    assert "version 3" in trilith("edit", "loop.md", "--prepend", "First.").out
    assert "replaced 2 times" in trilith("edit", "loop.md", "--find", "loop", "--replace", "ring", "--all").out
    done = trilith("edit", "procedures/backup", "--replace-section", "Backups", "--content", "Twice a day.", "--json")
    assert done.json["status"] == "updated"
    assert trilith("read", "procedures/backup").out == "# Backups\n\nTwice a day.\n"
    assert trilith("read", "loop").out.startswith("First.\n# The event ring\n")


def test_what_is_deleted_is_listed_and_comes_back(trilith: CommandLine, vault: Path) -> None:
    trilith("index", vault)
    assert trilith("restore").out == "The trash is empty.\n"
    done = trilith("delete", "bread.md", "--expected-version", 1)
    assert done.out.startswith("deleted  bread.md  (trilith restore ")
    assert not (vault / "bread.md").exists()
    listed = trilith("restore").out
    assert listed.endswith("Sourdough  bread.md\n")
    key = listed.split()[0]
    assert trilith("restore", key).out.startswith("restored  bread.md  version 1\n")
    assert (vault / "bread.md").exists()
    assert trilith("restore", key).status == 1


def test_a_duplicate_is_no_failure_and_is_told(trilith: CommandLine, vault: Path) -> None:
    asked = ("--content", "x", "--source-url", "https://a.example/")
    trilith("write", "One", *asked, "--vault", vault)
    done = trilith("write", "Two", *asked)
    assert done.status == 0
    assert done.out.startswith("duplicate  one.md")
    assert "Nothing was written" in done.err


@pytest.mark.parametrize(
    ("arguments", "status", "expected"),
    [
        (["write", "T", "--content", "x", "--file", "y"], 2, "not both"),
        (["write", "T", "--file", "/nowhere.md"], 2, "cannot be read"),
        (["write", " ", "--content", "x"], 2, "'title'"),
        (["write", "T", "--content", "x", "--expected-version", "1"], 2, "give --id with it"),
        (["write", "T", "--content", "x", "--path", "a", "--id", "bread.md"], 2, "it cannot go with --id"),
        (["write", "T", "--content", "x", "--confidence", "2"], 2, "'confidence'"),
        (["write", "T", "--content", "x", "--path", "../x"], 1, "upwards"),
        (["write", "T", "--content", "x", "--path", "bread.md"], 1, "a note at 'bread.md' already"),
        (["write", "T", "--content", "x", "--id", "Sourdough"], 1, "No document found"),
        (["write", "T", "--content", "x", "--id", "bread.md", "--expected-version", "7"], 1, "version 1 by now"),
        (["edit", "bread.md"], 2, "exactly one of --append"),
        (["edit", "bread.md", "--append", "a", "--prepend", "b"], 2, "exactly one of --append"),
        (["edit", "bread.md", "--find", "a"], 2, "--find and --replace go together"),
        (["edit", "bread.md", "--append", "a", "--replace", "b"], 2, "--find and --replace go together"),
        (["edit", "bread.md", "--append", "a", "--all"], 2, "--find and --replace go together"),
        (["edit", "bread.md", "--append", "a", "--content", "b"], 2, "go with --replace-section"),
        (["edit", "bread.md", "--find", "nothing such", "--replace", "b"], 2, "does not occur"),
        (["edit", "bread.md", "--find", "a", "--replace", "b"], 1, "occurs"),
        (["edit", "bread.md", "--replace-section", "Nope", "--content", "b"], 2, "no section 'Nope'"),
        (["edit", "", "--append", "a"], 2, "empty"),
        (["edit", "\udcff.md", "--append", "a"], 2, "not valid text"),
        (["delete", "Sourdough"], 1, "No document found"),
        (["delete", "/"], 2, "empty"),
        (["delete", "../x"], 1, "upwards"),
        (["restore", "nothing"], 1, "No deleted note has the key 'nothing'"),
        (["restore", "../x"], 1, "No deleted note has the key '../x'"),
    ],
)
def test_a_mistake_is_told_and_changes_nothing(
    trilith: CommandLine, vault: Path, arguments: list[str], status: int, expected: str
) -> None:
    trilith("index", vault)
    before = {path: path.read_bytes() for path in vault.rglob("*.md")}
    done = trilith(*arguments)
    assert done.status == status
    assert done.err.startswith("error: ")
    assert expected in done.err
    assert done.out == ""
    assert {path: path.read_bytes() for path in vault.rglob("*.md")} == before
    body: dict[str, Any] = trilith(*arguments, "--json").json
    assert body["status"] == "error"
    assert body["message"] in done.err


def test_the_library_to_write_to_is_named_where_there_are_several(
    trilith: CommandLine, vault: Path, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    for root in (vault, tmp_path / "other"):
        trilith("library", "add", root)
    done = trilith("write", "T", "--content", "x")
    assert (done.status, "notes, other" in done.err) == (2, True)
    assert "library other" in trilith("write", "T", "--content", "x", "--library", "other").out
    assert (tmp_path / "other" / "t.md").exists()


CHANGES = [
    ["write", "New", "--content", "text", "--tag", "a", "--agent", "ann"],
    ["write", "New", "--content", "other"],
    ["write", "New", "--id", "new.md", "--content", "longer", "--expected-version", "1"],
    ["edit", "new.md", "--append", "more", "--expected-version", "1"],
    ["edit", "new.md", "--append", "more", "--agent", "bob"],
    ["edit", "new.md", "--replace-section", "No", "--content", "x"],
    ["edit", "no/such note?&%", "--append", "x"],
    ["delete", "../x"],
    ["delete", "new.md", "--expected-version", "1"],
    ["delete", "new.md", "--expected-version", "3"],
    ["write", "Odd ?&#% name", "--content", "x", "--path", "a?b#c%2F/odd&name.md"],
    ["edit", "a?b#c%2F/odd&name.md", "--append", "y"],
    ["delete", "a?b#c%2F/odd&name"],
    ["restore", "../nothing"],
]


def test_a_server_and_the_command_itself_change_alike(trilith: CommandLine, vault: Path, tmp_path: Path) -> None:
    trilith("index", vault)
    alone = [trilith(*change, "--json") for change in CHANGES]
    other = write_vault(tmp_path / "beside" / "notes")
    trilith.home = tmp_path / "other home"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TRILITH_HOME", str(trilith.home))
        with serving(other, home=trilith.home, ready=indexed, TRILITH_SEMANTIC="off"):
            beside = [trilith(*change, "--json") for change in CHANGES]
            assert "via http" in trilith("restore").err
    for change, mine, servers in zip(CHANGES, alone, beside, strict=True):
        assert servers.status == mine.status, change
        assert without_chance(servers.json) == without_chance(mine.json), change
    assert {path.relative_to(other) for path in other.rglob("*")} == {
        path.relative_to(vault) for path in vault.rglob("*")
    }


def without_chance(answer: dict[str, Any]) -> dict[str, Any]:
    """An answer without what differs from run to run."""
    shown = {
        name: value for name, value in answer.items() if name not in ("id", "key", "deleted_at", "current_checksum")
    }
    return shown | ({"existing": {**answer["existing"], "id": ""}} if "existing" in answer else {})


def test_a_server_that_is_read_only_refuses_for_the_command_line_too(trilith: CommandLine, vault: Path) -> None:
    with serving(vault, "--read-only", home=trilith.home, ready=indexed, TRILITH_SEMANTIC="off"):
        done = process("write", "T", "--content", "x", "--json", home=trilith.home)
    assert (done.status, done.json["code"]) == (1, "read_only")
    assert not (vault / "t.md").exists()
