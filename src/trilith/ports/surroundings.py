"""Locks, clock, progress, and the parser of notes."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from trilith.model.note import Note
from trilith.ports.vault import RawFile


class Locks(Protocol):
    """Turns between processes, held by the kernel so that a killed holder leaves nothing behind.

    Each yields whether the turn was got within `timeout` seconds; without it the caller must not do the work.
    """

    def writing(self, timeout: float) -> AbstractContextManager[bool]:
        """Changing the catalog: taken per batch."""
        ...

    def scanning(self, library: str) -> AbstractContextManager[bool]:
        """Comparing a vault with the catalog; whoever does not get it leaves the work to the holder."""
        ...

    def embedding(self) -> AbstractContextManager[bool]: ...

    def training(self) -> AbstractContextManager[bool]:
        """Making the inverted lists of large libraries, one after the other; as `embedding`."""
        ...

    def feeding(self, library: str, timeout: float) -> AbstractContextManager[bool]:
        """Bringing the views of a library level with the catalog: taken per batch."""
        ...

    def editing(self, library: str, timeout: float) -> AbstractContextManager[bool]:
        """Changing the files of a vault: taken per note."""
        ...


class Clock(Protocol):
    def now(self) -> datetime:
        """Aware, UTC."""
        ...

    def monotonic(self) -> float: ...


@dataclass(slots=True)
class Progress:
    """How far a long piece of work has come, for people."""

    stage: str
    done: int
    total: int
    library: str = field(default="")


class ProgressSink(Protocol):
    def __call__(self, progress: Progress) -> None: ...


class NoteParser(Protocol):
    def __call__(self, path: str, raw: RawFile) -> Note: ...
