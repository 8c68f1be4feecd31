"""Answers from the index on this machine, brought level with the files first."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from trilith.errors import Unavailable
from trilith.model.principal import Library, Principal
from trilith.surfaces.cli.progress import Patient
from trilith.surfaces.cli.scope import Scope, nothing_registered
from trilith.surfaces.cli.terminal import warn

if TYPE_CHECKING:
    from trilith.app import App

OWNER = Principal()
EMBED_SECONDS = 2.0
"""How long a search embeds what has no vector yet before it answers without."""

SETTLE_SECONDS = 30.0
"""How long a change waits for another process that reads the notes."""
POLL_SECONDS = 0.1

MODEL_SECONDS = 10.0
"""How long the model may take to load before `status` says that it is still loading."""


@contextmanager
def opened(scope: Scope) -> Iterator[App]:
    """The app for what `scope` means. Raises `InvalidInput` when that is no library at all."""
    from trilith.wiring import open_app

    with open_app(scope.settings, scope.vaults, scope.library) as app:
        if not app.gate.libraries():
            raise nothing_registered(scope)
        yield app


def load_models(app: App) -> None:
    """Begin to load what a search by meaning needs: that takes as long as looking over the notes does."""
    for library in app.gate.libraries():
        app.indexer.feeder.embedder.of(library.name).prepare()


def refresh(app: App) -> None:
    """Bring catalog and full text level with the files, the texts of few chunks too. A vault that is away is told of and answered from the index."""
    progress = Patient()
    for library in app.gate.libraries():
        try:
            app.indexer.refresh(library, progress)
            app.indexer.feeder.catch_up(library.name)
        except Unavailable as failure:
            app.follower.problems[library.name] = failure.message
            warn(f"library '{library.name}': {failure.message} Answering from the index.")


def settle(app: App) -> None:
    """As `refresh`, once other processes that are looking have come to their end: what is to be changed must be known."""
    deadline = time.monotonic() + SETTLE_SECONDS
    progress = Patient()
    for library in app.gate.libraries():
        while not app.indexer.refresh(library, progress).mine and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)


def embed_some(app: App, seconds: float = EMBED_SECONDS) -> None:
    """Embed what has no vector yet for at most about `seconds`; without a model the search itself says so."""
    begun = time.monotonic()
    for library in app.gate.libraries():
        _embed(app, library, begun + seconds)


def _embed(app: App, library: Library, deadline: float) -> None:
    feeder = app.indexer.feeder
    try:
        while time.monotonic() < deadline and feeder.embed_some(library.name):
            pass
    except Unavailable:
        return


def look(app: App) -> None:
    """See whether the vaults can be read, without reading them, and whether their models can be used."""
    for library in app.gate.libraries():
        try:
            app.indexer.vault(library.name).walk()
        except Unavailable as failure:
            app.follower.problems[library.name] = failure.message
        app.indexer.feeder.embedder.of(library.name).wait(MODEL_SECONDS)
