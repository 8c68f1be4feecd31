from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest
from tests.faults import open_to_all, ordinary_user, other_disk

from trilith.vault.renaming import CannotHere, Rename, by_kernel, by_link, by_look, rename_new

WAYS = [rename_new, by_kernel, by_link, by_look]


@pytest.fixture(params=WAYS, ids=lambda way: way.__name__)
def rename(request: pytest.FixtureRequest) -> Rename:
    way: Rename = request.param
    return way


def test_a_file_gets_its_new_name(tmp_path: Path, rename: Rename) -> None:
    (tmp_path / "a").write_bytes(b"a")
    inode = (tmp_path / "a").stat().st_ino
    rename(os.fsencode(tmp_path / "a"), os.fsencode(tmp_path / "知 b"))
    assert [path.name for path in tmp_path.iterdir()] == ["知 b"]
    assert (tmp_path / "知 b").read_bytes() == b"a"
    assert (tmp_path / "知 b").stat().st_ino == inode


@pytest.mark.parametrize("kind", ["file", "folder", "dangling link"])
def test_nothing_is_written_over(tmp_path: Path, rename: Rename, kind: str) -> None:
    (tmp_path / "a").write_bytes(b"a")
    target = tmp_path / "b"
    if kind == "file":
        target.write_bytes(b"b")
    elif kind == "folder":
        target.mkdir()
    else:
        target.symlink_to("nowhere")
    before = target.lstat().st_ino
    with pytest.raises(FileExistsError):
        rename(os.fsencode(tmp_path / "a"), os.fsencode(target))
    assert target.lstat().st_ino == before
    assert (tmp_path / "a").read_bytes() == b"a"


def test_what_is_missing_is_told(tmp_path: Path, rename: Rename) -> None:
    with pytest.raises(FileNotFoundError):
        rename(os.fsencode(tmp_path / "a"), os.fsencode(tmp_path / "b"))
    (tmp_path / "a").write_bytes(b"a")
    with pytest.raises(FileNotFoundError):
        rename(os.fsencode(tmp_path / "a"), os.fsencode(tmp_path / "no" / "b"))


def test_another_disk_is_told(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"a")
    with other_disk(tmp_path) as far:
        with pytest.raises(OSError, match="ross-device") as error:
            rename_new(os.fsencode(tmp_path / "a"), os.fsencode(far / "a"))
        assert error.value.errno == errno.EXDEV
        assert list(far.iterdir()) == []


def test_a_way_that_is_not_known_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a network disk without hard links, below a C library without the call."""

    def without_links(*args: object, **kwargs: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("trilith.vault.renaming._exclusive_rename", lambda: None)
    monkeypatch.setattr(os, "link", without_links)
    (tmp_path / "a").write_bytes(b"a")
    (tmp_path / "b").write_bytes(b"b")
    for way in (by_kernel, by_link):
        with pytest.raises(CannotHere):
            way(os.fsencode(tmp_path / "a"), os.fsencode(tmp_path / "c"))
    with pytest.raises(FileExistsError):
        rename_new(os.fsencode(tmp_path / "a"), os.fsencode(tmp_path / "b"))
    rename_new(os.fsencode(tmp_path / "a"), os.fsencode(tmp_path / "c"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b", "c"]


def test_a_name_that_cannot_be_taken_away_is_not_given_twice() -> None:
    with open_to_all() as folder:
        (folder / "from").mkdir()
        (folder / "to").mkdir(mode=0o777)
        (folder / "to").chmod(0o777)
        (folder / "from" / "a").write_bytes(b"a")
        (folder / "from" / "a").chmod(0o666)  # kernels may refuse links to what one cannot write
        (folder / "from").chmod(0o555)
        for way in WAYS:
            with ordinary_user(), pytest.raises((PermissionError, CannotHere)):
                way(os.fsencode(folder / "from" / "a"), os.fsencode(folder / "to" / "a"))
            assert list((folder / "to").iterdir()) == []
        assert (folder / "from" / "a").read_bytes() == b"a"
        (folder / "from").chmod(0o755)


def test_linux_does_it_in_one_step() -> None:
    from trilith.vault.renaming import _exclusive_rename

    assert sys.platform != "linux" or _exclusive_rename() is not None
