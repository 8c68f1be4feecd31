from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path

import pytest
from tests.faults import NOBODY, other_disk

from trilith.errors import VersionConflict
from trilith.vault.writing import create_file, move_file, remove_file, replace_file, restore_file

OTHER = hashlib.sha256(b"other").hexdigest()


def of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def raw(path: Path) -> bytes:
    return os.fsencode(path)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def note(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    path = tmp_path / "vault" / "note.md"
    path.write_bytes(b"old")
    return path


def test_a_created_file_has_the_mode_of_any_new_file(note: Path) -> None:
    former = os.umask(0o027)
    try:
        create_file(raw(note.with_name("new.md")), b"new")
    finally:
        os.umask(former)
    assert stat.S_IMODE(note.with_name("new.md").stat().st_mode) == 0o640
    assert names(note.parent) == ["new.md", "note.md"]


def test_creating_writes_nothing_over_and_leaves_no_draft(note: Path) -> None:
    with pytest.raises(FileExistsError):
        create_file(raw(note), b"new")
    assert note.read_bytes() == b"old"
    assert names(note.parent) == ["note.md"]


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_replacing_keeps_the_mode(note: Path, mode: int) -> None:
    note.chmod(mode)
    replace_file(raw(note), b"new", of(b"old"))
    assert stat.S_IMODE(note.stat().st_mode) == mode
    assert note.read_bytes() == b"new"
    assert names(note.parent) == ["note.md"]


def test_replacing_keeps_the_owner_where_that_is_allowed(note: Path) -> None:
    if os.geteuid() == 0:
        os.chown(note, NOBODY, NOBODY)
    before = note.stat()
    replace_file(raw(note), b"new", of(b"old"))
    after = note.stat()
    assert (after.st_uid, after.st_gid) == (before.st_uid, before.st_gid)
    assert after.st_ino != before.st_ino, "written beside it, not into it"


def test_a_conflict_changes_nothing(note: Path, tmp_path: Path) -> None:
    before = note.stat()
    with pytest.raises(VersionConflict):
        replace_file(raw(note), b"new", OTHER)
    with pytest.raises(VersionConflict):
        move_file(raw(note), raw(tmp_path / "moved.md"), OTHER)
    with pytest.raises(VersionConflict):
        remove_file(raw(note), OTHER, raw(tmp_path / "trash" / "x.md"))
    assert (note.read_bytes(), note.stat().st_ino, note.stat().st_mtime_ns) == (
        b"old",
        before.st_ino,
        before.st_mtime_ns,
    )
    assert names(note.parent) == ["note.md"]
    assert not (tmp_path / "moved.md").exists()


def test_the_check_is_made_right_before_the_rename(note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody writes to the note while the new bytes are on their way to the disk."""
    sync = os.fsync

    def meanwhile(descriptor: int) -> None:
        sync(descriptor)
        note.write_bytes(b"theirs")

    monkeypatch.setattr(os, "fsync", meanwhile)
    with pytest.raises(VersionConflict):
        replace_file(raw(note), b"new", of(b"old"))
    assert note.read_bytes() == b"theirs"
    assert names(note.parent) == ["note.md"]


def test_moving_keeps_the_file_itself(note: Path, tmp_path: Path) -> None:
    before = note.stat()
    move_file(raw(note), raw(tmp_path / "moved.md"), of(b"old"))
    after = (tmp_path / "moved.md").stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert names(note.parent) == []


def test_a_link_is_moved_as_a_link(note: Path, tmp_path: Path) -> None:
    link = note.with_name("link.md")
    link.symlink_to("note.md")
    move_file(raw(link), raw(tmp_path / "link.md"), of(b"old"))
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "link.md").read_bytes() == b"old"
    assert names(note.parent) == ["note.md"]


def test_a_link_is_not_moved_over_anything(note: Path, tmp_path: Path) -> None:
    link = note.with_name("link.md")
    link.symlink_to("note.md")
    (tmp_path / "taken.md").write_bytes(b"taken")
    with pytest.raises(FileExistsError):
        move_file(raw(link), raw(tmp_path / "taken.md"), of(b"old"))
    assert (tmp_path / "taken.md").read_bytes() == b"taken"
    assert link.is_symlink()


def test_the_trash_gets_a_copy_of_what_a_link_leads_to(note: Path, tmp_path: Path) -> None:
    link = note.with_name("link.md")
    link.symlink_to("note.md")
    remove_file(raw(link), of(b"old"), raw(tmp_path / "trash" / "x.md"))
    assert names(note.parent) == ["note.md"]
    assert (tmp_path / "trash" / "x.md").read_bytes() == b"old"
    assert not (tmp_path / "trash" / "x.md").is_symlink()


@pytest.mark.parametrize("there_and_back", [False, True])
def test_another_disk_makes_no_difference(note: Path, there_and_back: bool) -> None:
    note.chmod(0o640)
    os.utime(note, ns=(1_000_000_000, 2_000_000_000))
    with other_disk(note.parent) as far:
        remove_file(raw(note), of(b"old"), raw(far / "trash" / "x.md"))
        assert names(note.parent) == []
        assert names(far / "trash") == ["x.md"]
        kept = far / "trash" / "x.md"
        if there_and_back:
            restore_file(raw(kept), raw(note))
            assert names(far / "trash") == []
            kept = note
        assert kept.read_bytes() == b"old"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o640
        assert kept.stat().st_mtime_ns == 2_000_000_000


def test_nothing_is_lost_that_is_written_while_a_file_is_copied_to_another_disk(
    note: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = os.fsync

    def meanwhile(descriptor: int) -> None:
        sync(descriptor)
        note.write_bytes(b"theirs")

    with other_disk(note.parent) as far:
        monkeypatch.setattr(os, "fsync", meanwhile)
        with pytest.raises(VersionConflict):
            remove_file(raw(note), of(b"old"), raw(far / "x.md"))
        assert note.read_bytes() == b"theirs"
        assert names(far) == []


def test_a_trash_that_is_full_keeps_the_note_where_it_is(note: Path, tmp_path: Path) -> None:
    from tests.faults import file_size_limit

    note.write_bytes(bytes(100_000))
    with other_disk(note.parent) as far, file_size_limit(50_000):
        with pytest.raises(OSError, match="too large"):
            remove_file(raw(note), of(bytes(100_000)), raw(far / "x.md"))
        assert names(far) == []
    assert note.stat().st_size == 100_000


def test_a_file_that_was_made_read_only_is_not_replaced(note: Path) -> None:
    from tests.faults import open_to_all, ordinary_user

    with open_to_all() as folder:
        path = folder / "note.md"
        path.write_bytes(b"old")
        path.chmod(0o444)
        folder.chmod(0o777)
        with ordinary_user(), pytest.raises(PermissionError):
            replace_file(raw(path), b"new", of(b"old"))
        assert path.read_bytes() == b"old"
        assert names(folder) == ["note.md"]


def test_drafts_are_hidden_and_gone_in_the_end(note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    sync = os.fsync

    def looking(descriptor: int) -> None:
        seen.extend(names(note.parent))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", looking)
    replace_file(raw(note), b"new", of(b"old"))
    drafts = [name for name in seen if name != "note.md"]
    assert drafts
    assert all(name.startswith(".trilith-") and name.endswith(".tmp") for name in drafts)
    assert names(note.parent) == ["note.md"]
