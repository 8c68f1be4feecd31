"""The suite of `Ledger`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from trilith.home.ledger import SqliteLedger
from trilith.home.ledgerfile import LedgerFile
from trilith.model.ids import NoteId, derive_id
from trilith.model.note import LinkKind
from trilith.model.principal import Library
from trilith.ports.ledger import Following, GivenId, Ledger, MoveUnderWay, Rewriting, Trashed


@dataclass
class RememberedLedger:
    """A ledger that forgets everything when the process ends."""

    known: dict[str, Library] = field(default_factory=dict)
    given: dict[str, dict[str, GivenId]] = field(default_factory=dict)
    steps: dict[str, dict[NoteId, int]] = field(default_factory=dict)
    times: dict[str, dict[NoteId, datetime]] = field(default_factory=dict)
    deleted: dict[str, Trashed] = field(default_factory=dict)
    under_way: dict[str, MoveUnderWay] = field(default_factory=dict)

    def libraries(self) -> tuple[Library, ...]:
        return tuple(self.known[name] for name in sorted(self.known))

    def add_library(self, library: Library) -> bool:
        return self.known.setdefault(library.name, library) is library

    def set_folders(self, name: str, hidden: Sequence[str], protected: Sequence[str]) -> None:
        if name in self.known:
            self.known[name] = replace(self.known[name], hidden=tuple(hidden), protected=tuple(protected))

    def set_root(self, name: str, root: str) -> None:
        if name in self.known:
            self.known[name] = replace(self.known[name], root=root)

    def remove_library(self, name: str) -> None:
        self.known.pop(name, None)

    def outside_changes(self, library: str, ids: Sequence[NoteId] | None = None) -> dict[NoteId, int]:
        known = self.steps.get(library, {})
        return {note_id: count for note_id, count in known.items() if ids is None or note_id in ids}

    def set_outside_changes(self, library: str, counts: Mapping[NoteId, int]) -> None:
        known = {**self.steps.get(library, {}), **counts}
        self.steps[library] = {note_id: count for note_id, count in known.items() if count}

    def first_times(self, library: str, ids: Sequence[NoteId]) -> dict[NoteId, datetime]:
        known = self.times.get(library, {})
        return {note_id: known[note_id] for note_id in ids if note_id in known}

    def set_first_times(self, library: str, times: Mapping[NoteId, datetime]) -> None:
        self.times[library] = {**self.times.get(library, {}), **times}

    def add_trashed(self, trashed: Trashed) -> None:
        self.deleted[trashed.key] = trashed

    def trashed(self, library: str) -> tuple[Trashed, ...]:
        mine = [trashed for trashed in self.deleted.values() if trashed.library == library]
        return tuple(sorted(mine, key=lambda trashed: trashed.deleted_at, reverse=True))

    def remove_trashed(self, key: str) -> None:
        self.deleted.pop(key, None)

    def put_move(self, move: MoveUnderWay) -> None:
        self.under_way[move.key] = move

    def moves(self, library: str) -> tuple[MoveUnderWay, ...]:
        return tuple(move for move in self.under_way.values() if move.library == library)

    def remove_move(self, key: str) -> None:
        self.under_way.pop(key, None)

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
    return SqliteLedger(LedgerFile(tmp_path / "ledger.db")) if request.param == "sqlite" else RememberedLedger()


def given(path: str, note_id: str, inode: int = 1, checksum: str = "c") -> GivenId:
    return GivenId(path=path, id=NoteId(note_id), inode=inode, checksum=checksum)


def test_a_new_ledger_knows_nothing(ledger: Ledger) -> None:
    assert ledger.libraries() == ()
    assert ledger.given_ids("lib") == {}


def test_libraries(ledger: Ledger) -> None:
    one = Library(name="知识", root="/v/Über raum", owner="ada", read_only=True)
    other = Library(name="a", root="/w")
    assert ledger.add_library(one)
    assert ledger.add_library(other)
    assert ledger.libraries() == (other, one)
    ledger.remove_library("a")
    ledger.remove_library("never there")
    assert ledger.libraries() == (one,)


def test_folders_have_rules(ledger: Ledger) -> None:
    ledger.add_library(Library(name="a", root="/v", hidden=("Ü/b",)))
    ledger.set_folders("a", ["x", "y/z"], ["知识"])
    ledger.set_folders("never there", ["x"], [])
    ledger.set_root("never there", "/v")
    assert ledger.libraries() == (Library(name="a", root="/v", hidden=("x", "y/z"), protected=("知识",)),)


def test_a_name_that_is_taken_is_not_taken_over(ledger: Ledger) -> None:
    mine = Library(name="notes", root="/v")
    ledger.add_library(mine)
    assert not ledger.add_library(replace(mine, root="/elsewhere"))
    assert ledger.libraries() == (mine,)


def test_outside_changes_are_counted_until_the_file_holds_its_version(ledger: Ledger) -> None:
    one, other = derive_id("lib", "one"), derive_id("lib", "other")
    ledger.set_outside_changes("lib", {one: 1, other: 1})
    ledger.set_outside_changes("lib", {one: 2})
    ledger.set_outside_changes("else", {one: 1})
    assert ledger.outside_changes("lib") == {one: 2, other: 1}
    assert ledger.outside_changes("lib", [one, derive_id("lib", "unknown")]) == {one: 2}
    assert ledger.outside_changes("lib", []) == {}
    ledger.set_outside_changes("lib", {one: 0})
    assert ledger.outside_changes("lib") == {other: 1}
    assert ledger.outside_changes("else") == {one: 1}


def test_the_trash_lists_the_newest_first(ledger: Ledger) -> None:
    def trashed(key: str, day: int) -> Trashed:
        return Trashed(
            key=key,
            library="lib",
            id=derive_id("lib", key),
            path=f"{key}.md",
            title=key,
            deleted_at=datetime(2026, 3, day, tzinfo=UTC),
            deleted_by="ada",
        )

    old, new = trashed("a", 1), trashed("b", 2)
    ledger.add_trashed(old)
    ledger.add_trashed(new)
    assert ledger.trashed("lib") == (new, old)
    assert ledger.trashed("else") == ()
    ledger.remove_trashed("b")
    assert ledger.trashed("lib") == (old,)


def test_first_times_are_kept_by_library_and_id(ledger: Ledger) -> None:
    one, other = NoteId("1"), NoteId("2")
    early, late = datetime(1969, 1, 1, tzinfo=UTC), datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
    ledger.set_first_times("lib", {one: late, other: late})
    ledger.set_first_times("lib", {one: early})
    ledger.set_first_times("else", {one: late})
    ledger.set_first_times("lib", {})
    assert ledger.first_times("lib", [one, other, NoteId("3")]) == {one: early, other: late}
    assert ledger.first_times("lib", [other]) == {other: late}
    assert ledger.first_times("lib", []) == {}
    ledger.remove_library("else")
    assert ledger.first_times("else", [one]) == {one: late}


def test_moves_are_kept_until_they_have_come_to_their_end(ledger: Ledger) -> None:
    links = (
        Following(kind=LinkKind.WIKI, target="old", was="old.md", now="知识.md", certain=True),
        Following(kind=LinkKind.EMBED, target="\ud800", was="x", now="x", certain=False),
    )
    rewritings = (
        Rewriting(path="a.md", before="1", after="2", links=links),
        Rewriting(path="b.md", before="3", after="4", links=()),
    )
    shared = ("n", "m")
    one = MoveUnderWay(
        key="z",
        library="lib",
        id=NoteId("1"),
        was="old.md",
        now="知识.md",
        checksum="c",
        shared=shared,
        rewritings=rewritings,
    )
    other = replace(one, key="a", rewritings=())
    for move in (one, other, replace(one, key="e", library="else")):
        ledger.put_move(move)
    assert ledger.moves("lib") == (one, other)
    rest = replace(one, rewritings=rewritings[1:])
    ledger.put_move(rest)
    assert ledger.moves("lib") == (rest, other)
    ledger.remove_move("z")
    ledger.remove_move("never there")
    assert ledger.moves("lib") == (other,)
    assert len(ledger.moves("else")) == 1


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
