"""Ids: declared, given, derived."""

from __future__ import annotations

import pytest

from trilith.model.ids import Num, derive_id
from trilith.ports.catalog import KnownFile
from trilith.ports.ledger import GivenId
from trilith.ports.vault import SeenFile, Stamp
from trilith.sync.identity import Register

STAMP = Stamp(size=1, mtime_ns=1, ctime_ns=1, inode=1)
U = derive_id("elsewhere", "u")


def register(known: dict[str, KnownFile] | None = None, given: list[GivenId] | None = None) -> Register:
    return Register("lib", known or {}, {}, {row.path: row for row in given or []})


def test_a_declared_id_is_kept() -> None:
    assert register().admit("n.md", "c", U, None) == (U, None)


def test_a_file_without_an_id_gets_the_same_one_on_every_first_sight() -> None:
    first, _ = register().admit("n.md", "c", None, None)
    again, _ = register().admit("n.md", "c", None, None)
    assert first == again == derive_id("lib", "n.md")


def test_a_known_note_keeps_its_id() -> None:
    former = KnownFile(Num(1), U, STAMP, "c")
    assert register({"n.md": former}).admit("n.md", "d", None, former) == (U, None)


def test_the_ledger_decides_before_the_path_does() -> None:
    row = GivenId(path="n.md", id=U, inode=1, checksum="c")
    assert register(given=[row]).admit("n.md", "c", None, None) == (U, None)


def test_a_path_whose_first_id_has_moved_on_gets_another() -> None:
    taken = derive_id("lib", "n.md")
    chosen, _ = register({"moved.md": KnownFile(Num(1), taken, STAMP, "c")}).admit("n.md", "d", None, None)
    assert chosen == derive_id("lib", "n.md", 1)


def test_a_copy_gets_an_id_of_its_own_and_the_problem_names_both() -> None:
    owners = register({"n.md": KnownFile(Num(1), U, STAMP, "c")})
    chosen, problem = owners.admit("n copy.md", "c", U, None)
    assert chosen == derive_id("lib", "n copy.md")
    assert problem is not None
    assert "n.md" in problem.message
    assert "n copy.md" in problem.message


def test_a_copy_keeps_the_id_it_was_given_when_a_rebuild_meets_it_first() -> None:
    row = GivenId(path="n copy.md", id=derive_id("lib", "n copy.md"), inode=2, checksum="c")
    owners = register(given=[row])
    copy, problem = owners.admit("n copy.md", "c", U, None)
    original, _ = owners.admit("n.md", "c", U, None)
    assert (copy, original) == (row.id, U)
    assert problem is not None


def test_an_id_that_the_user_adds_later_replaces_the_given_one() -> None:
    row = GivenId(path="n.md", id=derive_id("lib", "n.md"), inode=1, checksum="before")
    former = KnownFile(Num(1), row.id, STAMP, "before")
    chosen, problem = register({"n.md": former}, [row]).admit("n.md", "after", U, former)
    assert (chosen, problem) == (U, None)


def test_a_renamed_note_takes_its_given_id_along() -> None:
    row = GivenId(path="old.md", id=U, inode=1, checksum="c")
    former = KnownFile(Num(1), U, STAMP, "c")
    owners = Register("lib", {"old.md": former}, {"old.md": former}, {"old.md": row})
    assert owners.former(SeenFile("new.md", STAMP), "c", None) == former
    assert owners.admit("new.md", "c", None, former) == (U, None)
    assert owners.given["new.md"] == row
    assert not owners.gone


@pytest.mark.parametrize(
    ("declared", "known", "before", "after"),
    [
        (1, 0, 1, 1),  # edited by others: 1 -> 2
        (1, 3, 4, 4),  # and again: 4 -> 5
        (1, 4, 4, 4),  # counted already, by a process that was killed before it recorded the note
        (5, 3, 4, 0),  # written through Trilith, by a process that was killed before it recorded the note
        (1, 0, 7, 7),  # an older file came back: 7 -> 8
    ],
)
def test_a_version_never_falls_and_rises_once_for_a_change(declared: int, known: int, before: int, after: int) -> None:
    note = derive_id("lib", "a.md")
    register = Register(library="lib", known={}, gone={}, given={}, steps={note: known} if known else {})
    register.step(note, declared, before)
    assert register.steps_of(note) == after
    assert register.has_stepped(note) == (after != known)
