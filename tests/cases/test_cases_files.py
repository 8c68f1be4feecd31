"""Cases from the field about the files themselves: how they are named, written, removed and watched."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import random
import signal
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest
from tests.faults import file_size_limit, open_to_all, ordinary_user, other_disk, read_only, small_disk

from trilith.app import App
from trilith.errors import NotFound, PathForbidden, ReadOnly, SlugCollision, Unavailable
from trilith.health.status import LibraryStatus
from trilith.home.locks import FileLocks
from trilith.model.principal import Principal
from trilith.model.query import Mode, Query
from trilith.notes.filenames import file_name
from trilith.ports.vault import WatchMode
from trilith.settings import load
from trilith.vault.folder import FolderVault
from trilith.vault.leftovers import OLD_SECONDS, clear_leftovers
from trilith.vault.watch import FolderWatcher
from trilith.wiring import open_app

PATIENCE = 60.0
OWNER = Principal()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    return tmp_path / "vault"


def put(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path, "utf-8")


def state(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    """Everything about a tree that writing to it would change, folders included."""
    return {
        str(path.relative_to(folder)): (
            path.read_bytes() if path.is_file() else b"",
            path.lstat().st_mode,
            path.lstat().st_mtime_ns,
        )
        for path in folder.rglob("*")
    }


def of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def until(condition: Callable[[], bool], told: Callable[[], object] = str) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, told()
        time.sleep(0.01)


# --- names: P20, E11, L14


def test_p20_titles_of_all_scripts_give_names_of_their_own(root: Path) -> None:
    """Create `知识库`, `Иван`, `Ольга`, `ทดสอบ`, `🚀`, `???`: six different files, nothing overwritten."""
    vault = FolderVault(str(root))
    titles = ["知识库", "Иван", "Ольга", "ทดสอบ", "🚀", "???"]
    for title in titles:
        vault.create(file_name(title), title.encode())
    notes = [note.path for note in vault.walk().notes]
    assert len(notes) == 6
    assert {"知识库.md", "иван.md", "ольга.md", "ทดสอบ.md"} <= set(notes)
    assert sorted(vault.read(path).data.decode() for path in notes) == sorted(titles)
    for title in titles:
        with pytest.raises(SlugCollision):
            vault.create(file_name(title), b"again")


@pytest.mark.parametrize(
    "title",
    ["a/b", "..", "CON", "x.", "a:b?", "x" * 300, "知" * 300, ".leading", "   ", "a\0b", "bell\a", "a\\b", "a|b<c>"],
)
def test_e11_odd_titles_give_honest_names(root: Path, title: str) -> None:
    """Null byte, control characters, odd names: sanitised; `/` never creates folders; the path is there as answered."""
    vault = FolderVault(str(root))
    name = file_name(title)
    vault.create(name, title.encode("utf-8", "surrogatepass"))
    assert [path.name for path in root.iterdir()] == [name]
    assert [note.path for note in vault.walk().notes] == [name]
    assert len(name.encode()) <= 120
    assert not set(name) & set('/\\:?*"<>|\0\a')


@pytest.mark.parametrize(
    "path", ["a\0b.md", "x" * 300 + ".md", ".hidden.md", "a/.hidden/x.md", "~$x.md", "x.md.tmp", "..", ""]
)
def test_e11_odd_paths_are_refused(root: Path, path: str) -> None:
    """Null byte, too long, odd names: refused, nothing created."""
    with pytest.raises(PathForbidden):
        FolderVault(str(root)).create(path, b"x")
    assert state(root) == {}


@pytest.mark.parametrize(
    ("there", "twin"),
    [("cafe\u0301.md", "caf\u00e9.md"), ("\u1112\u1161\u11ab.md", "\ud55c.md"), ("d/u\u0308.md", "d/\u00fc.md")],
)
def test_l14_the_twin_in_another_unicode_form_is_refused_as_existing(root: Path, there: str, twin: str) -> None:
    """File name in NFD, also Hangul jamo: the on-disk name is not changed; creating the NFC twin is refused as existing."""
    put(root, there)
    before = state(root)
    vault = FolderVault(str(root))
    with pytest.raises(SlugCollision) as refusal:
        vault.create(twin, b"twin")
    assert refusal.value.details["existing"]["path"] == there
    put(root, "other.md")
    with pytest.raises(SlugCollision):
        vault.move("other.md", twin, of(b"other.md"))
    (root / "other.md").unlink()
    assert {name: found[:2] for name, found in state(root).items()} == {
        name: found[:2] for name, found in before.items()
    }


# --- places: X01, I04


@pytest.mark.parametrize(
    "path",
    [
        "../x.md",
        "a/../../x.md",
        "..\\x.md",
        "%2e%2e/x.md",
        "..%2fx.md",
        "..%5cx.md",
        "%252e%252e%252fx.md",
        "C:\\x.md",
        "c:x.md",
        "\\\\server\\share\\x.md",
        "//server/share/x.md",
        "/x.md",
        "~/x.md",
        "x.md\0.md",
        ".. /x.md",
        "up/x.md",
        "up/new/x.md",
    ],
)
def test_x01_nothing_is_written_outside_the_vault(root: Path, tmp_path: Path, path: str) -> None:
    """`..`, absolute, encoded, Windows and UNC paths, links: `path_forbidden`, nothing read or created."""
    put(root, "a/in.md")
    (root / "up").symlink_to("..")
    (root / "out.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "secret.md").write_text("secret")
    before, vault = state(tmp_path), FolderVault(str(root))
    trash = str(tmp_path / "trash" / "x.md")
    for change in (
        lambda: vault.create(path, b"x"),
        lambda: vault.replace(path, b"x", of(b"secret")),
        lambda: vault.move("a/in.md", path, of(b"a/in.md")),
        lambda: vault.move(path, "new.md", of(b"secret")),
        lambda: vault.remove(path, of(b"secret"), trash),
        lambda: vault.restore(str(tmp_path / "secret.md"), path),
        lambda: vault.spelled(path) if not path.startswith("up/") else vault.create(path, b"x"),
        lambda: vault.replace("out.md", b"x", of(b"secret")),
        lambda: vault.remove("out.md", of(b"secret"), trash),
    ):
        with pytest.raises(PathForbidden) as refusal:
            change()
        assert refusal.value.code == "path_forbidden"
    assert state(tmp_path) == before


def test_i04_both_separators_are_taken_for_writing(root: Path) -> None:
    """`/` in all stored paths and answers, both accepted as input."""
    vault = FolderVault(str(root))
    vault.create("a\\b\\c.md", b"c")
    vault.move("a\\b\\c.md", "a\\d.md", of(b"c"))
    vault.replace("a\\d.md", b"d", of(b"c"))
    assert [note.path for note in vault.walk().notes] == ["a/d.md"]


# --- crashes: C05, C07


HOLDER = """
import sys
from pathlib import Path
from trilith.health.status import LibraryStatus
from trilith.home.locks import FileLocks
with FileLocks(Path(sys.argv[1])).editing("notes", 10) as mine:
    print(mine, flush=True)
    sys.stdin.read()
