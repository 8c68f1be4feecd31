"""Cases from the field about views that drift: whatever happened, each equals one that is built from scratch."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.fakes import HashEmbedder

from rebuilt import differences
from trilith import wiring
from trilith.app import App
from trilith.errors import InvalidInput, NotFound, Refused, Unavailable
from trilith.model.change import Draft, Edit, EditKind, Revision
from trilith.model.note import Entry
from trilith.model.principal import Principal
from trilith.model.query import Mode, Query
from trilith.settings import load
from trilith.wiring import open_app

OWNER = Principal()
ANN = Revision(agent="ann")
WORDS = ("zebra", "okapi", "gnu", "plain", "[[gnu]]", "#beasts")
NAMES = ("gnu", "okapi", "deep/zebra", "deep/er/gnu", "Größe")


@pytest.fixture
def embedder(monkeypatch: pytest.MonkeyPatch) -> HashEmbedder:
    made = HashEmbedder()
    monkeypatch.setattr(wiring, "embedder_of", lambda settings: made)
    return made


@dataclass
class Scene:
    """A vault and its home, and an app on them that may be closed and opened again."""

    folder: Path

    @property
    def vault(self) -> Path:
        return self.folder / "vault"

    @contextmanager
    def opened(self) -> Iterator[App]:
        with open_app(load(self.folder / "home", watch="off"), [self.vault]) as app:
            app.indexer.complete(app.gate.libraries()[0])
            yield app

    def put(self, name: str, text: str) -> None:
        path = self.vault / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def entries(self, app: App) -> list[Entry]:
        (library,) = app.gate.libraries()
        known = app.catalog.known_files(library.name)
        found = app.catalog.entries([file.num for file in known.values()])
        return sorted(found.values(), key=lambda entry: entry.path)

    def differences(self) -> list[str]:
        with self.opened() as app:
            return differences(app, load(self.folder / "home"), self.vault, WORDS[:3])


@pytest.fixture
def scene(tmp_path: Path, embedder: HashEmbedder) -> Scene:
    made = Scene(tmp_path)
    for name in NAMES:
        made.put(name, f"a {name.split('/')[-1]} on the plain, see [[gnu]]\n")
    return made


def found(app: App, word: str, mode: Mode = Mode.FULLTEXT) -> set[str]:
    query = Query(text=word, filter=app.gate.filter(OWNER), mode=mode, limit=50)
    return {hit.entry.path for hit in app.searcher.search(query).hits}


def save_beside(path: Path, text: str) -> None:
    """As editors do: a new file that takes the old one's place."""
    draft = path.with_name(f".{path.name}.tmp")
    draft.write_text(text, encoding="utf-8")
    draft.replace(path)


def test_w10_a_note_was_created_once_however_often_it_is_replaced(scene: Scene) -> None:
    """A file that Trilith or an editor replaces is a new file to the disk: the note's time of creation stays, through
    writes, saves, moves, the trash, restarts and a rebuild of the index. A date in the file holds before all."""
    for number, name in enumerate(NAMES):
        os.utime(scene.vault / f"{name}.md", (1_000_000_000 + number,) * 2)

    def created(app: App, path: str) -> float:
        return next(entry.created_at.timestamp() for entry in scene.entries(app) if entry.path == path)

    def entry_of(app: App, path: str) -> Entry:
        return next(entry for entry in scene.entries(app) if entry.path == path)

    with scene.opened() as app:
        (library,), filter = app.gate.libraries(), app.gate.filter(OWNER)
        app.writer.edit(library, entry_of(app, "gnu.md"), Edit(kind=EditKind.APPEND, content="more\n"), ANN)
        assert created(app, "gnu.md") == 1_000_000_000
        save_beside(scene.vault / "okapi.md", "another text\n")
        assert app.indexer.follow(library, ["okapi.md"]) is not None
        assert created(app, "okapi.md") == 1_000_000_001
        app.mover.move(library, filter, entry_of(app, "gnu.md"), "moved.md", ANN)
        trashed = app.trash.delete(library, entry_of(app, "okapi.md"), ANN)
        app.trash.restore(library, filter, trashed)
        assert (created(app, "moved.md"), created(app, "okapi.md")) == (1_000_000_000, 1_000_000_001)
    save_beside(scene.vault / "deep" / "zebra.md", "while nobody looked\n")
    shutil.rmtree(scene.folder / "home" / "index")
    save_beside(scene.vault / "Größe.md", "---\ncreated: 2020-01-01\n---\nit says so itself\n")
    with scene.opened() as app:
        assert [created(app, path) for path in ("moved.md", "okapi.md", "deep/zebra.md")] == [
            1_000_000_000,
            1_000_000_001,
            1_000_000_002,
        ]
        assert entry_of(app, "Größe.md").created_at.year == 2020
    assert scene.differences() == []


