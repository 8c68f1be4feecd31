from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from trilith.errors import StartFailure, Unavailable
from trilith.home.ledger import SqliteLedger
from trilith.home.ledgerfile import MIGRATIONS, LedgerFile
from trilith.model.ids import NoteId
from trilith.model.principal import Library
from trilith.ports.ledger import GivenId


def given(path: str) -> GivenId:
    return GivenId(path=path, id=NoteId(f"id of {path}"), inode=1, checksum="c")


def test_a_ledger_outlives_its_process(tmp_path: Path) -> None:
    ledger = SqliteLedger(LedgerFile(tmp_path / "ledger.db"))
    ledger.add_library(Library(name="lib", root="/v"))
    ledger.give_ids("lib", [given("a.md")])
    ledger.close()
    again = SqliteLedger(LedgerFile(tmp_path / "ledger.db"))
    assert again.libraries() == (Library(name="lib", root="/v"),)
    assert again.given_ids("lib") == {"a.md": given("a.md")}


def test_two_processes_see_each_others_changes(tmp_path: Path) -> None:
    one, other = SqliteLedger(LedgerFile(tmp_path / "ledger.db")), SqliteLedger(LedgerFile(tmp_path / "ledger.db"))
    one.give_ids("lib", [given("a.md")])
    other.give_ids("lib", [given("b.md")])
    assert set(one.given_ids("lib")) == set(other.given_ids("lib")) == {"a.md", "b.md"}


@pytest.mark.parametrize("content", [b"no database at all", b"SQLite format 3\0" + b"x" * 5000])
def test_a_damaged_ledger_is_never_touched(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "ledger.db"
    path.write_bytes(content)
    with pytest.raises(StartFailure, match=r"damaged.*Restore it from a backup"):
        SqliteLedger(LedgerFile(path))
    assert path.read_bytes() == content
    assert [file.name for file in tmp_path.iterdir()] == ["ledger.db"]


def test_a_ledger_of_a_later_version_is_never_touched(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    SqliteLedger(LedgerFile(path)).close()
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StartFailure, match="later Trilith"):
        SqliteLedger(LedgerFile(path))
    assert path.read_bytes() == before


def test_a_ledger_of_each_earlier_version_is_carried_on(tmp_path: Path) -> None:
    for version in range(len(MIGRATIONS)):
        path = tmp_path / f"{version}.db"
        connection = sqlite3.connect(path)
        for step in MIGRATIONS[:version]:
            connection.executescript(step)
        connection.execute(f"PRAGMA user_version = {version}")
        connection.close()
        ledger = SqliteLedger(LedgerFile(path))
        ledger.give_ids("lib", [given("a.md")])
        assert set(ledger.given_ids("lib")) == {"a.md"}


def test_a_ledger_out_of_reach_says_so(tmp_path: Path) -> None:
    with pytest.raises(StartFailure, match="cannot be opened"):
        SqliteLedger(LedgerFile(tmp_path / "missing" / "ledger.db"))


def test_a_closed_ledger_says_so(tmp_path: Path) -> None:
    ledger = SqliteLedger(LedgerFile(tmp_path / "ledger.db"))
    ledger.close()
    with pytest.raises(Unavailable):
        ledger.libraries()


def test_only_the_owner_reads_the_ledger(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    SqliteLedger(LedgerFile(path)).give_ids("lib", [given("a.md")])
    assert os.name == "nt" or path.stat().st_mode & 0o077 == 0


def test_many_threads(tmp_path: Path) -> None:
    ledger = SqliteLedger(LedgerFile(tmp_path / "ledger.db"))
    start = threading.Barrier(6)

    def work(number: int) -> None:
        start.wait()
        for turn in range(5):
            ledger.give_ids("lib", [given(f"{number}-{turn}")])
            assert f"{number}-{turn}" in ledger.given_ids("lib")

    with ThreadPoolExecutor(6) as threads:
        for done in [threads.submit(work, number) for number in range(6)]:
            done.result()
    assert len(ledger.given_ids("lib")) == 30


OPENER = """
import sys
from pathlib import Path
from trilith.home.ledger import SqliteLedger
from trilith.home.ledgerfile import LedgerFile
from trilith.model.principal import Library
SqliteLedger(LedgerFile(Path(sys.argv[1]))).add_library(Library(name=sys.argv[2], root="/v"))
"""


def test_processes_that_make_the_ledger_at_once(tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    processes = [subprocess.Popen([sys.executable, "-c", OPENER, str(path), str(number)]) for number in range(6)]
    assert [process.wait(60) for process in processes] == [0] * 6
    assert len(SqliteLedger(LedgerFile(path)).libraries()) == 6
