from __future__ import annotations

import os
from pathlib import Path

import pytest

from trilith.errors import PathForbidden, SlugCollision
from trilith.vault.placing import Place, check_new, made, place_new, spelled


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "vault" / "a").mkdir(parents=True)
    return tmp_path / "vault"


def placed(root: Path, path: str, *excluded: Path) -> Place:
    return place_new(os.fsencode(root), path, frozenset(map(os.fsencode, excluded)))


def test_missing_folders_are_told_apart_from_those_that_are_there(root: Path) -> None:
    assert placed(root, "a/b/c/x.md") == Place(os.fsencode(root / "a"), (b"b", b"c"), b"x.md")
    assert placed(root, "x.md") == Place(os.fsencode(root), (), b"x.md")
    assert list((root / "a").iterdir()) == []


@pytest.mark.parametrize(
    "path", ["~$x.md", "a/.git/x.md", "x.sync-conflict-20260101.md", "#x.md#", "a~/x.md", "\ud800.md"]
)
def test_names_that_no_walk_would_show_are_refused(path: str) -> None:
    with pytest.raises(PathForbidden) as refusal:
        check_new(path)
    assert refusal.value.details["field"] == "path"


def test_a_link_on_the_way_is_followed_inside_and_refused_outside(root: Path) -> None:
    (root / "in").symlink_to("a")
    (root / "out").symlink_to(root.parent)
    (root / "dangling").symlink_to("nowhere")
    assert placed(root, "in/x.md").folder == os.fsencode(root / "a")
    with pytest.raises(PathForbidden):
        placed(root, "out/x.md")
    with pytest.raises(SlugCollision):
        placed(root, "dangling/x.md")
    with pytest.raises(SlugCollision):
        placed(root, "dangling")


def test_triliths_own_folder_takes_no_notes(root: Path) -> None:
    (root / "home" / "index").mkdir(parents=True)
    with pytest.raises(PathForbidden):
        placed(root, "home/index/x.md", root / "home")


def test_a_file_whose_name_is_no_text_is_in_nobodys_way(root: Path) -> None:
    (Path(os.fsdecode(os.fsencode(root) + b"/\xff.md"))).write_bytes(b"")
    assert placed(root, "x.md").name == b"x.md"


def test_folders_are_made_and_stay_when_all_goes_well(root: Path) -> None:
    with made(placed(root, "b/c/x.md")) as path:
        Path(os.fsdecode(path)).write_bytes(b"x")
    assert (root / "b" / "c" / "x.md").read_bytes() == b"x"


def test_folders_that_were_made_in_vain_are_removed(root: Path) -> None:
    with pytest.raises(KeyError), made(placed(root, "a/b/c/x.md")):
        raise KeyError
    assert list((root / "a").iterdir()) == []


def test_folders_that_somebody_has_used_meanwhile_stay(root: Path) -> None:
    def write(path: bytes) -> None:
        (root / "a" / "b" / "theirs.md").write_bytes(b"theirs")
        raise KeyError

    with pytest.raises(KeyError), made(placed(root, "a/b/c/x.md")) as path:
        write(path)
    assert sorted(path.name for path in (root / "a" / "b").iterdir()) == ["theirs.md"]


def test_folders_that_cannot_be_made_leave_nothing_behind(root: Path) -> None:
    with pytest.raises(OSError, match="name too long"), made(placed(root, f"b/{'x' * 300}/x.md")):
        pass
    assert sorted(path.name for path in root.iterdir()) == ["a"]


def test_spelling_stops_where_nothing_is_there(root: Path) -> None:
    (root / "File").write_bytes(b"")
    assert spelled(os.fsencode(root), "A/b/x.md") == "a/b/x.md"
    assert spelled(os.fsencode(root), "file/b/x.md") == "File/b/x.md"
    assert spelled(os.fsencode(root), "x.md") == "x.md"


IGNORES = {".trilithignore": "closed/\nsecret*.md\n", "a/.trilithignore": "!secret-no.md\nlater/\n"}


@pytest.mark.parametrize(
    "path",
    ["closed/x.md", "closed/deep/x.md", "a/closed/x.md", "secret.md", "new/secret.md", "a/later/x.md", "a/secret.md"],
)
def test_what_is_left_out_of_the_vault_takes_no_notes(root: Path, path: str) -> None:
    for name, rules in IGNORES.items():
        (root / name).write_text(rules, encoding="utf-8")
    (root / "secret.md").write_text("is there", encoding="utf-8")
    with pytest.raises(PathForbidden, match=r"left out by \.trilithignore") as refusal:
        placed(root, path)
    assert refusal.value.details["field"] == "path"


def test_rules_hold_where_they_stand_and_deeper_ones_first(root: Path) -> None:
    for name, rules in IGNORES.items():
        (root / name).write_text(rules, encoding="utf-8")
    assert placed(root, "a/secret-no.md").name == b"secret-no.md"
    assert placed(root, "later/x.md").name == b"x.md"
    assert placed(root, "closed.md").name == b"closed.md"


def test_rules_outside_the_vault_close_the_folder(root: Path) -> None:
    (root.parent / "rules").write_text("x.md\n", encoding="utf-8")
    (root / "a" / ".trilithignore").symlink_to(root.parent / "rules")
    with pytest.raises(PermissionError):
        placed(root, "a/x.md")
