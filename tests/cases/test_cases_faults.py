"""Cases from the field about disks that are full or read-only, and about indexes that somebody has damaged."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.doors.command_line import CommandLine
from tests.faults import file_size_limit, open_to_all, ordinary_user, read_only, small_disk

from trilith.app import App
from trilith.errors import Unavailable
from trilith.health.status import State
from trilith.model.change import Draft, Revision
from trilith.model.principal import Principal
from trilith.model.query import Mode, Query
from trilith.settings import load
from trilith.wiring import open_app

OWNER = Principal()
BELOW_ROOM = 900_000
"""Bytes: room for a note and for what is there, none for what the index may need."""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "vault" / "deep").mkdir(parents=True)
    for name in ("zebra", "deep/gnu"):
        (tmp_path / "vault" / f"{name}.md").write_text(f"a {name.split('/')[-1]} on the plain\n", encoding="utf-8")
    return tmp_path / "vault"


def texts(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def found(app: App, query: str, mode: Mode = Mode.FULLTEXT) -> set[str]:
    outcome = app.searcher.search(Query(text=query, filter=app.gate.filter(OWNER), mode=mode, limit=50))
    return {hit.entry.path for hit in outcome.hits}


@contextmanager
def opened(home: Path, root: Path, **settings: object) -> Iterator[App]:
    with open_app(load(home, **{"semantic": "off", **settings}), [root]) as app:
        yield app


def index(home: Path, root: Path, **settings: object) -> None:
    with opened(home, root, **settings) as app:
        app.indexer.complete(app.gate.libraries()[0])


def check_reading_goes_on(app: App, root: Path, reason: str) -> None:
    """Search and read answer, status tells why nothing new comes in, and no write touches the vault."""
    (library,), filter, before = app.gate.libraries(), app.gate.filter(OWNER), texts(root)
    assert found(app, "zebra") == {"zebra.md"}
    zebra = app.reader.find(filter, path="zebra.md")
    assert app.reader.read(zebra, filter).content == "a zebra on the plain\n"
    writes = [
        lambda: app.writer.create(library, filter, Draft(title="New", body="new\n", agent="ann")),
        lambda: app.writer.revise(library, filter, zebra, Revision(agent="ann", body="changed\n")),
        lambda: app.trash.delete(library, zebra, Revision(agent="ann")),
    ]
    for write in writes:
        with pytest.raises(Unavailable, match=reason) as refused:
            write()
        assert (refused.value.code, refused.value.message[:20]) == ("unavailable", "Nothing was changed.")
    assert texts(root) == before


def check_writing_works(app: App, root: Path) -> None:
    (library,), filter = app.gate.libraries(), app.gate.filter(OWNER)
    app.writer.create(library, filter, Draft(title="Later", body="an okapi\n", agent="ann"))
    assert found(app, "okapi") == {"later.md"}


@contextmanager
def full(home: Path) -> Iterator[None]:
    """No room in home: its disk is filled where it has one of its own, else no file may grow large."""
    filler = home / "filler"
    if home.is_mount():
        with filler.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                pass
        yield
        filler.unlink()
    else:
        with file_size_limit(BELOW_ROOM):
            yield


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A home on a disk of its own, where one can be had."""
    (tmp_path / "home").mkdir()
    with small_disk(tmp_path / "home", 8 * 1024):
        yield tmp_path / "home"


# --- C09: home full or read-only


def test_c09_home_fills_up_while_it_is_used(root: Path, home: Path) -> None:
    """Disk full: error code, vault untouched, search still works; all is well again once there is room."""
    index(home, root)
    with opened(home, root) as app:
        assert found(app, "zebra") == {"zebra.md"}
        with full(home):
            check_reading_goes_on(app, root, "Make room")
        check_writing_works(app, root)


def test_c09_home_is_full_at_the_start(root: Path, home: Path) -> None:
    """Disk full: what was indexed is served, and nothing is written."""
    index(home, root)
    with full(home), opened(home, root) as app:
        check_reading_goes_on(app, root, "Make room")
        with pytest.raises(Unavailable, match="Make room"):
            app.indexer.refresh(app.gate.libraries()[0])
    with opened(home, root) as app:
        check_writing_works(app, root)


def test_c09_home_is_read_only(root: Path) -> None:
    """Read-only data dir: error code, vault untouched, search still works."""
    with open_to_all() as place:
        vault, home = place / "vault", place / "home"
        shutil.copytree(root, vault)
        index(home, vault)
        for folder in (place, vault, home, *home.rglob("*")):
            folder.chmod(0o555 if folder.is_dir() and home in (folder, *folder.parents) else 0o755)
        with ordinary_user(), opened(home, vault) as app:
            check_reading_goes_on(app, vault, "Let the user who runs Trilith write")
        for folder in (home, *home.rglob("*")):
            folder.chmod(0o755)


def test_c09_the_disk_of_home_is_mounted_read_only(root: Path, tmp_path: Path) -> None:
    """Read-only data dir: also where not even a lock can be made; found by words and by meaning."""
    index(tmp_path / "home", root, semantic="on")
    with read_only(tmp_path / "home") as mounted, opened(tmp_path / "home", root, semantic="on") as app:
        assert found(app, "animals with stripes", Mode.SEMANTIC)
        if mounted:
            check_reading_goes_on(app, root, "Read-only file system")
            app.follower.problems["vault"] = "the index cannot follow"
            (library,) = app.reporter.status(app.gate.filter(OWNER)).libraries
            assert library.state is State.READY, "what was indexed is served"
            assert "Read-only file system" in str(library.problem)


def test_c09_a_full_home_without_an_index_says_so(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Disk full and nothing indexed: `unavailable`, what to do, and exit status 1; never an empty answer."""
    trilith = CommandLine(tmp_path / "home", monkeypatch, capsys)
    trilith("library", "add", root)
    shutil.rmtree(tmp_path / "home" / "index")
    with file_size_limit(BELOW_ROOM):
        for command in (("search", "zebra"), ("read", "zebra.md"), ("list",), ("index",)):
            done = trilith(*command, "--json")
            assert (done.status, done.json["code"]) == (1, "unavailable"), done
            assert "Make room" in done.json["message"]
    assert trilith("search", "zebra", "--mode", "fulltext").status == 0
