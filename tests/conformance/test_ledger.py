"""The suite of `Ledger`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from trilith.home.ledger import SqliteLedger
from trilith.model.ids import NoteId
from trilith.model.principal import Library
from trilith.ports import GivenId, Ledger


@dataclass
class RememberedLedger:
    """A ledger that forgets everything when the process ends."""

    known: dict[str, Library] = field(default_factory=dict)
    given: dict[str, dict[str, GivenId]] = field(default_factory=dict)

    def libraries(self) -> tuple[Library, ...]:
        return tuple(self.known[name] for name in sorted(self.known))

    def add_library(self, library: Library) -> None:
        self.known[library.name] = library

    def remove_library(self, name: str) -> None:
        self.known.pop(name, None)

    def given_ids(self, library: str) -> dict[str, GivenId]:
        return dict(self.given.get(library, {}))

    def give_ids(self, library: str, given: Sequence[GivenId]) -> None:
        rows = self.given.setdefault(library, {})
        for row in given:
            for path in [path for path, other in rows.items() if other.id == row.id]:
                del rows[path]
            rows[row.path] = row


@pytest.fixture(params=["sqlite", "remembered"])
def ledger(request: pytest.FixtureRequest, tmp_path: Path) -> Ledger:
    return SqliteLedger(tmp_path / "ledger.db") if request.param == "sqlite" else RememberedLedger()


def given(path: str, note_id: str, inode: int = 1, checksum: str = "c") -> GivenId:
    return GivenId(path=path, id=NoteId(note_id), inode=inode, checksum=checksum)


def test_a_new_ledger_knows_nothing(ledger: Ledger) -> None:
    assert ledger.libraries() == ()
    assert ledger.given_ids("lib") == {}


def test_libraries(ledger: Ledger) -> None:
    one = Library(name="知识", root="/v/Über raum", owner="ada", read_only=True)
    other = Library(name="a", root="/w")
    ledger.add_library(one)
    ledger.add_library(other)
    assert ledger.libraries() == (other, one)
    moved = replace(one, root="/elsewhere", read_only=False)
    ledger.add_library(moved)
    assert ledger.libraries() == (other, moved)
    ledger.remove_library("a")
    ledger.remove_library("never there")
    assert ledger.libraries() == (moved,)


def test_given_ids(ledger: Ledger) -> None:
    rows = [given("a.md", "1", 2**64 - 1), given("Cafe\u0301.md", "2", 2**63), given("c.md", "3", 0)]
    ledger.give_ids("lib", rows)
    ledger.give_ids("other", [given("a.md", "1")])
    ledger.give_ids("lib", [])
    assert ledger.given_ids("lib") == {row.path: row for row in rows}
    assert ledger.given_ids("other") == {"a.md": given("a.md", "1")}


def test_a_path_or_id_has_one_row(ledger: Ledger) -> None:
    ledger.give_ids("lib", [given("a.md", "1"), given("b.md", "2")])
    ledger.give_ids("lib", [given("new/a.md", "1", checksum="d"), given("b.md", "3")])
    assert ledger.given_ids("lib") == {"new/a.md": given("new/a.md", "1", checksum="d"), "b.md": given("b.md", "3")}
    ledger.give_ids("lib", [given("b.md", "1")])
    assert ledger.given_ids("lib") == {"b.md": given("b.md", "1")}


def test_ids_given_to_a_library_outlive_its_removal(ledger: Ledger) -> None:
    ledger.add_library(Library(name="lib", root="/v"))
    ledger.give_ids("lib", [given("a.md", "1")])
    ledger.remove_library("lib")
    assert ledger.given_ids("lib") == {"a.md": given("a.md", "1")}
