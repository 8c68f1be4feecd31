"""How does PostgreSQL say what the catalog says in SQLite's words? Pure.

A closed list of idioms (see `catalog.connection` for the aliases); whatever else stands in a statement, both databases take.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

Convert = Callable[[Any], tuple[Any, ...]]
"""What becomes of a parameter: one or more."""


class Spelled(NamedTuple):
    sql: str
    """With `%s` for parameters."""
    converts: tuple[tuple[int, Convert], ...]
    """The places of parameters that are handed over otherwise."""

    def params(self, values: Sequence[Any]) -> Sequence[Any]:
        if not self.converts:
            return values
        made: list[Any] = []
        start = 0
        for place, convert in self.converts:
            made += values[start:place]
            made += convert(values[place])
            start = place + 1
        return [*made, *values[start:]]


def _numbers(text: str) -> tuple[str]:
    """A list of numbers is written alike, but for the brackets."""
    return (f"{{{text[1:-1]}}}",)


def _texts(text: str) -> tuple[list[str]]:
    return (json.loads(text),)


def _pairs(text: str) -> tuple[list[Any], list[Any]]:
    pairs = json.loads(text)
    return [first for first, _ in pairs], [second for _, second in pairs]


_LISTS: dict[str, tuple[str, Convert]] = {
    "j": ("unnest(%s::bigint[]) WITH ORDINALITY AS j (value, key)", _numbers),
    "k": ("unnest(%s::text[]) WITH ORDINALITY AS k (value, key)", _texts),
    "p": ("unnest(%s::bigint[], %s::bigint[]) AS p (first, second)", _pairs),
    "q": ("unnest(%s::text[], %s::text[]) AS q (first, second)", _pairs),
}
_IDIOM = re.compile(
    r"json_each\(\?\) (?P<list>[jkpq])\b"
    r"|json_extract\((?P<pair>[pq])\.value, '\$\[(?P<place>[01])\]'\)"
    r"|CROSS (?=JOIN\b)"
    r"|\+(?=[a-z]\.)"
    r"|IN (?P<none>\(\))"
    r"|%"
    r"|\?"
)
"""A plus right before a column tells SQLite's planner something, and nothing is added."""
_PLAIN_INSERT = re.compile(r"INSERT INTO (?P<table>\w+(?: \([\w, ]+\))?) VALUES \((?:\?, )*\?\)")


@lru_cache(maxsize=512)
def spelled(sql: str) -> Spelled:
    converts: list[tuple[int, Convert]] = []
    params = 0

    def said(idiom: re.Match[str]) -> str:
        nonlocal params
        if idiom["list"]:
            text, convert = _LISTS[idiom["list"]]
            converts.append((params, convert))
            params += 1
            return text
        if idiom["pair"]:
            return f"{idiom['pair']}.{('first', 'second')[int(idiom['place'])]}"
        if idiom["none"]:
            return "IN (NULL)"
        if idiom[0] == "?":
            params += 1
            return "%s"
        return "%%" if idiom[0] == "%" else ""

    return Spelled(_IDIOM.sub(said, sql), tuple(converts))


@lru_cache(maxsize=512)
def copied(sql: str) -> str | None:
    """The `COPY` that does the same for many rows; None unless the statement puts in rows as they are given."""
    plain = _PLAIN_INSERT.fullmatch(sql)
    return None if plain is None else f"COPY {plain['table']} FROM STDIN"
