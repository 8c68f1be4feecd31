"""Whatever happens to a vault, the catalog is at last as if it had been built from what is there then."""

from __future__ import annotations

import tempfile
import uuid
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.unit.index.building import DAY, markdown, put, recorded, seen_by, stamp, whole, wiki

from trilith.index.catalog.catalog import SqliteCatalog
from trilith.index.graph.graph import SqlGraph
from trilith.model.ids import NoteId, Num
from trilith.model.note import Link, LinkKind, Status, Visibility
from trilith.model.principal import Scope
from trilith.model.query import Filter
from trilith.ports.catalog import CatalogBatch, Recorded, ScanState

PATHS = ("a.md", "b.md", "x/a.md", "x/b.md", "X/a.md", "y/a.md", "x/y/c.md", "x/y/a.md")
NAMES = ("a", "b", "c", "x/a", "y/a", "y/c", "T", "é", "p.png", "")
FILES = ("p.png", "x/p.png", "y/q.pdf", "c")
FILTERS = (
    whole(),
    seen_by(None, "x"),
    seen_by("bob"),
    seen_by("", "y"),
    Filter(scopes=(Scope(library="lib"),), tags=("t",)),
    Filter(scopes=(Scope(library="lib"),), path_prefix="x", author="ada"),
    Filter(scopes=(Scope(library="lib"),), where={"k": 1}, tags=("t/u",)),
)

names = st.sampled_from(NAMES)
links = st.builds(
    lambda wikis, others, typed: (
        *wiki(*wikis),
        *markdown(*others),
        *(Link(LinkKind.TYPED, str(each), relation="r") for each in typed),
    ),
    st.lists(names | st.sampled_from(("./a", "../a", "/x/a.md", "q.pdf")), max_size=3),
    st.lists(names | st.sampled_from(("a.md", "../x/a.md", "../p.png", "y/c.md")), max_size=2),
    st.lists(st.integers(0, 3).map(lambda n: uuid.UUID(int=n)), max_size=1),
)
contents = st.fixed_dictionaries(
    {
        "links": links,
        "title": names,
        "aliases": st.lists(names, max_size=2).map(tuple),
        "tags": st.lists(st.sampled_from(("t", "T", "t/u", "v")), max_size=2, unique_by=str.casefold).map(tuple),
        "parts": st.lists(st.sampled_from(("one", "two", "three")), max_size=3),
        "author": st.sampled_from((None, "Ada", "ada")),
        "status": st.sampled_from((Status.RAW, Status.RAW, Status.DISMISSED)),
        "visibility": st.sampled_from(tuple(Visibility)),
        "collaborators": st.sampled_from(((), ("bob",))),
        "extra": st.sampled_from(({}, {"k": 1}, {"k": [1, 2], "id": "T"})),
        "source_url": st.sampled_from((None, "http://e.org/a", "http://E.org:80/a/")),
        "day": st.integers(0, 2),
    }
)
steps = st.one_of(
    st.tuples(st.just("put"), st.sampled_from(PATHS), contents),
    st.tuples(st.just("edit"), st.integers(0, 9), contents),
    st.tuples(st.just("move"), st.integers(0, 9), st.sampled_from(PATHS)),
    st.tuples(st.just("rewrite"), st.integers(0, 9), st.sampled_from(PATHS), contents),
    st.tuples(st.just("swap"), st.integers(0, 9), st.integers(0, 9)),
    st.tuples(st.just("drop"), st.integers(0, 9)),
    st.tuples(st.just("files"), st.sets(st.sampled_from(FILES)).map(frozenset)),
    st.tuples(st.just("embed"), st.integers(1, 3)),
    st.tuples(st.just("follow"), st.integers(1, 3)),
)


