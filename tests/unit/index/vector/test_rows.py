from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from trilith.errors import SearchBackendError
from trilith.index.vector import rows as rows_module
from trilith.index.vector.index import VectorIndex
from trilith.index.vector.rows import RowStore, discard
from trilith.model.ids import Num
from trilith.model.principal import Scope
from trilith.model.query import Filter
from trilith.ports.catalog import Allowed
from trilith.ports.embedding import Floats
from trilith.ports.items import Changes, VectorItem

WIDTH = 8
EVERYTHING = Filter(scopes=(Scope(library="a"),))


def everyone(filter: Filter) -> Allowed:
    return Allowed(nums=None, total=0)


def index(folder: Path, model: str = "m", width: int = WIDTH) -> VectorIndex:
    return VectorIndex(folder, model, width, everyone)


def unit(seed: int, rows: int = 1, width: int = WIDTH) -> Floats:
    made = np.random.default_rng(seed).standard_normal((rows, width)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def note(num: int, rows: Floats | None = None, checksum: str = "c") -> VectorItem:
    rows = unit(num) if rows is None else rows
    ordinals = np.arange(len(rows), dtype=np.int32)
    return VectorItem(num=Num(num), checksum=checksum, ordinals=ordinals, vectors=rows.astype(np.float16))


def nums(vectors: VectorIndex, query: Floats | None = None) -> list[int]:
    query = unit(0)[0] if query is None else query
    return sorted(candidate.num for candidate in vectors.retrieve(query, EVERYTHING, 1000).candidates)


def header_of(folder: Path) -> Path:
    (header,) = folder.rglob("header.json")
    return header


def test_another_reader_sees_growth_replacement_and_clearing_without_being_told(tmp_path: Path) -> None:
    writer, reader = index(tmp_path), index(tmp_path)
    assert nums(reader) == []
    writer.apply("a", Changes(upto=1, put=(note(1), note(2))))
    assert (nums(reader), reader.applied("a")) == ([1, 2], 1)
    writer.apply("a", Changes(upto=2, put=(note(3),), drop=(Num(1),)))
    assert (nums(reader), reader.applied("a")) == ([2, 3], 2)
    writer.clear("a")
    assert (nums(reader), reader.applied("a")) == ([], 0)


def test_a_snapshot_stays_whole_while_the_cache_is_compacted_and_cleared(tmp_path: Path) -> None:
    store = RowStore(tmp_path, "a", "m", WIDTH)
    store.append(Changes(upto=1, put=(note(1, unit(5, 3)),)))
    held = store.snapshot()
    assert held is not None
    before = held.vectors.copy()
    for sequence in range(2, 2_100, 700):
        store.append(Changes(upto=sequence, put=(note(1, unit(sequence, 700)),)))
    discard(tmp_path)
    assert np.array_equal(held.vectors, before)


def test_dead_rows_are_given_back_and_nothing_else_changes(tmp_path: Path) -> None:
    vectors = index(tmp_path)
    kept = tuple(note(num, unit(num, 3)) for num in range(1, 40))
    vectors.apply("a", Changes(upto=1, put=kept))
    answer = vectors.retrieve(unit(0)[0], EVERYTHING, 100)
    for sequence in range(2, 30):
        vectors.apply("a", Changes(upto=sequence, put=(note(1000, unit(sequence, 200)),)))
    vectors.apply("a", Changes(upto=30, drop=(Num(1000),)))
    assert vectors.retrieve(unit(0)[0], EVERYTHING, 100) == answer
    assert vectors.applied("a") == 30
    files = sum(path.stat().st_size for path in tmp_path.rglob("*.vectors"))
    assert files < 28 * 200 * WIDTH * 2 / 3
    assert len(list(tmp_path.rglob("*.vectors"))) == 1


def test_notes_without_vectors_do_not_make_the_records_grow_for_ever(tmp_path: Path) -> None:
    vectors = index(tmp_path)
    for sequence in range(1, 3_000):
        vectors.apply("a", Changes(upto=sequence, put=(note(1, unit(1, 0), str(sequence)),)))
    assert vectors.fingerprints("a") == {1: "2999"}
    assert json.loads(header_of(tmp_path).read_bytes())["records"] < 2_000


def test_leftovers_of_a_killed_writer_do_not_count(tmp_path: Path) -> None:
    vectors = index(tmp_path)
    vectors.apply("a", Changes(upto=1, put=(note(1), note(2))))
    for name in ("vectors", "ordinals", "notes"):
        (path,) = tmp_path.rglob(f"*.{name}")
        with path.open("ab") as file:
            file.write(b"\x7f" * 1_000)
    (header_of(tmp_path).parent / "header.tmp").write_bytes(b"{")
    assert nums(index(tmp_path)) == [1, 2]
    index(tmp_path).apply("a", Changes(upto=2, put=(note(3),)))
    assert nums(index(tmp_path)) == nums(vectors) == [1, 2, 3]


@pytest.mark.parametrize("step", ["_begin", "_put", "_swap", "_compact"])
def test_a_failure_at_any_step_leaves_the_former_state_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    vectors = index(tmp_path)
    vectors.apply("a", Changes(upto=1, put=(note(1), note(2, unit(3, 1_500)))))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(RowStore, step, full)
        with pytest.raises(OSError, match="No space"):
            # Enough dead rows to call for a compaction, so that every step is reached.
            vectors.apply("a", Changes(upto=2, put=(note(2, unit(4, 10)),), drop=(Num(1),)))
    again = index(tmp_path)
    former, new = (1, [1, 2]), (2, [2])
    assert (again.applied("a"), nums(again)) in (former, new)
    assert (vectors.applied("a"), nums(vectors)) == (again.applied("a"), nums(again))
    vectors.apply("a", Changes(upto=2, put=(note(2, unit(4, 10)),), drop=(Num(1),)))
    assert (again.applied("a"), nums(again)) == new


def spoil_header(header: Path) -> None:
    header.write_bytes(b"\x00" * 50)


def spoil_numbers(header: Path) -> None:
    header.write_text(json.dumps({**json.loads(header.read_bytes()), "rows": -4}))


def cut_vectors(header: Path) -> None:
    os.truncate(next(header.parent.glob("*.vectors")), 10)


def lose_notes(header: Path) -> None:
    next(header.parent.glob("*.notes")).unlink()


def garble_records(header: Path) -> None:
    path = next(header.parent.glob("*.notes"))
    path.write_bytes(b"\x7f" * path.stat().st_size)


@pytest.mark.parametrize("spoil", [spoil_header, spoil_numbers, cut_vectors, lose_notes, garble_records])
def test_a_damaged_cache_is_at_zero_says_so_and_is_begun_anew(tmp_path: Path, spoil: object) -> None:
    vectors = index(tmp_path)
    vectors.apply("a", Changes(upto=5, put=(note(1), note(2))))
    assert callable(spoil)
    spoil(header_of(tmp_path))
    fresh = index(tmp_path)
    assert (fresh.applied("a"), fresh.fingerprints("a")) == (0, {})
    with pytest.raises(SearchBackendError, match="anew"):
        fresh.retrieve(unit(0)[0], EVERYTHING, 5)
    fresh.apply("a", Changes(upto=5, put=(note(3),)))
    assert (fresh.applied("a"), nums(fresh)) == (5, [3])
    assert len(list(tmp_path.rglob("*.vectors"))) == 1


def test_another_format_is_begun_anew(tmp_path: Path) -> None:
    index(tmp_path).apply("a", Changes(upto=5, put=(note(1),)))
    header = header_of(tmp_path)
    header.write_text(json.dumps({"format": 99, "something": "else"}))
    vectors = index(tmp_path)
    assert (vectors.applied("a"), nums(vectors)) == (0, [])
    vectors.apply("a", Changes(upto=1, put=(note(2),)))
    assert nums(vectors) == [2]


def test_s17_models_are_never_mixed_and_the_old_vectors_stay(tmp_path: Path) -> None:
    """Index with model A (384), start with B (768), and B' of the same width."""
    old, wide, other = index(tmp_path, "A"), index(tmp_path, "B", 16), index(tmp_path, "B'")
    old.apply("a", Changes(upto=9, put=(note(1),)))
    assert (wide.applied("a"), other.applied("a")) == (0, 0)
    assert nums(wide, unit(0, width=16)[0]) == nums(other) == []
    other.apply("a", Changes(upto=2, put=(note(2),)))
    wide.apply("a", Changes(upto=3, put=(note(3, unit(3, width=16)),)))
    assert (nums(old), nums(other)) == ([1], [2])
    old.clear("a")
    assert index(tmp_path, "A").applied("a") == 0


def test_clear_takes_the_other_models_of_the_library_along(tmp_path: Path) -> None:
    index(tmp_path, "A").apply("a", Changes(upto=1, put=(note(1),)))
    index(tmp_path, "B").apply("a", Changes(upto=1, put=(note(1),)))
    index(tmp_path, "B").apply("b", Changes(upto=1, put=(note(1),)))
    index(tmp_path, "B").clear("a")
    assert len(list(tmp_path.rglob("*.vectors"))) == 1
    assert index(tmp_path, "B").applied("b") == 1


WRITER = """
import sys, numpy as np
from pathlib import Path
from trilith.index.vector.index import VectorIndex
from trilith.ports.items import Changes
from trilith.ports.items import VectorItem
vectors = VectorIndex(Path(sys.argv[1]), "m", 8, lambda filter: None)
sequence = vectors.applied("a")
print("ready", flush=True)
while True:
    sequence += 1
    rows = np.full((40, 8), 8 ** -0.5, np.float16)
    items = tuple(
        VectorItem(num=num, checksum=str(sequence), ordinals=np.full(40, sequence, np.int32), vectors=rows)
        for num in range(1, 6)
    )
    vectors.apply("a", Changes(upto=sequence, put=items))
"""


def test_kill_9_at_any_moment_leaves_a_whole_state(tmp_path: Path) -> None:
    reader, applied = index(tmp_path), 0
    query = np.full(WIDTH, WIDTH**-0.5, np.float32)
    for round_ in range(6):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            while reader.applied("a") < applied + 5 + 7 * round_:
                candidates = reader.retrieve(query, EVERYTHING, 10).candidates
                assert len({candidate.chunk for candidate in candidates}) <= 1, "a state half old, half new"
            writer.send_signal(signal.SIGKILL)
        applied = index(tmp_path).applied("a")
        assert index(tmp_path).fingerprints("a") == {num: str(applied) for num in range(1, 6)}
        chunks = {candidate.chunk for candidate in index(tmp_path).retrieve(query, EVERYTHING, 10).candidates}
        assert chunks == {applied}


def test_many_threads_read_while_one_writes(tmp_path: Path) -> None:
    vectors = index(tmp_path)
    vectors.apply("a", Changes(upto=1, put=(note(1),)))
    done, failures = threading.Event(), []

    def read() -> None:
        while not done.is_set():
            try:
                found = nums(vectors)
                assert found == list(range(1, len(found) + 1))
            except BaseException as error:  # noqa: BLE001 - reported below, from the test's own thread
                failures.append(error)
                return

    readers = [threading.Thread(target=read) for _ in range(4)]
    for reader in readers:
        reader.start()
    for sequence in range(2, 60):
        vectors.apply("a", Changes(upto=sequence, put=(note(sequence), note(1, unit(sequence, 100)))))
    done.set()
    for reader in readers:
        reader.join()
    assert failures == []
    assert nums(vectors) == list(range(1, 60))


def test_compaction_copies_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows_module, "COPIED_AT_A_TIME", 3)
    vectors = index(tmp_path)
    vectors.apply("a", Changes(upto=1, put=tuple(note(num, unit(num, num)) for num in range(1, 12))))
    vectors.apply("a", Changes(upto=2, put=(note(50, unit(50, 1_200)), note(5, unit(5, 0)))))
    answer = vectors.retrieve(unit(0)[0], EVERYTHING, 100).candidates
    vectors.apply("a", Changes(upto=3, drop=(Num(50),)))
    assert json.loads(header_of(tmp_path).read_bytes())["rows"] == sum(range(1, 12)) - 5
    assert vectors.retrieve(unit(0)[0], EVERYTHING, 100).candidates == tuple(c for c in answer if c.num != 50)
    assert vectors.fingerprints("a") == dict.fromkeys(range(1, 12), "c")
