"""Which library is written to, and which never."""

from __future__ import annotations

from pathlib import Path

import pytest

from trilith.access.gate import Gate
from trilith.access.libraries import register, served
from trilith.errors import InvalidInput, NotFound, ReadOnly
from trilith.home.ledger import SqliteLedger
from trilith.model.principal import Library, Principal

OWNER, GUEST = Principal(), Principal(name="guest", is_owner=False)
A, B = Library(name="a", root="/a"), Library(name="b", root="/b")
C = Library(name="c", root="/c", read_only=True)


def gate(*libraries: Library) -> Gate:
    return Gate(lambda: libraries)


def test_the_one_that_is_named_or_the_only_one_that_can_be_written() -> None:
    assert gate(A, B, C).writable(OWNER, "b") == B
    assert gate(A).writable(OWNER, None) == A
    assert gate(A, C).writable(OWNER, None) == A


def test_several_are_named_and_none_is_guessed() -> None:
    with pytest.raises(InvalidInput, match=r": a, b\.") as refusal:
        gate(A, B, C).writable(OWNER, None)
    assert refusal.value.details["field"] == "library"


def test_what_may_only_be_read_is_refused() -> None:
    for library in (None, "c"):
        with pytest.raises(ReadOnly, match="'c'"):
            gate(C).writable(OWNER, library)
    with pytest.raises(ReadOnly):
        gate(A, C).writable(OWNER, "c")
    with pytest.raises(ReadOnly):
        gate(C).check_writing(OWNER)
    gate(A, C).check_writing(OWNER)


def test_one_that_may_not_be_seen_is_not_there() -> None:
    for library in ("a", "nowhere"):
        with pytest.raises(NotFound):
            gate(A).writable(GUEST, library)


def test_a_process_can_be_read_only_as_a_whole(tmp_path: Path) -> None:
    ledger = SqliteLedger(tmp_path / "ledger.db")
    (tmp_path / "notes").mkdir()
    assert not register(ledger, tmp_path / "notes").read_only
    for vaults, library in (([], None), ([tmp_path / "notes"], None), ([], "notes")):
        assert [each.read_only for each in served(ledger, vaults, library, read_only=True)()] == [True]
        assert [each.read_only for each in served(ledger, vaults, library)()] == [False]
    ledger.close()


def test_a_folder_that_is_registered_for_writing_does_not_become_read_only_in_silence(tmp_path: Path) -> None:
    ledger = SqliteLedger(tmp_path / "ledger.db")
    (tmp_path / "notes").mkdir()
    register(ledger, tmp_path / "notes")
    with pytest.raises(InvalidInput, match="library remove notes"):
        register(ledger, tmp_path / "notes", read_only=True)
    ledger.remove_library("notes")
    assert register(ledger, tmp_path / "notes", read_only=True).read_only
    assert register(ledger, tmp_path / "notes").read_only
    ledger.close()
