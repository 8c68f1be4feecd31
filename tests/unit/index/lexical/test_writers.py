"""Writers stay open for a moment, and stand in nobody's way."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import tantivy
from tests.unit.index.lexical.notes import LIBRARY, fed, found, note
from tests.unit.index.lexical.test_shelf import files, opened

from trilith.errors import SearchBackendError
from trilith.index.lexical import writers
from trilith.index.lexical.batch import RECENT
from trilith.index.lexical.index import LexicalIndex
from trilith.index.lexical.schema import build_schema
from trilith.ports.items import Changes

PATIENCE = 30.0


def sizes(folder: Path) -> list[int]:
    """Living documents of each segment, the mark among them."""
    segments = json.loads(files(folder, "meta.json")[0].read_text("utf-8"))["segments"]
    gone = [segment["deletes"]["num_deleted_docs"] if segment["deletes"] else 0 for segment in segments]
    return [segment["max_doc"] - dead for segment, dead in zip(segments, gone, strict=True)]


def until_let_go() -> None:
    deadline = time.monotonic() + PATIENCE
    while any(thread.name == "trilith-writers" for thread in threading.enumerate()):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_commits_in_a_row_leave_one_segment(tmp_path: Path) -> None:
    index = fed(opened(tmp_path), [note(num, "word") for num in range(1, 101)])
    for num in range(101, 101 + RECENT - 1):
        fed(index, [note(num, "word")])
    assert sizes(tmp_path) == [100, RECENT]  # those and the mark
    assert len(found(index, "word", depth=200)) == 100 + RECENT - 1
    index.close()


def test_what_is_written_again_can_be_changed_and_dropped_meanwhile(tmp_path: Path) -> None:
    """Against a model: any row of small batches, with others between that make everything anew."""
    chance, index, model = random.Random(7), opened(tmp_path), dict[int, str]()
    for upto in range(1, 151):
        put = {num: f"word{chance.randrange(4)}" for num in chance.sample(range(1, 60), chance.randint(0, 5))}
        drop = tuple(num for num in chance.sample(range(1, 60), chance.randint(0, 3)) if num not in put)
        anew = chance.random() < 0.03
        index.apply(LIBRARY, Changes(upto=upto, put=tuple(note(n, w) for n, w in put.items()), drop=drop, anew=anew))
        model = {} if anew else {num: word for num, word in model.items() if num not in drop}
        model |= put
        assert index.applied(LIBRARY) == upto
        assert set(index.fingerprints(LIBRARY)) == set(model)
        for word in ("word0", "word1", "word2", "word3"):
            assert sorted(found(index, word, depth=99)) == sorted(num for num, each in model.items() if each == word)
    index.close()


def test_a_writer_that_is_kept_open_lets_others_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "LINGER", 10 * PATIENCE)
    one, other = opened(tmp_path), opened(tmp_path)
    for num in range(1, 13, 2):
        begun = time.monotonic()
        fed(one, [note(num, "word")])
        fed(other, [note(num + 1, "word")])
        assert time.monotonic() - begun < PATIENCE
    assert len(found(one, "word", depth=20)) == 12
    assert not (files(tmp_path, "meta.json")[0].parent.parent / writers.WANTED).exists()
    one.close()
    other.close()


RESTING = """
import sys
from pathlib import Path
import numpy as np
from tests.unit.index.lexical.notes import fed, note
from trilith.index.lexical import writers
from trilith.index.lexical.index import LexicalIndex

