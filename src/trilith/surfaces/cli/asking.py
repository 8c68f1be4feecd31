"""Whom does a question go to, or a change? A server of the same home when one serves what is meant, else the index
itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from trilith.surfaces.cli import local, server
from trilith.surfaces.cli.scope import Scope
from trilith.surfaces.cli.terminal import remark

if TYPE_CHECKING:
    from trilith.app import App
    from trilith.dialects.native.requests import Narrowing

Json = dict[str, Any]


class Answering(Protocol):
    """The questions of the native dialect, whoever answers them."""

    def search(
        self, query: str, mode: str, limit: int, narrowing: Narrowing, sort: str = ..., *, explain: bool = ...
    ) -> Json: ...

    def read(self, reference: str, max_length: int | None, library: str | None = ...) -> Json: ...

    def page(self, listing: Narrowing, limit: int, offset: int, sort: str = ...) -> Json: ...

    def related(self, reference: str, library: str | None = ...) -> Json: ...

    def status(self) -> Json: ...


@contextmanager
def asking(scope: Scope, *preparations: Callable[[App], None], quiet: bool, whole: bool = False) -> Iterator[Answering]:
    """Whoever answers; not `quiet`, stderr tells when that is a server.

    `preparations` are run on the app where no server answers: a server follows its vaults by itself. With `whole` a
    server is asked only when it serves exactly what is meant, for questions that cannot be narrowed.
    """
    running = _running(scope, quiet=quiet, whole=whole)
    if running is not None:
        yield running
        return
    from trilith.dialects.native.answers import Answers

    with _prepared(scope, preparations) as app:
        yield Answers(app, local.OWNER)


class Changing(Protocol):
    """The changes of the native dialect, whoever makes them."""

    def create(self, given: Mapping[str, Any]) -> Json: ...

    def patch(self, reference: str, given: Mapping[str, Any]) -> Json: ...

    def edit(self, reference: str, given: Mapping[str, Any]) -> Json: ...

    def move(self, reference: str, given: Mapping[str, Any]) -> Json: ...

    def delete(self, reference: str, given: Mapping[str, Any]) -> Json: ...

    def trash(self, library: str | None = ...) -> Json: ...

    def restore(self, key: str) -> Json: ...


@contextmanager
def changing(scope: Scope, *preparations: Callable[[App], None], quiet: bool) -> Iterator[Changing]:
    """Whoever makes the changes; otherwise as `asking`."""
    running = _running(scope, quiet=quiet, whole=False)
    if running is not None:
        yield running
        return
    from trilith.dialects.native.writing import Writing

    with _prepared(scope, preparations) as app:
        yield Writing(app, local.OWNER)


def _running(scope: Scope, *, quiet: bool, whole: bool) -> server.ServerAnswers | None:
    running = server.find(scope, whole=whole)
    if running is not None and not quiet:
        remark(f"via {running.url}")
    return running


@contextmanager
def _prepared(scope: Scope, preparations: tuple[Callable[[App], None], ...]) -> Iterator[App]:
    with local.opened(scope) as app:
        for prepare in preparations:
            prepare(app)
        yield app