"""


def test_c05_a_killed_editor_holds_nothing(tmp_path: Path) -> None:
    """Stale lock after kill -9: OS-held; works again with no manual delete."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "True\n"
    locks = FileLocks(tmp_path)
    with locks.editing("notes", 0.05) as mine, locks.editing("others", 0) as elsewhere:
        assert not mine
        assert elsewhere
    process.kill()
    with locks.editing("notes", 10) as mine:
        assert mine
    process.communicate()


def write_for_ever(root: Path, size: int, told: int) -> None:
    """Each change of a vault in turn; its number goes to the pipe `told` once all four are done."""
    vault = FolderVault(str(root))
    number = 0
    while True:
        number += 1
        data = b"%d\n" % number * size
        vault.replace("note.md", data, vault.read("note.md").checksum)
        vault.create(f"new/{number}.md", data)
        vault.move(f"new/{number}.md", f"moved/{number}.md", of(data))
        if number % 3 == 0:
            vault.remove(f"moved/{number}.md", of(data), f"{root}-trash/{number}-{os.getpid()}.md")
        os.write(told, b"%d\n" % number)


def kill_a_writer(root: Path, size: int, seconds: float) -> list[int]:
    """Another process writes for so long and is killed; the numbers of what it said to have done."""
    reading, writing = os.pipe()
    writer = os.fork()
    if not writer:
        try:
            write_for_ever(root, size, writing)
        finally:
            os._exit(1)
    os.close(writing)
    time.sleep(seconds)
    os.kill(writer, signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(writer, 0)[1]) == -signal.SIGKILL
    with os.fdopen(reading, "rb") as said:
        return [int(line) for line in said]