@dataclass
class Story:
    """A vault and its catalog, changed together; `seen` and `vectors` are what two views have taken over so far."""

    catalog: SqliteCatalog
    notes: dict[str, Recorded] = field(default_factory=dict)
    files: frozenset[str] = frozenset()
    made: int = 0
    seen: dict[Num, tuple[str, str]] = field(default_factory=dict)
    at: int = 0
    vectors: dict[Num, tuple[str, list[int]]] = field(default_factory=dict)
    vectors_at: int = 0

    def put(self, path: str, content: dict[str, Any]) -> None:
        former = self.notes.get(path)
        if former is None:
            self.made += 1
        note_id = former.id if former else str(uuid.UUID(int=self.made))
        self._record(recorded(path, num=former and former.num, note_id=note_id, **content))

    def edit(self, which: int, content: dict[str, Any]) -> None:
        if path := self._pick(which):
            self.put(path, content)

    def move(self, which: int, path: str) -> None:
        if (former := self._pick(which)) and path not in self.notes:
            note = self.notes.pop(former)
            self.catalog.record("lib", CatalogBatch(restamp=((Num(note.num or 0), path, stamp(len(note.note.body))),)))
            self.notes[path] = replace(note, path=path)

    def rewrite(self, which: int, path: str, content: dict[str, Any]) -> None:
        if (former := self._pick(which)) and path not in self.notes:
            note = self.notes.pop(former)
            self._record(recorded(path, num=note.num, note_id=note.id, **content))

    def swap(self, one: int, other: int) -> None:
        a, b = self._pick(one), self._pick(other)
        if a is None or b is None or a == b:
            return
        first, second = self.notes[a], self.notes[b]
        batch = CatalogBatch(
            put=(replace(first, path=b),), restamp=((Num(second.num or 0), a, stamp(len(second.note.body))),)
        )
        self.catalog.record("lib", batch)
        self.notes[a], self.notes[b] = replace(second, path=a), replace(first, path=b)

    def drop(self, which: int) -> None:
        if path := self._pick(which):
            self.catalog.record("lib", CatalogBatch(drop=(Num(self.notes.pop(path).num or 0),)))

    def see_files(self, files: frozenset[str]) -> None:
        self.files = files
        self.catalog.record_scan("lib", ScanState(finished_at=DAY), files)

    def embed(self, most: int) -> None:
        texts = self.catalog.pending_texts("lib", "m", most)
        if texts:
            self.catalog.store_vectors("lib", "m", texts, np.ones((len(texts), 2), np.float16))

    def follow(self, limit: int) -> None:
        """Take over one batch of changes, as views do."""
        changes = self.catalog.full_text_changes("lib", self.at, limit)
        assert not {item.num for item in changes.put} & set(changes.drop)
        self.seen |= {item.num: (item.path, item.checksum) for item in changes.put}
        for num in changes.drop:
            self.seen.pop(num, None)
        self.at = changes.upto
        vectors = self.catalog.vector_changes("lib", "m", self.vectors_at, limit)
        self.vectors |= {item.num: (item.checksum, item.ordinals.tolist()) for item in vectors.put}
        for num in vectors.drop:
            self.vectors.pop(num, None)
        self.vectors_at = vectors.upto

    def run(self, step: tuple[Any, ...]) -> None:
        action, *arguments = step
        getattr(self, {"files": "see_files"}.get(action, action))(*arguments)

    def _record(self, note: Recorded) -> None:
        num = put(self.catalog, note)[note.path]
        self.notes[note.path] = replace(note, num=num)

    def _pick(self, which: int) -> str | None:
        paths = sorted(self.notes)
        return paths[which % len(paths)] if paths else None


