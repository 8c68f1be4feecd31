"""The follower, on real vaults and a real index, with a watcher that is told what to say."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from tests.fakes import ToldWatcher

from trilith.app import App
from trilith.model.change import Draft
from trilith.model.principal import Library, Principal
from trilith.ports.vault import WatchMode
from trilith.settings import load
from trilith.sync import follow
from trilith.sync.follow import LONGEST, SHARE, Follower, pause
from trilith.wiring import open_app

PATIENCE = 30.0
NEVER = 1e9


class Led:
    """Two vaults of one note each, and a follower of theirs that has looked once at each."""

    def __init__(self, app: App, follower: Follower, watcher: ToldWatcher, roots: Sequence[Path]) -> None:
        self.app, self.follower, self.watcher, self.roots = app, follower, watcher, roots

    def paths(self, name: str) -> set[str]:
        return set(self.app.catalog.known_files(name))

    def looked(self, name: str) -> datetime | None:
        return self.app.catalog.scan_state(name).finished_at


@contextmanager
def following(
    tmp_path: Path,
    rescan_seconds: float = NEVER,
    tidy: Callable[[Library], object] = str,
    watcher: Callable[[Callable[[], list[str]]], ToldWatcher] = ToldWatcher,
    read_only: str | None = None,
) -> Iterator[Led]:
    roots = [tmp_path / name for name in ("one", "two")]
    for root in roots:
        root.mkdir()
        (root / "first.md").write_text("first", encoding="utf-8")
    with open_app(load(tmp_path / "home", semantic="off"), roots) as app:

        def libraries() -> tuple[Library, ...]:
            return tuple(replace(each, read_only=each.name == read_only) for each in app.gate.libraries())

        told = watcher(lambda: [library.root for library in libraries()])
        follower = Follower(app.indexer, libraries, told, tidy, rescan_seconds, app.foreground, str)
        led = Led(app, follower, told, roots)
        follower.start()
        try:
            until(lambda: led.looked("one") is not None and led.looked("two") is not None)
            yield led
        finally:
            follower.stop(PATIENCE)


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_the_watcher_listens_before_the_first_look(tmp_path: Path) -> None:
    with following(tmp_path) as led:
        assert led.watcher.waits[0] == 0.0
        assert led.paths("one") == led.paths("two") == {"first.md"}


def test_only_the_vault_that_has_changed_is_looked_over(tmp_path: Path) -> None:
    with following(tmp_path) as led:
        before = led.looked("one")
        for number in range(3):
            (led.roots[1] / f"{number}.md").write_text("new", encoding="utf-8")
            led.watcher.tell(str(led.roots[1]))
            until(lambda number=number: f"{number}.md" in led.paths("two"))  # type: ignore[misc]
        assert led.looked("one") == before


def test_without_news_all_are_looked_over_now_and_then(tmp_path: Path) -> None:
    with following(tmp_path, rescan_seconds=0.1) as led:
        for root in led.roots:
            (root / "new.md").write_text("new", encoding="utf-8")
        until(lambda: all("new.md" in led.paths(name) for name in ("one", "two")))


def test_z07_looks_that_take_long_come_seldom() -> None:
    """Idle CPU near 0 for 20,000 notes: a look of 0.8 s costs 0.3 % of a core, not 1.3 %; small vaults keep their pace."""
    assert pause(60, 0.8, quiet=True) == pytest.approx(0.8 / SHARE)
    assert 0.8 / (pause(60, 0.8, quiet=True) + 0.8) <= 0.003
    assert pause(60, 0.05, quiet=True) == 60
    assert pause(60, 100.0, quiet=True) == LONGEST
    assert pause(3600, 100.0, quiet=True) == 3600, "what the owner has chosen is the least"
    assert pause(60, 0.8, quiet=False) == 60


class SlowLooks:
    """A clock that goes on only when it is told to, and by 3 s in each look over a vault."""

    def __init__(self) -> None:
        self.now, self.looks = 0.0, 0

    def __call__(self) -> float:
        return self.now

    def look(self, _library: Library) -> None:
        self.now += 3.0
        self.looks += 1


class InMode(ToldWatcher):
    def __init__(self, mode: WatchMode) -> None:
        super().__init__(list)
        self._mode = mode

    def mode(self, root: str) -> WatchMode:
        return self._mode


@pytest.mark.parametrize(("mode", "looks"), [(WatchMode.EVENTS, 4), (WatchMode.POLLING, 60)])
def test_z07_an_hour_of_nothing(tmp_path: Path, mode: WatchMode, looks: int) -> None:
    """Idle CPU near 0: where events come, an hour in which nothing happens holds few looks of 3 s each; where they do not,
    the looks keep their pace. Nothing that changes without an event stays unknown for longer than `LONGEST`."""
    clock = SlowLooks()
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "first.md").write_text("first", encoding="utf-8")
    with open_app(load(tmp_path / "home", semantic="off"), [tmp_path / "one"]) as app:
        app.indexer.refresh(app.gate.library("one"))
        indexer = replace(app.indexer, finish=clock.look)
        follower = Follower(indexer, app.gate.libraries, InMode(mode), str, 57.0, app.foreground, str, clock=clock)
        while clock.now < 3600:
            follower._round(0)
            clock.now += 1
        assert abs(clock.looks - looks) <= 1
        (tmp_path / "one" / "new.md").write_text("new", encoding="utf-8")
        known = clock.now
        while "new.md" not in app.catalog.known_files("one"):
            follower._round(0)
            clock.now += 1
        assert clock.now - known <= LONGEST + 5
        looks = clock.looks
        for _ in range(61):
            follower._round(0)
            clock.now += 1
        assert clock.looks == looks + 1, "an event was lost: the next look comes soon"


def test_what_has_failed_is_tried_again_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "BREATH", 0.05)
    with following(tmp_path) as led:
        away = tmp_path / "away"
        led.roots[0].rename(away)
        led.watcher.tell(str(led.roots[0]))
        until(lambda: "one" in led.follower.problems)
        assert "not there" in led.follower.problems["one"]
        (away / "new.md").write_text("new", encoding="utf-8")
        away.rename(led.roots[0])
        until(lambda: "new.md" in led.paths("one") and "one" not in led.follower.problems)


def test_what_another_process_is_at_is_looked_at_again_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "BREATH", 0.05)
    with following(tmp_path) as led:
        with led.app.indexer.scanner.locks.scanning("one") as mine:
            assert mine
            (led.roots[0] / "late.md").write_text("late", encoding="utf-8")
            led.watcher.tell(str(led.roots[0]))
            waits = len(led.watcher.waits)
            until(lambda: len(led.watcher.waits) > waits + 2)
        until(lambda: "late.md" in led.paths("one"))


def test_a_watcher_that_fails_is_told_of_and_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "BREATH", 0.05)

    class Failing(ToldWatcher):
        failures = 3

        def wait(self, seconds: float) -> frozenset[str]:
            if self.failures:
                self.failures -= 1
                raise RuntimeError("broken")
            return super().wait(seconds)

    with following(tmp_path, watcher=Failing) as led:
        (led.roots[0] / "new.md").write_text("new", encoding="utf-8")
        led.watcher.tell(str(led.roots[0]))
        until(lambda: "new.md" in led.paths("one"))
        assert not led.follower.problems


def test_leftovers_are_cleared_once(tmp_path: Path) -> None:
    cleared: list[Library] = []
    with following(tmp_path, rescan_seconds=0.05, tidy=cleared.append) as led:
        seen = led.looked("two")
        until(lambda: led.looked("two") != seen)
        assert [library.name for library in cleared] == ["one", "two"]


def test_a_library_that_is_added_is_followed(tmp_path: Path) -> None:
    """By a process that serves all of them."""
    with following(tmp_path, rescan_seconds=0.05):
        pass
    (tmp_path / "three").mkdir()
    (tmp_path / "three" / "first.md").write_text("first", encoding="utf-8")
    with open_app(load(tmp_path / "home", semantic="off", rescan_seconds=0.05)) as app:
        app.follower.start()
        app.indexer.scanner.ledger.add_library(Library(name="three", root=str(tmp_path / "three")))
        until(lambda: set(app.catalog.known_files("three")) == {"first.md"})
        app.follower.stop()


def test_its_end_is_quick(tmp_path: Path) -> None:
    with following(tmp_path) as led:
        begun = time.monotonic()
        led.follower.stop(PATIENCE)
        assert time.monotonic() - begun < 5
        led.watcher.tell(str(led.roots[0]))
        assert led.watcher.wait(PATIENCE) == frozenset()


def test_a_write_is_seen_to_without_news_and_without_a_look(tmp_path: Path) -> None:
    with following(tmp_path) as led:
        until(lambda: bool(led.watcher.waits) and led.watcher.waits[-1] > 0)
        looked, waits = led.looked("one"), len(led.watcher.waits)
        led.follower.nudge()
        until(lambda: len(led.watcher.waits) > waits)
        assert led.looked("one") == looked


def test_a_write_calls_the_follower(tmp_path: Path) -> None:
    root = tmp_path / "one"
    root.mkdir()
    (root / "a.md").write_text("a", encoding="utf-8")
    with open_app(load(tmp_path / "home", semantic="off", watch="polling"), [root]) as app:
        library, filter = app.gate.library("one"), app.gate.filter(Principal(), "one")
        app.follower.watcher.wait(0)
        app.writer.create(library, filter, Draft(title="New", body="x\n", agent="ann"))
        begun = time.monotonic()
        app.follower.watcher.wait(PATIENCE)
        assert time.monotonic() - begun < PATIENCE


def test_chunks_wait_while_somebody_waits_for_an_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "GIVEN_WAY", NEVER)
    with following(tmp_path) as led:
        chunks, catalog = led.app.indexer.feeder.chunks, led.app.catalog
        until(lambda: chunks.applied("one") == catalog.sequence("one"))
        with led.app.foreground.working():
            (led.roots[0] / "second.md").write_text("second", encoding="utf-8")
            led.watcher.tell(str(led.roots[0]))
            until(lambda: "second.md" in led.paths("one"))  # files do not wait
            rounds = len(led.watcher.waits)
            until(lambda: len(led.watcher.waits) > rounds + 3)
            assert chunks.applied("one") < catalog.sequence("one")
        until(lambda: chunks.applied("one") == catalog.sequence("one"))


def test_where_somebody_always_waits_chunks_come_now_and_then(tmp_path: Path) -> None:
    with following(tmp_path) as led, led.app.foreground.working():
        (led.roots[0] / "second.md").write_text("second", encoding="utf-8")
        led.watcher.tell(str(led.roots[0]))
        until(lambda: "second.md" in led.paths("one"))
        chunks, catalog = led.app.indexer.feeder.chunks, led.app.catalog
        until(lambda: chunks.applied("one") == catalog.sequence("one"))
