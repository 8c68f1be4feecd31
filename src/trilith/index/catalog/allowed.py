"""Which notes pass a filter, for engines that look at each. The last few answers are remembered: an agent with a folder
denied asks the same with every search."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from trilith.index.catalog.connection import Connection
from trilith.index.catalog.filters import is_plain, names_collaborator, passes
from trilith.model.query import Filter
from trilith.ports.catalog import Allowed

_REMEMBERED = 16
"""Answers; one over 100,000 notes takes 0.8 MB."""

_Key = tuple[str, tuple[tuple[str, int], ...]]


class AllowedNotes:
    """Answers `allowed`; what is remembered holds for as long as no note of the libraries changes."""

    def __init__(self) -> None:
        self._answers: OrderedDict[_Key, Allowed] = OrderedDict()
        self._turn = threading.Lock()

    def of(self, connection: Connection, filter: Filter) -> Allowed:
        rows = connection.execute(
            "SELECT name, seq, notes, live FROM libraries WHERE name IN (SELECT value FROM json_each(?) k) ORDER BY name",
            (json.dumps(list(filter.libraries)),),
        ).fetchall()
        total = sum(notes for _, _, notes, _ in rows)
        if is_plain(filter) and total == sum(live for _, _, _, live in rows):
            return Allowed(nums=None, total=total)
        key = (repr(filter), tuple((name, seq) for name, seq, _, _ in rows))
        with self._turn:
            answer = self._answers.pop(key, None)
        if answer is None:
            answer = _select(connection, filter, total)
        with self._turn:
            self._answers[key] = answer
            while len(self._answers) > _REMEMBERED:
                self._answers.popitem(last=False)
        return answer


def _select(connection: Connection, filter: Filter, total: int) -> Allowed:
    condition = passes(connection, filter)
    rows = connection.execute(f"SELECT n.num FROM notes n WHERE {condition.sql}", condition.params)
    nums = np.fromiter((num for (num,) in rows), np.int64)
    nums.sort()
    nums.flags.writeable = False
    return Allowed(nums=nums, total=total, hidden=hidden_chunks(connection, filter))


def hidden_chunks(connection: Connection, filter: Filter) -> NDArray[np.int64]:
    """The chunks of collaborator notes that are not for this caller, of notes that pass."""
    found = []
    for scope in filter.scopes:
        if scope.reader is not None:
            named = names_collaborator(scope.reader)
            theirs = passes(connection, replace(filter, scopes=(scope,)), driven=True)
            sql = (
                "SELECT c.num, c.ordinal FROM chunks c CROSS JOIN notes n ON n.num = c.num"
                f" WHERE c.section = 'notes' AND {theirs.sql} AND NOT {named.sql}"
            )
            found += connection.execute(sql, (*theirs.params, *named.params)).fetchall()
    return np.array(found, np.int64).reshape(len(found), 2)
