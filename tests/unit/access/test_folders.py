"""What an owner protects or hides cannot be written, at either end of a move."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from trilith.access.folders import Guarded, above, check_writable, folder
from trilith.errors import PathForbidden, ReadOnly, Refused
from trilith.model.principal import Library
from trilith.vault.folder import FolderVault

LIBRARY = Library(name="notes", root="/v", hidden=("Private", "a/b"), protected=("Archive", "a"))


@pytest.mark.parametrize(
    ("path", "error"),
    [
        ("private/x.md", PathForbidden),
        ("PRIVATE/deep/er/x.md", PathForbidden),
        ("archive/x.md", ReadOnly),
        ("a/x.md", ReadOnly),
        ("a/b/x.md", PathForbidden),
        ("A/B/x.md", PathForbidden),
    ],
)
def test_hidden_wins_over_protected_and_case_does_not_matter(path: str, error: type[Exception]) -> None:
    with pytest.raises(error, match="'notes'"):
        check_writable(LIBRARY, path)


@pytest.mark.parametrize("path", ["x.md", "privateer/x.md", "sub/private/x.md", "private.md", "ab/x.md"])
def test_whole_segments_from_the_root_count(path: str) -> None:
    check_writable(LIBRARY, path)


def test_unicode_forms_are_one_folder() -> None:
    assert above("u\u0308ber/x.md", ["über"]) == "über"


def test_rules_name_folders_within_the_vault() -> None:
    assert folder("a/b/") == "a/b"
    for wrong in ("..", "/etc", "a/../..", "", "."):
        with pytest.raises(Refused):
            folder(wrong)


def test_every_change_is_checked_before_the_vault_is_touched(tmp_path: Path) -> None:
    (tmp_path / "archive").mkdir()
    (tmp_path / "archive" / "old.md").write_text("old")
    (tmp_path / "new.md").write_text("new")
    vault = Guarded(FolderVault(str(tmp_path)), LIBRARY)
    old, new = vault.read("archive/old.md").checksum, vault.read("new.md").checksum
    changes: list[Callable[[], object]] = [
        lambda: vault.create("archive/x.md", b""),
        lambda: vault.spelled("archive/x.md"),
        lambda: vault.replace("archive/old.md", b"", old),
        lambda: vault.move("archive/old.md", "x.md", old),
        lambda: vault.move("new.md", "archive/x.md", new),
        lambda: vault.remove("archive/old.md", old, str(tmp_path / "trash")),
        lambda: vault.restore(str(tmp_path / "new.md"), "archive/x.md"),
    ]
    for change in changes:
        with pytest.raises(ReadOnly):
            change()
    assert {path.name: path.read_text() for path in tmp_path.rglob("*.md")} == {"old.md": "old", "new.md": "new"}
