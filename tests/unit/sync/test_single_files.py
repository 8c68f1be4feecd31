"""Single files are looked at without a walk, where that is enough."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from trilith.app import App
from trilith.model.change import Revision
from trilith.model.principal import Principal
from trilith.model.query import Mode, Query
from trilith.settings import load
from trilith.wiring import open_app

OWNER = Principal()
ID = "0f5d3c1e-6f0b-4b2e-9a0e-2f6f4f6a7b10"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    (root / "sub").mkdir(parents=True)
    for name in ("a.md", "sub/b.md"):
        (root / name).write_text(f"first {name}\n", encoding="utf-8")
    return root


@contextmanager
def opened(root: Path) -> Iterator[App]:
    with open_app(load(root.parent / "home", semantic="off"), [root]) as app:
        app.indexer.refresh(app.gate.libraries()[0])
        yield app


def found(app: App, word: str) -> list[str]:
    query = Query(text=word, filter=app.gate.filter(OWNER), mode=Mode.FULLTEXT)
    return [hit.entry.path for hit in app.searcher.search(query).hits]


def test_an_edit_is_found_and_counts_as_a_version(root: Path) -> None:
    with opened(root) as app:
        (library,) = app.gate.libraries()
        (root / "a.md").write_text("second zebra\n", encoding="utf-8")
        report = app.indexer.follow(library, {"a.md"})
        assert report is not None
        assert (report.mine, report.put) == (True, 1)
        assert found(app, "zebra") == ["a.md"]
        entry = app.reader.find(app.gate.filter(OWNER), path="a.md")
        assert entry.metadata.version == 2
        again = app.indexer.follow(library, {"a.md", "sub/b.md"})
        assert again is not None
        assert again.put == 0


@pytest.mark.parametrize("case", ["new", "gone", "renamed", "link", "folder", "other id", "hidden", "attachment"])
def test_whatever_one_file_does_not_tell_takes_a_walk(root: Path, case: str) -> None:
    with opened(root) as app:
        (library,) = app.gate.libraries()
        paths = {"a.md"}
        if case == "new":
            (root / "new.md").write_text("new\n", encoding="utf-8")
            paths = {"new.md"}
        elif case == "gone":
            (root / "a.md").unlink()
        elif case == "renamed":
            (root / "a.md").rename(root / "z.md")
            paths = {"a.md", "z.md"}
        elif case == "link":
            (root / "a.md").unlink()
            (root / "a.md").symlink_to(root / "sub" / "b.md")
        elif case == "folder":
            (root / "sub").rename(root / "moved")
            (root / "sub").symlink_to(root / "moved")
            paths = {"sub/b.md"}
        elif case == "other id":
            (root / "a.md").write_text(f"---\nid: {ID}\n---\nother\n", encoding="utf-8")
        elif case == "hidden":
            paths = {".obsidian/x.md"}
        else:
            paths = {"picture.png"}
        assert app.indexer.follow(library, paths) is None


def test_our_own_deletion_is_no_news(root: Path) -> None:

    with opened(root) as app:
        (library,) = app.gate.libraries()
        app.trash.delete(library, app.reader.find(app.gate.filter(OWNER), path="a.md"), Revision(agent="ann"))
        report = app.indexer.follow(library, {"a.md"})
        assert report is not None
        assert report.put == 0
