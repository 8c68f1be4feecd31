"""`trilith backup` and `trilith doctor --repair`."""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.doors.command_line import CommandLine, indexed, serving, write_vault

from trilith.home.ledger import SqliteLedger
from trilith.home.ledgerfile import LedgerFile

DRAFT = ".trilith-0123456789abcdef.tmp"


@pytest.fixture
def trilith(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    monkeypatch.setenv("TRILITH_SEMANTIC", "off")
    return CommandLine(tmp_path / "home", monkeypatch, capsys)


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write_vault(tmp_path / "notes")


def ids(trilith: CommandLine) -> dict[str, str]:
    return {item["path"]: item["id"] for item in trilith("list", "--json").json["items"]}


def restore(trilith: CommandLine, copy: Path) -> None:
    """As the help of `backup` says."""
    for file in trilith.home.glob("ledger.db*"):
        file.unlink()
    (trilith.home / "ledger.db").write_bytes(copy.read_bytes())


# --- backup


def test_a_backup_taken_while_a_server_writes_can_be_restored(
    trilith: CommandLine, vault: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    trilith("index", vault)
    before = ids(trilith)
    with serving(vault, home=trilith.home, ready=indexed, TRILITH_SEMANTIC="off"):
        trilith("delete", "old.md")
        assert trilith("backup", copy, "--json").json == {"file": str(copy), "bytes": copy.stat().st_size}
    assert [file.name for file in tmp_path.glob("*copy*")] == ["copy.db"]
    assert copy.stat().st_mode & 0o077 == 0
    for file in trilith.home.glob("ledger.db*"):
        file.write_bytes(b"lost")
    damaged = trilith("list")
    assert damaged.status == 1
    assert "trilith backup" in damaged.err
    restore(trilith, copy)
    assert trilith("restore", "--json").json["items"][0]["path"] == "old.md"
    trilith("restore", trilith("restore", "--json").json["items"][0]["key"])
    trilith("index", "--rebuild")
    assert ids(trilith) == before
    assert trilith("doctor", "--json").json["healthy"]


def test_a_backup_is_named_after_the_time_and_overwrites_nothing_unasked(
    trilith: CommandLine, vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trilith("index", vault)
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    assert trilith("backup").status == 0
    (made,) = (tmp_path / "here").iterdir()
    assert made.name.startswith("trilith-ledger-2")
    made.write_bytes(b"precious")
    refused = trilith("backup", made)
    assert (refused.status, "--force" in refused.err) == (1, True)
    assert made.read_bytes() == b"precious"
    assert trilith("backup", made, "--force").status == 0
    assert SqliteLedger(LedgerFile(made)).libraries()[0].name == "notes"


def test_a_backup_of_nothing_and_into_nowhere_is_refused(trilith: CommandLine, vault: Path, tmp_path: Path) -> None:
    assert trilith("backup", tmp_path / "copy.db").status == 1
    assert not (tmp_path / "copy.db").exists()
    trilith("index", vault)
    refused = trilith("backup", tmp_path / "missing" / "copy.db", "--json")
    assert (refused.status, refused.json["code"]) == (1, "unavailable")


def test_a_damaged_ledger_spoils_no_earlier_backup(trilith: CommandLine, vault: Path, tmp_path: Path) -> None:
    trilith("index", vault)
    assert trilith("backup", tmp_path / "copy.db").status == 0
    good = (tmp_path / "copy.db").read_bytes()
    ledger = trilith.home / "ledger.db"
    ledger.write_bytes(ledger.read_bytes()[:6000])
    assert trilith("backup", tmp_path / "copy.db", "--force").status == 1
    assert (tmp_path / "copy.db").read_bytes() == good


# --- doctor --repair


def repaired(trilith: CommandLine) -> dict[str, str]:
    """What was mended, by name; everything is well then, and there is nothing left to mend."""
    done = trilith("doctor", "--repair", "--json")
    assert done.json["healthy"], done.json
    again = trilith("doctor", "--repair", "--json")
    assert again.json["repairs"] == []
    return {repair["name"]: repair["message"] for repair in done.json["repairs"]}


def test_nothing_is_mended_where_nothing_is_broken(trilith: CommandLine, vault: Path) -> None:
    trilith("index", vault)
    assert repaired(trilith) == {}
    assert "Nothing had to be mended." in trilith("doctor", "--repair").out
    assert "repairs" not in trilith("doctor", "--json").json


def test_what_killed_processes_have_left_is_removed(trilith: CommandLine, vault: Path) -> None:
    trilith("index", vault)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    presence = {"pid": gone.pid, "host": "127.0.0.1", "port": 1, "version": "1", "vaults": [], "library": None}
    left = [trilith.home / "serve.json", trilith.home / "serve.json.7.tmp", vault / DRAFT, vault / "procedures" / DRAFT]
    for file in left:
        file.write_text(json.dumps(presence), encoding="utf-8")
    trilith("delete", "old.md")
    key = trilith("restore", "--json").json["items"][0]["key"]
    (trilith.home / "trash" / f"{key}.md").unlink()
    assert set(repaired(trilith)) == {"server", "vault notes", "trash notes"}
    assert not any(file.exists() for file in left)


def test_a_read_only_library_is_left_as_it_is(trilith: CommandLine, vault: Path) -> None:
    (vault / DRAFT).touch()
    trilith("library", "add", vault, "--read-only")
    trilith("index")
    assert repaired(trilith) == {}
    assert (vault / DRAFT).exists()


def scribble(file: Path, at: float = 0.5) -> None:
    """Other bytes in the middle of a file, its times as they were."""
    data = bytearray(file.read_bytes())
    start = int(len(data) * at)
    data[start : start + 64] = bytes(255 - byte for byte in data[start : start + 64])
    status = file.stat()
    file.write_bytes(data)

    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


def vectors(home: Path) -> Path:
    (found,) = home.rglob("*.vectors")
    return found


def test_a_damaged_index_is_found_however_quiet_the_damage_and_built_anew(
    trilith: CommandLine, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRILITH_SEMANTIC", "on")
    trilith("index", vault)
    scribble(vectors(trilith.home))
    for texts in trilith.home.rglob("*.store"):
        scribble(texts, 0.2)
    assert set(repaired(trilith)) == {"fulltext notes", "chunks notes", "vectors notes"}
    assert trilith("search", "loaf", "--mode", "semantic", "--json").json["results"][0]["path"] == "bread.md"


def test_a_damaged_catalog_is_set_aside_and_built_anew(trilith: CommandLine, vault: Path) -> None:
    for number in range(300):
        (vault / f"{number}.md").write_text(f"note {number} " + "x" * 2000, encoding="utf-8")
    trilith("index", vault)
    before = ids_of(trilith.home)
    catalog = trilith.home / "index" / "catalog.db"
    data = catalog.read_bytes()
    catalog.write_bytes(data[: len(data) // 2] + b"\xff" * 40_000 + data[len(data) // 2 + 40_000 :])
    done = trilith("doctor", "--repair", "--json").json
    assert "damaged" in next(repair["message"] for repair in done["repairs"] if repair["name"] == "catalog")
    assert done["healthy"], done
    assert (trilith.home / "index" / "catalog.db.aside").exists()
    assert ids_of(trilith.home) == before


def ids_of(home: Path) -> dict[str, Any]:
    with sqlite3.connect(home / "index" / "catalog.db") as connection:
        return dict(connection.execute("SELECT path, id FROM notes"))