# --- every history

WRITES = ("create", "append", "retitle", "delete", "restore", "move")
LOSSES = {"lose full text": "fulltext", "lose vectors": "vectors", "lose catalog": "catalog.db*"}
DISK = ("edit", "new", "rename", "remove", "copy")
Step = tuple[str, int, tuple[str, ...]]
STEP = st.tuples(
    st.sampled_from((*WRITES, *DISK, *LOSSES, "refresh")),
    st.integers(0, 9),
    st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(tuple),
)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(history=st.lists(st.lists(STEP, max_size=6), min_size=1, max_size=3))
def test_w18_after_any_history_each_view_equals_one_built_from_scratch(history: list[list[Step]]) -> None:
    """Chunk drift: file list, full text, vectors and graph agree after writes, edits on disk, renames, deletions,
    restores, restarts and lost indexes."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(wiring, "embedder_of", lambda settings: HashEmbedder())
        scene = Scene(Path(folder))
        for name in NAMES[:3]:
            scene.put(name, f"a {name} on the plain, see [[gnu]]\n")
        for session in history:
            with scene.opened() as app:
                for step in session:
                    take(scene, app, step)
        assert scene.differences() == []


def take(scene: Scene, app: App, step: Step) -> None:
    """One step; what it names by number may not be there, and what is refused does nothing."""
    kind, number, words = step
    entries, files = scene.entries(app), sorted(scene.vault.rglob("*.md"))
    if kind in WRITES:
        with suppress(Refused, NotFound, Unavailable, InvalidInput):
            write(app, kind, entries[number % len(entries)] if entries else None, words)
    elif kind in LOSSES:
        for lost in (scene.folder / "home" / "index").glob(LOSSES[kind]):
            shutil.rmtree(lost) if lost.is_dir() else lost.unlink()
    elif kind == "new":
        scene.put(NAMES[number % len(NAMES)], f"new {' '.join(words)}\n")
    elif kind == "refresh":
        app.indexer.complete(app.gate.libraries()[0])
    elif files:
        happen(scene, kind, files[number % len(files)], number, words)


def happen(scene: Scene, kind: str, file: Path, number: int, words: tuple[str, ...]) -> None:
    """What another program does to a file; the last one stays, for an emptied vault is not believed."""
    if kind == "edit":
        file.write_text(f"edited {' '.join(words)}\n", encoding="utf-8")
    elif kind == "rename":
        target = scene.vault / "moved" / f"{number}.md"
        target.parent.mkdir(exist_ok=True)
        file.rename(target)
    elif kind == "copy":
        (scene.vault / f"copy {number}.md").write_bytes(file.read_bytes())  # maybe onto itself
    elif len(list(scene.vault.rglob("*.md"))) > 1:
        file.unlink()


def write(app: App, kind: str, entry: Entry | None, words: tuple[str, ...]) -> None:
    (library,), filter = app.gate.libraries(), app.gate.filter(OWNER)
    if kind == "create":
        app.writer.create(library, filter, Draft(title=words[0].strip("[]#"), body=" ".join(words), agent="ann"))
    elif kind == "restore":
        for trashed in app.trash.kept(filter)[:1]:
            app.trash.restore(library, filter, trashed)
    elif entry is None:
        return
    elif kind == "append":
        app.writer.edit(library, entry, Edit(kind=EditKind.APPEND, content=" ".join(words)), ANN)
    elif kind == "retitle":
        app.writer.revise(library, filter, entry, Revision(agent="ann", fields={"title": words[-1]}))
    elif kind == "delete":
        app.trash.delete(library, entry, ANN)
    else:
        app.mover.move(library, filter, entry, "elsewhere/", ANN)


# --- W03, W09, W10, W14: what is read again, and what is not


def test_w03_what_happened_while_nothing_ran_is_caught_up_with(scene: Scene) -> None:
    """Start-up reconcile catches edits (even with equal mtime and size), moves, deletes."""
    with scene.opened() as app:
        ids = {entry.path: entry.id for entry in scene.entries(app)}
    before = (scene.vault / "gnu.md").stat()
    (scene.vault / "gnu.md").write_text("b gnu on the plain, see [[gnu]]\n", encoding="utf-8")
    os.utime(scene.vault / "gnu.md", ns=(before.st_atime_ns, before.st_mtime_ns))
    (scene.vault / "okapi.md").rename(scene.vault / "deep" / "moved.md")
    (scene.vault / "deep" / "zebra.md").unlink()
    with scene.opened() as app:
        after = {entry.path: entry.id for entry in scene.entries(app)}
        assert found(app, "b") == {"gnu.md"}
        assert after["deep/moved.md"] == ids["okapi.md"]
        assert "deep/zebra.md" not in after
    assert scene.differences() == []


def test_w09_nothing_is_embedded_twice(scene: Scene, embedder: HashEmbedder) -> None:
    """Start twice; touch mtimes; toggle one word in a note of many chunks: 0, 0 and 1 to 3 texts embedded."""
    scene.put("long", "\n\n".join(f"paragraph {number} " + "word " * 90 for number in range(50)))
    with scene.opened():
        pass
    assert sum(map(len, embedder.calls)) > 50
    embedder.calls.clear()
    with scene.opened():
        pass
    for path in scene.vault.rglob("*.md"):
        os.utime(path, (time.time() + 5, time.time() + 5))
    with scene.opened():
        pass
    assert embedder.calls == []
    scene.put("long", (scene.vault / "long.md").read_text(encoding="utf-8").replace("paragraph 25 ", "paragraph xxv "))
    with scene.opened():
        pass
    assert 1 <= sum(map(len, embedder.calls)) <= 3


def test_w10_our_own_write_is_no_news_and_an_edit_right_after_is(scene: Scene) -> None:
    """Own writes are not re-processed as foreign, yet a real edit right after is not swallowed."""
    with scene.opened() as app:
        (library,) = app.gate.libraries()
        made = app.writer.create(library, app.gate.filter(OWNER), Draft(title="Mine", body="mine\n", agent="ann")).entry
        report = app.indexer.refresh(library)
        assert (report.put, report.restamped) == (0, 0)
        path = scene.vault / made.path
        path.write_text(path.read_text(encoding="utf-8").replace("mine\n", "ours\n"), encoding="utf-8")
        report = app.indexer.follow(library, {made.path})
        assert report is not None
        assert report.put == 1
        assert found(app, "ours") == {made.path}
        assert app.reader.find(app.gate.filter(OWNER), note_id=made.id).metadata.version == 2


def test_w14_edits_on_disk_get_vectors_as_writes_do(scene: Scene) -> None:
    """Same pipeline for writes and edits on disk."""
    with scene.opened() as app:
        (library,) = app.gate.libraries()
        scene.put("gnu", "a quagga of the savannah\n")
        app.writer.create(library, app.gate.filter(OWNER), Draft(title="New", body="a dodo of the isle\n", agent="ann"))
        app.indexer.complete(library)
        for word, path in (("quagga savannah", "gnu.md"), ("dodo isle", "new.md")):
            query = Query(text=word, filter=app.gate.filter(OWNER), mode=Mode.SEMANTIC, limit=1)
            assert [hit.entry.path for hit in app.searcher.search(query).hits] == [path]


def test_w04_a_deleted_note_is_nowhere_and_comes_back_when_it_is_made_again(scene: Scene) -> None:
    """Deleted: gone from full text, vectors, graph, tags, lists; re-created with identical content it is found again."""
    scene.put("quagga", "a quagga #extinct, see [[gnu]]\n")
    text = (scene.vault / "quagga.md").read_text(encoding="utf-8")
    with scene.opened() as app:
        (library,), filter = app.gate.libraries(), app.gate.filter(OWNER)
        for remove in (
            (scene.vault / "quagga.md").unlink,
            lambda: app.trash.delete(library, app.reader.find(filter, path="quagga.md"), ANN),
        ):
            gone = app.reader.find(filter, path="quagga.md")
            remove()
            app.indexer.complete(library)
            assert "quagga.md" not in found(app, "quagga") | found(app, "quagga extinct", Mode.SEMANTIC)
            assert "extinct" not in app.catalog.tag_counts(filter)
            gnu = app.reader.find(filter, path="gnu.md")
            assert gone.id not in {each.id for each in app.reader.read(gnu, filter).incoming}
            scene.put("quagga", text)
            app.indexer.complete(library)
            assert "quagga.md" in found(app, "quagga")
            assert "quagga.md" in found(app, "quagga extinct", Mode.SEMANTIC)
    assert scene.differences() == []


# --- clocks that jump


def test_w03_files_from_the_future_and_clocks_that_go_back_lose_nothing(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An mtime in the future, and a clock before the last scan: edits are found, also over an index made anew."""
    with scene.opened():
        pass
    now = time.time_ns
    year = 365 * 86_400 * 10**9
    for jump in (10 * year, -5 * year, 0):
        monkeypatch.setattr(time, "time_ns", lambda jump=jump: now() + jump)
        word = f"jumped{jump % 97}"
        scene.put("gnu", f"{word}\n")
        os.utime(scene.vault / "gnu.md", ns=(now() - jump, now() + jump // 2))
        with scene.opened() as app:
            assert found(app, word) == {"gnu.md"}
        for lost in (scene.folder / "home" / "index").glob("catalog.db*"):
            lost.unlink()
        with scene.opened() as app:
            assert found(app, word) == {"gnu.md"}
        assert scene.differences() == []
