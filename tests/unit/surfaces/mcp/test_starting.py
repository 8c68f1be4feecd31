"""What is looked at before anything is served."""

from __future__ import annotations

from pathlib import Path

import pytest

from trilith.errors import InvalidInput
from trilith.surfaces.mcp.starting import check_folders


def test_folders_pass(tmp_path: Path) -> None:
    check_folders([tmp_path])
    check_folders([])


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "note.md").write_text("hi")
    with pytest.raises(InvalidInput, match=r"note\.md' is a file"):
        check_folders([tmp_path, tmp_path / "note.md"])


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"nowhere' does not exist"):
        check_folders([tmp_path / "nowhere"])
