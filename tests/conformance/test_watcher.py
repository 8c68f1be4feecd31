"""The suite of `Watcher`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.fakes import ToldWatcher

from trilith.ports.vault import Watcher, WatchMode
from trilith.vault.watch import FolderWatcher

LOOK = 0.1
PATIENCE = 20.0


@dataclass
class Ground:
    """Two vaults, and a watcher of those that are `watched`."""

    kind: str
    folder: Path
    watched: list[str] = field(default_factory=list)
    watcher: Watcher = field(init=False)

    def __post_init__(self) -> None:
        for name in ("one", "two"):
            (self.folder / name / "deep").mkdir(parents=True)
            self.watched.append(str(self.folder / name))
        if self.kind == "told":
            self.watcher = ToldWatcher(lambda: self.watched)
        else:
            self.watcher = FolderWatcher(lambda: self.watched, look_seconds=LOOK, polling=self.kind == "polling")

    @property
    def one(self) -> str:
        return str(self.folder / "one")

    @property
    def two(self) -> str:
        return str(self.folder / "two")

    def change(self, root: str) -> None:
        (Path(root) / "deep" / "note.md").write_text(str(time.monotonic_ns()), encoding="utf-8")
        if isinstance(self.watcher, ToldWatcher):
            self.watcher.tell(root)

    def until(self, *roots: str) -> None:
        """Wait until each of `roots` has been named."""
        waiting, deadline = set(roots), time.monotonic() + PATIENCE
        while waiting:
            assert time.monotonic() < deadline, f"nothing of {waiting}"
            waiting -= self.watcher.wait(PATIENCE)


@pytest.fixture(params=["events", "polling", "told"])
def ground(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Ground]:
    made = Ground(request.param, tmp_path)
    yield made
    made.watcher.stop()
    made.watcher.wait(0)


def test_roots_are_named_when_watching_begins(ground: Ground) -> None:
    assert ground.watcher.wait(PATIENCE) == {ground.one, ground.two}


def test_a_change_is_told(ground: Ground) -> None:
    ground.watcher.wait(PATIENCE)
    for _ in range(3):
        ground.change(ground.two)
        ground.until(ground.two)


def test_a_change_before_the_wait_is_told_by_it(ground: Ground) -> None:
    ground.watcher.wait(PATIENCE)
    ground.change(ground.one)
    ground.change(ground.two)
    ground.until(ground.one, ground.two)


def test_only_where_something_has_changed(ground: Ground) -> None:
    if ground.kind == "polling":
        assert ground.watcher.wait(PATIENCE) == ground.watcher.wait(PATIENCE) == {ground.one, ground.two}
        return
    ground.watcher.wait(PATIENCE)
    ground.change(ground.one)
    assert ground.watcher.wait(PATIENCE) == {ground.one}
    begun = time.monotonic()
    assert ground.watcher.wait(3 * LOOK) == frozenset()
    assert 3 * LOOK <= time.monotonic() - begun < PATIENCE


def test_an_end_is_heard_at_once_and_for_good(ground: Ground) -> None:
    ground.watched.clear()
    ground.watcher.wait(0)
    threading.Timer(0.05, ground.watcher.stop).start()
    begun = time.monotonic()
    assert ground.watcher.wait(PATIENCE) == frozenset()
    ground.watched.append(ground.one)
    assert ground.watcher.wait(PATIENCE) == frozenset()
    assert time.monotonic() - begun < PATIENCE
    assert ground.watcher.mode(ground.one) is WatchMode.OFF


def test_a_call_ends_one_wait_and_loses_nothing(ground: Ground) -> None:
    if ground.kind == "polling":
        ground.watched.clear()
    ground.watcher.wait(0)
    for early in (True, False):
        if early:
            ground.watcher.wake()
        else:
            threading.Timer(0.05, ground.watcher.wake).start()
        begun = time.monotonic()
        assert ground.watcher.wait(PATIENCE) == frozenset()
        assert time.monotonic() - begun < PATIENCE
    if ground.kind != "polling":
        ground.change(ground.one)
        ground.watcher.wake()
        ground.until(ground.one)


def test_the_mode_tells_how_a_root_is_followed(ground: Ground) -> None:
    assert ground.watcher.mode(ground.one) is WatchMode.OFF
    ground.watcher.wait(PATIENCE)
    expected = WatchMode.POLLING if ground.kind == "polling" else WatchMode.EVENTS
    assert ground.watcher.mode(ground.one) is expected
    assert ground.watcher.mode("/not/watched") is WatchMode.OFF
    assert ground.watcher.problem(ground.one) is None
    assert ground.watcher.problem("/not/watched") is None


def test_roots_may_come_and_go(ground: Ground) -> None:
    ground.watched.remove(ground.two)
    assert ground.watcher.wait(PATIENCE) == {ground.one}
    assert ground.watcher.mode(ground.two) is WatchMode.OFF
    ground.watched.append(ground.two)
    until(lambda: ground.two in ground.watcher.wait(LOOK))
    ground.change(ground.two)
    ground.until(ground.two)
    ground.watched.remove(ground.two)
    until(lambda: ground.two not in ground.watcher.wait(LOOK) and ground.watcher.mode(ground.two) is WatchMode.OFF)
    ground.change(ground.one)
    ground.until(ground.one)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
