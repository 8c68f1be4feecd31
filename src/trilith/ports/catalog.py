"""What the index remembers of each note."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from trilith.model.ids import NoteId, Num
from trilith.model.note import Entry, LinkKind, Note, Problem
from trilith.model.query import Filter, Listing
from trilith.model.shortid import Kin
from trilith.ports.engines import ChunkKey
from trilith.ports.items import Changes, ChunkedItem, FullTextItem, VectorItem
from trilith.ports.vault import SkippedFile, Stamp


@dataclass(frozen=True, slots=True)
class KnownFile:
    num: Num
    id: NoteId
    stamp: Stamp
    checksum: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """A parsed file to be remembered. `num` is None for a note that the catalog does not know yet."""

    num: Num | None
    id: NoteId
    path: str
    stamp: Stamp
    checksum: str
    created_at: datetime
    updated_at: datetime
    note: Note
    embed_texts: tuple[str, ...]
    """What is embedded for each chunk, in the order of `note.chunks`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CatalogBatch:
    """Applied in one transaction: all of it, or nothing."""

    put: tuple[Recorded, ...] = ()
    restamp: tuple[tuple[Num, str, Stamp], ...] = ()
    """(num, path, stamp): same content, touched or moved; ids and vectors stay."""
    drop: tuple[Num, ...] = ()


class NameKind(StrEnum):
    """Ways in which a name can be a note's, strongest first (resolution order of links)."""

    PATH = "path"
    SUFFIX = "suffix"
    STEM = "stem"
    ID = "id"
    TITLE = "title"
    ALIAS = "alias"


@dataclass(frozen=True, slots=True)
class Named:
    num: Num
    kind: NameKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    """The notes that pass a filter. `nums` int64, sorted; None when every note of the catalog's libraries in the filter
    passes, so that engines need not look at each."""

    nums: NDArray[np.int64] | None
    total: int
    """How many notes the libraries of the filter hold."""
    hidden: NDArray[np.int64] = field(default_factory=lambda: np.empty((0, 2), np.int64))
    """The chunks (number of the note, ordinal) of notes that pass which the caller may not see all the same: of the
    collaborator notes of others."""


