from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from trilith.ports.vault import WatchMode
from trilith.vault.watch import FolderWatcher, explained, listening

PATIENCE = 20.0
SHORT = 0.3
"""Seconds without events after which there are none; events come within a tenth of one."""

FULL = OSError('OS file watch limit reached. about ["/v/a"] (Error { kind: MaxFilesWatch, paths: ["/v/a"] })')
"""What comes of `fs.inotify.max_user_watches` being reached."""
NO_INSTANCE = RuntimeError("Error creating recommended watcher: Too many open files (os error 24)")

Watch = Callable[..., FolderWatcher]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "vault" / "a").mkdir(parents=True)
    return tmp_path / "vault"


@pytest.fixture
def watch() -> Iterator[Watch]:
    made: list[FolderWatcher] = []

    def begun(*roots: Path, **options: object) -> FolderWatcher:
        """A watcher that has named its roots already."""
        watcher = FolderWatcher(lambda: [str(root) for root in roots], **options)  # type: ignore[arg-type]
        made.append(watcher)
        assert watcher.wait(PATIENCE) == {str(root) for root in roots}
        return watcher

    yield begun
    for watcher in made:
        watcher.stop()
        watcher.wait(0)


def write(path: Path, text: str = "x") -> None:
    path.write_text(text, encoding="utf-8")


def test_events_come_within_a_tenth_of_a_second_or_two(root: Path, watch: Watch) -> None:
    watcher = watch(root)
    begun = time.monotonic()
    write(root / "a" / "x.md")
    assert watcher.wait(PATIENCE) == {str(root)}
    assert time.monotonic() - begun < 1.0


def test_new_folders_are_listened_to_and_what_is_in_them(root: Path, watch: Watch) -> None:
    watcher = watch(root, look_seconds=PATIENCE)
    (root / "new" / "deep").mkdir(parents=True)
    assert watcher.wait(PATIENCE) == {str(root)}
    write(root / "new" / "deep" / "x.md")
    assert watcher.wait(PATIENCE) == {str(root)}


def test_folders_that_are_moved_replaced_or_linked_are_listened_to(root: Path, watch: Watch) -> None:
    watcher = watch(root, look_seconds=PATIENCE)
    (root / "a").rename(root / "b")
    assert watcher.wait(PATIENCE) == {str(root)}
    write(root / "b" / "x.md")
    assert watcher.wait(PATIENCE) == {str(root)}
    (root / "b" / "x.md").unlink()
    (root / "b").rmdir()
    (root / "b").mkdir()
    assert watcher.wait(PATIENCE) == {str(root)}
    write(root / "b" / "y.md")
    assert watcher.wait(PATIENCE) == {str(root)}


def test_folders_that_are_ignored_no_more_are_listened_to(root: Path, watch: Watch) -> None:
    write(root / ".trilithignore", "a/\n")
    watcher = watch(root, look_seconds=PATIENCE)
    write(root / "a" / "x.md")
    assert watcher.wait(SHORT) == frozenset()
    write(root / ".trilithignore", "")
    assert watcher.wait(PATIENCE) == {str(root)}
    write(root / "a" / "x.md")
    assert watcher.wait(PATIENCE) == {str(root)}


def test_what_no_walk_shows_is_not_told(root: Path, watch: Watch, tmp_path: Path) -> None:
    for folder in (".git", "home"):
        (root / folder).mkdir()
    (root / "outside").symlink_to(tmp_path)
    watcher = watch(root, excluded=frozenset({str(root / "home")}), look_seconds=PATIENCE)
    for path in (".git/index", ".x.swp", "a/.trilith-0123456789abcdef.tmp", "~$x.md", "home/catalog.db"):
        write(root / path)
    write(tmp_path / "x.md")
    (root / ".obsidian").mkdir()
    (root / "a").stat()
    list((root / "a").iterdir())
    assert watcher.wait(SHORT) == frozenset()


def test_a_link_that_leads_to_the_whole_disk_costs_nothing(root: Path, watch: Watch) -> None:
    (root / "everything").symlink_to("/")
    begun = time.monotonic()
    watch(root)
    assert time.monotonic() - begun < 5


