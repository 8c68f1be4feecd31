from __future__ import annotations

import threading
from datetime import UTC, datetime

from trilith.sync.foreground import QUIET, Foreground
from trilith.sync.gathering import Gathering


class StillClock:
    def __init__(self) -> None:
        self.seconds = 100.0

    def now(self) -> datetime:
        return datetime.fromtimestamp(self.seconds, UTC)

    def monotonic(self) -> float:
        return self.seconds


def test_a_call_and_the_moment_after_it_are_no_quiet() -> None:
    clock = StillClock()
    foreground = Foreground(clock)
    assert foreground.is_quiet()
    with foreground.working():
        with foreground.working():
            assert not foreground.is_quiet()
        clock.seconds += 2 * QUIET
        assert not foreground.is_quiet()
    assert not foreground.is_quiet()
    clock.seconds += 2 * QUIET
    assert foreground.is_quiet()


def test_a_batch_waits_for_writes_under_way() -> None:
    gathering, begun, go = Gathering(), threading.Event(), threading.Event()
    order: list[str] = []

    def write() -> None:
        with gathering.writing():
            begun.set()
            go.wait(30)
            order.append("written")

    thread = threading.Thread(target=write)
    thread.start()
    begun.wait(30)
    gathering.wait()  # not for ever
    order.append("waited")
    go.set()
    thread.join()
    gathering.wait()
    assert order == ["waited", "written"]