@dataclass(frozen=True, slots=True)
class ChunkText:
    text: str
    headings: tuple[str, ...]
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    entries: tuple[Entry, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Gone:
    """A note that is deleted, or dismissed."""

    id: NoteId
    library: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """Each note once, with the last that became of it. `upto` is the time of the last change told here, None where there
    is none; `more` whether there are later ones. Times are those at which the catalog learned of the change."""

    changed: tuple[Entry, ...] = ()
    gone: tuple[Gone, ...] = ()
    upto: datetime | None = None
    more: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    documents: int = 0
    chunks: int = 0
    tags: int = 0
    links: int = 0
    unresolved_links: int = 0
    ambiguous_links: int = 0
    missing_attachments: int = 0
    expired: int = 0
    duplicate_urls: int = 0
    pending_vectors: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class FileProblem:
    library: str
    path: str
    problem: Problem


@dataclass(frozen=True, slots=True, kw_only=True)
class ScanState:
    """What the last look over a vault found, shared by all processes."""

    parser: str = ""
    """Version of the parsing rules that the catalog's notes were read with."""

    finished_at: datetime | None = None
    """None until a first scan has come to its end."""
    seen: int = 0
    """Notes seen by the walk under way or last finished."""
    skipped: tuple[SkippedFile, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """Links of a note that are written alike, and the path of the note or attachment that they lead to."""

    source: Num
    kind: LinkKind
    target: str
    leads_to: str


class Catalog(Protocol):
    """What the index remembers of each note. Queries see the last committed batch, from any process. A catalog that is
    damaged, or whose file has gone, is set aside and begun anew, empty."""

    @property
    def set_aside(self) -> str | None:
        """What became of a damaged or outdated one, in a sentence for people; None when all was well."""
        ...

    def check(self) -> str | None:
        """Look at all of it, which takes a while; what is wrong. A damaged one is begun anew with the next question."""
        ...

    # reading, narrowed by a filter

    def entries(self, nums: Iterable[Num]) -> dict[Num, Entry]:
        """The entries of these notes; numbers it does not know are left out."""
        ...

    def by_id(self, note_id: NoteId, filter: Filter) -> Entry | None: ...

    def by_path(self, path: str, filter: Filter) -> Entry | None:
        """Exact path as stored, `.md` optional, NFC and NFD alike; a dismissed note is found here, as in `by_id`."""
        ...

    def named(self, name: str, filter: Filter) -> tuple[Named, ...]:
        """Notes that answer to `name`, once for each kind of name that fits; by kind, strongest first, then fewest
        path segments, then path."""
        ...

    def kin(self, starts: Collection[str], libraries: Collection[str]) -> tuple[Kin, ...]:
        """All notes of these libraries, whoever may see them, whose digests (`shortid.digest_of`) begin with one of
        `starts`, at most 16 characters each."""
        ...

    def delta(self, filter: Filter, after: datetime, limit: int) -> Delta:
        """What has become of the notes that pass since `after`, the earliest `limit` changes (or a few more that were
        made in the same microsecond). Of notes that are gone, those of libraries that the caller sees all of."""
        ...

    def allowed(self, filter: Filter) -> Allowed: ...

    def shows(self, filter: Filter) -> bool:
        """Whether any note passes. Cheap where many do."""
        ...

    def page(self, listing: Listing) -> Page: ...

    def folders(self, filter: Filter, under: str = "") -> tuple[str, ...]:
        """The paths of the folders right in `under` (the vault itself when empty) that hold a note which passes, however
        deep; each as spelled on disk, by path, those of all libraries together."""
        ...

    def tag_counts(self, filter: Filter) -> dict[str, int]: ...

    def counts(self, filter: Filter, now: datetime) -> Counts: ...

    def body(self, num: Num) -> str: ...

    def bodies(self, nums: Iterable[Num]) -> dict[Num, str]:
        """The texts of several notes; numbers it does not know are left out."""
        ...

    def chunk_texts(self, wanted: Sequence[ChunkKey]) -> dict[ChunkKey, ChunkText]: ...

    def chunk_counts(self, nums: Sequence[Num]) -> dict[Num, int]: ...

    # reading, whole: for sync, status and doctor

    def known_files(self, library: str) -> dict[str, KnownFile]: ...

    def stamps(self, library: str) -> dict[str, Stamp]:
        """Of all files, by path: what a look over a vault in which nothing has changed needs to know."""
        ...

    def known_at(self, library: str, paths: Collection[str]) -> dict[str, KnownFile]:
        """The files at exactly these paths, as far as they are known."""
        ...

    def problems(self, library: str) -> tuple[FileProblem, ...]: ...

    def link_problems(self, library: str) -> tuple[FileProblem, ...]:
        """Unresolved and ambiguous links and missing attachments, with all candidates named in the message."""
        ...

    def note_problems(self, library: str, now: datetime) -> tuple[FileProblem, ...]:
        """Notes that have expired by `now`, share their source URL, or derive from notes that are not there."""
        ...

    def drawn(self, moved: Entry) -> tuple[Reference, ...]:
        """The links that cannot stay as they are once a note has moved, in all notes of its library: those to it by its
        path or a part of it, those that would lead elsewhere, and its own that are written as seen from its folder.

        `moved` is the note as it will be, with the path and the metadata that it will have then.
        """
        ...

    def astray(self, moved: Entry, links: Sequence[Reference]) -> tuple[Reference, ...]:
        """Those links that, once a note has moved, will not lead where they say, because others answer before."""
        ...

    def is_unique(self, name: str, moved: Entry) -> bool:
        """Whether one note or attachment alone answers to a name (the last segments of its path, without `.md`), once a
        note has moved."""
        ...

    def fingerprints(self, library: str) -> dict[Num, str]:
        """num -> checksum of every note, to compare the views with."""
        ...

    def sequence(self, library: str) -> int:
        """Grows with every change of the library's notes."""
        ...

    def changed_since(self, library: str, after: int) -> int:
        """How many notes a full-text view at sequence number `after` has yet to take over or drop."""
        ...

    def vector_sequence(self, library: str) -> int:
        """Grows with every change of the library's notes or vectors."""
        ...

    def generation(self) -> int:
        """A cheap number that differs whenever anybody has changed the catalog since."""
        ...

    def scan_state(self, library: str) -> ScanState: ...

    # writing; the caller holds `Locks.writing`

    def record(self, library: str, batch: CatalogBatch) -> dict[str, Num]:
        """Take over a batch; the numbers of `put`, by path."""
        ...

    def record_scan(self, library: str, state: ScanState, attachments: frozenset[str]) -> None: ...

    def forget_library(self, library: str) -> None: ...

    # views

    def full_text_changes(self, library: str, after: int, limit: int) -> Changes[FullTextItem]: ...

    def chunk_changes(self, library: str, after: int, limit: int) -> Changes[ChunkedItem]:
        """Counted as `full_text_changes`."""
        ...

    def vector_changes(self, library: str, model: str, after: int, limit: int) -> Changes[VectorItem]: ...

    # vectors: durable here, keyed by model and embedded text, so that nothing is embedded twice

    def pending_texts(self, library: str, model: str, limit: int) -> list[str]:
        """Distinct embed texts without a vector of `model`, most recently changed notes first."""
        ...

    def pending_count(self, library: str, model: str) -> int: ...

    def pending_within(self, filter: Filter) -> int:
        """How many distinct texts of notes that pass have no vector of the embedder last used. `pending_count` is cheaper."""
        ...

    def has_vectors(self, filter: Filter, model: str) -> bool:
        """Whether any chunk of the notes that pass has a vector of `model`."""
        ...

    def pending_of(self, num: Num, model: str) -> int:
        """How many chunks of one note have no vector of `model` yet."""
        ...

    def stale_count(self, filter: Filter, model: str) -> int:
        """How many notes that pass have a text without a vector of `model`."""
        ...

    def store_vectors(self, library: str, model: str, texts: Sequence[str], vectors: NDArray[np.float16]) -> None: ...
