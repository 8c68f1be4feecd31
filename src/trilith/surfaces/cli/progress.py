"""How far long work has come, on stderr: a bar on a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from trilith.surfaces.cli.terminal import remark

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

    from trilith.ports import Progress, ProgressSink

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
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=Console(stderr=True)) as drawn:
        yield Drawing(drawn)


class Drawing:
    """One bar for each stage of each library."""

    def __init__(self, drawn: Bars) -> None:
        self._drawn = drawn
        self._tasks: dict[tuple[str, str], tuple[TaskID, float]] = {}

    def __call__(self, progress: Progress) -> None:
        key = (progress.library, progress.stage)
        if key not in self._tasks:
            label = " ".join(part for part in (progress.library, progress.stage) if part)
            self._tasks[key] = (self._drawn.add_task(label, total=progress.total, rate=""), time.monotonic())
        task, begun = self._tasks[key]
        self._drawn.update(
            task, completed=progress.done, total=progress.total, rate=rate(progress.done, time.monotonic() - begun)
        )


class Lines:
    """A line when a stage begins, one every few seconds, and one at its end."""

    def __init__(self) -> None:
        self._begun: dict[tuple[str, str], float] = {}
        self._said = 0.0

    def __call__(self, progress: Progress) -> None:
        now = time.monotonic()
        begun = self._begun.setdefault((progress.library, progress.stage), now)
        if begun == now or progress.done >= progress.total or now - self._said >= LINE_SECONDS:
            self._said = now
            remark(line(progress, now - begun))


class Patient:
    """For work that was not asked for: silent while it is quick, then one line that says what is going on."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._told = False

    def __call__(self, progress: Progress) -> None:
        if not self._told and time.monotonic() - self._begun > PATIENCE and progress.done < progress.total:
            self._told = True
            remark(f"Reading {progress.total} new or changed notes of '{progress.library}' first...")


def line(progress: Progress, seconds: float) -> str:
    """`work: embedding 512/5000, 40/s, 112 s left`"""
    parts = [f"{progress.stage} {progress.done}/{progress.total}"]
    if seconds > 0 and progress.done:
        parts.append(rate(progress.done, seconds))
        left = (progress.total - progress.done) * seconds / progress.done
        parts += [f"{left:.0f} s left"] if progress.done < progress.total else []
    return f"{progress.library}: {', '.join(parts)}" if progress.library else ", ".join(parts)


def rate(done: int, seconds: float) -> str:
    """`40/s`; nothing while there is nothing to divide by."""
    return f"{done / seconds:.0f}/s" if seconds > 0 else ""