writers.LINGER = 1000.0
fed(LexicalIndex(Path(sys.argv[1]), lambda filter: np.array([], np.int64)), [note(1, "word")])
print("written", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("killed", [False, True])
def test_the_writer_of_another_process_is_in_nobodys_way(tmp_path: Path, killed: bool) -> None:
    root = Path(__file__).parents[4]
    command = [sys.executable, "-c", RESTING, str(tmp_path)]
    with subprocess.Popen(
        command, cwd=root, env={"PYTHONPATH": str(root)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"written\n"
        if killed:
            process.kill()
        index = fed(opened(tmp_path), [note(2, "word")])
        assert found(index, "word") == [2, 1]
        process.kill()
    index.close()


def test_a_writer_goes_by_itself(tmp_path: Path) -> None:
    fed(opened(tmp_path), [note(1, "word")])
    until_let_go()
    (files(tmp_path, "meta.json")[0].parent.parent / writers.WANTED).touch()  # left by a killed process
    fed(opened(tmp_path), [note(2, "word")])
    assert not (files(tmp_path, "meta.json")[0].parent.parent / writers.WANTED).exists()
    until_let_go()


def test_an_index_that_is_cleared_by_another_is_no_longer_written(tmp_path: Path) -> None:
    one, other = opened(tmp_path), opened(tmp_path)
    fed(one, [note(num, "word") for num in range(1, 400)])
    other.clear(LIBRARY)
    fed(other, [note(500, "other")])
    fed(one, [note(501, "other")])
    assert found(other, "word") == []
    assert found(one, "other") == [501, 500]
    assert other.check(LIBRARY)
    one.close()
    other.close()


def test_an_index_whose_folder_is_taken_away_is_begun_anew(tmp_path: Path) -> None:
    index = fed(opened(tmp_path), [note(1, "word")])
    files(tmp_path, "meta.json")[0].parent.rename(tmp_path / "elsewhere")
    assert index.applied(LIBRARY) == 0
    fed(index, [note(2, "word")])
    assert found(index, "word") == [2]
    index.close()


def test_a_batch_that_fails_keeps_nobody_out(tmp_path: Path) -> None:
    one, other = fed(opened(tmp_path), [note(1, "word")]), opened(tmp_path)
    with pytest.raises(SearchBackendError):
        one.apply(LIBRARY, Changes(upto=9, put=(note(2, "word", id="no uuid"),)))
    fed(other, [note(3, "word")])
    assert found(one, "word") == [3, 1]
    one.close()
    other.close()


def test_an_end_waits_for_merging(tmp_path: Path) -> None:
    for num in range(1, 41):  # as 40 commands would
        index: LexicalIndex = fed(opened(tmp_path), [note(num, "word")])  # type: ignore[assignment]
        index.close()
    assert len(sizes(tmp_path)) <= 8
    assert len(found(opened(tmp_path), "word", depth=50)) == 40


def test_a_writer_that_never_goes_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writers, "PATIENCE", 0.1)
    index = fed(opened(tmp_path), [note(1, "word")])
    index.close()
    held = tantivy.Index(index.schema, str(files(tmp_path, "meta.json")[0].parent)).writer()
    with pytest.raises(SearchBackendError, match="suspended"):
        fed(index, [note(2, "word")])
    assert found(index, "word") == [1]
    held.wait_merging_threads()
    fed(index, [note(2, "word")])
    assert found(index, "word") == [2, 1]
    index.close()


def test_a_note_that_cannot_be_left_for_others_keeps_nothing_from_being_written(tmp_path: Path) -> None:
    one, other = fed(opened(tmp_path), [note(1, "word")]), opened(tmp_path)
    (files(tmp_path, "meta.json")[0].parent.parent / writers.WANTED).mkdir()
    fed(one, [note(2, "word")])
    fed(other, [note(3, "word")])
    assert found(one, "word") == [3, 2, 1]
    one.close()
    other.close()


class Merging:
    """A writer that merges until it is told that it is done."""

    def __init__(self, writer: tantivy.IndexWriter) -> None:
        self._writer = writer
        self.began, self.done = threading.Event(), threading.Event()

    def wait_merging_threads(self) -> None:
        self.began.set()
        assert self.done.wait(PATIENCE)
        self._writer.wait_merging_threads()


def test_a_writer_of_this_process_that_ends_a_merge_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writers, "LINGER", 0.0)
    monkeypatch.setattr(writers, "PATIENCE", 0.0)
    folder = tmp_path / "index" / "v1"
    folder.mkdir(parents=True)
    open_writers = writers.Writers(build_schema())
    merging = Merging(open_writers.opened(folder))
    open_writers._keep(folder, merging, [])  # type: ignore[arg-type]
    assert merging.began.wait(PATIENCE)
    threading.Timer(0.1, merging.done.set).start()
    open_writers.opened(folder).wait_merging_threads()
    assert merging.done.is_set()
