"""One piece of work in a thread of its own, with an end that others can wait for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from trilith.embedding.manifest import ModelUnusable

Result = TypeVar("Result")


class Stopped(Exception):
    """The process is ending; nobody needs the result."""


class Background(Generic[Result]):
    """Runs `work` once, begun by the first `start`.

    The thread is no daemon: the interpreter would tear it out of native code when it ends, which can abort the process.
    Instead `work` calls `checkpoint` between its steps, so that an ending process waits for one step at most.
    """

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._begun = threading.Lock()
        self._ended = threading.Event()
        self.result: Result | None = None
        self.failure: str | None = None

    def start(self) -> None:
        if self._begun.acquire(blocking=False):
            threading.Thread(target=self._run, name="trilith-load-model").start()

    def wait(self, seconds: float) -> bool:
        """Whether it has come to its end, well or not, within so many seconds."""
        return self._ended.wait(max(seconds, 0.0))

    def _run(self) -> None:
        try:
            self.result = self._work()
        except ModelUnusable as error:
            self.failure = str(error)
        except Stopped:
            self.failure = "The process is ending."
        except Exception as error:  # noqa: BLE001 - whatever it is, those who wait must hear of it
            self.failure = f"The embedding model cannot be loaded: {type(error).__name__}: {error}"
        finally:
            self._ended.set()


def checkpoint() -> None:
    """Raises `Stopped` once the main thread has come to its end."""
    if not threading.main_thread().is_alive():
        raise Stopped
