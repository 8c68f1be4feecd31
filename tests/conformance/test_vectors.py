"""The suite of `View[VectorItem]` and `VectorRetriever`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.conftest import Place
from tests.fakes import ListedVectors

from trilith.index.catalog.connection import Connection
from trilith.index.catalog.filters import Condition
from trilith.index.postgres.database import PostgresDatabase
from trilith.index.postgres.narrowing import ALL, Narrowed, without
from trilith.index.postgres.vectors import PostgresVectors
from trilith.index.vector.building import build
from trilith.index.vector.by_model import VectorIndexes
from trilith.index.vector.index import VectorIndex
from trilith.index.vector.tending import Builder
from trilith.model.ids import Num
from trilith.model.principal import Scope
from trilith.model.query import Filter
from trilith.ports.catalog import Allowed
from trilith.ports.embedding import Floats
from trilith.ports.items import Changes, VectorItem

WIDTH = 24
Vectors = VectorIndex | VectorIndexes | ListedVectors | PostgresVectors


class Catalogued:
    """The answer of a catalog, set by the test."""

    def __init__(self) -> None:
        self.nums: set[int] | None = None
        self.hidden: list[tuple[int, int]] = []

    def __call__(self, filter: Filter) -> Allowed:
        nums = None if self.nums is None else np.array(sorted(self.nums), np.int64)
        return Allowed(nums=nums, total=0, hidden=np.array(self.hidden, np.int64).reshape(-1, 2))


@pytest.fixture
def allowed() -> Catalogued:
    return Catalogued()


class LargeIndex(VectorIndex):
    """One for which every library is large. Lists are made as soon as they are due, and cover a part of the rows."""

    def __init__(self, folder: Path, allowed: Catalogued) -> None:
        super().__init__(folder, "model-a", WIDTH, allowed, large=1)
        self._root = folder

    def apply(self, library: str, changes: Changes[VectorItem]) -> None:
        super().apply(library, changes)
        for header in self._root.rglob("header.json"):
            build(header.parent, 1, 1)


def no_lease() -> AbstractContextManager[bool]:
    return nullcontext(False)


def in_postgres(database: PostgresDatabase, allowed: Catalogued, exact_rows: int) -> PostgresVectors:
    def narrowed(_: Connection, filter: Filter) -> Narrowed:
        answer = allowed(filter)
        nums = None if answer.nums is None else json.dumps(answer.nums.tolist())
        notes = Condition("v.num IN (SELECT value FROM json_each(?) j)", (nums,))
        return Narrowed(notes=ALL if nums is None else notes, chunks=without(answer.hidden.tolist()))

    return PostgresVectors(database, lambda _: ("model-a", WIDTH), narrowed, exact_rows)


@pytest.fixture(params=["index", "large index", "by model", "listed", "postgres", "postgres, all indexed"])
def vectors(request: pytest.FixtureRequest, tmp_path: Path, allowed: Catalogued) -> Iterator[Vectors]:
    if request.param == "index":
        yield VectorIndex(tmp_path / "vectors", "model-a", WIDTH, allowed)
    elif request.param == "large index":
        yield LargeIndex(tmp_path / "vectors", allowed)
    elif request.param == "by model":
        yield VectorIndexes(tmp_path / "vectors", lambda _: ("model-a", WIDTH), allowed, Builder(no_lease, 1, 1))
    elif request.param == "listed":
        yield ListedVectors(WIDTH, allowed)
    else:
        place: Place = request.getfixturevalue("postgres")
        database = PostgresDatabase(place.url, place.schema)
        yield in_postgres(database, allowed, 20_000 if request.param == "postgres" else 10)
        database.close()


def unit(seed: int, rows: int = 1) -> Floats:
    """Rows of length 1 that float16 holds exactly, so that their order does not hang on rounding."""
    return exact(seed, rows).astype(np.float16).astype(np.float32)


def exact(seed: int, rows: int) -> Floats:
    made = np.random.default_rng(seed).standard_normal((rows, WIDTH)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def note(num: int, rows: Floats, checksum: str = "", first: int = 0) -> VectorItem:
    return VectorItem(
        num=Num(num),
        checksum=checksum or f"{num:064x}",
        ordinals=np.arange(first, first + len(rows), dtype=np.int32),
        vectors=rows.astype(np.float16),
    )


def within(*libraries: str) -> Filter:
    return Filter(scopes=tuple(Scope(library=name) for name in libraries))


def found(vectors: Vectors, query: Floats, depth: int = 10, *libraries: str) -> list[int]:
    ranked = vectors.retrieve(query, within(*(libraries or ("a",))), depth)
    return [candidate.num for candidate in ranked.candidates]


def test_nothing_applied_is_sequence_zero_and_finds_nothing(vectors: Vectors) -> None:
    assert vectors.applied("a") == 0
    assert vectors.fingerprints("a") == {}
    assert found(vectors, unit(1)[0]) == []


def test_apply_remembers_sequence_and_fingerprints(vectors: Vectors) -> None:
    vectors.apply("a", Changes(upto=7, put=(note(1, unit(1, 2)), note(2, unit(2, 0)))))
    assert vectors.applied("a") == 7
    assert vectors.fingerprints("a") == {1: f"{1:064x}", 2: f"{2:064x}"}


def test_s14_a_note_comes_once_with_its_best_chunk_and_cosine(vectors: Vectors) -> None:
    """A note appears once; long notes do not crowd out others."""
    rows = unit(3, 5)
    vectors.apply("a", Changes(upto=1, put=(note(1, rows, first=10), note(2, unit(4, 3)))))
    query = unit(5)[0]
    best = vectors.retrieve(query, within("a"), 10).candidates
    assert sorted(candidate.num for candidate in best) == [1, 2]
    one = next(candidate for candidate in best if candidate.num == 1)
    assert one.chunk == 10 + int((rows @ query).argmax())
    assert one.raw == pytest.approx(float((rows @ query).max()), abs=1e-3)


def test_best_first_and_cut_at_depth(vectors: Vectors) -> None:
    rows = unit(6, 50)
    vectors.apply("a", Changes(upto=1, put=tuple(note(i + 1, rows[i : i + 1]) for i in range(50))))
    query = unit(7)[0]
    expected = (np.argsort(-(rows @ query), kind="stable") + 1).tolist()
    assert found(vectors, query, 50) == expected
    assert found(vectors, query, 3) == expected[:3]
    assert found(vectors, query, 0) == []
    assert vectors.retrieve(query, within("a"), 3).total is None


def test_scores_are_the_cosines_of_float32(vectors: Vectors) -> None:
    rows, query = exact(20, 200), exact(21, 1)[0]
    vectors.apply("a", Changes(upto=1, put=tuple(note(i + 1, rows[i : i + 1]) for i in range(200))))
    answered = {c.num: c.raw for c in vectors.retrieve(query, within("a"), 200).candidates}
    assert [answered[Num(i + 1)] for i in range(200)] == pytest.approx((rows @ query).tolist(), abs=1e-3)


def test_s14_a_note_of_many_chunks_does_not_crowd_out_the_others(vectors: Vectors) -> None:
    """`limit` counts notes."""
    query = unit(30)[0]
    near = np.repeat(query[np.newaxis], 500, axis=0)
    vectors.apply("a", Changes(upto=1, put=(note(1, near), note(2, unit(31)), note(3, unit(32)))))
    assert sorted(found(vectors, query, 3)) == [1, 2, 3]
    assert found(vectors, query, 1) == [1]


def test_ties_come_by_number(vectors: Vectors) -> None:
    same = unit(8)
    vectors.apply("a", Changes(upto=1, put=tuple(note(num, same) for num in (9, 4, 7, 1, 8))))
    assert found(vectors, same[0], 3) == [1, 4, 7]


def test_put_replaces_all_of_a_note(vectors: Vectors) -> None:
    old, new = unit(9, 3), unit(10, 1)
    vectors.apply("a", Changes(upto=1, put=(note(1, old, "old"),)))
    vectors.apply("a", Changes(upto=2, put=(note(1, new, "new"),)))
    (only,) = vectors.retrieve(old[2], within("a"), 10).candidates
    assert only.raw == pytest.approx(float(new[0] @ old[2]), abs=1e-3)
    assert vectors.fingerprints("a") == {1: "new"}


def test_drop_forgets_a_note_and_an_unknown_one_does_no_harm(vectors: Vectors) -> None:
    vectors.apply("a", Changes(upto=1, put=(note(1, unit(1)), note(2, unit(2)))))
    vectors.apply("a", Changes(upto=2, drop=(Num(1), Num(99))))
    assert found(vectors, unit(1)[0]) == [2]
    assert list(vectors.fingerprints("a")) == [2]
    vectors.apply("a", Changes(upto=3, put=(note(1, unit(1)),)))
    assert found(vectors, unit(1)[0]) == [1, 2]


def test_an_empty_batch_still_moves_the_sequence(vectors: Vectors) -> None:
    vectors.apply("a", Changes(upto=4))
    assert vectors.applied("a") == 4
    assert found(vectors, unit(1)[0]) == []


def test_a_note_that_lost_its_vectors_is_known_and_not_found(vectors: Vectors) -> None:
    vectors.apply("a", Changes(upto=1, put=(note(1, unit(1)),)))
    vectors.apply("a", Changes(upto=2, put=(note(1, unit(1, 0), "empty"),)))
    assert found(vectors, unit(1)[0]) == []
    assert vectors.fingerprints("a") == {1: "empty"}


def test_libraries_are_apart_and_searched_together(vectors: Vectors) -> None:
    vectors.apply("a", Changes(upto=1, put=(note(1, unit(1)),)))
    vectors.apply("B/ö?", Changes(upto=5, put=(note(2, unit(2)),)))
    assert found(vectors, unit(1)[0], 10, "a") == [1]
    assert found(vectors, unit(1)[0], 10, "B/ö?") == [2]
    assert found(vectors, unit(1)[0], 10, "a", "B/ö?", "a", "unknown") == [1, 2]
    vectors.clear("a")
    assert vectors.applied("a") == 0
    assert vectors.applied("B/ö?") == 5
    assert found(vectors, unit(1)[0], 10, "a", "B/ö?") == [2]


def test_clear_can_be_repeated_and_begun_again(vectors: Vectors) -> None:
    vectors.clear("a")
    vectors.apply("a", Changes(upto=3, put=(note(1, unit(1)),)))
    vectors.clear("a")
    vectors.clear("a")
    vectors.apply("a", Changes(upto=1, put=(note(2, unit(2)),)))
    assert vectors.applied("a") == 1
    assert found(vectors, unit(1)[0]) == [2]


@pytest.mark.parametrize("passing", [3, 30, 300, 900])
def test_s10_a_filter_is_strict_however_few_pass_and_however_late_they_rank(
    vectors: Vectors, allowed: Catalogued, passing: int
) -> None:
    """1,000 notes contain `x`; the only 3 tagged `t` rank last: exactly those 3 in every mode."""
    rows, query = unit(11, 1000), unit(12)[0]
    vectors.apply("a", Changes(upto=1, put=tuple(note(i + 1, rows[i : i + 1]) for i in range(1000))))
    worst_first = (np.argsort(rows @ query) + 1).tolist()
    allowed.nums = {*worst_first[:passing], 5000}
    everyone = vectors.retrieve(query, within("a"), 1000).candidates
    assert {candidate.num for candidate in everyone} == set(worst_first[:passing])
    assert everyone == tuple(sorted(everyone, key=lambda candidate: -candidate.raw))
    assert vectors.retrieve(query, within("a"), 2).candidates == everyone[:2]


def test_a_filter_that_nothing_passes_finds_nothing(vectors: Vectors, allowed: Catalogued) -> None:
    vectors.apply("a", Changes(upto=1, put=(note(1, unit(1)),)))
    allowed.nums = set()
    assert found(vectors, unit(1)[0]) == []
    assert vectors.retrieve(unit(1)[0], Filter(scopes=()), 10).candidates == ()


def test_vectors_and_queries_of_another_width_are_refused(vectors: Vectors) -> None:
    vectors.apply("a", Changes(upto=1, put=(note(1, unit(1)),)))
    narrow = np.ones((1, WIDTH - 1), np.float32)
    with pytest.raises(ValueError, match="vectors"):
        vectors.apply("a", Changes(upto=2, put=(note(3, unit(3)), note(2, narrow))))
    with pytest.raises(ValueError, match="query"):
        vectors.retrieve(narrow[0], within("a"), 5)
    assert vectors.applied("a") == 1
    assert list(vectors.fingerprints("a")) == [1]


def test_chunks_are_compared_one_by_one(vectors: Vectors, allowed: Catalogued) -> None:
    rows, query = unit(40, 60), unit(41)[0]
    vectors.apply("a", Changes(upto=1, put=tuple(note(i + 1, rows[6 * i : 6 * i + 6], first=3) for i in range(9))))
    vectors.apply("b", Changes(upto=1, put=(note(10, rows[54:], first=3),)))
    cosines = {(1 + place // 6, 3 + place % 6): float(row @ query) for place, row in enumerate(rows)}
    best = sorted(cosines, key=lambda chunk: -cosines[chunk])
    both = within("a", "b")
    answered = vectors.chunks(query, both, 7)
    assert list(answered) == best[:7]
    assert list(answered.values()) == pytest.approx([cosines[chunk] for chunk in best[:7]], abs=1e-3)
    last = {(Num(num), ordinal) for num, ordinal in best[-2:]}
    assert list(vectors.chunks(query, both, 7, also=[*last, (Num(1), 99), (Num(77), 0)])) == [*best[:7], *best[-2:]]
    assert list(vectors.chunks(query, both, 0, also=last)) == best[-2:]
    allowed.nums = {best[0][0], 500}
    assert {num for num, _ in vectors.chunks(query, both, 7, also=last)} == {best[0][0]}
    assert vectors.chunks(query, Filter(scopes=()), 7) == {}
    with pytest.raises(ValueError, match="query"):
        vectors.chunks(np.ones(WIDTH - 1, np.float32), both, 5)


@pytest.mark.parametrize("crowd", [0, 40])
def test_hidden_chunks_are_not_there(vectors: Vectors, allowed: Catalogued, crowd: int) -> None:
    near, far = unit(50)[0], unit(51)[0]
    others = tuple(note(num, unit(num)) for num in range(100, 100 + crowd))
    items = (note(1, np.stack([near, far])), note(2, near[np.newaxis]), note(3, far[np.newaxis]))
    vectors.apply("a", Changes(upto=1, put=(*items, *others)))
    allowed.nums, allowed.hidden = {1, 2, 3}, [(1, 0), (2, 0), (9, 9)]
    best = vectors.retrieve(near, within("a"), 10).candidates
    assert [(candidate.num, candidate.chunk) for candidate in best] == [(1, 1), (3, 0)]
    assert set(vectors.chunks(near, within("a"), 10, also=[(Num(1), 0)])) == {(1, 1), (3, 0)}


steps = st.lists(
    st.one_of(
        st.tuples(st.just("put"), st.integers(1, 8), st.integers(0, 4), st.integers(0, 1000)),
        st.tuples(st.just("drop"), st.integers(1, 8), st.just(0), st.just(0)),
    ),
    max_size=25,
)


@pytest.fixture
def fresh(tmp_path: Path, allowed: Catalogued) -> Callable[[], VectorIndex]:
    made: list[Path] = []

    def make() -> VectorIndex:
        made.append(tmp_path / str(len(made)))
        return VectorIndex(made[-1], "m", WIDTH, allowed)

    return make


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=steps, passing=st.none() | st.sets(st.integers(1, 8)))
def test_any_history_answers_as_the_plain_comparison_and_as_a_rebuild(
    fresh: Callable[[], VectorIndex],
    allowed: Catalogued,
    steps: list[tuple[str, int, int, int]],
    passing: set[int] | None,
) -> None:
    allowed.nums = passing
    index, listed, rebuilt = fresh(), ListedVectors(WIDTH, allowed), fresh()
    last: dict[int, VectorItem] = {}
    for sequence, (what, num, rows, seed) in enumerate(steps, 1):
        item = note(num, unit(seed, rows), f"{seed}")
        last.pop(num, None)
        if what == "put":
            last[num] = item
        changes = Changes(
            upto=sequence, put=(item,) if what == "put" else (), drop=() if what == "put" else (Num(num),)
        )
        index.apply("a", changes)
        listed.apply("a", changes)
    rebuilt.apply("a", Changes(upto=len(steps), put=tuple(last.values())))
    query = unit(77)[0]
    answers = [view.retrieve(query, within("a"), 5).candidates for view in (index, rebuilt, listed)]
    assert answers[0] == answers[1]
    assert [c.num for c in answers[0]] == [c.num for c in answers[2]]
    assert [c.chunk for c in answers[0]] == [c.chunk for c in answers[2]]
    assert [c.raw for c in answers[0]] == pytest.approx([c.raw for c in answers[2]], abs=1e-3)
    assert index.fingerprints("a") == listed.fingerprints("a") == rebuilt.fingerprints("a")
