"""The suite of `Locks`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from trilith.home.locks import FileLocks
from trilith.ports.surroundings import Locks

Take = Callable[[Locks], AbstractContextManager[bool]]

TURNS: dict[str, Take] = {
    "writing": lambda locks: locks.writing(0),
    "scanning": lambda locks: locks.scanning("lib"),
    "embedding": lambda locks: locks.embedding(),
    "training": lambda locks: locks.training(),
    "editing": lambda locks: locks.editing("lib", 0),
}


@dataclass
class MemoryLocks:
    """Turns within one process."""

    turns: dict[str, threading.Lock] = field(default_factory=dict)

    def writing(self, timeout: float) -> AbstractContextManager[bool]:
        return self._turn("writing", timeout)

    def scanning(self, library: str) -> AbstractContextManager[bool]:
        return self._turn(f"scanning {library}", 0)

    def embedding(self) -> AbstractContextManager[bool]:
        return self._turn("embedding", 0)

    def training(self) -> AbstractContextManager[bool]:
        return self._turn("training", 0)

    def editing(self, library: str, timeout: float) -> AbstractContextManager[bool]:
        return self._turn(f"editing {library}", timeout)

    def feeding(self, library: str, timeout: float) -> AbstractContextManager[bool]:
        return self._turn(f"feeding {library}", timeout)

    @contextmanager
    def _turn(self, name: str, timeout: float) -> Iterator[bool]:
        lock = self.turns.setdefault(name, threading.Lock())
        mine = lock.acquire(timeout=timeout)
        try:
            yield mine
        finally:
            if mine:
                lock.release()


@pytest.fixture(params=["files", "memory"])
def locks(request: pytest.FixtureRequest, tmp_path: Path) -> Locks:
    return FileLocks(tmp_path) if request.param == "files" else MemoryLocks()


@pytest.mark.parametrize("name", TURNS)
def test_a_turn_is_one_at_a_time(locks: Locks, name: str) -> None:
    take = TURNS[name]
    with take(locks) as mine:
        assert mine
        with take(locks) as other:
            assert not other
        with take(locks) as other:
            assert not other, "a failed try takes nothing from the holder"
    with take(locks) as mine:
        assert mine


def test_turns_are_independent(locks: Locks) -> None:
    with (
        locks.writing(0) as writing,
        locks.scanning("lib") as scanning,
        locks.scanning("../Lib: 知识\udcff") as other,
        locks.embedding() as embedding,
        locks.editing("lib", 0) as editing,
        locks.editing("other", 0) as editing_other,
    ):
        assert writing
        assert scanning
        assert other
        assert embedding
        assert editing
        assert editing_other


def test_a_turn_ends_with_its_block_whatever_happens(locks: Locks) -> None:
    def fail() -> None:
        with locks.writing(0):
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    with locks.writing(0) as mine:
        assert mine


PATIENT: dict[str, Callable[[Locks, float], AbstractContextManager[bool]]] = {
    "writing": lambda locks, timeout: locks.writing(timeout),
    "editing": lambda locks, timeout: locks.editing("lib", timeout),
}


@pytest.mark.parametrize("name", PATIENT)
def test_waiting_ends_when_the_holder_does(locks: Locks, name: str) -> None:
    take = PATIENT[name]
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with take(locks, 0):
            held.set()
            release.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    assert held.wait(10)
    begun = time.monotonic()
    with take(locks, 0.05) as mine:
        assert not mine
    assert time.monotonic() - begun >= 0.05
    threading.Timer(0.05, release.set).start()
    with take(locks, 10) as mine:
        assert mine
    holder.join()


def test_threads_exclude_each_other(locks: Locks) -> None:
    inside, most, done = 0, 0, 0

    def work() -> None:
        nonlocal inside, most, done
        for _ in range(20):
            with locks.writing(30) as mine:
                assert mine
                inside += 1
                most = max(most, inside)
                time.sleep(0)
                inside -= 1
                done += 1

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (most, done) == (1, 120)
