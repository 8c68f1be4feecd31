"""What is odd about the files of a library, and about its links: for `doctor`, which sees the whole of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from trilith.index.catalog.filters import library_numbers
from trilith.index.catalog.links import LINK_COLUMNS, link_of
from trilith.index.catalog.names import folder_of
from trilith.index.catalog.places import notes
from trilith.index.catalog.resolution import State, preferred
from trilith.model.note import Link, LinkKind, Problem
from trilith.ports import FileProblem

UNRESOLVED = "unresolved_link"
AMBIGUOUS = "ambiguous_link"
MISSING = "missing_attachment"

_MOST = 100
"""Candidates that a message names; a vault full of `README.md` would fill the memory with lists of them."""


def file_problems(connection: sqlite3.Connection, library: str) -> tuple[FileProblem, ...]:
    rows = connection.execute(
        "SELECT n.path, p.code, p.message, p.line FROM problems p JOIN notes n ON n.num = p.num"
        " JOIN libraries l ON l.lib = n.lib WHERE l.name = ? ORDER BY n.path, p.ord",
        (library,),
    )
    return tuple(FileProblem(library=library, path=path, problem=Problem(*rest)) for path, *rest in rows)


def link_problems(connection: sqlite3.Connection, library: str) -> tuple[FileProblem, ...]:
    """Links that lead nowhere, to several notes alike, or to no file; those of dismissed notes are left out."""
    lib = library_numbers(connection, [library]).get(library, 0)
    found = [*_lost(connection, lib), *_ambiguous(connection, lib)]
    found.sort(key=lambda each: each[:2])
    return tuple(FileProblem(library=library, path=path, problem=problem) for path, _, problem in found)


def _lost(connection: sqlite3.Connection, lib: int) -> Iterator[tuple[str, int, Problem]]:
    rows = connection.execute(
        f"SELECT n.path, l.ord, l.state, {LINK_COLUMNS} FROM links l JOIN notes n ON n.num = l.num"
        " WHERE l.lib = ? AND l.state > 0 AND n.live = 1",
        (lib,),
    )
    for path, ord, state, *columns in rows:
        written = _written(link_of(columns))
        if state == State.MISSING:
            yield path, ord, Problem(MISSING, f"{written} leads to a file that is not there")
        else:
            yield path, ord, Problem(UNRESOLVED, f"{written} leads to no note")


def _ambiguous(connection: sqlite3.Connection, lib: int) -> Iterator[tuple[str, int, Problem]]:
    rows = connection.execute(
        f"SELECT n.path, l.ord, n.path_key, l.hit, l.via, {LINK_COLUMNS} FROM links l JOIN notes n ON n.num = l.num"
        " WHERE l.lib = ? AND l.hit IS NOT NULL AND n.live = 1",
        (lib,),
    ).fetchall()
    answers = notes(connection, lib, {row[3] for row in rows})
    for path, ord, path_key, hit, via, *columns in rows:
        places = preferred(answers[hit][via], folder_of(path_key))
        named = ", ".join(place.path for place in places[:_MOST])
        rest = f" and {len(places) - _MOST} more" if len(places) > _MOST else ""
        message = f"{_written(link_of(columns))} may be {named}{rest}; {places[0].path} is taken"
        yield path, ord, Problem(AMBIGUOUS, message)


def _written(link: Link) -> str:
    """The link much as it stands in the note."""
    if link.kind is LinkKind.MARKDOWN:
        return f"[{link.text or ''}]({link.target})"
    if link.kind is LinkKind.TYPED:
        return f"{link.relation}: {link.target}"
    return f"{'!' if link.kind is LinkKind.EMBED else ''}[[{link.target}]]"
