"""The suite of full-text engines for chunks: `View[ChunkedItem]` and `ChunkTextRetriever`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import pytest
from tests.conftest import Place
from tests.fakes import ListedChunks
from tests.unit.index.lexical.notes import EVERYTHING, LIBRARY, note
from tests.unit.index.postgres.catalogued import CataloguedChunks

from trilith.index.lexical.chunks import ChunkIndex
from trilith.index.postgres.catalog import PostgresCatalog
from trilith.model.ids import Num
from trilith.model.note import Chunk, Section
from trilith.model.principal import Scope
from trilith.model.query import Filter
from trilith.ports.engines import ChunkTextRetriever, View
from trilith.ports.items import Changes, ChunkedItem


class Engine(View[ChunkedItem], ChunkTextRetriever, Protocol):
    """Both faces."""


@pytest.fixture(params=["tantivy", "postgres_chunks", "listed"])
def engine(request: pytest.FixtureRequest) -> Engine:
    return ListedChunks() if request.param == "listed" else request.getfixturevalue(request.param)


@pytest.fixture(params=["tantivy", "postgres_chunks"])
def index(request: pytest.FixtureRequest) -> Engine:
    found: Engine = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def tantivy(tmp_path: Path) -> ChunkIndex:
    return opened(tmp_path)


@pytest.fixture
def postgres_chunks(postgres: Place) -> Iterator[Engine]:
    catalog = PostgresCatalog(postgres.url, postgres.schema)
    yield CataloguedChunks(catalog)
    catalog.close()


def opened(folder: Path) -> ChunkIndex:
    return ChunkIndex(folder, lambda filter: np.array([2], np.int64))


def chunked(num: int, *parts: str, notes: str | None = None, **fields: Any) -> ChunkedItem:
    """A note whose body is these chunks; `notes`, a chunk too, are for collaborators."""
    ends = [sum(len(part) + 1 for part in parts[: place + 1]) for place in range(len(parts))]
    chunks = [
        Chunk(place, end - len(part) - 1, end - 1) for place, (part, end) in enumerate(zip(parts, ends, strict=True))
    ]
    if notes is not None:
        chunks.append(Chunk(len(parts), 0, len(notes), section=Section.NOTES))
    item = note(num, "\n".join(parts), collaborator_notes=notes, **fields)
    return ChunkedItem(note=item, chunks=tuple(chunks))


def fed(engine: Engine, *items: ChunkedItem, library: str = LIBRARY) -> Engine:
    engine.apply(library, Changes(upto=engine.applied(library) + len(items), put=items))
    return engine


def found(engine: Engine, words: str, filter: Filter = EVERYTHING, depth: int = 10) -> list[tuple[int, int | None]]:
    return [(each.num, each.chunk) for each in engine.retrieve(words.split(), filter, depth)]


def test_an_index_that_is_not_there_is_empty(engine: Engine) -> None:
    assert engine.applied(LIBRARY) == 0
    assert engine.fingerprints(LIBRARY) == {}
    assert found(engine, "anything") == []


def test_it_remembers_what_it_holds(engine: Engine) -> None:
    fed(engine, chunked(1, "alpha", "beta"), chunked(2), chunked(3, "alpha", status="dismissed"))
    assert engine.applied(LIBRARY) == 3
    assert engine.fingerprints(LIBRARY) == {1: "checksum-1", 2: "checksum-2", 3: "checksum-3"}
    assert found(engine, "alpha") == [(1, 0)]


def test_changes_replace_drop_and_begin_anew(engine: Engine) -> None:
    fed(engine, chunked(1, "alpha", "beta"), chunked(2, "alpha"), chunked(3, "alpha"))
    engine.apply(LIBRARY, Changes(upto=9, put=(chunked(1, "gamma"),), drop=(Num(2), Num(99))))
    assert (engine.applied(LIBRARY), found(engine, "alpha"), found(engine, "beta")) == (9, [(3, 0)], [])
    engine.apply(LIBRARY, Changes(upto=2, put=(chunked(1, "alpha"),), anew=True))
    assert (engine.applied(LIBRARY), found(engine, "alpha gamma")) == (2, [(1, 0)])
    engine.clear(LIBRARY)
    assert (engine.applied(LIBRARY), found(engine, "alpha")) == (0, [])


def test_a_chunk_is_the_better_the_more_of_the_words_it_has(engine: Engine) -> None:
    fed(
        engine,
        chunked(1, "red", "red green red green", "none of them"),
        chunked(2, "red green blue"),
        chunked(3, "blue blue blue blue blue blue"),
    )
    scored = engine.retrieve(["red", "green", "blue", "nowhere"], EVERYTHING, 10)
    assert [(each.num, each.chunk) for each in scored][:2] == [(2, 0), (1, 1)]
    assert [int(each.raw) for each in scored] == [3, 2, 1, 1]
    assert found(engine, "red green blue", depth=2) == [(2, 0), (1, 1)]
    assert found(engine, "red", depth=0) == []


def test_title_and_tags_belong_to_every_chunk(engine: Engine) -> None:
    fed(engine, chunked(1, "one", "two", title="Kettle", tags=("tea/green",)), chunked(2, "kettle"))
    assert sorted(found(engine, "kettle")) == [(1, 0), (1, 1), (2, 0)]
    assert sorted(found(engine, "tea green")) == [(1, 0), (1, 1)]


def test_words_are_those_of_the_exact_analyser(engine: Engine) -> None:
    fed(engine, chunked(1, "getUserName and Caf\u00e9 in \u6771\u4eac"), chunked(2, "got users names"))
    for word in ("getusername", "user", "cafe", "\u6771\u4eac", "\u6771"):
        assert found(engine, word) == [(1, 0)]


def test_a_word_that_is_only_half_a_character_is_nowhere(engine: Engine) -> None:
    fed(engine, chunked(1, "alpha"))
    assert found(engine, "\ud800") == []


def test_libraries_are_apart_and_joined_by_score(engine: Engine) -> None:
    fed(engine, chunked(1, "alpha"))
    fed(engine, chunked(2, "alpha beta"), library="other")
    both = Filter(scopes=(Scope(library=LIBRARY), Scope(library="other")))
    assert found(engine, "alpha beta", both) == [(2, 0), (1, 0)]
    assert found(engine, "alpha beta") == [(1, 0)]
    assert found(engine, "alpha", Filter(scopes=())) == []


def test_of_ties_at_the_edge_the_first_notes_are_taken(engine: Engine) -> None:
    for num in (9, 4, 7, 1, 8):
        fed(engine, chunked(num, "same", "same"))
    assert found(engine, "same", depth=3) == [(1, 0), (1, 1), (4, 0)]


# --- what an engine that filters must do


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"tags": ("a",)}, {1}),
        ({"author": "Ada"}, {2}),
        ({"path_prefix": "deep"}, {3}),
        ({"where": {"status": "doing"}}, {2}),
    ],
)
def test_s10_filters_are_strict(index: Engine, fields: dict[str, Any], expected: set[int]) -> None:
    """Filters act before anything is cut."""
    crowd = [chunked(num, "word word word word") for num in range(10, 210)]
    fed(
        index,
        *crowd,
        chunked(1, "a word among many others that make it long", tags=("a/b",)),
        chunked(2, "a word among many others that make it long", author="ada"),
        chunked(3, "a word among many others that make it long", path="deep/n3.md"),
    )
    assert {num for num, _ in found(index, "word", replace(EVERYTHING, **fields), depth=3)} == expected


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (Scope(library=LIBRARY), {(1, 0), (2, 0), (2, 1), (3, 0)}),
        (Scope(library=LIBRARY, reader=""), {(2, 0)}),
        (Scope(library=LIBRARY, reader="bob"), {(2, 0), (2, 1)}),
        (Scope(library=LIBRARY, denied=("secret",)), {(1, 0), (2, 0), (2, 1)}),
        (Scope(library="elsewhere"), set()),
    ],
)
def test_a_scope_is_all_that_exists(index: Engine, scope: Scope, expected: set[tuple[int, int]]) -> None:
    fed(
        index,
        chunked(1, "word"),
        chunked(2, "word", notes="word", visibility="public", collaborators=("bob",)),
        chunked(3, "word", path="secret/n3.md", visibility="hidden"),
    )
    assert set(found(index, "word", Filter(scopes=(scope,)))) == expected


def test_two_scopes_of_one_library_find_each_chunk_once(index: Engine) -> None:
    fed(index, chunked(1, "word", visibility="public"), chunked(2, "word", path="secret/n2.md"))
    both = Filter(scopes=(Scope(library=LIBRARY, reader=""), Scope(library=LIBRARY, denied=("secret",))))
    assert found(index, "word", both) == [(1, 0)]


def test_a_damaged_index_is_built_anew(tmp_path: Path) -> None:
    fed(opened(tmp_path), *(chunked(num, "word") for num in range(1, 30)))
    for file in tmp_path.rglob("*.term"):
        file.write_bytes(b"garbage " * 40)
    index = opened(tmp_path)
    assert index.applied(LIBRARY) == 0
    fed(index, chunked(1, "word"))
    assert found(index, "word") == [(1, 0)]