def picture(catalog: SqliteCatalog) -> dict[str, Any]:
    """Everything that a catalog tells, by ids, so that two of them can be compared."""
    graph = SqlGraph(catalog)
    known = catalog.known_files("lib")
    entries = catalog.entries([file.num for file in known.values()])
    ids: dict[Num, NoteId] = {num: entry.id for num, entry in entries.items()}
    with catalog.database.reading() as connection:
        tables = {
            table: sorted(
                (ids[row[-1]], *row[:-1]) for row in connection.execute(f"SELECT {columns}, num FROM {table}")
            )
            for table, columns in (("names", "key, kind"), ("terms", "field, value"))
        }
        totals = connection.execute("SELECT notes, live, pending FROM libraries").fetchall()
    seen: dict[str, Any] = {
        "entries": {entry.id: replace(entry, num=Num(0)) for entry in entries.values()},
        "tables": tables,
        "totals": totals,
        "problems": catalog.link_problems("lib"),
        "pending": set(catalog.pending_texts("lib", "m", 100)),
        "texts": {
            ids[num]: [catalog.chunk_texts([(num, n)])[num, n] for n in range(catalog.chunk_counts([num])[num])]
            for num in ids
        },
    }
    for place, filter in enumerate(FILTERS):
        nums = catalog.allowed(filter).nums
        seen[f"filter {place}"] = {
            "allowed": None if nums is None else {ids[Num(int(num))] for num in nums},
            "tags": catalog.tag_counts(filter),
            "counts": catalog.counts(filter, DAY),
            "named": {name: [(ids[found.num], found.kind) for found in catalog.named(name, filter)] for name in NAMES},
            "outgoing": {
                ids[num]: [
                    (
                        found.link,
                        found.target and ids[found.target],
                        found.via,
                        [ids[other] for other in found.candidates],
                        found.attachment,
                    )
                    for found in graph.outgoing(num, filter)
                ]
                for num in ids
            },
            "incoming": {ids[num]: [ids[other] for other in graph.incoming(num, filter)] for num in ids},
        }
    return seen


def check_graph(catalog: SqliteCatalog) -> None:
    """What a note leads to is what leads back, for every caller."""
    graph = SqlGraph(catalog)
    nums = [file.num for file in catalog.known_files("lib").values()]
    for filter in FILTERS:
        allowed = catalog.allowed(filter).nums
        seen = set(nums if allowed is None else map(Num, allowed.tolist()))
        leads = {num: {each.target for each in graph.outgoing(num, filter)} - {None, num} for num in nums}
        assert all(targets <= seen for targets in leads.values())
        for num in nums:
            sources = {other for other in seen if num in leads[other]}
            assert set(graph.incoming(num, filter)) == sources
        near = graph.neighbours(nums, filter)
        back = {num: set(graph.incoming(num, filter)) for num in nums}
        assert {num: set(others) for num, others in near.items()} == {num: leads[num] | back[num] for num in nums}
        orphans = graph.orphans(filter)
        assert set(orphans.no_inbound) == {num for num in seen if not back[num]}
        assert set(orphans.no_outbound) == {num for num in seen if not leads[num]}


@settings(
    max_examples=40,
    deadline=None,
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
    suppress_health_check=[HealthCheck.too_slow],
)
@given(st.lists(steps, min_size=3, max_size=14))
def test_incremental_equals_rebuilt(story: list[tuple[Any, ...]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        told = Story(SqliteCatalog(Path(folder) / "told.db"))
        told.see_files(frozenset())
        for step in story:
            told.run(step)
        rebuilt = SqliteCatalog(Path(folder) / "rebuilt.db")
        rebuilt.record_scan("lib", ScanState(), told.files)
        put(rebuilt, *(replace(note, num=None) for note in told.notes.values()))
        waiting = set(told.catalog.pending_texts("lib", "m", 100))
        texts = [text for text in rebuilt.pending_texts("lib", "m", 100) if text not in waiting]
        if texts:
            rebuilt.store_vectors("lib", "m", texts, np.ones((len(texts), 2), np.float16))
        assert picture(told.catalog) == picture(rebuilt)
        check_graph(told.catalog)
        check_views(told)
        told.catalog.close()
        rebuilt.close()


def check_views(told: Story) -> None:
    """Views that follow in batches of any size end with what is there, no note twice."""
    catalog = told.catalog
    while told.at < catalog.sequence("lib") or told.vectors_at < catalog.vector_sequence("lib"):
        told.follow(2)
    assert told.seen == {file.num: (path, file.checksum) for path, file in catalog.known_files("lib").items()}
    assert {num: checksum for num, (checksum, _) in told.vectors.items()} == catalog.fingerprints("lib")
    waiting = set(catalog.pending_texts("lib", "m", 100))
    for note in told.notes.values():
        there = [place for place, text in enumerate(note.embed_texts) if text not in waiting]
        assert told.vectors[Num(note.num or 0)][1] == there