def test_a_folder_that_may_not_be_read_stops_nothing() -> None:
    from tests.faults import open_to_all, ordinary_user

    with open_to_all() as folder:
        (folder / "locked").mkdir(mode=0o700)
        (folder / "open").mkdir(mode=0o755)
        (folder / "locked").chmod(0o700 if os.geteuid() == 0 else 0o000)
        with ordinary_user():
            watcher = FolderWatcher(lambda: [str(folder)], look_seconds=PATIENCE)
            assert watcher.wait(PATIENCE) == {str(folder)}
            assert watcher.mode(str(folder)) is WatchMode.EVENTS
        write(folder / "open" / "x.md")
        assert watcher.wait(PATIENCE) == {str(folder)}
        watcher.stop()
        watcher.wait(0)
        (folder / "locked").chmod(0o700)


def test_a_root_that_vanishes_and_comes_back_is_named_each_time(root: Path, watch: Watch) -> None:
    other = root.with_name("other")
    other.mkdir()
    watcher = watch(root, other, look_seconds=0.05)
    away = root.with_name("away")
    root.rename(away)
    while watcher.mode(str(root)) is WatchMode.EVENTS:  # the event comes first, or the look
        assert watcher.wait(PATIENCE) == {str(root)}
    assert watcher.wait(SHORT) == frozenset(), "told, and not again and again"
    write(other / "x.md")
    assert watcher.wait(PATIENCE) == {str(other)}
    away.rename(root)
    assert watcher.wait(PATIENCE) == {str(root)}
    assert watcher.mode(str(root)) is WatchMode.EVENTS
    write(root / "a" / "x.md")
    assert watcher.wait(PATIENCE) == {str(root)}


def test_a_root_in_whose_place_another_folder_is_put_is_listened_to(root: Path, watch: Watch) -> None:
    watcher = watch(root, look_seconds=0.05)
    root.rename(root.with_name("former"))
    root.mkdir()
    assert watcher.wait(PATIENCE) == {str(root)}
    write(root / "x.md")
    while watcher.wait(PATIENCE) != {str(root)}:
        pass
    write(root / "x.md", "again")
    assert watcher.wait(PATIENCE) == {str(root)}


def test_a_root_may_be_a_link_or_lie_in_another(root: Path, watch: Watch) -> None:
    link = root.with_name("link")
    link.symlink_to(root)
    watcher = watch(link, root / "a")
    write(root / "a" / "x.md")
    assert watcher.wait(PATIENCE) == {str(link), str(root / "a")}
    write(root / "x.md")
    assert watcher.wait(PATIENCE) == {str(link)}


def test_a_name_that_is_no_text_does_not_end_the_watching(root: Path, watch: Watch) -> None:
    watcher = watch(root, look_seconds=PATIENCE)
    for _ in range(2):
        Path(os.fsdecode(os.fsencode(root) + b"/\xff.md")).write_bytes(b"x")
        assert watcher.wait(PATIENCE) == {str(root)}
        write(root / "a" / "x.md")
        assert watcher.wait(PATIENCE) == {str(root)}


def test_a_burst_is_told_once(root: Path, watch: Watch) -> None:
    watcher = watch(root)
    for number in range(300):
        write(root / f"{number}.md")
    told = [watcher.wait(PATIENCE)]
    while changed := watcher.wait(SHORT):
        told.append(changed)
    assert len(told) <= 3


def test_a_burst_without_end_is_told_all_the_same(root: Path, watch: Watch) -> None:
    watcher = watch(root)
    ended = threading.Event()

    def restless() -> None:
        number = 0
        while not ended.wait(0.005):
            number += 1
            write(root / f"{number}.md")

    writer = threading.Thread(target=restless)
    writer.start()
    begun = time.monotonic()
    try:
        assert watcher.wait(PATIENCE) == {str(root)}
        assert time.monotonic() - begun < 5
    finally:
        ended.set()
        writer.join()


# --- without events


class Refusing:
    """Listens like the system, but not to folders whose path holds `word`."""

    def __init__(self, word: str, error: Exception) -> None:
        self.word, self.error = word, error

    def __call__(self, folders: list[str]) -> object:
        if any(self.word in folder for folder in folders):
            raise self.error
        return listening(folders)


