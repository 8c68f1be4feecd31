"""What has to be looked at, and what was renamed."""

from __future__ import annotations

from trilith.model.ids import NoteId, Num, derive_id
from trilith.ports.catalog import KnownFile
from trilith.ports.vault import SeenFile, SkippedFile, Stamp, Walk
from trilith.sync.drift import compare, is_emptied, renamed_from


def stamp(inode: int = 1, size: int = 1, mtime: int = 1, ctime: int = 1) -> Stamp:
    return Stamp(size=size, mtime_ns=mtime, ctime_ns=ctime, inode=inode)


def known(num: int, at: Stamp, checksum: str = "c", note_id: str | None = None) -> KnownFile:
    return KnownFile(Num(num), NoteId(note_id) if note_id else derive_id("l", str(num)), at, checksum)


def walked(*files: SeenFile, skipped: tuple[SkippedFile, ...] = ()) -> Walk:
    return Walk(notes=files, skipped=skipped)


def test_equal_stamps_are_not_looked_at() -> None:
    drift = compare({"a.md": stamp()}, walked(*[SeenFile("a.md", stamp())]))
    assert drift.look == ()
    assert not drift.gone


def test_an_edit_that_keeps_size_and_mtime_is_seen_by_its_change_time() -> None:
    drift = compare({"a.md": stamp(ctime=1)}, walked(*[SeenFile("a.md", stamp(ctime=2))]))
    assert [file.path for file in drift.look] == ["a.md"]


def test_new_and_vanished_files() -> None:
    drift = compare({"a.md": stamp()}, walked(*[SeenFile("b.md", stamp(inode=2))]))
    assert [file.path for file in drift.look] == ["b.md"]
    assert drift.gone == {"a.md"}


def test_new_parsing_rules_look_at_everything() -> None:
    drift = compare({"a.md": stamp()}, walked(*[SeenFile("a.md", stamp())]), reread=True)
    assert [file.path for file in drift.look] == ["a.md"]


def test_a_rename_is_known_by_the_notes_own_id_before_anything_else() -> None:
    mine = derive_id("l", "mine")
    gone = {"x.md": known(1, stamp(inode=7)), "y.md": known(2, stamp(inode=8), note_id=mine)}
    assert renamed_from(SeenFile("z.md", stamp(inode=7)), "c", mine, gone) == "y.md"


def test_a_rename_is_known_by_inode_and_by_content_when_only_one_file_had_it() -> None:
    gone = {"x.md": known(1, stamp(inode=7), "one"), "y.md": known(2, stamp(inode=8), "two")}
    assert renamed_from(SeenFile("z.md", stamp(inode=8)), "new", None, gone) == "y.md"
    assert renamed_from(SeenFile("z.md", stamp(inode=9)), "one", None, gone) == "x.md"
    twins = {"x.md": known(1, stamp(inode=7), "same"), "y.md": known(2, stamp(inode=8), "same")}
    assert renamed_from(SeenFile("z.md", stamp(inode=9)), "same", None, twins) is None


def test_a_declared_id_that_nobody_had_is_a_new_note() -> None:
    gone = {"x.md": known(1, stamp(inode=7), "same")}
    assert renamed_from(SeenFile("z.md", stamp(inode=7)), "same", derive_id("l", "other"), gone) is None


def test_what_could_not_be_read_is_not_gone() -> None:
    remembered = {"a/x.md": stamp(), "b.md": stamp(inode=2), "ab.md": stamp(inode=3)}
    unread = (SkippedFile("a", "cannot be read", unread=True), SkippedFile("b.md", "cannot be read", unread=True))
    assert compare(remembered, walked(skipped=unread)).gone == {"ab.md"}
    ignored = (SkippedFile("a", "ignored"), SkippedFile("b.md", "ignored"))
    assert compare(remembered, walked(skipped=ignored)).gone == set(remembered)


def test_a_vault_with_nothing_at_all_in_it_where_notes_were_is_emptied() -> None:
    remembered = {"a.md": stamp()}
    assert is_emptied(remembered, walked())
    assert not is_emptied({}, walked()), "a new vault may be empty"
    assert not is_emptied(remembered, walked(SeenFile("b.md", stamp())))
    assert not is_emptied(remembered, Walk(notes=(), attachments=frozenset({"pic.png"})))
    assert not is_emptied(remembered, walked(skipped=(SkippedFile(".obsidian", "hidden"),)))
