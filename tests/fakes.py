"""Stand-ins for the ports, small enough to be right by reading. Each passes the suite of its port."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import numpy as np

from trilith.errors import NotFound, PathForbidden, SlugCollision, Unavailable, VersionConflict
from trilith.language.normal import fold_case
from trilith.language.words import words as tokens
from trilith.model.hits import Candidate, EngineState, Ranked
from trilith.model.ids import Num
from trilith.model.query import Filter
from trilith.ports.catalog import Allowed
from trilith.ports.embedding import EmbedderStatus, Floats, Likeness
from trilith.ports.engines import ChunkKey
from trilith.ports.items import Changes, ChunkedItem, VectorItem
from trilith.ports.vault import RawFile, SeenFile, Stamp, Walk, WatchMode


@dataclass
class WordCounter:
    """One token a word, and two special ones."""

    window: int = 256

    def count(self, texts: Sequence[str]) -> list[int]:
        return [len(_words(text)) + 2 for text in texts]


@dataclass
class HashEmbedder:
    """Texts that share words are near each other. Ready at once unless `state` says otherwise; set it to see failure.

    `calls` holds every batch of texts that was embedded, queries not among them.
    """

    model: str = "hash-64"
    width: int = 64
    state: EngineState = EngineState.OK
    reason: str | None = None
    tokens: WordCounter = field(default_factory=WordCounter)
    calls: list[list[str]] = field(default_factory=list)
    likeness: Likeness | None = None

    def of(self, library: str) -> HashEmbedder:
        return self

    def prepare(self) -> None:
        pass

    def status(self) -> EmbedderStatus:
        return EmbedderStatus(self.state, self.reason)

    def wait(self, seconds: float) -> EmbedderStatus:
        return self.status()

    def embed(self, texts: Sequence[str]) -> Floats:
        vectors = np.array([self._vector(text) for text in texts], np.float32).reshape(len(texts), self.width)
        self.calls.append(list(texts))
        return vectors

    def embed_query(self, text: str) -> Floats:
        return self._vector(text)

    def _vector(self, text: str) -> Floats:
        if self.state is not EngineState.OK:
            raise Unavailable(self.reason or f"The fake embedder is {self.state}.")
        if not text.strip():
            raise ValueError("a blank text has no meaning to embed")
        total = np.sum([_direction(word, self.width) for word in _words(text) or [text]], axis=0)
        return (total / np.linalg.norm(total)).astype(np.float32)


@dataclass
class SharedWords:
    """A reranker that counts the words which both texts have. Set `state`, or what each text takes, to see failure."""

    state: EngineState = EngineState.OK
    reason: str | None = None
    seconds_each: float = 0.0
    asked: list[list[str]] = field(default_factory=list)

    def status(self) -> EmbedderStatus:
        return EmbedderStatus(self.state, self.reason)

    def wait(self, seconds: float) -> EmbedderStatus:
        return self.status()

    def scores(self, query: str, texts: Sequence[str], seconds: float) -> list[float]:
        if self.state is not EngineState.OK:
            raise Unavailable(self.reason or f"The fake reranker is {self.state}.")
        if seconds < self.seconds_each * len(texts) or seconds <= 0:
            raise Unavailable("The fake reranker was too slow.")
        self.asked.append(list(texts))
        wanted = set(_words(query))
        return [float(sum(word in wanted for word in _words(text))) / len(_words(text)) for text in texts]


class ListedVault:
    """A vault in memory that can be written: `files` by path, `trash` by the path there. Away while `away`."""

    def __init__(self, files: dict[str, bytes] | None = None) -> None:
        self.root = "/listed"
        self.files = files or {}
        self.trash: dict[str, bytes] = {}
        self.away = False

    def walk(self) -> Walk:
        self._refuse_when_away()
        notes = [SeenFile(path, self._stamp(path)) for path in sorted(self.files) if _is_note(path)]
        return Walk(notes=tuple(notes), attachments=frozenset(path for path in self.files if not _is_note(path)))

    def read(self, path: str) -> RawFile:
        if path.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", path):
            raise PathForbidden(f"The path {path!r} is refused.")
        self._refuse_when_away()
        known = path.replace("\\", "/")
        if known not in self.files:
            raise NotFound(f"There is no file {path!r} in the vault.")
        data = self.files[known]
        checksum = hashlib.sha256(data).hexdigest()
        return RawFile(data=data, checksum=checksum, stamp=self._stamp(known), created_ns=1)

    def look(self, paths: Collection[str]) -> tuple[SeenFile, ...] | None:
        self._refuse_when_away()
        if not all(map(_is_note, paths)):
            return None
        return tuple(SeenFile(path, self._stamp(path)) for path in paths if path in self.files)

    def create(self, path: str, data: bytes) -> RawFile:
        self._refuse_taken(path)
        self.files[path] = data
        return self.read(path)

    def resolved(self, path: str) -> str:
        return path

    def spelled(self, path: str) -> str:
        self._check_new(path)
        *folders, name = path.split("/")
        for end in range(len(folders), 0, -1):
            wanted = fold_case("/".join(folders[:end]))
            alike = {place for file in self.files for place in _places(file)[:-1] if fold_case(place) == wanted}
            if len(alike) == 1:
                return "/".join((alike.pop(), *folders[end:], name))
        return path

    def replace(self, path: str, data: bytes, expected: str) -> RawFile:
        self._verify(path, expected)
        self.files[path] = data
        return self.read(path)

    def move(self, path: str, to: str, expected: str) -> RawFile:
        self._verify(path, expected)
        self._refuse_taken(to, moved=path)
        self.files[to] = self.files.pop(path)
        return self.read(to)

    def remove(self, path: str, expected: str, trash: str) -> None:
        self._verify(path, expected)
        self.trash[trash] = self.files.pop(path)

    def restore(self, trash: str, path: str) -> RawFile:
        if trash not in self.trash:
            raise NotFound(f"{path!r} is not in the trash any more.")
        raw = self.create(path, self.trash[trash])
        del self.trash[trash]
        return raw

    def _verify(self, path: str, expected: str) -> None:
        if self.read(path).checksum != expected:
            raise VersionConflict("The file has been changed.")

    def _check_new(self, path: str) -> None:
        hidden = any(segment.startswith(".") or segment.endswith(".tmp") for segment in path.split("/"))
        if hidden or path.startswith(("/", "\\")) or ".." in re.split(r"[/\\]", path):
            raise PathForbidden(f"The path {path!r} is refused.")

    def _refuse_taken(self, path: str, moved: str | None = None) -> None:
        """Every file and folder in the way counts, whatever its case and Unicode form."""
        self._check_new(path)
        self._refuse_when_away()
        taken = {place for file in self.files if file != moved for place in _places(file)}
        for wanted in _places(path):
            alike = [place for place in taken if fold_case(place) == fold_case(wanted)]
            if wanted in alike and wanted not in self.files and wanted != path:
                continue  # a folder on the way
            for place in alike:
                raise SlugCollision(f"{place!r} is there already.", existing={"path": place})

    def _stamp(self, path: str) -> Stamp:
        changed = int.from_bytes(hashlib.sha256(self.files[path]).digest()[:6])
        inode = int.from_bytes(hashlib.sha256(path.encode()).digest()[:6])
        return Stamp(size=len(self.files[path]), mtime_ns=1, ctime_ns=changed, inode=inode)

    def _refuse_when_away(self) -> None:
        if self.away:
            raise Unavailable("The vault is not there.")


class ToldWatcher:
    """Knows of a change when it is told; `modes` and `problems` by root."""

    def __init__(self, roots: Callable[[], Collection[str]]) -> None:
        self._roots = roots
        self._known: frozenset[str] = frozenset()
        self._changed: set[str] = set()
        self._news = threading.Condition()
        self._stopped = False
        self._woken = False
        self.waits: list[float] = []
        """For how long each call was ready to wait."""

    def tell(self, root: str) -> None:
        with self._news:
            self._changed.add(root)
            self._news.notify_all()

    def wait(self, seconds: float) -> frozenset[str]:
        with self._news:
            self.waits.append(seconds)
            wanted = frozenset(self._roots())
            self._changed |= wanted - self._known
            self._known = wanted
            self._news.wait_for(lambda: self._changed or self._woken or self._stopped, seconds)
            self._woken = False
            changed, self._changed = frozenset(self._changed) & wanted, set()
            self._known = frozenset() if self._stopped else wanted
            return frozenset() if self._stopped else changed

    def wake(self) -> None:
        with self._news:
            self._woken = True
            self._news.notify_all()

    def named(self, root: str) -> frozenset[str] | None:
        return None

    def stop(self) -> None:
        with self._news:
            self._stopped = True
            self._news.notify_all()

    def mode(self, root: str) -> WatchMode:
        return WatchMode.EVENTS if root in self._known else WatchMode.OFF

    def problem(self, root: str) -> str | None:
        return None


class ListedVectors:
    """A vector view and retriever that compares the query with everything, in float32."""

    def __init__(self, width: int, allowed: Callable[[Filter], Allowed]) -> None:
        self._width = width
        self._allowed = allowed
        self._applied: dict[str, int] = {}
        self._items: dict[str, dict[Num, VectorItem]] = {}

    def applied(self, library: str) -> int:
        return self._applied.get(library, 0)

    def apply(self, library: str, changes: Changes[VectorItem]) -> None:
        items = dict(self._items.get(library, {}))
        for item in changes.put:
            if item.vectors.shape != (len(item.ordinals), self._width):
                raise ValueError("vectors of the wrong shape")
            items[item.num] = item
        for num in changes.drop:
            items.pop(num, None)
        self._items[library], self._applied[library] = items, changes.upto

    def fingerprints(self, library: str) -> dict[Num, str]:
        return {num: item.checksum for num, item in self._items.get(library, {}).items()}

    def check(self, library: str) -> bool:
        return True

    def clear(self, library: str) -> None:
        self._items.pop(library, None)
        self._applied.pop(library, None)

    def retrieve(self, vector: Floats, filter: Filter, depth: int) -> Ranked:
        if vector.shape != (self._width,):
            raise ValueError("a query of the wrong shape")
        best: dict[Num, Candidate] = {}
        for (num, chunk), cosine in sorted(self._cosines(vector, filter).items()):
            if num not in best or cosine > best[num].raw:
                best[num] = Candidate(num, cosine, chunk)
        found = sorted(best.values(), key=lambda candidate: (-candidate.raw, candidate.num))
        return Ranked(candidates=tuple(found[: max(depth, 0)]))

    def chunks(
        self, vector: Floats, filter: Filter, depth: int, also: Collection[ChunkKey] = ()
    ) -> dict[ChunkKey, float]:
        if vector.shape != (self._width,):
            raise ValueError("a query of the wrong shape")
        cosines = self._cosines(vector, filter)
        best = sorted(cosines, key=lambda chunk: (-cosines[chunk], chunk))
        return {chunk: cosines[chunk] for chunk in best if chunk in best[: max(depth, 0)] or chunk in also}

    def _cosines(self, vector: Floats, filter: Filter) -> dict[ChunkKey, float]:
        """Of every chunk that the caller may see."""
        allowed = self._allowed(filter)
        hidden = {(num, chunk) for num, chunk in allowed.hidden.tolist()}
        return {
            (item.num, chunk): cosine
            for library in dict.fromkeys(filter.libraries)
            for item in self._items.get(library, {}).values()
            if allowed.nums is None or item.num in allowed.nums
            for chunk, cosine in _cosines(item, vector)
            if (item.num, chunk) not in hidden
        }


class ListedChunks:
    """A full-text view and retriever of chunks that looks through all of them; it knows no filter but the library."""

    def __init__(self) -> None:
        self._applied: dict[str, int] = {}
        self._items: dict[str, dict[Num, ChunkedItem]] = {}

    def applied(self, library: str) -> int:
        return self._applied.get(library, 0)

    def apply(self, library: str, changes: Changes[ChunkedItem]) -> None:
        items = {} if changes.anew else dict(self._items.get(library, {}))
        items |= {item.num: item for item in changes.put}
        for num in changes.drop:
            items.pop(num, None)
        self._items[library], self._applied[library] = items, changes.upto

    def fingerprints(self, library: str) -> dict[Num, str]:
        return {num: item.note.checksum for num, item in self._items.get(library, {}).items()}

    def check(self, library: str) -> bool:
        return True

    def clear(self, library: str) -> None:
        self._items.pop(library, None)
        self._applied.pop(library, None)

    def retrieve(self, words: Sequence[str], filter: Filter, depth: int) -> tuple[Candidate, ...]:
        found = [
            Candidate(item.num, float(len(set(words) & set(tokens(" ".join(texts))))), chunk.ordinal)
            for library in dict.fromkeys(filter.libraries)
            for item in self._items.get(library, {}).values()
            if item.note.status != "dismissed"
            for chunk in item.chunks
            if (texts := (item.text(chunk), item.note.title, *item.note.tags))
        ]
        found.sort(key=lambda candidate: (-candidate.raw, candidate.num, candidate.chunk))
        return tuple(candidate for candidate in found[: max(depth, 0)] if candidate.raw)


def _cosines(item: VectorItem, vector: Floats) -> list[tuple[int, float]]:
    scores = np.clip((item.vectors.astype(np.float32) * vector).sum(axis=1), -1, 1) if len(item.ordinals) else []
    return [(int(ordinal), float(score)) for ordinal, score in zip(item.ordinals, scores, strict=True)]


def _places(path: str) -> list[str]:
    """A path and the folders above it."""
    segments = path.split("/")
    return ["/".join(segments[:end]) for end in range(1, len(segments) + 1)]


def _is_note(path: str) -> bool:
    return path.lower().endswith((".md", ".markdown"))


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _direction(word: str, width: int) -> Floats:
    seed = int.from_bytes(hashlib.sha256(word.encode("utf-8", "replace")).digest()[:8])
    return np.random.default_rng(seed).standard_normal(width).astype(np.float32)
