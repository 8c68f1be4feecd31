"""Cases from the field, as the command line meets them."""

from __future__ import annotations

import json
import logging
import sys
from pathlib import Path

import pytest
from tests.doors.command_line import CommandLine, indexed, serving, write_vault


@pytest.fixture
def trilith(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write_vault(tmp_path / "notes")


def test_i01_works_with_no_embedding_backend(
    trilith: CommandLine, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The base install has no torch and works with no embedding backend (`semantic: off`)."""
    monkeypatch.setenv("TRILITH_SEMANTIC", "OFF".lower())
    assert trilith("index", vault, "--json").json["libraries"][0]["embedded"] == 0
    hybrid = trilith("search", "gather", "--json").json
    assert hybrid["results"][0]["path"] == "asyncio.md"
    assert hybrid["diagnostics"]["semantic"] == "off"
    semantic = trilith("search", "gather", "--mode", "semantic")
    assert semantic.status == 1
    assert "by words" in semantic.err
    status = trilith("status", "--json").json
    assert (status["state"], status["semantic"]["state"]) == ("ready", "off")
    assert trilith("doctor").status == 0
    assert "torch" not in sys.modules


def test_i06_doctor_checks_each_part_and_names_the_next_step(trilith: CommandLine, vault: Path) -> None:
    """`doctor` checks vault access, counts per index, model load and test vector, following, port; each failure has a
    next step."""
    trilith("index", vault)
    healthy = trilith("doctor", "--json").json
    assert {check["name"] for check in healthy["checks"]} == {
        "home",
        "server",
        "following",
        "vault notes",
        "fulltext notes",
        "vectors notes",
        "embedding notes",
        "model",
    }
    assert {check["verdict"] for check in healthy["checks"]} == {"ok"}
    vault.rename(vault.with_name("gone"))
    broken = trilith("doctor", "--json")
    assert broken.status == 1
    assert all(check["next_step"] for check in broken.json["checks"] if check["verdict"] != "ok")


def test_i07_own_ignore_file_is_applied_and_status_tells_what_was_skipped(trilith: CommandLine, vault: Path) -> None:
    """An own ignore file, applied before reading; newly ignored notes leave the index; `status` lists what was skipped
    and why."""
    trilith("index", vault)
    (vault / ".trilithignore").write_text("procedures/\nold.md\n", encoding="utf-8")
    (vault / "old.md").write_bytes(b"\xff never read")
    paths = [item["path"] for item in trilith("list", "--json").json["items"]]
    assert sorted(paths) == ["asyncio.md", "bread.md", "loop.md"]
    assert trilith("search", "ledger", "--mode", "fulltext").out == "No match.\n"
    skipped = {each["path"]: each["reason"] for each in trilith("status", "--json").json["libraries"][0]["skipped"]}
    assert {"procedures", "old.md"} <= {path.rstrip("/") for path in skipped}
    assert all("ignore" in reason for path, reason in skipped.items() if path.startswith(("procedures", "old.md")))
    assert "old.md: " in trilith("status").out


def test_i08_the_first_index_writes_nothing_into_the_vault(trilith: CommandLine, vault: Path) -> None:
    """Import of an existing vault: zero-write first index, no ids injected."""
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in vault.rglob("*") if path.is_file()}
    trilith("index", vault)
    after = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in vault.rglob("*") if path.is_file()}
    assert after == before


def test_m14_the_command_line_shows_which_server_it_used(trilith: CommandLine, vault: Path) -> None:
    """CLI and server disagree: the CLI shows which server or index it used, and sees the same notes."""
    with serving(vault, home=trilith.home, ready=indexed, TRILITH_SEMANTIC="off") as url:
        beside = trilith("search", "gather", "--mode", "fulltext")
        beside_json = trilith("search", "gather", "--mode", "fulltext", "--json")
    alone = trilith("search", "gather", "--mode", "fulltext")
    assert beside.err == f"via {url}\n"
    assert alone.err == ""
    assert [line[4:] for line in beside.out.splitlines()] == [
        line[4:] for line in alone.out.splitlines()
    ]  # scores rise by passages
    assert json.loads(beside_json.out)["results"][0]["path"] == "asyncio.md"


@pytest.mark.parametrize("level", ["WARNING", "warning", "Info", "dEbUg"])
def test_m17_log_level_names_are_read_in_any_case(
    trilith: CommandLine, vault: Path, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Log level names and environment parsing are case-insensitive."""
    from trilith.settings import load

    monkeypatch.setenv("TRILITH_LOG_LEVEL", level)
    assert load(trilith.home).log_level == level.lower()
    assert logging.getLevelNamesMapping()[load(trilith.home).log_level.upper()]
    assert trilith("list", "--vault", vault).status == 0
    with serving(vault, "--log-level", level, home=trilith.home, ready=indexed, TRILITH_SEMANTIC="off"):
        pass


def test_m17_a_level_that_is_none_is_named(trilith: CommandLine, vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log level that does not exist is told with those that do."""
    monkeypatch.setenv("TRILITH_LOG_LEVEL", "loud")
    done = trilith("list", "--vault", vault)
    assert done.status == 2
    assert "TRILITH_LOG_LEVEL" in done.err
    assert "warning" in done.err
