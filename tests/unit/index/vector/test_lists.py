from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from trilith.home.locks import FileLocks
from trilith.index.vector import building, lists
from trilith.index.vector.building import build
from trilith.index.vector.by_model import VectorIndexes
from trilith.index.vector.index import VectorIndex
from trilith.index.vector.lists import Label, Lists, ListStore, parse_label
from trilith.index.vector.plan import GATHERED_SHARE
from trilith.index.vector.tending import Builder
from trilith.model.ids import Num
from trilith.model.principal import Scope
from trilith.model.query import Filter
from trilith.ports.catalog import Allowed
from trilith.ports.embedding import Floats
from trilith.ports.items import Changes, VectorItem

WIDTH = 16
PER_NOTE = 3
LARGE = 50
EVERYTHING = Filter(scopes=(Scope(library="a"),))
Found = dict[int, tuple[int, float]]


class Catalogued:
    """The answer of a catalog, set by the test."""

    def __init__(self) -> None:
        self.answer = Allowed(nums=None, total=0)

    def __call__(self, filter: Filter) -> Allowed:
        return self.answer

    def only(self, nums: set[int], hidden: tuple[tuple[int, int], ...] = ()) -> None:
        self.answer = Allowed(
            nums=np.array(sorted(nums), np.int64), total=0, hidden=np.array(hidden, np.int64).reshape(-1, 2)
        )


@pytest.fixture
def allowed() -> Catalogued:
    return Catalogued()


