"""Where does the core end? What it needs from the outside, as protocols; implementations are chosen in `wiring`.

Every implementation, and every fake, passes the suite of its port in `tests/conformance/`.

Threads: all methods may be called from any thread. Processes: several may use the same home at once; whoever changes
the catalog, or ledger-backed identities, holds `Locks.writing`; whoever feeds a view holds `Locks.feeding`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from trilith.model.audit import Act
from trilith.model.hits import Candidate, EngineState, Ranked
from trilith.model.ids import NoteId, Num
from trilith.model.note import Chunk, Entry, Link, LinkKind, Note, Problem, Section
from trilith.model.principal import Grant, Key, Library
from trilith.model.query import Filter, Listing, Match
from trilith.model.shortid import Kin
from trilith.model.textquery import TextQuery

Floats = NDArray[np.float32]
ChunkKey = tuple[Num, int]
"""A chunk: the number of its note and its ordinal there."""

# --- the vault -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Stamp:
    """What a file looks like without reading it; equal stamps mean equal content.

    The change time tells edits that keep size and mtime; where a platform has none, `ctime_ns` is 0.
    """

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class SeenFile:
    path: str
    """Relative, `/` between segments, as spelled on disk."""
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class SkippedFile:
    """A file or folder that was passed over."""

    path: str
    reason: str
    unread: bool = False
    """It should have been read and could not be: notes that were indexed from there are not gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RawFile:
    """A file's bytes: all of them, or its head when it is above the size limit (`truncated`)."""

    data: bytes
    checksum: str
    """SHA-256 of the whole file, hex."""
    stamp: Stamp
    created_ns: int
    """Birth time where the platform knows it, else the earliest time known."""
    truncated: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """One look over the vault. Paths are unique and sorted."""

    notes: tuple[SeenFile, ...]
    attachments: frozenset[str] = frozenset()
    """Relative paths of all other visible files."""
    skipped: tuple[SkippedFile, ...] = ()


class Vault(Protocol):
    """A folder of Markdown. Raises `Unavailable` when the folder is gone or unreadable, `PathForbidden` for paths that
    leave it, `NotFound` for files that are not there."""

    @property
    def root(self) -> str: ...

    def walk(self) -> Walk: ...

    def read(self, path: str) -> RawFile: ...

    def look(self, paths: Collection[str]) -> tuple[SeenFile, ...] | None:
        """Those of these files that are there, as a walk that knows them shows them. None where it takes a walk to tell."""
        ...


class WritableVault(Vault, Protocol):
    """A vault that may be changed. Every change is whole or not at all, also through a crash: bytes are written to a
    temporary file beside the target, synced, and renamed into place. The caller holds `Locks.editing`.

    Raises `ReadOnly` when the folder cannot be written, `PathForbidden` as `read` does, `Unavailable` when the disk is
    full or fails; nothing has changed then.
    """

    def create(self, path: str, data: bytes) -> RawFile:
        """A new file, and the folders above it. Raises `SlugCollision` when a file is there already, or one whose path
        differs only in case or Unicode form."""
        ...

    def resolved(self, path: str) -> str:
        """The path within the vault where a file really lies, or would be made: links on the way followed."""
        ...

    def spelled(self, path: str) -> str:
        """The path of a file to be made, its folders spelled as on disk where they differ from those only in case or
        Unicode form: what `create` would otherwise refuse. Raises `PathForbidden`."""
        ...

    def replace(self, path: str, data: bytes, expected: str) -> RawFile:
        """New bytes for a file whose checksum is `expected`; mode and links stay. Raises `NotFound`, and
        `VersionConflict` when it holds something else by now."""
        ...

    def move(self, path: str, to: str, expected: str) -> RawFile:
        """The same file elsewhere. Raises as `create` and `replace` do; a change of case alone is no collision."""
        ...

    def remove(self, path: str, expected: str, trash: str) -> None:
        """The file goes to the absolute path `trash`, by rename, or by copy, sync and unlink where that is on another
        disk. Raises `NotFound`, `VersionConflict`."""
        ...

    def restore(self, trash: str, path: str) -> RawFile:
        """A file from the trash comes back, as `create` would make it; the trash keeps none of it. Raises `NotFound` when
        the trash has it no more."""
        ...


