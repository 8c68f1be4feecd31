from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from trilith.vault.survey import identity_of, survey


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    return tmp_path / "vault"


def watched(root: Path, *excluded: Path) -> set[str]:
    ground = survey(str(root), identity_of(str(root)), frozenset(map(os.fsencode, excluded))).ground
    return {os.path.relpath(folder, root) for folder in ground.folders}


def test_every_folder_is_watched_that_a_walk_enters(root: Path) -> None:
    for folder in ("a/b", "empty", ".git/objects", "ignored/deep", "home/index", ".store/notes"):
        (root / folder).mkdir(parents=True)
    (root / ".trilithignore").write_text("ignored/\n", encoding="utf-8")
    (root / "shown").symlink_to(".store/notes")
    (root / "outside").symlink_to(root.parent)
    (root / "round").symlink_to(".")
    expected = {".", "a", "a/b", "empty", ".store/notes"} if sys.platform == "linux" else {"."}
    assert watched(root, root / "home") == expected


def test_the_folder_of_a_file_that_is_linked_to_is_watched(root: Path) -> None:
    (root / ".store").mkdir()
    (root / ".store" / "x.md").write_bytes(b"x")
    (root / "x.md").symlink_to(".store/x.md")
    assert watched(root) == ({".", ".store"} if sys.platform == "linux" else {"."})


def test_what_is_not_there_has_nothing_to_be_watched(root: Path) -> None:
    assert identity_of(str(root / "nowhere")) is None
    found = survey(str(root / "nowhere"), None, frozenset())
    assert (found.ground.folders, found.problem) == (frozenset(), None)


def test_a_folder_that_took_the_place_of_another_is_told_from_it(root: Path) -> None:
    before = identity_of(str(root))
    root.rename(root.with_name("former"))
    root.mkdir()
    assert identity_of(str(root)) != before


def test_a_file_is_no_vault(root: Path) -> None:
    (root / "x.md").write_bytes(b"x")
    found = survey(str(root / "x.md"), identity_of(str(root / "x.md")), frozenset())
    assert found.problem
    assert not found.ground.folders


def test_w12_a_disk_that_is_silent_is_not_listened_to(monkeypatch: pytest.MonkeyPatch, root: Path) -> None:
    """No events: polling."""
    monkeypatch.setattr("trilith.vault.survey.silent_kind", lambda folder: "nfs4")
    found = survey(str(root), identity_of(str(root)), frozenset())
    assert not found.ground.folders
    assert "nfs4" in str(found.problem)
