from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
from tests.unit.index.lexical.notes import LIBRARY, fed, note

from trilith.index.lexical.damage import is_damaged
from trilith.index.lexical.index import LexicalIndex
from trilith.index.lexical.schema import FORMAT


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    fed(LexicalIndex(tmp_path, lambda filter: np.array([], np.int64)), [note(num, "word") for num in range(20)])
    return tmp_path / LIBRARY / f"v{FORMAT}"


def changed(folder: Path, *, seconds_after_commit: int) -> None:
    """Changes a byte of a segment, and its time."""
    file = next(folder.glob("*.idx"))
    content = bytearray(file.read_bytes())
    content[len(content) // 3] ^= 1
    file.write_bytes(content)
    moment = (folder / "meta.json").stat().st_mtime_ns + seconds_after_commit * 10**9
    os.utime(file, ns=(moment, moment))


def test_a_fresh_index_is_whole(folder: Path) -> None:
    assert not is_damaged(folder)
    assert not is_damaged(folder, thorough=True)


def test_a_copied_index_is_whole_though_newer(folder: Path) -> None:
    for file in folder.iterdir():
        os.utime(file)
    assert not is_damaged(folder)


def test_a_byte_changed_since_the_commit_is_seen(folder: Path) -> None:
    changed(folder, seconds_after_commit=60)
    assert is_damaged(folder)


def test_a_byte_that_rotted_is_seen_by_a_thorough_look(folder: Path) -> None:
    changed(folder, seconds_after_commit=-60)
    assert not is_damaged(folder)
    assert is_damaged(folder, thorough=True)
