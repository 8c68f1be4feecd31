"""What is odd about the files of a library, and about its links: for `doctor`, which sees the whole of it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from trilith.index.catalog.connection import Connection
from trilith.index.catalog.filters import library_numbers
from trilith.index.catalog.links import LINK_COLUMNS, link_of
from trilith.index.catalog.names import folder_of
from trilith.index.catalog.places import notes
from trilith.index.catalog.resolution import State, preferred
from trilith.markdown.text import LINE_END
from trilith.model.note import Link, LinkKind, Problem
from trilith.ports.catalog import FileProblem

UNRESOLVED = "unresolved_link"
AMBIGUOUS = "ambiguous_link"
MISSING = "missing_attachment"

_MOST = 100
"""Candidates that a message names; a vault full of `README.md` would fill the memory with lists of them."""


class _Odd(NamedTuple):
    """A link, by where it stands, with what is odd about it."""

    path: str
    ord: int
    num: int
    link: Link
    code: str
    message: str


def file_problems(connection: Connection, library: str) -> tuple[FileProblem, ...]:
    rows = connection.execute(
        "SELECT n.path, p.code, p.message, p.line FROM problems p JOIN notes n ON n.num = p.num"
        " JOIN libraries l ON l.lib = n.lib WHERE l.name = ? ORDER BY n.path, p.ord",
        (library,),
    )
    return tuple(FileProblem(library=library, path=path, problem=Problem(*rest)) for path, *rest in rows)


def link_problems(connection: Connection, library: str) -> tuple[FileProblem, ...]:
    """Links that lead nowhere, to several notes alike, or to no file; those of dismissed notes are left out."""
    lib = library_numbers(connection, [library]).get(library, 0)
    found = sorted((*_lost(connection, lib), *_ambiguous(connection, lib)), key=lambda odd: (odd.path, odd.ord))
    lines = _lines(connection, found)
    return tuple(
        FileProblem(library=library, path=odd.path, problem=Problem(odd.code, odd.message, line))
        for odd, line in zip(found, lines, strict=True)
    )


def _lost(connection: Connection, lib: int) -> Iterator[_Odd]:
    rows = connection.execute(
        f"SELECT n.path, l.ord, l.num, l.state, {LINK_COLUMNS} FROM links l JOIN notes n ON n.num = l.num"
        " WHERE l.lib = ? AND l.state > 0 AND n.live = 1",
        (lib,),
    )
    for path, ord, num, state, *columns in rows:
        link = link_of(columns)
        if state == State.MISSING:
            yield _Odd(path, ord, num, link, MISSING, f"{_written(link)} leads to a file that is not there")
        else:
            yield _Odd(path, ord, num, link, UNRESOLVED, f"{_written(link)} leads to no note")


def _ambiguous(connection: Connection, lib: int) -> Iterator[_Odd]:
    rows = connection.execute(
        f"SELECT n.path, l.ord, l.num, n.path_key, l.hit, l.via, {LINK_COLUMNS} FROM links l"
        " JOIN notes n ON n.num = l.num WHERE l.lib = ? AND l.hit IS NOT NULL AND n.live = 1",
        (lib,),
    ).fetchall()
    answers = notes(connection, lib, {row[4] for row in rows})
    for path, ord, num, path_key, hit, via, *columns in rows:
        link = link_of(columns)
        places = preferred(answers[hit][via], folder_of(path_key))
        named = ", ".join(place.path for place in places[:_MOST])
        rest = f" and {len(places) - _MOST} more" if len(places) > _MOST else ""
        message = f"{_written(link)} may be {named}{rest}; {places[0].path} is taken"
        yield _Odd(path, ord, num, link, AMBIGUOUS, message)


def _lines(connection: Connection, found: list[_Odd]) -> Iterable[int | None]:
    """The line of the file that each link is on, as far as it is known; the links by note, and in order within one."""
    rows = connection.execute(
        "SELECT c.num, c.body_line, c.body FROM json_each(?) j CROSS JOIN contents c ON c.num = j.value"
        " WHERE c.body_line IS NOT NULL",
        (json.dumps(sorted({odd.num for odd in found if odd.link.start >= 0})),),
    )
    bodies = {num: (line, body) for num, line, body in rows}
    num, at, line = None, 0, 0
    for odd in found:
        first, body = bodies.get(odd.num, (None, ""))
        if first is None or odd.link.start < 0:
            yield None
            continue
        if odd.num != num:
            num, at, line = odd.num, 0, first
        line += sum(1 for _ in LINE_END.finditer(body, at, odd.link.start))  # on from the link before
        at = odd.link.start
        yield line


def _written(link: Link) -> str:
    """The link much as it stands in the note, on one line."""
    if link.kind is LinkKind.MARKDOWN:
        return f"[{' '.join((link.text or '').split())}]({link.target})"
    if link.kind is LinkKind.TYPED:
        return f"{link.relation}: {link.target}"
    return f"{'!' if link.kind is LinkKind.EMBED else ''}[[{link.target}]]"