class WatchMode(StrEnum):
    EVENTS = "events"
    POLLING = "polling"
    """Where the system gives no events: the vaults are looked over at intervals."""
    OFF = "off"
    """This process does not follow changes of the files."""


class Watcher(Protocol):
    """Tells that something has changed in the vaults, without saying that it understood what."""

    def wait(self, seconds: float) -> frozenset[str]:
        """The roots in which something has changed, once a burst has settled; empty after `seconds` without a change or
        once `stop` was called. A `wake` since the last call, or during this one, ends it as soon as that."""
        ...

    def named(self, root: str) -> frozenset[str] | None:
        """Of a root that the last `wait` gave: the relative paths of the files in which something was heard. None when
        anything may have changed."""
        ...

    def wake(self) -> None:
        """Let whoever waits look for other work."""
        ...

    def stop(self) -> None: ...

    def mode(self, root: str) -> WatchMode: ...

    def problem(self, root: str) -> str | None:
        """Why there are no events for a root, and what to do about it."""
        ...


# --- the catalog -----------------------------------------------------------------------------------------------------


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

    def known_file(self, library: str, path: str) -> KnownFile | None: ...

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


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolvedLink:
    link: Link
    target: Num | None
    """None while no note answers, for an attachment, and for a link to a note outside the filter."""
    via: NameKind | None = None
    candidates: tuple[Num, ...] = ()
    """More than one when the link is ambiguous; the first is `target`."""
    attachment: str | None = None
    """The path of the file that an attachment link leads to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Orphans:
    """Notes without links, by path. Only links between two different notes count, those that lead somewhere."""

    no_inbound: tuple[Num, ...] = ()
    """No other note links here."""
    no_outbound: tuple[Num, ...] = ()
    """Links to no other note."""
    neither: tuple[Num, ...] = ()
    """In both of the above."""
    links: int = 0
    """How many pairs of a note and another that it links to there are."""


class Graph(Protocol):
    """The link graph. Notes outside the filter do not exist in any answer."""

    def outgoing(self, num: Num, filter: Filter) -> tuple[ResolvedLink, ...]:
        """In order of appearance, frontmatter last."""
        ...

    def incoming(self, num: Num, filter: Filter) -> tuple[Num, ...]:
        """Notes that link here, each once, without itself, by path."""
        ...

    def neighbours(self, nums: Sequence[Num], filter: Filter) -> dict[Num, tuple[Num, ...]]:
        """For each, the notes one link away in either direction, without itself."""
        ...

    def derived(self, note_id: NoteId, filter: Filter) -> tuple[Num, ...]:
        """Notes that name this id among their `derived_from_ids`."""
        ...

    def orphans(self, filter: Filter) -> Orphans: ...


# --- engines ---------------------------------------------------------------------------------------------------------


class View(Protocol[Item]):
    """An index derived from the catalog, one per library; fed by sync alone, disposable."""

    def applied(self, library: str) -> int:
        """The sequence number it is at; 0 when empty, damaged or of another format (it then starts anew)."""
        ...

    def apply(self, library: str, changes: Changes[Item]) -> None:
        """Take over a batch durably; on failure the view stays at its former sequence number."""
        ...

    def fingerprints(self, library: str) -> dict[Num, str]: ...

    def check(self, library: str) -> bool:
        """Look at all of it, which takes a while; whether it is as it was written. If not, it counts as empty now."""
        ...

    def clear(self, library: str) -> None: ...


class FullTextRetriever(Protocol):
    def retrieve(self, query: TextQuery, match: Match, filter: Filter, depth: int, *, count: bool = False) -> Ranked:
        """The best `depth` notes that match and pass the filter, by BM25; `total` exact when `count`.

        Raises `SearchBackendError` when the index cannot be read.
        """
        ...


class ChunkTextRetriever(Protocol):
    def retrieve(self, words: Sequence[str], filter: Filter, depth: int) -> tuple[Candidate, ...]:
        """The best `depth` chunks of notes that pass the filter, each with its ordinal.

        `words` are tokens of the exact analyser. A chunk is the better the more distinct ones of them stand in its text,
        its note's title or tags, and the whole part of its score is their number; among equals BM25 decides. Chunks with
        none are left out. Raises `SearchBackendError` when the index cannot be read.
        """
        ...


class VectorRetriever(Protocol):
    def retrieve(self, vector: Floats, filter: Filter, depth: int) -> Ranked:
        """The best `depth` distinct notes that pass the filter, by the cosine of their best chunk.

        `vector` is float32 [width], L2-normalised. Raises `SearchBackendError` when the index cannot be read.
        """
        ...

    def chunks(
        self, vector: Floats, filter: Filter, depth: int, also: Collection[ChunkKey] = ()
    ) -> dict[ChunkKey, float]:
        """The cosines of the best `depth` chunks of notes that pass the filter, and of those in `also` that pass and have
        a vector. Raises as `retrieve` does."""
        ...


@dataclass(frozen=True, slots=True)
class EmbedderStatus:
    state: EngineState
    reason: str | None = None


class TokenCounter(Protocol):
    @property
    def window(self) -> int:
        """Most tokens that one text may have, special tokens included."""
        ...

    def count(self, texts: Sequence[str]) -> list[int]: ...


class Embedder(Protocol):
    """Text to vectors. Loading happens in the background and is never waited for unless asked."""

    @property
    def model(self) -> str:
        """Identity of everything that shapes a vector; another value means that vectors cannot be mixed."""
        ...

    @property
    def width(self) -> int: ...

    @property
    def tokens(self) -> TokenCounter: ...

    def of(self, library: str) -> Embedder:
        """The embedder of a library: this one, unless its owner has chosen another."""
        ...

    def prepare(self) -> None:
        """Begin to load; returns at once."""
        ...

    def status(self) -> EmbedderStatus: ...

    def wait(self, seconds: float) -> EmbedderStatus:
        """Wait until it is ready or has failed, at most so long; begins to load if nobody has."""
        ...

    def embed(self, texts: Sequence[str]) -> Floats:
        """float32 [n, width], L2-normalised, in the order of `texts`. Raises `Unavailable`."""
        ...

    def embed_query(self, text: str) -> Floats:
        """float32 [width], L2-normalised. Raises `Unavailable`."""
        ...


# --- what cannot be derived ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenId:
    """The id that a file without one was given when it was first seen."""

    path: str
    id: NoteId
    inode: int
    checksum: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Trashed:
    """A deleted note that can be restored. `file` is the absolute path of its bytes."""

    key: str
    library: str
    id: NoteId
    path: str
    title: str
    deleted_at: datetime
    deleted_by: str
    file: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Following:
    """Links that are written alike, and the path of what they lead to, before a move and after it."""

    kind: LinkKind
    target: str
    was: str
    now: str
    certain: bool
    """No link of the rewritten note is written like this: where one is met, it has not been rewritten yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """A file whose links follow a move: where it is once that is done, and its checksums before and after."""

    path: str
    before: str
    after: str
    links: tuple[Following, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveUnderWay:
    """A move as it was planned, until it has come to its end. It is *done* once the file is at `now`; what follows can
    only go forward.

    `checksum` is the file's before anything was touched, `shared` are the names that more than one note or file would
    have answered to.
    """

    key: str
    library: str
    id: NoteId
    was: str
    now: str
    checksum: str
    shared: tuple[str, ...]
    rewritings: tuple[Rewriting, ...]


class Ledger(Protocol):
    """What cannot be derived and does not belong in the user's files."""

    def libraries(self) -> tuple[Library, ...]: ...

    def add_library(self, library: Library) -> bool:
        """False, and nothing done, when there is a library of that name."""
        ...

    def set_folders(self, name: str, hidden: Sequence[str], protected: Sequence[str]) -> None:
        """Which folders of a library are hidden, and which may only be read, from now on."""
        ...

    def remove_library(self, name: str) -> None:
        """And whatever was granted for it."""
        ...

    def outside_changes(self, library: str, ids: Sequence[NoteId] | None = None) -> dict[NoteId, int]:
        """By how much the version in force is above the one in the note's file, which others have changed since Trilith
        last wrote it; notes whose file holds their version are left out. Of all notes, or of these."""
        ...

    def set_outside_changes(self, library: str, counts: Mapping[NoteId, int]) -> None:
        """0 for a note whose file holds its version."""
        ...

    def add_trashed(self, trashed: Trashed) -> None: ...

    def trashed(self, library: str) -> tuple[Trashed, ...]:
        """Newest first."""
        ...

    def remove_trashed(self, key: str) -> None: ...

    def put_move(self, move: MoveUnderWay) -> None:
        """Remember it; a former one of that key is replaced."""
        ...

    def moves(self, library: str) -> tuple[MoveUnderWay, ...]:
        """In the order in which they were begun."""
        ...

    def remove_move(self, key: str) -> None: ...

    def given_ids(self, library: str) -> dict[str, GivenId]:
        """By current path."""
        ...

    def give_ids(self, library: str, given: Sequence[GivenId]) -> None:
        """Remember these; a path's or id's former row is replaced."""
        ...


class Accounts(Protocol):
    """Who may come in."""

    def users(self) -> tuple[str, ...]:
        """By name."""
        ...

    def add_user(self, name: str) -> bool:
        """False, and nothing done, when there is a user of that name."""
        ...

    def grants(self) -> tuple[Grant, ...]: ...

    def grant(self, grant: Grant) -> None:
        """Takes the place of what the user was granted for the library before."""
        ...

    def take_back(self, library: str, user: str) -> bool:
        """False when there was nothing to take back."""
        ...

    def keys(self) -> tuple[Key, ...]:
        """Oldest first, those that hold no more included. Cheap: every request asks."""
        ...

    def add_key(self, key: Key) -> None: ...

    def revoke_key(self, key_id: str, now: datetime) -> bool:
        """False when there is no such key. One that was revoked already keeps its date."""
        ...


class Audit(Protocol):
    """Who read, searched and wrote what: local and bounded."""

    def record(self, act: Act) -> None:
        """Returns at once and raises nothing; what is recorded is soon on disk."""
        ...

    def recent(self, limit: int, user: str | None = None) -> tuple[Act, ...]:
        """The last acts of everybody, or of one user, newest first. Raises `Unavailable`."""
        ...


# --- surroundings ----------------------------------------------------------------------------------------------------


class Locks(Protocol):
    """Turns between processes, held by the kernel so that a killed holder leaves nothing behind.

    Each yields whether the turn was got within `timeout` seconds; without it the caller must not do the work.
    """

    def writing(self, timeout: float) -> AbstractContextManager[bool]:
        """Changing the catalog: taken per batch."""
        ...

    def scanning(self, library: str) -> AbstractContextManager[bool]:
        """Comparing a vault with the catalog; whoever does not get it leaves the work to the holder."""
        ...

    def embedding(self) -> AbstractContextManager[bool]: ...

    def feeding(self, library: str, timeout: float) -> AbstractContextManager[bool]:
        """Bringing the views of a library level with the catalog: taken per batch."""
        ...

    def editing(self, library: str, timeout: float) -> AbstractContextManager[bool]:
        """Changing the files of a vault: taken per note."""
        ...


class Clock(Protocol):
    def now(self) -> datetime:
        """Aware, UTC."""
        ...

    def monotonic(self) -> float: ...


@dataclass(slots=True)
class Progress:
    """How far a long piece of work has come, for people."""

    stage: str
    done: int
    total: int
    library: str = field(default="")


class ProgressSink(Protocol):
    def __call__(self, progress: Progress) -> None: ...


class NoteParser(Protocol):
    def __call__(self, path: str, raw: RawFile) -> Note: ...
