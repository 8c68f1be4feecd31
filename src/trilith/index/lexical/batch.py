"""What one commit takes over, and what it writes once more.

Each commit makes a segment, and the engine merges any eight of less than 10,000 documents: where an index has not many more,
it would write all of it anew with every eighth commit. So the documents of the commits just before are written again with
the next one. Their segments are empty then and go, and commits in a row leave one segment and not many.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import tantivy

from trilith.index.lexical.schema import MARK

RECENT = 32
"""Documents that are written again at most. As many notes of 3 kB cost about 10 ms; merging 5,000 of them 300 ms."""

Documents = Mapping[int, tuple[tantivy.Document, ...]]
"""By the number of their note."""


@dataclass(slots=True)
class Batch:
    """Notes for an index whose last commits by the same writer took over `recent`."""

    writer: tantivy.IndexWriter
    recent: Documents = field(default_factory=dict)
    _put: dict[int, tuple[tantivy.Document, ...]] = field(default_factory=dict)
    _dropped: set[int] = field(default_factory=set)

    def clear(self) -> None:
        self.writer.delete_all_documents()
        self.recent, self._put = {}, {}

    def drop(self, num: int) -> None:
        self.writer.delete_documents_by_term("num", num)
        self._dropped.add(num)

    def put(self, num: int, documents: Iterable[tantivy.Document]) -> None:
        """In place of what there was of this note. Once in a batch."""
        self._put[num] = tuple(documents)
        self._write(num, self._put[num])

    def mark(self, document: tantivy.Document) -> None:
        """How far the index has come, in place of how far it had."""
        self.writer.delete_documents_by_term("kind", MARK)
        self.writer.add_document(document)

    def commit(self) -> Documents:
        """What is recent now."""
        again = {num: each for num, each in self.recent.items() if num not in self._put and num not in self._dropped}
        if _count(again) + _count(self._put) > RECENT:
            again = {}
        for num, documents in again.items():
            self._write(num, documents)
        self.writer.commit()
        recent = {**again, **self._put}
        return recent if _count(recent) <= RECENT else {}

    def _write(self, num: int, documents: Iterable[tantivy.Document]) -> None:
        self.writer.delete_documents_by_term("num", num)
        for document in documents:
            self.writer.add_document(document)


def _count(documents: Documents) -> int:
    return sum(map(len, documents.values()))