def test_c07_a_kill_at_any_moment_leaves_the_old_or_the_new_never_half(root: Path) -> None:
    """Crash in mid-write: whole files only, an acknowledged write is there, leftovers are ignored and cleaned."""
    size, rounds = 20_000, 50
    chance = random.Random(7)
    (root / "note.md").write_bytes(b"0\n" * size)
    for _ in range(rounds):
        for folder in ("new", "moved"):
            for path in (root / folder).glob("*"):
                path.unlink()
        told = kill_a_writer(root, size, chance.uniform(0, 0.05))
        vault, last = FolderVault(str(root)), max(told, default=0)
        notes = {note.path: vault.read(note.path).data for note in vault.walk().notes}
        for path, data in notes.items():
            number, _, _ = data.partition(b"\n")
            assert data == (number + b"\n") * size, f"{path} is half"
        held = int(notes["note.md"].partition(b"\n")[0])
        assert held >= last
        names = [path.rsplit("/", 1)[-1] for path in notes]
        assert len(names) == len(set(names)), f"a file has two names: {names}"
        kept = {number for number in told if number % 3}
        assert {f"moved/{number}.md" for number in kept} <= notes.keys()
        age(root)
        clear_leftovers(str(root))
        assert list(root.rglob(".trilith-*")) == []


def age(root: Path) -> None:
    """Make all drafts as old as those of a kill an hour ago."""
    for path in root.rglob(".trilith-*.tmp"):
        os.utime(path, (time.time() - 2 * OLD_SECONDS,) * 2)


def test_c07_mode_and_links_survive_an_edit(root: Path) -> None:
    """Mode preserved, symlinked note not replaced by a plain file."""
    put(root, "real/x.md", ".store/y.md")
    (root / "real" / "x.md").chmod(0o640)
    (root / "link.md").symlink_to("real/x.md")
    (root / "y.md").symlink_to(root / ".store" / "y.md")
    vault = FolderVault(str(root))
    vault.replace("link.md", b"new x", of(b"real/x.md"))
    vault.replace("y.md", b"new y", of(b".store/y.md"))
    assert (root / "link.md").is_symlink()
    assert (root / "y.md").is_symlink()
    assert (root / "real" / "x.md").read_bytes() == b"new x"
    assert (root / ".store" / "y.md").read_bytes() == b"new y"
    assert stat.S_IMODE((root / "real" / "x.md").stat().st_mode) == 0o640
    assert not list(root.rglob(".trilith-*"))


def test_c07_leftovers_are_cleaned_when_a_server_starts(root: Path, tmp_path: Path) -> None:
    """Leftover temp files ignored and cleaned."""
    put(root, "x.md", "a/y.md", "a/.trilith-0123456789abcdef.tmp")
    age(root)
    with followed(tmp_path, root) as app:
        until(lambda: not list(root.rglob(".trilith-*")))
        assert set(app.catalog.known_files("vault")) == {"x.md", "a/y.md"}


def test_c07_files_of_one_vault_are_not_left_in_two_places(root: Path) -> None:
    """Delete with the trash on another disk: copied, synced, then unlinked."""
    put(root, "x.md")
    vault = FolderVault(str(root))
    with other_disk(root) as far:
        vault.remove("x.md", of(b"x.md"), str(far / "trash" / "key.md"))
        with pytest.raises(NotFound):
            vault.read("x.md")
        assert (far / "trash" / "key.md").read_bytes() == b"x.md"
        assert vault.restore(str(far / "trash" / "key.md"), "x.md").data == b"x.md"
        assert list((far / "trash").iterdir()) == []


# --- faults of the disk: C09


