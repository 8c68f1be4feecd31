"""Work that is done beside other work, on a thread of its own: a view takes over one batch while the next is read."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType


class Alongside:
    """Does one piece of work again whenever it is asked for, until the context ends; what was asked for last is done then.

    Asked several times while at it, it is done once more. A failure is raised from the next `ask`, or from the end.
    """

    def __init__(self, work: Callable[[], None]) -> None:
        self._work = work
        self._asked = threading.Condition()
        self._wanted = self._ended = False
        self._failure: Exception | None = None
        self._thread: threading.Thread | None = None

    def ask(self) -> None:
        """Let the work be done soon."""
        self._raise()
        with self._asked:
            self._wanted = True
            self._asked.notify()
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="trilith-alongside", daemon=True)
            self._thread.start()

    def __enter__(self) -> Alongside:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, failure: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._asked:
            self._ended = True
            self._asked.notify()
        if self._thread is not None:
            self._thread.join()
        if failure is None:
            self._raise()

    def _run(self) -> None:
        while self._failure is None and self._next():
            try:
                self._work()
            except Exception as failure:  # noqa: BLE001 - whoever asked gets it
                self._failure = failure

    def _next(self) -> bool:
        """Wait until there is something to do; False at the end."""
        with self._asked:
            self._asked.wait_for(lambda: self._wanted or self._ended)
            wanted, self._wanted = self._wanted, False
            return wanted

    def _raise(self) -> None:
        if self._failure is not None:
            raise self._failure