@pytest.mark.parametrize(
    ("error", "hint"), [(FULL, "fs.inotify.max_user_watches"), (NO_INSTANCE, "fs.inotify.max_user_instances")]
)
def test_w13_where_the_system_has_no_more_watches_the_vault_is_looked_over(
    root: Path, watch: Watch, error: Exception, hint: str
) -> None:
    """inotify limit: on ENOSPC fall back to polling with the hint, do not die."""
    large = root.with_name("large")
    large.mkdir()
    watcher = watch(root, large, look_seconds=0.1, notify=Refusing("large", error))
    assert watcher.mode(str(large)) is WatchMode.POLLING
    assert hint in str(watcher.problem(str(large)))
    assert "every 0.1 seconds" in str(watcher.problem(str(large)))
    assert watcher.mode(str(root)) is WatchMode.EVENTS
    assert watcher.problem(str(root)) is None
    assert watcher.wait(PATIENCE) == {str(large)}
    write(root / "a" / "x.md")
    while str(root) not in watcher.wait(PATIENCE):
        pass


def test_w13_no_watcher_at_all_is_no_end(root: Path, watch: Watch) -> None:
    """inotify limit: do not die."""
    watcher = watch(root, look_seconds=0.1, notify=Refusing("/", NO_INSTANCE))
    assert watcher.mode(str(root)) is WatchMode.POLLING
    assert watcher.wait(PATIENCE) == {str(root)}


EXHAUSTED = """
import sys
from pathlib import Path
from trilith.vault.watch import FolderWatcher
watcher = FolderWatcher(lambda: [sys.argv[1]], look_seconds=0.1)
watcher.wait(10)
print(watcher.mode(sys.argv[1]).value, watcher.problem(sys.argv[1]))
"""


def test_w13_what_the_kernel_says_at_its_limit_is_understood(root: Path) -> None:
    """inotify limit: the hint is given for what the kernel really says, where a limit of one's own can be set."""
    for number in range(20):
        (root / str(number)).mkdir()
    code = [sys.executable, "-c", EXHAUSTED, str(root)]
    limited = [
        "unshare",
        "--user",
        "--map-root-user",
        "sh",
        "-c",
        'echo 5 > /proc/sys/user/max_inotify_watches && exec "$@"',
        "-",
    ]
    done = subprocess.run([*limited, *code], capture_output=True, check=False, encoding="utf-8")
    if done.returncode:  # no namespaces here: what the kernel said elsewhere is all there is to go by
        assert "fs.inotify.max_user_watches" in explained(FULL)
        return
    assert done.stdout.startswith("polling")
    assert "fs.inotify.max_user_watches" in done.stdout


def test_a_folder_that_goes_while_folders_are_counted_is_no_failure(root: Path, watch: Watch) -> None:
    times = []

    def late(folders: list[str]) -> object:
        times.append(1)
        if len(times) == 1:
            (root / "a").rmdir()
        return listening(folders)

    watcher = watch(root, notify=late)
    assert watcher.mode(str(root)) is WatchMode.EVENTS
    assert watcher.problem(str(root)) is None


def test_unknown_refusals_are_passed_on() -> None:
    assert "no luck" in explained(OSError("no luck"))


def test_w12_polling_can_be_asked_for(root: Path, watch: Watch) -> None:
    """No events: polling mode by flag; nothing is listened to then."""

    def never(folders: list[str]) -> object:
        raise AssertionError

    watcher = watch(root, polling=True, look_seconds=0.1, notify=never)
    assert watcher.mode(str(root)) is WatchMode.POLLING
    assert watcher.problem(str(root)) is None
    begun = time.monotonic()
    assert watcher.wait(PATIENCE) == {str(root)}
    assert time.monotonic() - begun < 5


def test_no_thread_keeps_the_process(root: Path) -> None:
    code = """
import sys
from trilith.vault.watch import FolderWatcher
watcher = FolderWatcher(lambda: [sys.argv[1]])
print(watcher.wait(10) and watcher.mode(sys.argv[1]).value, flush=True)
"""
    done = subprocess.run(
        [sys.executable, "-c", code, str(root)], capture_output=True, timeout=30, check=True, text=True
    )
    assert done.stdout == "events\n"
