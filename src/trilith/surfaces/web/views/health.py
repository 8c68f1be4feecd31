"""How the base is, as a person reads it: states in words, shares as bars, oddities by kind. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from trilith.access.folders import above
from trilith.health.status import LibraryStatus, State, Status
from trilith.model.hits import EngineState
from trilith.model.principal import Scope
from trilith.ports.catalog import Counts, FileProblem
from trilith.ports.vault import WatchMode

MOST = 100
"""Oddities of one kind that are shown."""
STATES = {
    State.STARTING: ("Reading the notes for the first time", "busy"),
    State.INDEXING: ("Indexing", "busy"),
    State.READY: ("Everything is indexed", "good"),
    State.UNAVAILABLE: ("The folder cannot be read", "bad"),
}
"""Each in words, and its tone."""
WATCHING = {
    WatchMode.EVENTS: "Changes are noticed as they happen",
    WatchMode.POLLING: "Changes are looked for from time to time",
    WatchMode.OFF: "Changes are not followed",
}
KINDS = {
    "unresolved_link": "Links to no note",
    "ambiguous_link": "Links that several notes answer to",
    "missing_attachment": "Links to files that are not there",
    "expired": "Stale notes",
    "duplicate_source_url": "Notes from the same source",
    "unknown_source": "Sources that are not there",
}
"""In this order; other kinds are oddities of files."""
FILES = "Files that are odd"


@dataclass(frozen=True, slots=True)
class Bar:
    """A share of something, in percent, with what it is of."""

    name: str
    share: int
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """A library. `root` is empty for somebody who sees only a part of it."""

    name: str
    root: str
    state: str
    tone: str
    notes: int
    views: tuple[Bar, ...]
    watching: str
    problem: str | None
    last_look: datetime | None
    skipped: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Oddity:
    library: str
    path: str
    line: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class Kind:
    """Oddities of one kind; `total` may be more than are shown."""

    name: str
    total: int
    shown: tuple[Oddity, ...]


def state(status: Status) -> tuple[str, str]:
    """In words, and the tone."""
    if not status.libraries:
        return "There is nothing here for you yet", "busy"
    return STATES[status.state]


def meaning(status: Status) -> str | None:
    """What is the matter with search by meaning, if anything."""
    if status.semantic is EngineState.OK:
        return None
    if status.semantic is EngineState.LOADING:
        return "The model is still being loaded."
    return f"Search by meaning is off: {status.reason or 'no reason is known'}."


def shelves(status: Status, chunks: Mapping[str, int]) -> tuple[Shelf, ...]:
    """`chunks`: how many each library has."""
    is_off = status.semantic is EngineState.OFF
    return tuple(_shelf(each, chunks.get(each.library.name, 0), is_off=is_off) for each in status.libraries)


def _shelf(status: LibraryStatus, chunks: int, *, is_off: bool) -> Shelf:
    """`is_off`: nothing is searched by meaning, and nothing waits for it."""
    said, tone = STATES[status.state]
    total = status.documents + (status.pending_fulltext if status.state is State.STARTING else 0)
    return Shelf(
        name=status.library.name,
        root=status.library.root,
        state=said,
        tone=tone,
        notes=status.documents,
        views=(
            bar("Words", total - status.pending_fulltext, total, "notes"),
            Bar("Meaning", 0, "off") if is_off else bar("Meaning", chunks - status.pending_vectors, chunks, "passages"),
        ),
        watching=status.watcher_problem or WATCHING[status.watcher],
        problem=status.problem,
        last_look=status.last_scan,
        skipped=tuple((file.path, file.reason) for file in status.skipped[:MOST]),
    )


def bar(name: str, done: int, total: int, what: str) -> Bar:
    """How much of something is done; all of nothing is."""
    done = min(max(done, 0), total)
    return Bar(name, 100 * done // total if total else 100, f"{done:,} of {total:,} {what}")


def bars(counts: Iterable[tuple[str, int]], what: str) -> tuple[Bar, ...]:
    """Numbers beside each other, the largest as a whole."""
    given = [(name, number) for name, number in counts if number]
    most = max((number for _, number in given), default=1)
    return tuple(Bar(name, max(100 * number // most, 1), f"{number:,} {what}".strip()) for name, number in given)


def figures(counts: Counts) -> tuple[tuple[str, int], ...]:
    return (
        ("notes", counts.documents),
        ("passages", counts.chunks),
        ("links", counts.links),
        ("tags", counts.tags),
        ("stale", counts.expired),
        ("unresolved", counts.unresolved_links + counts.missing_attachments),
    )


def visible(problems: Iterable[FileProblem], scope: Scope) -> Iterator[FileProblem]:
    """Those that the caller may know of. A part of a library tells nothing of what is wrong in it: the links of its notes
    may lead to others. Nothing is told that names a closed folder."""
    if scope.reader is not None:
        return
    for found in problems:
        told = found.problem.message.casefold()
        if above(found.path, scope.denied) is None and not any(f"{f.casefold()}/" in told for f in scope.denied):
            yield found


def kinds(problems: Sequence[FileProblem]) -> tuple[Kind, ...]:
    """Oddities by kind, in the order of `KINDS`, those of files last."""
    by_name: dict[str, list[FileProblem]] = {name: [] for name in (*KINDS.values(), FILES)}
    for found in problems:
        by_name[KINDS.get(found.problem.code, FILES)].append(found)
    return tuple(Kind(name, len(each), tuple(map(_oddity, each[:MOST]))) for name, each in by_name.items() if each)


def _oddity(found: FileProblem) -> Oddity:
    return Oddity(found.library, found.path, found.problem.line, found.problem.message)
