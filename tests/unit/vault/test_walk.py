from __future__ import annotations

import errno
import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from trilith.errors import NotFound, PathForbidden, Unavailable
from trilith.ports.vault import Walk
from trilith.vault import walk as walk_module
from trilith.vault.folder import FolderVault
from trilith.vault.walk import (
    BAD_NAME,
    BAD_PATH,
    IGNORED,
    LEADS_NOWHERE,
    LEADS_OUT,
    OWN_FOLDER,
    SEEN_ALREADY,
    SPECIAL,
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    return tmp_path / "vault"


def put(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path, "utf-8")


def look(root: Path, *excluded: Path) -> Walk:
    return FolderVault(str(root), frozenset(map(str, excluded))).walk()


def notes(walk: Walk) -> list[str]:
    return [note.path for note in walk.notes]


def skipped(walk: Walk) -> dict[str, str]:
    assert len({file.path for file in walk.skipped}) == len(walk.skipped)
    return {file.path: file.reason for file in walk.skipped}


def test_links_inside_are_followed_once(root: Path) -> None:
    put(root, "real/a.md", ".hidden/b.md", ".hidden/c/d.md", ".hidden/e.png")
    (root / "again.md").symlink_to("real/a.md")
    (root / "folder again").symlink_to("real")
    (root / "shown.md").symlink_to(".hidden/b.md")
    (root / "shown").symlink_to(root / ".hidden" / "c")
    (root / "all").symlink_to(".hidden")
    walk = look(root)
    assert notes(walk) == ["all/b.md", "all/c/d.md", "real/a.md"]
    assert walk.attachments == {"all/e.png"}
    assert skipped(walk) == {
        ".hidden": "hidden",
        "again.md": SEEN_ALREADY,
        "folder again": SEEN_ALREADY,
        "shown": SEEN_ALREADY,
        "shown.md": SEEN_ALREADY,
    }
    assert FolderVault(str(root)).read("all/c/d.md").data == b".hidden/c/d.md"


def test_what_a_link_showed_first_does_not_come_again_in_its_folder(root: Path) -> None:
    put(root, ".hidden/b.md", ".hidden/c/d.md")
    (root / "1.md").symlink_to(".hidden/b.md")
    (root / "2").symlink_to(".hidden/c")
    (root / "3").symlink_to(".hidden")
    walk = look(root)
    assert notes(walk) == ["1.md", "2/d.md"]
    assert skipped(walk) == {".hidden": "hidden", "3/b.md": SEEN_ALREADY, "3/c": SEEN_ALREADY}


def test_links_that_lead_out_or_nowhere_are_named(root: Path, tmp_path: Path) -> None:
    put(tmp_path, "outside/x.md", "vault twin/x.md")
    put(root, "a.md")
    (root / "out.md").symlink_to(tmp_path / "outside" / "x.md")
    (root / "out").symlink_to(tmp_path / "outside")
    (root / "twin").symlink_to(tmp_path / "vault twin")
    (root / "system").symlink_to("/etc")
    (root / "gone.md").symlink_to("missing.md")
    (root / "self.md").symlink_to("self.md")
    (root / "one").symlink_to("two")
    (root / "two").symlink_to("one")
    walk = look(root)
    assert notes(walk) == ["a.md"]
    out, nowhere = ("out", "out.md", "system", "twin"), ("gone.md", "one", "self.md", "two")
    assert skipped(walk) == dict.fromkeys(out, LEADS_OUT) | dict.fromkeys(nowhere, LEADS_NOWHERE)
    vault = FolderVault(str(root))
    for path in ("out.md", "out/x.md", "twin/x.md", "system/passwd"):
        with pytest.raises(PathForbidden, match="link"):
            vault.read(path)
    for path in ("gone.md", "self.md", "one/x.md"):
        with pytest.raises(NotFound):
            vault.read(path)


def test_a_vault_that_is_itself_a_link_is_walked(root: Path, tmp_path: Path) -> None:
    put(root, "a.md")
    (tmp_path / "by link").symlink_to(root)
    vault = FolderVault(str(tmp_path / "by link"))
    assert notes(vault.walk()) == ["a.md"]
    assert vault.read("a.md").data == b"a.md"
    assert vault.root == str(tmp_path / "by link")


def test_hard_links_are_two_notes(root: Path) -> None:
    put(root, "a.md")
    (root / "b.md").hardlink_to(root / "a.md")
    assert notes(look(root)) == ["a.md", "b.md"]


def test_what_is_not_a_regular_file_is_passed_over(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, "folder.md/inside.md")
    os.mkfifo(root / "pipe.md")
    os.mkfifo(root / "pipe")
    monkeypatch.chdir(root)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("socket.md")
        walk = look(root)
    assert notes(walk) == ["folder.md/inside.md"]
    assert skipped(walk) == {"pipe.md": SPECIAL, "socket.md": SPECIAL}
    with pytest.raises(NotFound):
        FolderVault(str(root)).read("pipe.md")


def test_the_home_inside_the_vault_is_left_out_however_it_is_reached(root: Path, tmp_path: Path) -> None:
    home = root / "data" / "home"
    put(root, "a.md", "data/b.md", "data/home/trash/c.md")
    (root / "to home").symlink_to("data/home")
    (root / "to trash").symlink_to("data/home/trash")
    (tmp_path / "home by link").symlink_to(home)
    for excluded in (home, tmp_path / "home by link"):
        walk = look(root, excluded)
        assert notes(walk) == ["a.md", "data/b.md"]
        assert skipped(walk) == dict.fromkeys(("data/home", "to home", "to trash"), OWN_FOLDER)
    with pytest.raises(NotFound):
        FolderVault(str(root), frozenset({str(home)})).read("data/home/trash/c.md")


def test_a_home_around_the_vault_or_elsewhere_leaves_it_as_it_is(root: Path, tmp_path: Path) -> None:
    put(root, "a.md")
    assert notes(look(root, root, tmp_path, tmp_path / "missing")) == ["a.md"]
    assert FolderVault(str(root), frozenset({str(tmp_path)})).read("a.md").data == b"a.md"


def test_ignore_files_hold_in_their_folder_and_below(root: Path) -> None:
    put(root, "a.md", "b.md", "private/x.md", "work/c.md", "work/d.md", "work/old/e.md", "private/pic.png")
    (root / ".trilithignore").write_text("private/\n/b.md\n!\n*.tmp.md\n", "utf-8")
    (root / "work" / ".trilithignore").write_text("d.md\nold/\n", "utf-8")
    walk = look(root)
    assert notes(walk) == ["a.md", "work/c.md"]
    assert skipped(walk) == {
        ".trilithignore": "line 3 is not a rule: !",
        "b.md": IGNORED,
        "private": IGNORED,
        "work/d.md": IGNORED,
        "work/old": IGNORED,
    }
    assert walk.attachments == frozenset()


def test_ignored_links_are_not_followed(root: Path) -> None:
    put(root, ".store/x.md", ".store/y/z.md")
    (root / "x.md").symlink_to(".store/x.md")
    (root / "y").symlink_to(".store/y")
    (root / ".trilithignore").write_text("x.md\ny/\n", "utf-8")
    assert notes(look(root)) == []
    assert skipped(look(root)) == {".store": "hidden", "x.md": IGNORED, "y": IGNORED}


def test_rules_from_outside_the_vault_are_not_read_and_nothing_is_shown_instead(root: Path, tmp_path: Path) -> None:
    put(tmp_path, "rules")
    put(root, "a.md", "sub/b.md")
    (root / "sub" / ".trilithignore").symlink_to(tmp_path / "rules")
    walk = look(root)
    assert notes(walk) == ["a.md"]
    assert skipped(walk) == {"sub": f"cannot be read: .trilithignore: {LEADS_OUT}"}
    (root / ".trilithignore").symlink_to(tmp_path / "rules")
    with pytest.raises(Unavailable, match="trilithignore"):
        look(root)


def test_rules_may_be_linked_within_the_vault(root: Path) -> None:
    put(root, "a.md", "b.md")
    (root / ".rules").write_text("b.md", "utf-8")
    (root / ".trilithignore").symlink_to(".rules")
    assert notes(look(root)) == ["a.md"]


def test_names_that_cannot_be_told_or_asked_for_are_reported(root: Path) -> None:
    put(root, "fine.md", "100%.md", "a: b.md", "x\ufffd.md")
    Path(os.fsdecode(os.fsencode(root) + b"/bad\xff.md")).write_text("x", "utf-8")
    for name in ("a\\b.md", "%2e%2e", "c: x.md"):
        (root / name).write_text("x", "utf-8")
    put(root, "%2e%2e.d/x%2f..%2fy/x.md", "deep/c: y.md")
    walk = look(root)
    assert notes(walk) == ["100%.md", "deep/c: y.md", "fine.md", "x\ufffd.md"]
    reported = skipped(walk)
    assert reported.pop("bad\ufffd.md") == BAD_NAME
    assert reported == dict.fromkeys(("%2e%2e.d/x%2f..%2fy", "a\\b.md", "c: x.md", "a: b.md"), BAD_PATH)
    for path in notes(walk):
        FolderVault(str(root)).read(path)


def failing(call: Callable[..., Any], at: str, error: OSError) -> Callable[..., Any]:
    def wrapped(path: Any, *arguments: Any, **options: Any) -> Any:
        if os.fsdecode(path).endswith(at):
            raise error
        return call(path, *arguments, **options)

    return wrapped


@pytest.mark.parametrize("code", [errno.EACCES, errno.EIO, errno.ESTALE])
def test_an_unreadable_folder_is_named_and_the_rest_is_served(
    root: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    put(root, "a.md", "locked/b.md", "z/c.md")
    monkeypatch.setattr(walk_module.os, "scandir", failing(os.scandir, "locked", OSError(code, os.strerror(code))))
    walk = look(root)
    assert notes(walk) == ["a.md", "z/c.md"]
    assert skipped(walk) == {"locked": f"cannot be read: {os.strerror(code)}"}


def test_running_out_of_files_is_not_taken_for_missing_notes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, "a.md", "sub/b.md")
    error = OSError(errno.EMFILE, "Too many open files")
    monkeypatch.setattr(walk_module.os, "scandir", failing(os.scandir, "sub", error))
    with pytest.raises(Unavailable, match="Too many open files"):
        look(root)


def test_an_unreadable_note_is_named(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, "a.md", "locked.md")
    (root / "locked.md").chmod(0)
    monkeypatch.setattr(walk_module.os, "access", lambda *_: False)
    walk = look(root)
    assert notes(walk) == ["a.md"]
    assert skipped(walk) == {"locked.md": "cannot be read: permission denied"}


def test_what_vanishes_during_the_walk_is_not_there(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, "a.md", "gone/b.md", "file/c.md")
    error = FileNotFoundError(errno.ENOENT, "gone")
    monkeypatch.setattr(walk_module.os, "scandir", failing(os.scandir, "gone", error))
    walk = look(root)
    assert (notes(walk), walk.skipped) == (["a.md", "file/c.md"], ())


def test_a_vault_that_is_replaced_during_the_walk_is_not_believed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, "a.md", "sub/b.md")
    scandir = os.scandir

    def swap(path: bytes) -> Iterator[os.DirEntry[bytes]]:
        if os.fsdecode(path).endswith("sub"):
            root.rename(root.with_name("unmounted"))
            root.mkdir()
        return scandir(path)

    monkeypatch.setattr(walk_module.os, "scandir", swap)
    with pytest.raises(Unavailable, match="replaced"):
        look(root)