def changes(vault: FolderVault, size: int, trash: str) -> list[Callable[[], object]]:
    large = b"x" * size
    return [
        lambda: vault.create("new.md", large),
        lambda: vault.create("deep/er/new.md", large),
        lambda: vault.replace("note.md", large, of(b"note.md")),
        lambda: vault.move("note.md", "deep/er/note.md", of(b"note.md")),
        lambda: vault.remove("note.md", of(b"note.md"), trash),
    ]


def test_c09_a_full_disk_changes_nothing(root: Path, tmp_path: Path) -> None:
    """Disk full: error code, vault untouched, search still works."""
    with ExitStack() as stack:
        if not stack.enter_context(small_disk(root, 64)):
            stack.enter_context(file_size_limit(64_000))
        put(root, "note.md")
        vault, before = FolderVault(str(root)), state(root)
        for change in changes(vault, 100_000, str(tmp_path / "trash" / "x.md"))[:3]:
            with pytest.raises(Unavailable) as failure:
                change()
            assert failure.value.code == "unavailable"
            assert "Make room" in failure.value.message
        assert state(root) == before
        assert vault.read("note.md").data == b"note.md"
        assert vault.create("small.md", b"small").data == b"small"


def fill(path: Path) -> None:
    """Take all the room that is left on a disk."""
    with path.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(4096)):
            pass


def test_c09_a_disk_without_room_for_another_file_changes_nothing(root: Path, tmp_path: Path) -> None:
    """Disk full: not a byte is left, not even for a new folder."""
    with small_disk(root, 64) as mounted:
        put(root, "note.md")
        if mounted:
            fill(root / "filler.bin")
            before = state(root)
            for change in changes(FolderVault(str(root)), 10_000, str(tmp_path / "trash" / "x.md"))[:3]:
                with pytest.raises(Unavailable):
                    change()
            assert state(root) == before
        assert FolderVault(str(root)).read("note.md").data == b"note.md"


def test_c09_a_folder_that_may_not_be_written_changes_nothing(tmp_path: Path) -> None:
    """Read-only data dir: error code, vault untouched, search still works."""
    with open_to_all() as folder:
        put(folder, "note.md", "deep/x.md")
        for path in (folder / "deep", folder):
            path.chmod(0o555)
        vault, before = FolderVault(str(folder)), state(folder)
        trash = folder.parent / f"{folder.name}-trash" / "x.md"
        with ordinary_user():
            for change in changes(vault, 10, str(trash)):
                with pytest.raises(ReadOnly) as failure:
                    change()
                assert failure.value.code == "read_only"
            assert [note.path for note in vault.walk().notes] == ["deep/x.md", "note.md"]
            assert vault.read("note.md").data == b"note.md"
        assert state(folder) == before
        assert not trash.exists()
        for path in (folder, folder / "deep"):
            path.chmod(0o755)
        trash.parent.rmdir()


def test_c09_a_disk_that_is_mounted_read_only_changes_nothing(root: Path, tmp_path: Path) -> None:
    """Read-only data dir: error code, vault untouched, search still works."""
    put(root, "note.md", "deep/x.md")
    before = state(root)
    with read_only(root) as mounted:
        vault = FolderVault(str(root))
        if mounted:
            for change in changes(vault, 10, str(tmp_path / "trash" / "x.md")):
                with pytest.raises(ReadOnly) as failure:
                    change()
                assert failure.value.code == "read_only"
        with followed(tmp_path, root) as app:
            assert found(app, "note") == {"note.md"}
    assert state(root) == before
    assert not (tmp_path / "trash" / "x.md").exists()


# --- watching: W01, W06, W11, W12, W13, W17


@contextmanager
def followed(tmp_path: Path, root: Path, **settings: object) -> Iterator[App]:
    """An app that follows a vault, once it has read it."""
    with open_app(load(tmp_path / "home", semantic="off", **settings), [root]) as app:
        before = status(app).last_scan
        app.follower.start()
        try:
            until(lambda: status(app).last_scan != before and not status(app).pending_fulltext)
            yield app
        finally:
            app.follower.stop(PATIENCE)


def status(app: App) -> LibraryStatus:
    (library,) = app.reporter.status(app.gate.filter(OWNER)).libraries
    return library


