from __future__ import annotations

import hashlib
import os
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from trilith.vault.reading import created_ns, read_file, whole_characters


def status(**fields: object) -> os.stat_result:
    return cast("os.stat_result", SimpleNamespace(**fields))


def test_a_long_file_is_kept_by_its_head_and_known_by_all_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "long.md"
    path.write_bytes(b"0123456789" * 1_000)
    raw = read_file(os.fsencode(path), limit=55)
    assert raw.data == (b"0123456789" * 6)[:55]
    assert raw.truncated
    assert raw.stamp.size == 10_000
    assert raw.checksum == hashlib.sha256(b"0123456789" * 1_000).hexdigest()


def test_a_file_of_just_the_limit_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "x.md"
    path.write_bytes(b"x" * 55)
    raw = read_file(os.fsencode(path), limit=55)
    assert (len(raw.data), raw.truncated) == (55, False)


def test_the_head_ends_with_a_whole_character(tmp_path: Path) -> None:
    text = "aé知🚀".encode()
    wholes = {0: b"", 1: b"a", 3: "aé".encode(), 6: "aé知".encode(), 10: text}
    for length in range(len(text) + 1):
        expected = wholes[max(whole for whole in wholes if whole <= length)]
        assert whole_characters(text[:length]) == expected
    path = tmp_path / "x.md"
    path.write_bytes(text * 3)
    assert read_file(os.fsencode(path), limit=5).data == "aé".encode()


def test_bytes_that_are_no_text_are_left_as_they_are() -> None:
    for data in (b"\xff\xfe", b"\x80\x80\x80\x80\x80", b"\x80", b""):
        assert whole_characters(data) in (data, data[:-1])
    assert whole_characters(b"\x80" * 5) == b"\x80" * 5


def test_birth_is_the_platforms_or_the_earliest_time_known() -> None:
    assert created_ns(status(st_mtime_ns=5, st_ctime_ns=9)) == 5
    assert created_ns(status(st_mtime_ns=9, st_ctime_ns=5)) == 5
    assert created_ns(status(st_mtime_ns=9, st_ctime_ns=5, st_birthtime=3.0)) == 3_000_000_000
    assert created_ns(status(st_mtime_ns=9, st_ctime_ns=5, st_birthtime=3.0, st_birthtime_ns=3_000_000_007)) == (
        3_000_000_007
    )


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    with pytest.raises(OSError, match="Not a regular file"):
        read_file(os.fsencode(tmp_path / "pipe.md"))


def test_a_link_that_appears_after_the_path_was_resolved_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s", "utf-8")
    (tmp_path / "x.md").symlink_to(tmp_path / "secret")
    with pytest.raises(OSError, match="symbolic"):
        read_file(os.fsencode(tmp_path / "x.md"))
