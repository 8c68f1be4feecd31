"""What is looked at before anything is served."""

from __future__ import annotations

from pathlib import Path

import pytest

from trilith.errors import InvalidInput
from trilith.home.layout import Home
from trilith.home.ledger import SqliteLedger
from trilith.home.ledgerfile import LedgerFile
from trilith.model.principal import Library
from trilith.settings import load
from trilith.surfaces.mcp.starting import can_write, check_folders


def test_folders_pass(tmp_path: Path) -> None:
    check_folders([tmp_path])
    check_folders([])


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("hi")
    with pytest.raises(InvalidInput, match=r"note\.md' is a file"):
        check_folders([tmp_path, tmp_path / "note.md"])


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"nowhere' does not exist"):
        check_folders([tmp_path / "nowhere"])


def test_it_can_be_told_before_anything_is_opened_whether_there_is_anything_to_write(tmp_path: Path) -> None:
    home, notes, archive = tmp_path / "home", tmp_path / "notes", tmp_path / "archive"
    settings, strict = load(home), load(home, read_only=True)
    assert can_write(settings, [notes], None)
    assert can_write(settings, [], None)
    assert not can_write(strict, [notes], None)
    ledger = SqliteLedger(LedgerFile(Home(home).ledger))
    ledger.add_library(Library(name="archive", root=str(archive), read_only=True))
    assert not can_write(settings, [archive], None)
    assert not can_write(settings, [], "archive")
    assert not can_write(settings, [], None)
    assert can_write(settings, [archive, notes], None)
    ledger.add_library(Library(name="notes", root=str(notes)))
    assert can_write(settings, [], None)
    assert can_write(settings, [], "notes")
    assert not can_write(settings, [], "archive")
    ledger.close()
