"""The suite of `Vault`."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from tests.fakes import ListedVault

from trilith.errors import NotFound, PathForbidden, Unavailable
from trilith.ports.vault import Vault
from trilith.vault.folder import FolderVault

Make = Callable[[Mapping[str, bytes]], Vault]

FILES = {
    "z.md": b"# Z\n",
    "a/Bee.MD": b"\xef\xbb\xbf---\r\ntitle: Bee\r\n---\r\n",
    "a/deep/知识.markdown": "整理\n".encode(),
    "a/pic.png": b"\x89PNG",
    "empty.md": b"",
    "bad bytes.md": b"# hi\n\xff\xfe tail",
}


@pytest.fixture(params=["folder", "listed"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    def folder(files: Mapping[str, bytes]) -> Vault:
        for path, data in files.items():
            (tmp_path / "vault" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "vault" / path).write_bytes(data)
        return FolderVault(str(tmp_path / "vault"))

    return folder if request.param == "folder" else lambda files: ListedVault(dict(files))


def leave(vault: Vault) -> None:
    if isinstance(vault, ListedVault):
        vault.away = True
    else:
        shutil.rmtree(vault.root)


def test_notes_come_sorted_and_apart_from_other_files(make: Make) -> None:
    walk = make(FILES).walk()
    assert [note.path for note in walk.notes] == [
        "a/Bee.MD",
        "a/deep/知识.markdown",
        "bad bytes.md",
        "empty.md",
        "z.md",
    ]
    assert walk.attachments == {"a/pic.png"}
    assert walk.skipped == ()


def test_two_looks_at_the_same_vault_are_equal(make: Make) -> None:
    vault = make(FILES)
    assert vault.walk() == vault.walk()


@pytest.mark.parametrize("path", FILES)
def test_a_file_is_read_byte_for_byte_with_its_checksum(make: Make, path: str) -> None:
    raw = make(FILES).read(path)
    assert raw.data == FILES[path]
    assert raw.checksum == hashlib.sha256(FILES[path]).hexdigest()
    assert not raw.truncated
    assert raw.created_ns > 0


def test_the_stamp_of_a_walk_is_that_of_reading(make: Make) -> None:
    vault = make(FILES)
    for note in vault.walk().notes:
        assert vault.read(note.path).stamp == note.stamp
        assert note.stamp.size == len(FILES[note.path])


def test_both_separators_are_taken(make: Make) -> None:
    assert make(FILES).read("a\\deep/知识.markdown").data == FILES["a/deep/知识.markdown"]


def test_what_is_not_there_is_not_found(make: Make) -> None:
    vault = make(FILES)
    for path in ("missing.md", "a/missing.md", "z.md/further.md", "a", "n\u0301.md", "half \ud800.md"):
        with pytest.raises(NotFound):
            vault.read(path)


@pytest.mark.parametrize("path", ["../z.md", "a/../../z.md", "/etc/passwd", "\\\\host\\share", "..\\z.md"])
def test_paths_that_leave_are_refused(make: Make, path: str) -> None:
    with pytest.raises(PathForbidden):
        make(FILES).read(path)


def test_a_vault_that_is_away_is_unavailable_and_refuses_bad_paths_all_the_same(make: Make) -> None:
    vault = make(FILES)
    leave(vault)
    with pytest.raises(Unavailable, match="not there"):
        vault.walk()
    with pytest.raises(Unavailable, match="not there"):
        vault.read("z.md")
    with pytest.raises(PathForbidden):
        vault.read("../z.md")


def test_an_empty_vault_has_nothing_in_it(make: Make, tmp_path: Path) -> None:
    (tmp_path / "vault").mkdir()
    walk = make({}).walk()
    assert (walk.notes, walk.attachments, walk.skipped) == ((), frozenset(), ())


def test_a_look_shows_single_notes_as_a_walk_does(make: Make) -> None:
    vault = make({"a.md": b"a", "b/c.md": b"c", "d.png": b"d"})
    seen = {note.path: note for note in vault.walk().notes}
    assert vault.look(["a.md", "b/c.md", "gone.md"]) == (seen["a.md"], seen["b/c.md"])
    assert vault.look([]) == ()
    assert vault.look(["a.md", "d.png"]) is None, "only a walk tells of attachments"
