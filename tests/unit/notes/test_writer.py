"""The writer and the trash when others write too, and when a part fails: on a vault in memory and a real catalog."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from tests.fakes import HashEmbedder, ListedChunks, ListedVault

from trilith.clock import SystemClock
from trilith.errors import NotFound, SearchBackendError, SlugCollision, TrilithError, Unavailable, VersionConflict
from trilith.home.ledger import SqliteLedger
from trilith.home.ledgerfile import LedgerFile
from trilith.home.locks import FileLocks
from trilith.index.catalog.catalog import SqliteCatalog
from trilith.markdown.parse import parse_note
from trilith.model.change import Draft, Edit, EditKind, Revision, WriteResult
from trilith.model.ids import NoteId
from trilith.model.note import Entry, Note
from trilith.model.principal import Library, Scope
from trilith.model.query import Filter
from trilith.notes.records import Records
from trilith.notes.trash import Trash
from trilith.notes.writer import TRIES, Writer
from trilith.ports.items import Changes, FullTextItem
from trilith.ports.vault import RawFile
from trilith.sync.feed import Feeder
from trilith.sync.indexer import Indexer
from trilith.sync.scan import Scanner

NOTES = Library(name="notes", root="/listed")
ALL = Filter(scopes=(Scope(library="notes"),))
OWN = NoteId("f47ac10b-58cc-4372-a567-0e02b2c3d479")
ANN = Revision(agent="ann")
SECONDS = 20.0


class Quiet:
    """A view that takes everything over and knows nothing."""

    def __init__(self) -> None:
        self.at = 0

    def applied(self, library: str) -> int:
        return self.at

    def apply(self, library: str, changes: Changes[Any]) -> None:
        self.at = changes.upto

    def fingerprints(self, library: str) -> dict[Any, str]:
        return {}

    def clear(self, library: str) -> None:
        self.at = 0


class Titles(Quiet):
    """A full-text view that knows titles alone; it fails while `broken`."""

    def __init__(self) -> None:
        super().__init__()
        self.titles: dict[int, str] = {}
        self.broken = False

    def apply(self, library: str, changes: Changes[FullTextItem]) -> None:
        if self.broken:
            raise SearchBackendError("The disk is full.")
        self.titles |= {item.num: item.title for item in changes.put}
        for num in changes.drop:
            self.titles.pop(num, None)
        super().apply(library, changes)


class Hasty(ListedVault):
    """A vault in which somebody else is quicker: `meanwhile` is called before each change."""

    def __init__(self, files: dict[str, bytes]) -> None:
        super().__init__(files)
        self.meanwhile: Callable[[], None] = lambda: None

    def replace(self, path: str, data: bytes, expected: str) -> RawFile:
        self.meanwhile()
        return super().replace(path, data, expected)

    def remove(self, path: str, expected: str, trash: str) -> None:
        self.meanwhile()
        super().remove(path, expected, trash)


@dataclass
class Desk:
    vault: Hasty
    titles: Titles
    records: Records
    writer: Writer
    trash: Trash

    def entry(self, path: str = "a.md") -> Entry:
        self.records.indexer.refresh(NOTES)
        found = self.records.catalog.by_path(path, ALL)
        assert found is not None
        return found

    def text(self, path: str = "a.md") -> str:
        return self.vault.files[path].decode()

    def outside(self, path: str, text: str) -> None:
        self.vault.files[path] = text.encode()

    def append(self, entry: Entry, text: str, **believed: Any) -> WriteResult:
        edit = Edit(kind=EditKind.APPEND, content=text)
        return self.writer.edit(NOTES, entry, edit, Revision(agent="ann", **believed))


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    embedder = HashEmbedder()
    catalog, ledger = SqliteCatalog(tmp_path / "catalog.db"), SqliteLedger(LedgerFile(tmp_path / "ledger.db"))
    (tmp_path / "locks").mkdir()
    locks, clock = FileLocks(tmp_path / "locks"), SystemClock()
    vault, titles = Hasty({"a.md": b"one\n"}), Titles()

    def parse(path: str, raw: RawFile) -> Note:
        tokens = embedder.tokens
        return parse_note(path, raw.data, count_tokens=tokens.count, window=tokens.window)

    scanner = Scanner(catalog, ledger, locks, clock, parse, "1")
    indexer = Indexer(
        scanner, Feeder(catalog, locks, titles, ListedChunks(), Quiet(), embedder), lambda _: vault, lambda _: None
    )
    records = Records(
        catalog=catalog,
        ledger=ledger,
        locks=locks,
        clock=clock,
        parse=parse,
        indexer=indexer,
        vault=lambda _: vault,
        nudge=lambda: None,
        fault=lambda: None,
    )
    trash = Trash(
        records=records, place=lambda key: f"/trash/{key}", is_kept=lambda key: f"/trash/{key}" in vault.trash
    )
    yield Desk(vault, titles, records, Writer(records), trash)
    catalog.close()
    ledger.close()


# --- others write too


def test_what_another_program_writes_in_the_same_moment_is_kept(desk: Desk) -> None:
    entry, quicker = desk.entry(), [b"two\n"]

    def once() -> None:
        if quicker:
            desk.vault.files["a.md"] = quicker.pop()

    desk.vault.meanwhile = once
    assert desk.append(entry, "three").entry.metadata.version == 3
    assert desk.text().endswith("---\ntwo\nthree\n")


def test_a_belief_that_has_become_wrong_in_the_same_moment_is_refused(desk: Desk) -> None:
    entry = desk.entry()
    desk.vault.meanwhile = lambda: desk.outside("a.md", "two\n")
    with pytest.raises(VersionConflict) as conflict:
        desk.append(entry, "three", expected_version=1)
    assert conflict.value.details["current_version"] == 2
    assert desk.text() == "two\n"


def test_a_file_that_never_comes_to_rest_is_given_up(desk: Desk) -> None:
    entry, count = desk.entry(), iter(range(1000))
    desk.vault.meanwhile = lambda: desk.outside("a.md", f"{next(count)}\n")
    with pytest.raises(Unavailable, match="all the time"):
        desk.append(entry, "more")
    assert next(count) == TRIES
    assert "more" not in desk.text()


def test_a_change_that_another_process_is_reading_is_waited_for(desk: Desk) -> None:
    entry = desk.entry()
    desk.outside("a.md", "two\n")
    refusals: list[TrilithError] = []

    def stale() -> None:
        try:
            desk.append(entry, "three", expected_version=1)
        except TrilithError as refusal:
            refusals.append(refusal)

    writing = threading.Thread(target=stale)
    with desk.records.locks.scanning("notes") as mine:
        assert mine
        writing.start()
        writing.join(0.5)
        assert writing.is_alive()
    writing.join(SECONDS)
    assert [refusal.code for refusal in refusals] == ["version_conflict"]
    assert desk.text() == "two\n"


def test_a_note_that_was_renamed_outside_is_changed_where_it_is_now(desk: Desk) -> None:
    entry = desk.entry()
    desk.vault.files["b.md"] = desk.vault.files.pop("a.md")
    assert desk.append(entry, "two").entry.path == "b.md"
    assert desk.text("b.md").endswith("---\none\ntwo\n")


def test_a_note_that_is_gone_is_not_made_anew(desk: Desk) -> None:
    entry = desk.entry()
    desk.vault.files = {"other.md": b"x"}
    for act in (lambda: desk.append(entry, "two"), lambda: desk.trash.delete(NOTES, entry, ANN)):
        with pytest.raises(NotFound):
            act()
    assert desk.vault.files == {"other.md": b"x"}
    assert desk.trash.kept(ALL) == ()


# --- versions and ids


def test_the_ledger_counts_where_the_file_may_not(desk: Desk) -> None:
    desk.outside("a.md", "---\nversion: 1.2.0\n---\none\n")
    entry = desk.entry()
    first = desk.append(entry, "two").entry
    second = desk.append(entry, "three", expected_version=first.metadata.version).entry
    assert (second.metadata.version, first.metadata.version) == (entry.metadata.version + 2, entry.metadata.version + 1)
    assert "version: 1.2.0\n" in desk.text()
    with pytest.raises(VersionConflict):
        desk.append(entry, "four", expected_version=first.metadata.version)


def test_a_copy_gets_an_id_of_its_own_once_it_is_written(desk: Desk) -> None:
    desk.outside("a.md", f"---\nid: {OWN}\n---\none\n")
    desk.entry()
    desk.outside("copy.md", f"---\nid: {OWN}\n---\none\n")
    copy = desk.entry("copy.md")
    assert copy.id != OWN
    desk.append(copy, "two")
    assert f"id: {copy.id}\n" in desk.text("copy.md")
    assert f"id: {OWN}\n" in desk.text("a.md")


def test_an_id_that_no_file_holds_outlives_a_write_and_the_catalog(desk: Desk) -> None:
    desk.outside("a.md", "---\nid: 20240301\n---\none\n")
    entry = desk.entry()
    assert desk.append(entry, "two").entry.id == entry.id
    assert "id: 20240301\n" in desk.text()
    desk.records.catalog.forget_library("notes")
    assert desk.entry().id == entry.id


def test_a_note_comes_back_at_the_version_that_it_had(desk: Desk) -> None:
    entry = desk.entry()
    desk.outside("a.md", "two\n")
    deleted = desk.trash.delete(NOTES, entry, ANN)
    back = desk.trash.restore(NOTES, ALL, deleted)
    assert (back.id, back.metadata.version) == (entry.id, 2)
    with pytest.raises(VersionConflict):
        desk.append(back, "three", expected_version=1)


# --- a part fails


def test_a_view_that_fails_does_not_undo_a_write(desk: Desk) -> None:
    entry = desk.entry()
    desk.titles.broken = True
    made = desk.writer.create(NOTES, ALL, Draft(title="New", body="x\n", agent="ann"))
    for result in (made, desk.append(entry, "two"), desk.writer.revise(NOTES, ALL, entry, replace(ANN, body="y\n"))):
        assert result.warnings == ("It is on disk, but search may not show it yet: The disk is full.",)
    assert desk.text("new.md").endswith("---\nx\n")
    desk.titles.broken = False
    desk.append(made.entry, "z")
    assert desk.titles.titles[made.entry.num] == "New"


def test_an_index_that_fails_after_the_file_was_written_says_that_it_was(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = desk.entry()

    def full(self: SqliteCatalog, library: str, batch: object) -> None:
        raise Unavailable("The disk is full.")

    monkeypatch.setattr(SqliteCatalog, "record", full)
    with pytest.raises(Unavailable, match=r"'a\.md' is written, but .* The disk is full\."):
        desk.append(entry, "two")
    assert desk.text().endswith("---\none\ntwo\n")
    monkeypatch.undo()
    assert desk.entry().metadata.version == 2


def test_a_note_that_could_not_be_deleted_is_not_in_the_trash(desk: Desk) -> None:
    entry = desk.entry()
    desk.vault.meanwhile = lambda: desk.outside("a.md", "two\n")
    with pytest.raises(VersionConflict):
        desk.trash.delete(NOTES, entry, ANN)
    assert desk.records.ledger.trashed("notes") == ()
    assert desk.text() == "two\n"


def test_what_the_trash_has_lost_is_passed_over(desk: Desk) -> None:
    deleted = desk.trash.delete(NOTES, desk.entry(), ANN)
    assert [kept.key for kept in desk.trash.kept(ALL)] == [deleted.key]
    assert desk.trash.kept(Filter(scopes=(Scope(library="notes", reader="guest"),))) == ()
    desk.vault.trash.clear()
    assert desk.trash.kept(ALL) == ()
    with pytest.raises(NotFound):
        desk.trash.find(ALL, deleted.key)
    with pytest.raises(NotFound):
        desk.trash.restore(NOTES, ALL, deleted)


def test_an_id_that_has_come_back_otherwise_is_in_the_way(desk: Desk) -> None:
    desk.outside("a.md", f"---\nid: {OWN}\n---\none\n")
    deleted = desk.trash.delete(NOTES, desk.entry(), ANN)
    desk.outside("b.md", f"---\nid: {OWN}\n---\nanother\n")
    assert desk.entry("b.md").id == OWN
    with pytest.raises(SlugCollision) as collision:
        desk.trash.restore(NOTES, ALL, deleted)
    assert collision.value.details["existing"] == {"id": OWN, "path": "b.md", "version": 1}
    assert [kept.key for kept in desk.trash.kept(ALL)] == [deleted.key]
