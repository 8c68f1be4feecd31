"""What is wrong is told in one line that says what to do, with a fitting exit status, before anything long begins."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.doors.command_line import CommandLine, environment, process, write_vault


@pytest.fixture
def trilith(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    command_line = CommandLine(tmp_path / "home", monkeypatch, capsys)
    monkeypatch.setenv("TRILITH_SEMANTIC", "off")
    return command_line


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write_vault(tmp_path / "notes")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["search", "x", "--mode", "fuzzzy"], "hybrid"),
        (["search", "x", "--limit", "0"], "'limit' must be a whole number from 1"),
        (["search", "x", "--limit", "-1"], "'limit' must be a whole number from 1"),
        (["search", "x", "--limit", "abc"], "--limit"),
        (["search", ""], "The query is empty"),
        (["search", "  "], "The query is empty"),
        (["search"], "QUERY"),
        (["search", "x", "--sort", "sideways"], "relevance"),
        (["search", "x", "--modified-after", "yesterday"], "modified_after"),
        (["search", "x", "--where", "status=doing"], "JSON object"),
        (["search", "x", "--limt", "3"], "--limit"),
        (["list", "--offset", "-1"], "offset"),
        (["list", "--sort", "sideways"], "title"),
        (["read", " "], "empty"),
        (["read", "loop.md", "--max-length", "-1"], "max_length"),
        (["related", ""], "empty"),
    ],
)
def test_an_argument_that_is_wrong_is_named(
    trilith: CommandLine, vault: Path, arguments: list[str], expected: str
) -> None:
    done = trilith(*arguments, "--vault", vault)
    assert done.status == 2
    assert done.out == ""
    assert done.err.startswith("error: ")
    assert expected in done.err
    assert len(done.err.splitlines()) == 1


def test_a_wrong_argument_is_told_before_anything_is_made(trilith: CommandLine, vault: Path) -> None:
    assert trilith("search", "x", "--mode", "fuzzzy", "--vault", vault).status == 2
    assert not trilith.home.exists()


def test_a_usage_error_is_a_body_too_with_json(trilith: CommandLine, vault: Path) -> None:
    done = trilith("search", "x", "--limit", "abc", "--json", "--vault", vault)
    assert (done.status, done.json["code"]) == (2, "invalid_input")
    assert trilith("search", "x", "--mode", "fuzzzy", "--json", "--vault", vault).json["code"] == "invalid_mode"


def test_an_unknown_command_is_status_2(trilith: CommandLine) -> None:
    done = trilith("serach")
    assert done.status == 2
    assert "serach" in done.err


@pytest.mark.parametrize("command", [["search", "x", "--vault"], ["index"], ["library", "add"], ["serve"], ["mcp"]])
def test_a_path_that_is_no_folder_is_told(trilith: CommandLine, vault: Path, command: list[str]) -> None:
    missing = trilith(*command, vault / "missing")
    assert missing.status == 2
    assert f"'{vault / 'missing'}' does not exist; name a folder" in missing.err
    file = trilith(*command, vault / "bread.md")
    assert file.status == 2
    assert "is a file; name the folder that holds it" in file.err


def test_a_folder_that_cannot_be_read_is_told(
    trilith: CommandLine, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: object) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", refuse)  # whoever runs the tests as root may read everything
    done = trilith("search", "x", "--vault", vault)
    assert done.status == 2
    assert "cannot be read by this user; check its permissions" in done.err


def test_a_folder_without_notes_works_and_says_so(trilith: CommandLine, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "empty: 0 notes" in trilith("index", empty).out
    assert trilith("search", "x", "--vault", empty).out == "No match.\n"
    status = trilith("status", "--vault", empty)
    assert "ready, 0 notes" in status.out
    assert trilith("doctor", "--vault", empty).status == 0


@pytest.mark.parametrize("command", [["search", "x"], ["list"], ["status"], ["index"], ["serve"], ["mcp"]])
def test_no_library_at_all_is_told_with_the_way_out(trilith: CommandLine, command: list[str]) -> None:
    done = trilith(*command)
    assert done.status == 2
    assert "No library is registered" in done.err
    assert "trilith library add PATH" in done.err


@pytest.mark.parametrize("command", [["search", "x"], ["list"], ["status"], ["index"], ["serve"], ["mcp"]])
def test_an_unknown_library_is_told_with_those_there_are(trilith: CommandLine, vault: Path, command: list[str]) -> None:
    trilith("library", "add", vault)
    done = trilith(*command, "--library", "nothere")
    assert done.status == 1
    assert "nothere" in done.err
    assert "notes" in done.err


def test_a_folder_and_a_library_together_are_refused(trilith: CommandLine, vault: Path) -> None:
    done = trilith("search", "x", "--vault", vault, "--library", "notes")
    assert done.status == 2
    assert "not both" in done.err


def test_a_home_inside_the_vault_is_skipped(trilith: CommandLine, vault: Path) -> None:
    home = vault / "state"
    (home / "stray").mkdir(parents=True)
    (home / "stray" / "inside.md").write_text("zeppelin\n", encoding="utf-8")
    for _ in range(2):
        listed = trilith("list", "--vault", vault, "--home", home, "--json").json
        assert listed["total"] == 5
    assert trilith("search", "zeppelin", "--vault", vault, "--home", home).out == "No match.\n"


def test_a_home_that_cannot_be_used_is_told(trilith: CommandLine, vault: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    done = trilith("search", "x", "--vault", vault, "--home", tmp_path / "file" / "home")
    assert done.status == 1
    assert str(tmp_path / "file" / "home") in done.err
    assert "--home" in done.err


def test_a_wrong_setting_is_named_with_where_it_comes_from(
    trilith: CommandLine, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRILITH_PORT", "eighty")
    by_environment = trilith("search", "x", "--vault", vault)
    assert by_environment.status == 2
    assert "TRILITH_PORT" in by_environment.err
    monkeypatch.delenv("TRILITH_PORT")
    trilith.home.mkdir()
    toml = trilith.home / "trilith.toml"
    toml.write_text("prot = 1\n", encoding="utf-8")
    by_file = trilith("search", "x", "--vault", vault)
    assert by_file.status == 2
    assert "'prot'" in by_file.err
    assert "trilith.toml" in by_file.err
    toml.write_text("port = \n", encoding="utf-8")
    assert "not valid TOML" in trilith("search", "x", "--vault", vault).err


def test_a_port_in_use_is_told_with_the_way_out(vault: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = process("serve", vault, "--port", port, home=tmp_path / "home")
    assert done.status == 1
    assert done.err.startswith("error: ")
    assert str(port) in done.err
    assert "--port" in done.err


@pytest.mark.parametrize("damage", ["catalog.db", "fulltext", "vectors"])
def test_a_damaged_index_is_rebuilt(trilith: CommandLine, vault: Path, damage: str) -> None:
    trilith("index", vault)
    index = trilith.home / "index"
    damaged = [index / damage] if damage.endswith(".db") else [p for p in (index / damage).rglob("*") if p.is_file()]
    for file in damaged:
        file.write_bytes(b"\x00garbage" * 100)
    for leftover in index.glob("catalog.db-*"):
        leftover.unlink()
    done = trilith("search", "gather", "--vault", vault)
    assert done.status == 0
    assert "asyncio.md" in done.out
    assert trilith("doctor", "--vault", vault).status == 0


def test_an_interrupt_ends_a_command_without_a_traceback(trilith: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> object:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "scandir", interrupted)
    done = trilith("search", "x", "--vault", trilith.home.parent)
    assert done.status == 130
    assert "Traceback" not in done.err


def test_a_reader_that_stops_early_is_no_error(vault: Path, tmp_path: Path) -> None:
    for number in range(400):
        (vault / f"{number}.md").write_text(f"# {'long title ' * 100}{number}\n", encoding="utf-8")
    env = environment(tmp_path / "home", TRILITH_SEMANTIC="off")
    command = [sys.executable, "-m", "trilith", "list", "--limit", "200", "--vault", str(vault)]
    lister = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    assert lister.stdout is not None
    assert lister.stderr is not None
    assert "long title" in lister.stdout.readline()
    lister.stdout.close()
    said = lister.stderr.read()
    lister.wait(timeout=60)
    assert "Traceback" not in said
    assert "rror" not in said
