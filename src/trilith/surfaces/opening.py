"""Opens the app behind a door that is already answering: handshakes wait for no engine."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING

from trilith.errors import StartFailure, TrilithError, Unavailable

if TYPE_CHECKING:
    from trilith.app import App

PATIENCE = 60.0
"""Seconds that a request waits for the app to open."""


class Opening:
    """An app being opened on a thread of its own.

    `open_app` imports and builds whatever it needs when it is entered, and releases it when it is left.
    """

    def __init__(self, open_app: Callable[[], AbstractContextManager[App]]) -> None:
        self._open = open_app
        self._app: Future[App] = Future()
        self._stack = ExitStack()
        self._thread = threading.Thread(target=self._run, name="trilith-open", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def app(self) -> App:
        """The app, waited for; call it off the event loop. Raises `StartFailure` when it could not be opened."""
        try:
            return self._app.result(PATIENCE)
        except TimeoutError:
            raise Unavailable("Still opening the index; try again.") from None

    def ready(self) -> App | None:
        """The app when it is open already. Raises `StartFailure` when it could not be opened."""
        return self._app.result(0) if self._app.done() else None

    def opened(self) -> App | None:
        """The app when it is open; None while it is not, or could not be."""
        return self._app.result(0) if self._app.done() and self._app.exception(0) is None else None

    def close(self) -> None:
        """Stop following and release everything, once the opening is through."""
        if self._thread.is_alive():
            self._thread.join(PATIENCE)
        self._stack.close()

    def _run(self) -> None:
        try:
            self._app.set_result(self._stack.enter_context(self._open()))
        except TrilithError as failure:
            self._app.set_exception(failure)
        except Exception as failure:  # noqa: BLE001 - whatever it was, the callers that wait must hear of it
            self._app.set_exception(StartFailure(f"The index cannot be opened: {type(failure).__name__}: {failure}"))