def found(app: App, query: str) -> set[str]:
    outcome = app.searcher.search(Query(text=query, filter=app.gate.filter(OWNER), mode=Mode.FULLTEXT, limit=50))
    return {hit.entry.path for hit in outcome.hits}


def test_w01_an_atomic_save_is_one_update(root: Path, tmp_path: Path) -> None:
    """Write `.n.tmp`, rename over `n.md`: one update of `n.md`, no ghost."""
    put(root, "n.md", "other.md")
    with followed(tmp_path, root) as app:
        before = app.catalog.known_files("vault")
        (root / ".n.tmp").write_text("saved atomically", encoding="utf-8")
        (root / ".n.tmp").rename(root / "n.md")
        until(lambda: found(app, "atomically") == {"n.md"})
        after = app.catalog.known_files("vault")
        assert after.keys() == before.keys()
        assert {path: file.id for path, file in after.items()} == {path: file.id for path, file in before.items()}


def test_w06_what_other_programs_leave_about_is_not_even_looked_at(root: Path, tmp_path: Path) -> None:
    """`.obsidian/`, `.git/`, `~$x.md`, `.#x.md`, `x.md.tmp`: ignored by default; never our own index folder."""
    put(root, "x.md", ".obsidian/workspace.json", ".git/index")
    home = root / "home"
    home.mkdir()
    with followed(root, root) as app:  # home lies in the vault
        settled = quiet(app)
        put(root, ".obsidian/workspace.json", ".git/index", ".git/y.md", "~$x.md", ".#x.md", "x.md.tmp", ".trash/z.md")
        put(root, "home/scribble.db")
        time.sleep(0.5)  # nothing can be waited for: events come within a tenth of a second
        assert status(app).last_scan == settled
        assert set(app.catalog.known_files("vault")) == {"x.md"}


def quiet(app: App) -> object:
    """The time of the last look, once no more follow."""
    last = status(app).last_scan
    deadline = time.monotonic() + PATIENCE
    while True:
        time.sleep(0.3)
        if status(app).last_scan == last:
            return last
        last = status(app).last_scan
        assert time.monotonic() < deadline, "looked over again and again"


def test_w11_a_checkout_of_5000_files_is_taken_over_while_questions_are_answered(root: Path, tmp_path: Path) -> None:
    """`git checkout` changing 5,000 files: debounced, batched, the service keeps answering, progress in `status`."""
    put(root, "first.md")
    with followed(tmp_path, root) as app:

        def check_out() -> None:
            for folder in range(50):
                put(root, *(f"{folder}/{number}.md" for number in range(100)))

        checkout = threading.Thread(target=check_out)
        checkout.start()
        slowest, seen = 0.0, set()
        while status(app).documents < 5001:
            begun = time.monotonic()
            assert "first.md" in found(app, "first")
            slowest = max(slowest, time.monotonic() - begun)
            seen.add(status(app).documents)
            time.sleep(0.05)
        checkout.join()
        assert slowest < 5.0
        assert len(seen) > 3, "it grows batch by batch"
        until(lambda: not status(app).pending_fulltext)
        assert status(app).documents == 5001


def test_w12_without_events_the_vault_is_looked_over(root: Path, tmp_path: Path) -> None:
    """No events: polling mode by flag and periodic reconcile; shown in `status`."""
    put(root, "first.md")
    with followed(tmp_path, root, watch="polling", rescan_seconds=0.1) as app:
        assert status(app).watcher is WatchMode.POLLING
        put(root, "late.md")
        until(lambda: found(app, "late") == {"late.md"})


def test_w12_events_are_told_of_in_status(root: Path, tmp_path: Path) -> None:
    """The way in which files are followed is shown in `status`; a process that does not follow them says so."""
    put(root, "first.md")
    with followed(tmp_path, root) as app:
        until(lambda: status(app).watcher is WatchMode.EVENTS)
        assert status(app).watcher_problem is None
    with open_app(load(tmp_path / "home", semantic="off"), [root]) as app:
        assert status(app).watcher is WatchMode.OFF
    with followed(tmp_path, root, watch="off") as app:
        assert status(app).watcher is WatchMode.OFF


