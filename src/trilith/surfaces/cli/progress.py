"""How far long work has come, on stderr: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from trilith.surfaces.cli.terminal import remark

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    from trilith.ports.surroundings import Progress, ProgressSink

LINE_SECONDS = 10.0
"""Between two lines where there is no terminal to draw on."""
PATIENCE = 0.5
"""Seconds of work that need no explanation."""


@contextmanager
def bars() -> Iterator[ProgressSink]:
    """A sink for work that was asked for: how much, how fast, how long still."""
    if not sys.stderr.isatty():
        yield Lines()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[pace]}"),
    )
    with Progress(*columns, console=Console(stderr=True)) as drawn:
        yield Drawing(drawn)


class Drawing:
    """One bar for each stage of each library."""

    def __init__(self, drawn: Bars) -> None:
        self._drawn = drawn
        self._paces: dict[tuple[str, str], tuple[TaskID, Pace]] = {}

    def __call__(self, progress: Progress) -> None:
        key = (progress.library, progress.stage)
        if key not in self._paces:
            label = " ".join(part for part in (progress.library, progress.stage) if part)
            task = self._drawn.add_task(label, total=progress.total, pace="")
            self._paces[key] = (task, Pace(progress.done, time.monotonic()))
        task, pace = self._paces[key]
        told = pace.tell(progress, time.monotonic())
        self._drawn.update(task, completed=progress.done, total=progress.total, pace=told)


class Lines:
    """A line when a stage begins, one every few seconds, and one at its end."""

    def __init__(self) -> None:
        self._paces: dict[tuple[str, str], Pace] = {}
        self._said = 0.0

    def __call__(self, progress: Progress) -> None:
        now, key = time.monotonic(), (progress.library, progress.stage)
        begins = key not in self._paces
        pace = self._paces.setdefault(key, Pace(progress.done, now))
        if begins or progress.done >= progress.total or now - self._said >= LINE_SECONDS:
            self._said = now
            remark(line(progress, pace.tell(progress, now)))


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a stage goes, from its first report on: how long that took is not known."""

    done: int
    begun: float

    def tell(self, progress: Progress, now: float) -> str:
        """`40/s, 112 s left`; nothing before the second report."""
        done, seconds = progress.done - self.done, now - self.begun
        if done <= 0 or seconds <= 0:
            return ""
        left = (progress.total - progress.done) * seconds / done
        return f"{done / seconds:.0f}/s" + (f", {left:.0f} s left" if progress.done < progress.total else "")


class Patient:
    """For work that was not asked for: silent while it is quick, then one line that says what is going on."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._told = False

    def __call__(self, progress: Progress) -> None:
        if not self._told and time.monotonic() - self._begun > PATIENCE and progress.done < progress.total:
            self._told = True
            remark(f"Reading {progress.total} new or changed notes of '{progress.library}' first...")


def line(progress: Progress, pace: str) -> str:
    """`work: embedding 512/5000, 40/s, 112 s left`"""
    told = ", ".join(part for part in (f"{progress.stage} {progress.done}/{progress.total}", pace) if part)
    return f"{progress.library}: {told}" if progress.library else told
