"""The suite of `WritableVault`."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from tests.fakes import ListedVault

from trilith.errors import NotFound, PathForbidden, SlugCollision, Unavailable, VersionConflict
from trilith.ports.vault import WritableVault
from trilith.vault.folder import FolderVault

Make = Callable[[Mapping[str, bytes]], WritableVault]

FILES = {
    "z.md": b"# Z\n",
    "Finance/Budget.md": b"\xef\xbb\xbf---\r\ntitle: B\r\n---\r\n",
    "cafe\u0301/menu.md": b"tea",
    "a/pic.png": b"\x89PNG",
}
OTHER = hashlib.sha256(b"something else").hexdigest()


@pytest.fixture(params=["folder", "listed"])
def make(request: pytest.FixtureRequest, tmp_path: Path) -> Make:
    def folder(files: Mapping[str, bytes]) -> WritableVault:
        (tmp_path / "vault").mkdir()
        for path, data in files.items():
            (tmp_path / "vault" / path).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "vault" / path).write_bytes(data)
        return FolderVault(str(tmp_path / "vault"))

    return folder if request.param == "folder" else lambda files: ListedVault(dict(files))


@pytest.fixture
def trash(tmp_path: Path) -> str:
    return str(tmp_path / "home" / "trash" / "key.md")


def checksum(vault: WritableVault, path: str) -> str:
    return vault.read(path).checksum


def contents(vault: WritableVault) -> dict[str, bytes]:
    walk = vault.walk()
    return {path: vault.read(path).data for path in (*(note.path for note in walk.notes), *walk.attachments)}


def leave(vault: WritableVault) -> None:
    if isinstance(vault, ListedVault):
        vault.away = True
    else:
        shutil.rmtree(vault.root)


def test_a_created_file_is_there_as_it_is_answered(make: Make) -> None:
    vault = make({})
    for path in ("new.md", "deep/er/知识.md", "deep/пёс.md"):
        raw = vault.create(path, b"one\r\ntwo\xff")
        assert raw.data == b"one\r\ntwo\xff"
        assert raw == vault.read(path)
    assert {note.path: note.stamp for note in vault.walk().notes}["new.md"] == vault.read("new.md").stamp
    assert vault.create("empty.md", b"").data == b""


@pytest.mark.parametrize(
    ("path", "existing"),
    [
        ("z.md", "z.md"),
        ("Z.MD", "z.md"),
        ("Finance", "Finance"),
        ("finance/new.md", "Finance"),
        ("Finance/BUDGET.md", "Finance/Budget.md"),
        ("caf\u00e9/new.md", "cafe\u0301"),
        ("caf\u00e9/menu.md", "cafe\u0301"),
        ("z.md/below.md", "z.md"),
        ("a/PIC.png", "a/pic.png"),
    ],
)
def test_what_is_there_is_never_written_over_nor_given_a_twin(make: Make, path: str, existing: str) -> None:
    vault = make(FILES)
    with pytest.raises(SlugCollision) as refusal:
        vault.create(path, b"new")
    assert refusal.value.details["existing"]["path"] == existing
    assert contents(vault) == FILES


@pytest.mark.parametrize(
    "path", ["../z.md", "a/../../z.md", "/etc/x.md", "\\\\host\\share", "..\\z.md", ".hidden/x.md", ".x.md", "x.md.tmp"]
)
def test_paths_that_leave_or_would_not_be_seen_are_refused(make: Make, path: str) -> None:
    vault = make(FILES)
    with pytest.raises(PathForbidden):
        vault.create(path, b"new")
    with pytest.raises(PathForbidden):
        vault.move("z.md", path, checksum(vault, "z.md"))
    assert contents(vault) == FILES


def test_folders_are_spelled_as_they_are_there(make: Make) -> None:
    vault = make({**FILES, "Finance/Ünits/x.md": b"x", "twin/x.md": b"x", "TWIN/x.md": b"x"})
    for path, spelled in {
        "new.md": "new.md",
        "Z.md": "Z.md",
        "Finance/new.md": "Finance/new.md",
        "finance/u\u0308NITS/new.md": "Finance/Ünits/new.md",
        "FINANCE/other/New.md": "Finance/other/New.md",
        "caf\u00e9/new.md": "cafe\u0301/new.md",
        "twin/new.md": "twin/new.md",
        "not/there/new.md": "not/there/new.md",
    }.items():
        assert vault.spelled(path) == spelled
        if path != "Z.md":
            assert vault.create(spelled, b"new").data == b"new"
    with pytest.raises(PathForbidden):
        vault.spelled("../new.md")


def test_a_replaced_file_holds_the_new_bytes(make: Make) -> None:
    vault = make(FILES)
    before = vault.read("Finance/Budget.md")
    raw = vault.replace("Finance/Budget.md", b"new", before.checksum)
    assert raw.data == b"new"
    assert raw == vault.read("Finance/Budget.md")
    assert raw.stamp != before.stamp
    assert contents(vault) == {**FILES, "Finance/Budget.md": b"new"}


def test_what_was_changed_meanwhile_is_neither_replaced_nor_moved_nor_removed(make: Make, trash: str) -> None:
    vault = make(FILES)
    for change in (
        lambda: vault.replace("z.md", b"new", OTHER),
        lambda: vault.move("z.md", "y.md", OTHER),
        lambda: vault.move("z.md", "new/y.md", OTHER),
        lambda: vault.remove("z.md", OTHER, trash),
    ):
        with pytest.raises(VersionConflict):
            change()
    assert contents(vault) == FILES
    with pytest.raises(NotFound):
        vault.restore(trash, "back.md")


def test_what_is_not_there_cannot_be_changed(make: Make, trash: str) -> None:
    vault = make(FILES)
    for path in ("missing.md", "a/missing.md", "caf\u00e9/menu.md", "z.md/x.md"):
        for change in (
            lambda path=path: vault.replace(path, b"new", OTHER),
            lambda path=path: vault.move(path, "y.md", OTHER),
            lambda path=path: vault.remove(path, OTHER, trash),
        ):
            with pytest.raises(NotFound):
                change()
    assert contents(vault) == FILES


def test_a_moved_file_is_in_its_new_place_alone(make: Make) -> None:
    vault = make(FILES)
    raw = vault.move("Finance/Budget.md", "archive/2026/budget.md", checksum(vault, "Finance/Budget.md"))
    assert raw == vault.read("archive/2026/budget.md")
    rest = {path: data for path, data in FILES.items() if path != "Finance/Budget.md"}
    assert contents(vault) == {**rest, "archive/2026/budget.md": FILES["Finance/Budget.md"]}


def test_a_move_never_writes_over_anything(make: Make) -> None:
    vault = make(FILES)
    for to in ("z.md", "Z.md", "finance/x.md", "Finance"):
        with pytest.raises(SlugCollision):
            vault.move("cafe\u0301/menu.md", to, checksum(vault, "cafe\u0301/menu.md"))
    assert contents(vault) == FILES


def test_a_name_may_change_in_case_or_form_alone(make: Make) -> None:
    vault = make({"note.md": b"n", "cafe\u0301.md": b"c"})
    vault.move("note.md", "NOTE.md", checksum(vault, "note.md"))
    vault.move("cafe\u0301.md", "caf\u00e9.md", checksum(vault, "cafe\u0301.md"))
    vault.move("NOTE.md", "NOTE.md", checksum(vault, "NOTE.md"))
    assert contents(vault) == {"NOTE.md": b"n", "caf\u00e9.md": b"c"}


def test_a_removed_file_can_be_restored_once(make: Make, trash: str) -> None:
    vault = make(FILES)
    vault.remove("z.md", checksum(vault, "z.md"), trash)
    with pytest.raises(NotFound):
        vault.read("z.md")
    raw = vault.restore(trash, "elsewhere/z.md")
    assert raw == vault.read("elsewhere/z.md")
    assert raw.data == FILES["z.md"]
    with pytest.raises(NotFound, match="trash"):
        vault.restore(trash, "again.md")


def test_a_restored_file_takes_nobodys_place(make: Make, trash: str) -> None:
    vault = make(FILES)
    vault.remove("z.md", checksum(vault, "z.md"), trash)
    vault.create("Z.md", b"somebody else's")
    with pytest.raises(SlugCollision):
        vault.restore(trash, "z.md")
    with pytest.raises(PathForbidden):
        vault.restore(trash, "../z.md")
    assert vault.restore(trash, "z2.md").data == FILES["z.md"]
    assert vault.read("Z.md").data == b"somebody else's"


def test_a_vault_that_is_away_is_not_made_anew(make: Make, trash: str) -> None:
    vault = make(FILES)
    known = checksum(vault, "z.md")
    leave(vault)
    for change in (
        lambda: vault.create("new/x.md", b"x"),
        lambda: vault.replace("z.md", b"x", known),
        lambda: vault.move("z.md", "y.md", known),
        lambda: vault.remove("z.md", known, trash),
    ):
        with pytest.raises(Unavailable, match="not there"):
            change()
    assert isinstance(vault, ListedVault) or not Path(vault.root).exists()