def test_w12_what_happens_while_nobody_listens_is_found_by_the_next_look(root: Path, tmp_path: Path) -> None:
    """Periodic reconcile as a safety net."""
    put(root, "first.md", ".hidden/linked.md")
    with followed(tmp_path, root, watch="off") as app:
        put(root, "late.md")
        assert found(app, "late") == set()
    with followed(tmp_path, root, rescan_seconds=0.2) as app:
        assert found(app, "late") == {"late.md"}


def test_w17_renames_in_case_alone_and_folders_in_the_place_of_files(root: Path, tmp_path: Path) -> None:
    """Case-only rename; file→dir swap; symlink loop: handled, no duplicate, no endless walk."""
    put(root, "note.md", "topic.md")
    with followed(tmp_path, root) as app:
        known = app.catalog.known_files("vault")
        FolderVault(str(root)).move("note.md", "Note.md", of(b"note.md"))
        until(lambda: set(app.catalog.known_files("vault")) == {"Note.md", "topic.md"})
        assert app.catalog.known_files("vault")["Note.md"].id == known["note.md"].id
        (root / "topic.md").unlink()
        put(root, "topic.md/inside.md")
        (root / "topic.md" / "round").symlink_to(root)
        until(lambda: set(app.catalog.known_files("vault")) == {"Note.md", "topic.md/inside.md"})
        put(root, "topic.md/more.md")
        until(lambda: found(app, "more") == {"topic.md/more.md"})


def test_w13_where_the_system_has_no_more_watches_status_says_so_and_changes_are_found(
    root: Path, tmp_path: Path
) -> None:
    """inotify limit: on ENOSPC fall back to polling with the hint, do not die."""
    put(root, "first.md")

    def refused(folders: list[str]) -> NoReturn:
        raise OSError(errno.ENOSPC, "MaxFilesWatch: OS file watch limit reached.")

    with open_app(load(tmp_path / "home", semantic="off"), [root]) as app:
        watcher = FolderWatcher(lambda: [str(root)], look_seconds=0.1, notify=refused)
        following = replace(app.follower, watcher=watcher)
        reporter = replace(app.reporter, watcher=watcher, problems=following.problems)
        following.start()
        try:
            until(lambda: found(app, "first") == {"first.md"})
            (told,) = reporter.status(app.gate.filter(OWNER)).libraries
            assert told.watcher is WatchMode.POLLING
            assert "fs.inotify.max_user_watches" in str(told.watcher_problem)
            put(root, "late.md")
            until(lambda: found(app, "late") == {"late.md"})
        finally:
            following.stop(PATIENCE)


# --- a vault that vanishes is no mass deletion


def test_w12_a_vault_that_is_unmounted_loses_no_note(root: Path, tmp_path: Path) -> None:
    """A vault that vanishes, or whose disk is not mounted, is unavailable; it comes back by itself."""
    put(root, "a.md", "b/c.md")
    with followed(tmp_path, root) as app:
        away = tmp_path / "away"
        root.rename(away)
        until(lambda: "not there" in str(status(app).problem))
        assert status(app).documents == 2
        root.mkdir()
        until(lambda: "is empty" in str(status(app).problem))
        assert (status(app).documents, found(app, "a")) == (2, {"a.md"})
        root.rmdir()
        put(away, "d.md")
        away.rename(root)
        until(lambda: status(app).problem is None and status(app).documents == 3)


def test_w04_whoever_deleted_every_note_can_say_so(root: Path, tmp_path: Path) -> None:
    """An emptied vault is believed when an index is asked for, or when something else is still in it."""
    put(root, "a.md", "b.md")
    with open_app(load(tmp_path / "home", semantic="off"), [root]) as app:
        (library,) = app.gate.libraries()
        app.indexer.refresh(library)
        for path in root.iterdir():
            path.unlink()
        with pytest.raises(Unavailable, match="trilith index"):
            app.indexer.refresh(library)
        assert status(app).documents == 2
        app.indexer.complete(library)
        assert status(app).documents == 0
        put(root, "a.md", ".obsidian/app.json")
        app.indexer.refresh(library)
        (root / "a.md").unlink()
        app.indexer.refresh(library)
        assert status(app).documents == 0
