"""Libraries, read without opening the ledger in earnest."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from trilith.home.ledger import SqliteLedger
from trilith.home.ledgerfile import LedgerFile
from trilith.home.registered import registered
from trilith.model.principal import Library


def test_it_reads_what_the_ledger_holds_also_while_that_is_open(tmp_path: Path) -> None:
    libraries = (Library(name="a", root="/a"), Library(name="b", root="/b", read_only=True))
    ledger = SqliteLedger(LedgerFile(tmp_path / "ledger.db"))
    for library in libraries:
        ledger.add_library(library)
    assert registered(tmp_path / "ledger.db") == libraries
    ledger.close()
    assert registered(tmp_path / "ledger.db") == libraries


def test_without_a_ledger_there_is_nothing_and_nothing_is_made(tmp_path: Path) -> None:
    assert registered(tmp_path / "ledger.db") == ()
    assert list(tmp_path.iterdir()) == []


def test_what_is_no_ledger_is_left_for_others_to_tell_of(tmp_path: Path) -> None:
    for content in (b"", b"no database at all, but long enough to be looked at" * 20):
        (tmp_path / "ledger.db").write_bytes(content)
        assert registered(tmp_path / "ledger.db") == ()
        assert (tmp_path / "ledger.db").read_bytes() == content


def test_it_costs_no_engine() -> None:
    script = "import sys, trilith.home.registered; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    assert not {"numpy", "trilith.ports"} & set(done.stdout.split())
