from __future__ import annotations

import threading

import pytest

from trilith.sync.alongside import Alongside

PATIENCE = 30.0


def test_what_was_asked_for_is_done_before_the_end() -> None:
    done: list[str] = []
    with Alongside(lambda: done.append(threading.current_thread().name)) as beside:
        beside.ask()
    assert done == ["trilith-alongside"]


def test_nothing_asked_for_starts_nothing() -> None:
    before = threading.active_count()
    with Alongside(lambda: None):
        assert threading.active_count() == before


def test_what_is_asked_for_while_at_it_is_done_once_more() -> None:
    begun, go_on = threading.Event(), threading.Event()
    done: list[int] = []

    def work() -> None:
        begun.set()
        assert go_on.wait(PATIENCE)
        done.append(1)

    with Alongside(work) as beside:
        beside.ask()
        assert begun.wait(PATIENCE)
        for _ in range(5):
            beside.ask()
        go_on.set()
    assert done == [1, 1]


def ask_until_told(beside: Alongside) -> None:
    while True:
        beside.ask()


def test_a_failure_is_raised_from_the_next_ask_or_the_end() -> None:
    def fail() -> None:
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"), Alongside(fail) as beside:
        beside.ask()
    with pytest.raises(ValueError, match="no"), Alongside(fail) as beside:
        ask_until_told(beside)


def test_what_fails_beside_is_not_told_in_place_of_what_failed_first() -> None:
    tried = threading.Event()

    def fail() -> None:
        tried.set()
        raise ValueError("no")

    def work() -> None:
        with Alongside(fail) as beside:
            beside.ask()
            assert tried.wait(PATIENCE)
            raise KeyError

    with pytest.raises(KeyError):
        work()
