"""How do filters become part of a query? As clauses that must hold and score nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

import numpy as np
import tantivy
from numpy.typing import NDArray
from tantivy import FieldType, Occur, Query

from trilith.index.lexical.document import key, microseconds, tag_key, valid
from trilith.model.note import Visibility
from trilith.model.principal import Scope
from trilith.model.query import Filter, Membership

AllowedNums = Callable[[Filter], NDArray[np.int64]]
"""The numbers of all notes that pass a filter: asked only for property filters, which no field here can answer."""

Clause = tuple[Occur, Query]


class Filters:
    """Translates filters for one index."""

    def __init__(self, schema: tantivy.Schema, allowed_nums: AllowedNums) -> None:
        self._schema = schema
        self._allowed_nums = allowed_nums

    def narrow(self, query: Query, filter: Filter, scope: Scope) -> Query:
        """The same query, for the notes of one scope that pass the filter."""
        clauses = [*self._of_filter(filter), *self._of_scope(scope)]
        if not clauses:
            return query
        return Query.boolean_query([(Occur.Must, query), *clauses])

    def named(self, reader: str) -> Query:
        """Notes that name this user as a collaborator."""
        return self._term("collaborator", reader)

    def _of_scope(self, scope: Scope) -> Iterator[Clause]:
        if scope.reader is not None:
            public = self._term("visibility", Visibility.PUBLIC)
            yield _must(Query.boolean_query([(Occur.Should, public), (Occur.Should, self.named(scope.reader))]))
        for folder in scope.denied:
            yield Occur.MustNot, self._term("folder", key(folder.strip("/")))

    def _of_filter(self, filter: Filter) -> Iterator[Clause]:
        for tag in filter.tags:
            yield _must(self._term("tag", tag_key(tag)))
        if filter.author is not None:
            yield _must(self._term("author", key(filter.author.strip())))
        if filter.path_prefix:
            yield _must(self._term("folder", key(filter.path_prefix)))
        if filter.para is not None:
            yield _must(self._belonging(filter.para))
        if filter.without:
            yield Occur.MustNot, Query.term_set_query(self._schema, "num", list(filter.without))
        for field, start, end in (
            ("created", filter.created_after, filter.created_before),
            ("updated", filter.updated_after, filter.updated_before),
        ):
            if start is not None or end is not None:
                yield _must(between(self._schema, field, start, end))
        if filter.where:
            yield _must(Query.term_set_query(self._schema, "num", self._allowed_nums(filter).tolist()))

    def _belonging(self, para: Membership) -> Query:
        named = self._term("para", para.slug)
        if para.folder is None:
            return named
        return Query.boolean_query([(Occur.Should, named), (Occur.Should, self._term("folder", key(para.folder)))])

    def _term(self, field: str, value: str) -> Query:
        return Query.term_query(self._schema, field, valid(value), "basic")


def _must(query: Query) -> Clause:
    return Occur.Must, Query.const_score_query(query, 0.0)


def between(schema: tantivy.Schema, field: str, start: datetime | None, end: datetime | None) -> Query:
    """Notes whose date is at `start` or later, and before `end`."""
    lower = None if start is None else microseconds(start)
    upper = None if end is None else microseconds(end)
    return Query.range_query(schema, field, FieldType.Integer, lower, upper, include_upper=upper is None)
