from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from tests.faults import file_size_limit, open_to_all, ordinary_user

from trilith.errors import StartFailure
from trilith.home.layout import Home, default_home


def test_home_is_made_for_its_owner_alone(tmp_path: Path) -> None:
    home = Home(tmp_path / "deep" / "home")
    assert home.locks.is_dir()
    assert home.catalog.parent.is_dir()
    assert os.name == "nt" or stat.S_IMODE(home.root.stat().st_mode) == 0o700


def test_everything_lies_inside_and_apart(tmp_path: Path) -> None:
    home = Home(tmp_path)
    places = [home.ledger, home.catalog, home.fulltext, home.vectors, home.locks]
    assert all(place.is_relative_to(tmp_path) for place in places)
    assert len(set(places)) == len(places)
    assert not home.ledger.is_relative_to(home.index), "what cannot be derived is apart from what can"


def test_a_home_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    Home(tmp_path).ledger.write_bytes(b"kept")
    assert Home(tmp_path).ledger.read_bytes() == b"kept"


def test_a_home_that_cannot_be_made_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "home"):
        with pytest.raises(StartFailure, match="--home or TRILITH_HOME"):
            Home(path)


def test_a_home_without_the_right_to_write_says_what_to_do() -> None:
    with open_to_all() as folder:
        home = Home(folder)
        home.ledger.touch()
        assert home.fault() is None
        for place in (home.locks, folder):
            place.chmod(0o555)
        with ordinary_user():
            assert "Let the user who runs Trilith write there" in str(Home(folder).fault())
        folder.chmod(0o755)


def test_a_home_without_room_says_what_to_do(tmp_path: Path) -> None:
    home = Home(tmp_path)
    with file_size_limit(100_000):
        assert "Make room" in str(home.fault())
    assert home.fault() is None
    assert list(home.locks.iterdir()) == []


def test_the_default_home_is_the_users_own() -> None:
    assert default_home().name == "trilith"
    assert default_home().is_absolute()


def test_a_folder_of_locks_that_was_cleared_is_made_again(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.locks.rmdir()
    assert home.fault() is None
    assert home.locks.is_dir()