def test_a_root_that_is_no_folder_or_cannot_be_listed_says_what_to_do(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "file.md")
    with pytest.raises(Unavailable, match=r"not a folder\. Name the folder"):
        look(tmp_path / "file.md")
    with pytest.raises(Unavailable, match=r"not there\. Connect the disk"):
        look(tmp_path / "missing")
    with pytest.raises(Unavailable, match="not there"):
        look(tmp_path / "file.md" / "below")
    error = PermissionError(errno.EACCES, "Permission denied")
    monkeypatch.setattr(walk_module.os, "scandir", failing(os.scandir, "vault", error))
    with pytest.raises(Unavailable, match=r"Permission denied\. Let the user"):
        look(root)


def test_a_file_that_cannot_be_read_is_not_taken_for_missing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(root, "a.md")
    error = PermissionError(errno.EACCES, "Permission denied")
    monkeypatch.setattr("trilith.vault.reading.os.open", failing(os.open, "a.md", error))
    with pytest.raises(Unavailable, match=r"'a\.md' cannot be read: Permission denied"):
        FolderVault(str(root)).read("a.md")


def test_what_a_walk_hides_cannot_be_read_either(root: Path) -> None:
    put(root, ".git/config", ".secret.md", "a/.b/c.md")
    for path in (".git/config", ".secret.md", "a/.b/c.md", "./.git/config"):
        with pytest.raises(NotFound):
            FolderVault(str(root)).read(path)