def unit(seed: int, rows: int = 1, width: int = WIDTH) -> Floats:
    made = np.random.default_rng(seed).standard_normal((rows, width)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def notes(first: int, count: int, rows: Floats | None = None) -> tuple[VectorItem, ...]:
    rows = unit(first, count * PER_NOTE) if rows is None else rows
    return tuple(
        VectorItem(
            num=Num(first + place),
            checksum="c",
            ordinals=np.arange(PER_NOTE, dtype=np.int32),
            vectors=rows[PER_NOTE * place : PER_NOTE * (place + 1)].astype(np.float16),
        )
        for place in range(count)
    )


def index(folder: Path, allowed: Callable[[Filter], Allowed], large: int = LARGE, width: int = WIDTH) -> VectorIndex:
    return VectorIndex(folder, "m", width, allowed, large)


def cache_of(folder: Path) -> Path:
    (header,) = folder.rglob("header.json")
    return header.parent


def file_of(folder: Path) -> Path:
    (found,) = folder.rglob("*.lists")
    return found


def found(vectors: VectorIndex, query: Floats, depth: int = 1_000) -> Found:
    candidates = vectors.retrieve(query, EVERYTHING, depth).candidates
    return {hit.num: (hit.chunk if hit.chunk is not None else -1, round(hit.raw, 6)) for hit in candidates}


class Looked:
    """Counts the looks into lists."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.times = 0
        plain = Lists.nearest

        def nearest(
            self_: Lists, query: Floats, passing: NDArray[np.uint8], probes: int, most: int
        ) -> tuple[Floats, NDArray[np.int64]]:
            self.times += 1
            return plain(self_, query, passing, probes, most)

        monkeypatch.setattr(Lists, "nearest", nearest)


@pytest.fixture
def looked(monkeypatch: pytest.MonkeyPatch) -> Looked:
    return Looked(monkeypatch)


@pytest.fixture
def large(tmp_path: Path, allowed: Catalogued) -> VectorIndex:
    vectors = index(tmp_path, allowed)
    vectors.apply("a", Changes(upto=1, put=notes(1, 100)))
    assert build(cache_of(tmp_path), LARGE, 1)
    return vectors


def test_before_and_after_the_lists_are_there_the_answer_is_the_same(
    tmp_path: Path, allowed: Catalogued, looked: Looked
) -> None:
    vectors, query = index(tmp_path, allowed), unit(0)[0]
    vectors.apply("a", Changes(upto=1, put=notes(1, 100)))
    scanned, chunks = found(vectors, query), vectors.chunks(query, EVERYTHING, 20)
    assert looked.times == 0
    assert build(cache_of(tmp_path), LARGE, 1)
    assert (found(vectors, query), vectors.chunks(query, EVERYTHING, 20)) == (scanned, chunks)
    assert looked.times > 0


def test_what_is_put_and_dropped_after_the_build_is_seen_at_once_and_calls_for_no_other(
    tmp_path: Path, large: VectorIndex, allowed: Catalogued, looked: Looked
) -> None:
    file = file_of(tmp_path)
    fresh = unit(7, PER_NOTE)
    large.apply("a", Changes(upto=2, put=(*notes(50, 1, fresh), *notes(500, 1)), drop=(Num(3),)))
    answer = found(large, fresh[1])
    assert looked.times > 0
    assert answer[50] == (1, pytest.approx(1.0, abs=1e-3))
    assert set(answer) == set(range(1, 101)) - {3} | {500}
    assert answer == found(index(tmp_path, allowed, large=10**6), fresh[1])
    assert not build(cache_of(tmp_path), LARGE, 1)
    assert file_of(tmp_path) == file


def test_notes_that_are_all_newer_than_the_lists_are_found(large: VectorIndex, allowed: Catalogued) -> None:
    large.apply("a", Changes(upto=2, put=notes(500, 12)))
    allowed.only(set(range(500, 512)))
    query = unit(0)[0]
    assert set(found(large, query)) == set(range(500, 512))
    assert {num for num, _ in large.chunks(query, EVERYTHING, 100)} == set(range(500, 512))


def test_lists_are_made_anew_once_an_eighth_is_not_in_them_and_trained_once_the_library_has_doubled(
    tmp_path: Path, large: VectorIndex
) -> None:
    def label() -> Label:
        said = parse_label((cache_of(tmp_path) / "lists.json").read_bytes())
        assert said is not None
        return said

    assert (label().rows, label().trained) == (300, 300)
    large.apply("a", Changes(upto=2, put=notes(200, 13)))
    assert build(cache_of(tmp_path), LARGE, 1)
    assert (label().rows, label().trained) == (339, 300)
    large.apply("a", Changes(upto=3, put=notes(300, 90)))
    assert build(cache_of(tmp_path), LARGE, 1)
    assert (label().rows, label().trained) == (609, 609)


def test_a_compaction_leaves_the_lists_behind_until_others_are_made(
    tmp_path: Path, large: VectorIndex, looked: Looked
) -> None:
    crowd = np.repeat(unit(9), 1_500, axis=0)
    item = replace(notes(900, 1)[0], ordinals=np.arange(1_500, dtype=np.int32), vectors=crowd.astype(np.float16))
    large.apply("a", Changes(upto=2, put=(item,)))
    large.apply("a", Changes(upto=3, drop=(Num(900),)))
    assert set(found(large, unit(0)[0])) == set(range(1, 101))
    assert looked.times == 0
    assert build(cache_of(tmp_path), LARGE, 1)
    assert set(found(large, unit(0)[0])) == set(range(1, 101))
    assert looked.times > 0
    file_of(tmp_path)


def spoil_label(cache: Path) -> None:
    (cache / "lists.json").write_bytes(b"\x00" * 40)


def other_format(cache: Path) -> None:
    said = json.loads((cache / "lists.json").read_bytes())
    (cache / "lists.json").write_text(json.dumps({**said, "format": 99}))


def absurd_numbers(cache: Path) -> None:
    said = json.loads((cache / "lists.json").read_bytes())
    (cache / "lists.json").write_text(json.dumps({**said, "rows": -1}))


def cut_short(cache: Path) -> None:
    os.truncate(next(cache.glob("*.lists")), 200)


def cut_to_nothing(cache: Path) -> None:
    os.truncate(next(cache.glob("*.lists")), 0)


def lose(cache: Path) -> None:
    next(cache.glob("*.lists")).unlink()


DAMAGES = [spoil_label, other_format, absurd_numbers, cut_short, cut_to_nothing, lose]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("is_open", [True, False])
def test_damaged_lists_count_as_none_and_are_made_anew(
    tmp_path: Path,
    large: VectorIndex,
    allowed: Catalogued,
    looked: Looked,
    damage: Callable[[Path], None],
    is_open: bool,
) -> None:
    query, vectors = unit(0)[0], large if is_open else index(tmp_path, allowed)
    answer = found(large, query)
    damage(cache_of(tmp_path))
    looked.times = 0
    assert found(vectors, query) == answer
    assert looked.times == 0
    assert build(cache_of(tmp_path), LARGE, 1)
    assert found(vectors, query) == answer
    assert looked.times > 0


def test_changed_bytes_are_noticed_before_lists_are_opened(
    tmp_path: Path, large: VectorIndex, allowed: Catalogued, looked: Looked
) -> None:
    file = file_of(tmp_path)
    content = bytearray(file.read_bytes())
    content[len(content) // 2 :] = b"\xff" * (len(content) - len(content) // 2)
    file.write_bytes(content)
    said = (file.parent / "lists.json").stat().st_mtime_ns
    os.utime(file, ns=(said + 1_000_000, said + 1_000_000))
    assert set(found(index(tmp_path, allowed), unit(0)[0])) == set(range(1, 101))
    assert looked.times == 0


def test_a_thorough_check_finds_bytes_that_have_changed_in_silence(tmp_path: Path, large: VectorIndex) -> None:
    assert large.check("a")
    file = file_of(tmp_path)
    times = file.stat()
    content = bytearray(file.read_bytes())
    content[-1] ^= 1
    file.write_bytes(content)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert not large.check("a")
    assert (large.applied("a"), list(tmp_path.rglob("*lists*"))) == (1, [])
    assert large.check("a")


def test_a_file_that_is_no_index_of_this_kind_is_refused(tmp_path: Path, large: VectorIndex, looked: Looked) -> None:
    cache = cache_of(tmp_path)
    said = parse_label((cache / "lists.json").read_bytes())
    assert said is not None
    (cache / "strange.lists").write_bytes(b"hello")
    ListStore(cache, WIDTH).publish(replace(said, name="strange", size=5))
    assert set(found(large, unit(0)[0])) == set(range(1, 101))
    assert looked.times == 0


def test_clear_takes_the_lists_along(tmp_path: Path, large: VectorIndex) -> None:
    found(large, unit(0)[0])
    large.clear("a")
    assert list(tmp_path.rglob("*lists*")) == []
    assert found(large, unit(0)[0]) == {}


def test_lists_of_rows_that_are_gone_meanwhile_are_not_published(
    tmp_path: Path, large: VectorIndex, monkeypatch: pytest.MonkeyPatch
) -> None:
    large.apply("a", Changes(upto=2, put=notes(200, 50)))
    cache, plain = cache_of(tmp_path), building._write

    def slow(*arguments: object) -> tuple[int, int]:
        written = plain(*arguments)  # type: ignore[arg-type]
        large.clear("a")
        large.apply("a", Changes(upto=1, put=notes(1, 30)))
        return written

    monkeypatch.setattr(building, "_write", slow)
    assert not build(cache, LARGE, 1)
    assert not (cache / "lists.json").exists()
    assert set(found(large, unit(0)[0])) == set(range(1, 31))


@pytest.mark.parametrize("kind", ["equal", "zero", "two"])
def test_rows_that_no_centroids_can_tell_apart(tmp_path: Path, allowed: Catalogued, kind: str) -> None:
    rows = np.repeat(unit(1, 1), 3_000, axis=0)
    rows = {"equal": rows, "zero": rows * 0, "two": rows * np.where(np.arange(3_000) % 2, 1, -1)[:, np.newaxis]}[kind]
    vectors = index(tmp_path, allowed)
    vectors.apply("a", Changes(upto=1, put=notes(1, 1_000, rows)))
    assert build(cache_of(tmp_path), LARGE, 1)
    best = [hit.num for hit in vectors.retrieve(unit(1)[0], EVERYTHING, 20).candidates]
    assert best == list(range(1, 21))


def test_fewer_rows_than_lists_would_want(tmp_path: Path, allowed: Catalogued) -> None:
    vectors = index(tmp_path, allowed, large=1)
    for sequence in range(1, 6):
        vectors.apply("a", Changes(upto=sequence, put=notes(sequence, 1)))
        build(cache_of(tmp_path), 1, 1)
        assert set(found(vectors, unit(0)[0])) == set(range(1, sequence + 1))


def test_no_lists_without_numbers(tmp_path: Path, allowed: Catalogued) -> None:
    vectors = index(tmp_path, allowed, large=1, width=0)
    empty = VectorItem(num=Num(1), checksum="c", ordinals=np.empty(0, np.int32), vectors=np.empty((0, 0), np.float16))
    vectors.apply("a", Changes(upto=1, put=(empty,)))
    vectors.tend("a", Builder(no_lease, 1, 1))
    assert not build(cache_of(tmp_path), 1, 1)


def test_a_note_of_thousands_of_chunks_does_not_crowd_out_the_others(
    tmp_path: Path, allowed: Catalogued, looked: Looked
) -> None:
    query = unit(0)[0]
    near = np.repeat(query[np.newaxis], 20_000, axis=0).astype(np.float16)
    long = VectorItem(num=Num(9_999), checksum="c", ordinals=np.arange(20_000, dtype=np.int32), vectors=near)
    vectors = index(tmp_path, allowed)
    vectors.apply("a", Changes(upto=1, put=(long, *notes(1, 100))))
    assert build(cache_of(tmp_path), LARGE, 1)
    scanned = index(tmp_path, allowed, large=10**6)
    assert found(vectors, query, 30) == found(scanned, query, 30)
    assert looked.times > 1


seen = st.sets(st.integers(1, 400), min_size=1)
hidden_chunks = st.lists(st.tuples(st.integers(1, 400), st.integers(0, PER_NOTE - 1)), max_size=60)


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[VectorIndex, VectorIndex, Catalogued]:
    """400 notes, a part of them newer than the lists, some of them gone: with lists, and scanned."""
    folder, allowed = tmp_path_factory.mktemp("pair"), Catalogued()
    with_lists, scanned = index(folder, allowed), index(folder, allowed, large=10**6)
    with_lists.apply("a", Changes(upto=1, put=notes(1, 360)))
    assert build(cache_of(folder), LARGE, 1)
    with_lists.apply("a", Changes(upto=2, put=(*notes(361, 20), *notes(10, 3, unit(99, 9))), drop=(Num(50), Num(370))))
    return with_lists, scanned, allowed


@settings(max_examples=60, deadline=None)
@given(nums=seen, hidden=hidden_chunks, depth=st.integers(1, 30), seed=st.integers(0, 1_000))
def test_small_selections_are_found_exactly(
    pair: tuple[VectorIndex, VectorIndex, Catalogued],
    nums: set[int],
    hidden: list[tuple[int, int]],
    depth: int,
    seed: int,
) -> None:
    with_lists, scanned, allowed = pair
    allowed.only(set(sorted(nums)[: int(GATHERED_SHARE * 380)]), tuple(hidden))
    query = unit(seed)[0]
    assert found(with_lists, query, depth) == found(scanned, query, depth)
    also = [(Num(num), ordinal) for num, ordinal in hidden[:3]] + [(Num(num), 1) for num in list(nums)[:3]]
    assert with_lists.chunks(query, EVERYTHING, depth, also) == scanned.chunks(query, EVERYTHING, depth, also)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    nums=st.sets(st.integers(1, 400), min_size=60),
    hidden=hidden_chunks,
    depth=st.integers(1, 400),
    seed=st.integers(0, 99),
)
def test_nothing_that_must_not_be_seen_comes_out_of_the_lists(
    pair: tuple[VectorIndex, VectorIndex, Catalogued],
    looked: Looked,
    nums: set[int],
    hidden: list[tuple[int, int]],
    depth: int,
    seed: int,
) -> None:
    with_lists, scanned, allowed = pair
    allowed.only(nums, tuple(hidden))
    looked.times = 0
    query = unit(seed)[0]
    answer = found(with_lists, query, depth)
    also = [(Num(num), ordinal) for num, ordinal in hidden[:5]] + [(Num(num), 0) for num in (10, 50, 370, 379)]
    chunks = with_lists.chunks(query, EVERYTHING, depth, also)
    assert looked.times > 0
    cosines = scanned.chunks(query, EVERYTHING, 10**6)
    assert not {chunk for chunk in cosines if chunk in hidden or chunk[0] not in nums}
    assert {num: cosines[Num(num), chunk] for num, (chunk, _) in answer.items()} == {
        num: pytest.approx(score, abs=1e-5) for num, (_, score) in answer.items()
    }
    assert len(answer) == min(depth, len({num for num, _ in cosines}))
    assert chunks == {chunk: pytest.approx(cosines[chunk]) for chunk in chunks}
    assert {chunk for chunk in also if chunk in cosines} <= set(chunks)


def no_lease() -> AbstractContextManager[bool]:
    return nullcontext(False)


@contextmanager
def held(taken: list[str]) -> Iterator[bool]:
    taken.append("taken")
    yield True
    taken.append("given back")


def test_the_lists_are_made_by_another_process_while_the_scan_answers(
    tmp_path: Path, allowed: Catalogued, looked: Looked
) -> None:
    taken: list[str] = []
    builder = Builder(lambda: held(taken), LARGE, 1)
    vectors = VectorIndexes(tmp_path, lambda _: ("m", WIDTH), allowed, builder, LARGE)
    vectors.tend("a")
    vectors.apply("a", Changes(upto=1, put=notes(1, 100)))
    assert taken == []
    vectors.tend("a")
    assert len(vectors.retrieve(unit(0)[0], EVERYTHING, 10).candidates) == 10
    assert builder.wait(60)
    assert taken == ["taken", "given back"]
    looked.times = 0
    assert len(vectors.retrieve(unit(0)[0], EVERYTHING, 10).candidates) == 10
    assert looked.times > 0
    vectors.tend("a")
    assert taken == ["taken", "given back"]
    vectors.apply("a", Changes(upto=2, drop=tuple(Num(num) for num in range(1, 90))))
    vectors.tend("a")
    assert list(tmp_path.rglob("*lists*")) == []
    assert [hit.num for hit in vectors.retrieve(unit(0)[0], EVERYTHING, 20).candidates] != []


def test_only_one_of_several_processes_trains(tmp_path: Path, allowed: Catalogued) -> None:
    (tmp_path / "locks").mkdir()
    mine, theirs = FileLocks(tmp_path / "locks"), FileLocks(tmp_path / "locks")
    vectors = index(tmp_path / "vectors", allowed)
    vectors.apply("a", Changes(upto=1, put=notes(1, 100)))
    builder = Builder(theirs.training, LARGE, 1)
    with mine.training() as got:
        assert got
        vectors.tend("a", builder)
        assert builder.wait(60)
    assert list(tmp_path.rglob("*lists*")) == []
    vectors.tend("a", builder)
    assert builder.wait(60)
    file_of(tmp_path)


def test_a_build_that_fails_is_told_and_not_repeated_at_once(
    tmp_path: Path, allowed: Catalogued, caplog: pytest.LogCaptureFixture
) -> None:
    taken: list[str] = []
    builder = Builder(lambda: held(taken), LARGE, 1)
    (tmp_path / "header.json").write_bytes(b"no header")
    builder.start(tmp_path)
    assert builder.wait(60)
    assert "Damaged" in caplog.text
    builder.start(tmp_path)
    assert builder.wait(60)
    assert taken == ["taken", "given back"]


def test_a_builder_that_is_closed_begins_nothing(tmp_path: Path) -> None:
    builder = Builder(lambda: held([]), LARGE, 1)
    builder.close()
    builder.start(tmp_path)
    assert builder.wait(0)
    assert "trilith-lists" not in {thread.name for thread in threading.enumerate()}


def test_a_build_ends_with_the_process_that_has_begun_it() -> None:
    code = "from trilith.index.vector.building import _end_with_the_parent as wait; wait()"
    with subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE) as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 1


def test_the_written_file_is_as_the_engine_writes_it(tmp_path: Path, large: VectorIndex) -> None:
    faiss = pytest.importorskip("faiss")
    file = file_of(tmp_path)
    faiss.write_index(faiss.read_index(str(file)), str(tmp_path / "again"))
    assert (tmp_path / "again").read_bytes() == file.read_bytes()
    label = parse_label((file.parent / "lists.json").read_bytes())
    assert label is not None
    assert set(asdict(label)) == {"generation", "rows", "trained", "name", "size", "sum", "format"}
    assert label.format == lists.FORMAT
