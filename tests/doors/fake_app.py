"""An app of which the doors need little: one library, its status, and tags that are counted as a test wants it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from trilith.access.gate import Gate
from trilith.model.principal import Library
from trilith.surfaces.opening import Opening
from trilith.sync.foreground import Foreground

if TYPE_CHECKING:
    from trilith.app import App
from trilith.clock import SystemClock

Tags = Callable[[], dict[str, int]]


def two_tags() -> dict[str, int]:
    return {"a": 1, "b": 2}


@dataclass(frozen=True)
class FakeStatus:
    state: SimpleNamespace
    libraries: tuple[SimpleNamespace, ...]


def status_of(state: str) -> FakeStatus:
    """Three notes, of which one is not in full text and two chunks have no vector."""
    library = SimpleNamespace(library=SimpleNamespace(name="notes"), documents=3, pending_fulltext=1, pending_vectors=2)
    return FakeStatus(SimpleNamespace(value=state), (library,))


READY = status_of("ready")


def fake_app(tags: Tags = two_tags, status: FakeStatus = READY) -> App:
    """`lithos_tags` and `/api/v1/tags` answer what `tags` gives, after whatever it does."""
    gate = Gate(lambda: (Library(name="notes", root="/notes"),), tuple, bool)
    catalog = SimpleNamespace(tag_counts=lambda _filter: tags())
    reporter = SimpleNamespace(status=lambda _filter: status)
    audit, clock = SimpleNamespace(record=lambda _act: None), SystemClock()
    foreground = Foreground(clock)
    parts = {"gate": gate, "catalog": catalog, "reporter": reporter, "audit": audit, "clock": clock}
    return cast("App", SimpleNamespace(**parts, foreground=foreground))


def opening(tags: Tags = two_tags, status: FakeStatus = READY) -> Opening:
    """An opening of a fake app."""

    @contextmanager
    def open_app() -> Iterator[App]:
        yield fake_app(tags, status)

    return Opening(open_app)


def failing(failure: Exception) -> Opening:
    """An opening that fails."""

    @contextmanager
    def open_app() -> Iterator[App]:
        raise failure
        yield cast(Any, None)

    return Opening(open_app)


def never() -> Opening:
    """An opening that goes on until it is closed, like that of a large vault or a slow disk."""
    closed = threading.Event()

    class Endless(Opening):
        def close(self) -> None:
            closed.set()
            super().close()

    @contextmanager
    def open_app() -> Iterator[App]:
        closed.wait()
        yield fake_app()

    return Endless(open_app)
