"""What the catalog hands to the views, and in which batches."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from trilith.model.ids import NoteId, Num
from trilith.model.note import Chunk, Section


@dataclass(frozen=True, slots=True, kw_only=True)
class FullTextItem:
    """A note as a full-text view needs it."""

    num: Num
    id: NoteId
    checksum: str
    path: str
    title: str
    aliases: tuple[str, ...]
    tags: tuple[str, ...]
    author: str | None
    summary: str | None
    headings: tuple[str, ...]
    body: str
    status: str
    visibility: str
    collaborators: tuple[str, ...]
    para: tuple[str, ...]
    created_at: datetime
    updated_at: datetime
    collaborator_notes: str | None = None
    """Found only by those who may see all of the library, and by the note's collaborators."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkedItem:
    """A note as a full-text view of chunks needs it."""

    note: FullTextItem
    chunks: tuple[Chunk, ...]

    @property
    def num(self) -> Num:
        return self.note.num

    def text(self, chunk: Chunk) -> str:
        """A chunk's own text."""
        source = (self.note.collaborator_notes or "") if chunk.section is Section.NOTES else self.note.body
        return source[chunk.start : chunk.end]


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorItem:
    """All vectors of a note that exist so far. `vectors` is float16 [n, width], L2-normalised; `ordinals` int32 [n]."""

    num: Num
    checksum: str
    ordinals: NDArray[np.int32]
    vectors: NDArray[np.float16]


Item = TypeVar("Item")


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes(Generic[Item]):
    """What a view must take over to be at sequence number `upto`. A note is in `put` or in `drop`, once."""

    upto: int
    put: tuple[Item, ...] = ()
    drop: tuple[Num, ...] = ()
    anew: bool = False
    """The view's number is none of this catalog's: it was fed from one that is gone, and must be cleared first."""
