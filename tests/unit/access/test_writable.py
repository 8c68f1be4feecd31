"""Which library is written to, and which never."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from trilith.access.gate import Gate
from trilith.access.libraries import register, served
from trilith.errors import Forbidden, InvalidInput, NotFound, ReadOnly, Unauthorized
from trilith.home.ledger import SqliteLedger
from trilith.home.ledgerfile import LedgerFile
from trilith.model.principal import Grant, Library, Principal, Right, Role

OWNER, GUEST = Principal(), Principal(name="guest", is_owner=False)
A, B = Library(name="a", root="/a"), Library(name="b", root="/b")
C = Library(name="c", root="/c", read_only=True)


BEA = Principal(name="bea", is_owner=False)
HERS = Library(name="hers", root="/h", owner="bea")


def gate(*libraries: Library, grants: tuple[Grant, ...] = (), shows: bool = False) -> Gate:
    return Gate(lambda: libraries, lambda: grants, lambda _: shows)


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


def test_users_write_to_their_only_own_library_or_where_they_were_granted_it() -> None:
    granted = (Grant("a", "bea", Role.WRITER), Grant("b", "bea", Role.READER), Grant("b", "cy", Role.WRITER))
    asked = gate(A, B, HERS, grants=granted)
    assert asked.writable(BEA, None) == HERS
    assert asked.writable(BEA, "a") == A
    with pytest.raises(ReadOnly, match="'b'"):
        asked.writable(BEA, "b")
    assert gate(A, B, grants=granted).writable(BEA, None) == A
    two = replace(HERS, name="more")
    with pytest.raises(InvalidInput, match=r": a, hers, more\."):
        gate(A, HERS, two, grants=granted).writable(BEA, None)


def test_a_library_is_named_only_to_those_who_can_see_something_of_it() -> None:
    with pytest.raises(NotFound, match="No library named 'a'"):
        gate(A, HERS).writable(BEA, "a")
    with pytest.raises(ReadOnly, match="'a'"):
        gate(A, HERS, shows=True).writable(BEA, "a")
    with pytest.raises(ReadOnly) as refusal:
        gate(A).check_writing(BEA)
    assert "'a'" not in refusal.value.message
    assert gate(A, HERS).known(BEA) == (HERS,)
    assert gate(A, HERS, shows=True).known(BEA) == (A, HERS)


def test_a_key_is_good_for_its_rights_and_libraries_only() -> None:
    reading = replace(BEA, rights=frozenset({Right.READ}))
    with pytest.raises(Forbidden, match="write"):
        gate(HERS).writable(reading, None)
    with pytest.raises(Forbidden, match="read"):
        gate(HERS).filter(replace(BEA, rights=frozenset({Right.WRITE})))
    with pytest.raises(Unauthorized, match="key"):
        gate(HERS).writable(Principal("", is_owner=False, rights=frozenset({Right.READ})), None)
    narrow = replace(BEA, libraries=frozenset({"hers"}))
    assert gate(A, HERS, shows=True).filter(narrow).libraries == ("hers",)
    with pytest.raises(NotFound):
        gate(A, HERS, shows=True).filter(narrow, "a")


def test_a_process_can_be_read_only_as_a_whole(tmp_path: Path) -> None:
    ledger = SqliteLedger(LedgerFile(tmp_path / "ledger.db"))
    (tmp_path / "notes").mkdir()
    assert not register(ledger, tmp_path / "notes").read_only
    for vaults, library in (([], None), ([tmp_path / "notes"], None), ([], "notes")):
        assert [each.read_only for each in served(ledger, vaults, library, read_only=lambda: True)()] == [True]
        assert [each.read_only for each in served(ledger, vaults, library)()] == [False]
    ledger.close()


def test_another_name_for_a_folder_opens_nothing_that_is_closed(tmp_path: Path) -> None:
    """Nor does one for a folder around it or in it; what lies elsewhere is not closed for it."""
    ledger = SqliteLedger(LedgerFile(tmp_path / "ledger.db"))
    notes = tmp_path / "notes"
    (notes / "work" / "pay").mkdir(parents=True)
    (notes / "notebook").mkdir()
    register(ledger, notes)
    ledger.set_folders("notes", ["work/pay", "diary"], ["work"])
    again = register(ledger, notes, "again")
    assert (again.hidden, again.protected) == (("work/pay", "diary"), ("work",))
    around = register(ledger, tmp_path, "around")
    assert (around.hidden, around.protected) == (("notes/work/pay", "notes/diary"), ("notes/work",))
    inside = register(ledger, notes / "work", "inside")
    assert (inside.hidden, inside.protected) == (("pay",), ())
    beside = register(ledger, notes / "notebook", "beside")
    assert (beside.hidden, beside.protected) == ((), ())
    ledger.set_folders("again", [], [])
    assert register(ledger, notes, "again").hidden == (), "the owner has opened it"
    ledger.close()


def test_a_folder_that_is_registered_for_writing_does_not_become_read_only_in_silence(tmp_path: Path) -> None:
    ledger = SqliteLedger(LedgerFile(tmp_path / "ledger.db"))
    (tmp_path / "notes").mkdir()
    register(ledger, tmp_path / "notes")
    with pytest.raises(InvalidInput, match="library remove notes"):
        register(ledger, tmp_path / "notes", read_only=True)
    ledger.remove_library("notes")
    assert register(ledger, tmp_path / "notes", read_only=True).read_only
    assert register(ledger, tmp_path / "notes").read_only
    ledger.close()
