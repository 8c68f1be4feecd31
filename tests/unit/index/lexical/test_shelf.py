from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from tests.unit.index.lexical.notes import LIBRARY, ask, fed, found, note

from trilith.errors import SearchBackendError
from trilith.index.lexical import shelf
from trilith.index.lexical.index import LexicalIndex
from trilith.ports.items import Changes


def opened(folder: Path) -> LexicalIndex:
    return LexicalIndex(folder, lambda filter: np.array([], np.int64))


def files(folder: Path, ending: str) -> list[Path]:
    return sorted((folder / LIBRARY / f"v{shelf.FORMAT}").glob(f"*{ending}"))


def overwrite_middle(file: Path) -> None:
    content = bytearray(file.read_bytes())
    middle = len(content) // 2
    content[middle : middle + 8] = bytes(byte ^ 0xFF for byte in content[middle : middle + 8])
    file.write_bytes(content)


@pytest.fixture
def full(tmp_path: Path) -> Path:
    """A folder with an index of some notes."""
    fed(
        opened(tmp_path),
        [note(num, f"word {' '.join(f'x{num * place % 89}' for place in range(50))}") for num in range(1, 100)],
    )
    return tmp_path


@pytest.mark.parametrize("ending", [".term", ".idx", ".pos", ".fast", ".fieldnorm", ".store", "meta.json"])
@pytest.mark.parametrize("harm", ["overwritten", "cut", "emptied", "removed", "garbage"])
def test_a_damaged_index_is_set_aside_and_can_be_built_anew(full: Path, ending: str, harm: str) -> None:
    for file in files(full, ending):
        match harm:
            case "overwritten":
                overwrite_middle(file)
            case "cut":
                file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
            case "emptied":
                file.write_bytes(b"")
            case "garbage":
                file.write_bytes(b"garbage " * 40)
            case "removed":
                file.unlink()
    index = opened(full)
    assert index.applied(LIBRARY) == 0
    assert found(index, "word") == []
    fed(index, [note(1, "word")])
    assert index.applied(LIBRARY) == 1
    assert found(index, "word") == [1]


def test_an_index_that_cannot_be_read_is_no_empty_answer(full: Path) -> None:
    for file in files(full, ".term"):
        file.write_bytes(b"garbage " * 40)
    with pytest.raises(SearchBackendError, match="cannot be used"):
        ask(opened(full), "word")


def test_an_index_that_fails_while_open_is_looked_at_before_it_is_fed_again(full: Path) -> None:
    index = opened(full)
    assert len(found(index, "word", depth=200)) == 99
    for file in files(full, "meta.json"):
        file.write_bytes(b"{}")
    with pytest.raises(SearchBackendError):
        ask(index, "word")
    assert index.applied(LIBRARY) == 0
    assert found(index, "word") == []


def test_damage_that_left_no_trace_is_found_once_something_fails(full: Path) -> None:
    index = opened(full)
    newer = files(full, "meta.json")[0].stat().st_mtime_ns - 10**9
    for file in files(full, ".idx"):
        overwrite_middle(file)
        os.utime(file, ns=(newer, newer))
    assert index.applied(LIBRARY) == 99
    for file in files(full, ".term"):
        file.rename(file.with_suffix(".gone"))
    fresh = opened(full)
    with pytest.raises(SearchBackendError):
        ask(fresh, "word")
    for file in files(full, ".gone"):
        file.rename(file.with_suffix(".term"))
    assert fresh.applied(LIBRARY) == 0


def test_asking_how_far_an_index_has_come_leaves_a_broken_one_where_it_is(full: Path) -> None:
    index = opened(full)
    assert (index.reached(LIBRARY), index.reached("another")) == (99, 0)
    (meta,) = files(full, "meta.json")
    meta.write_bytes(b"{}")
    assert index.reached(LIBRARY) == 0
    assert meta.read_bytes() == b"{}"


def test_an_untouched_index_stays(full: Path) -> None:
    before = {file.name for file in files(full, "")}
    for _ in range(3):
        assert opened(full).applied(LIBRARY) == 99
    assert {file.name for file in files(full, "")} == before


def test_another_format_counts_as_empty_and_is_replaced(full: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "FORMAT", shelf.FORMAT + 1)
    index = opened(full)
    assert index.applied(LIBRARY) == 0
    assert index.fingerprints(LIBRARY) == {}
    assert found(index, "word") == []
    fed(index, [note(5, "word")])
    assert found(index, "word") == [5]
    assert [folder.name for folder in (full / LIBRARY).iterdir()] == [f"v{shelf.FORMAT}"]


def test_other_fields_than_expected_count_as_damage(full: Path) -> None:
    for file in files(full, "meta.json"):
        meta = json.loads(file.read_text("utf-8"))
        meta["schema"][0]["name"] = "other"
        file.write_text(json.dumps(meta), "utf-8")
    index = opened(full)
    assert index.applied(LIBRARY) == 0


@pytest.mark.parametrize("library", ["two words", "日本", "a/b", "..", ".", "C:x", "x.y"])
def test_any_library_name_has_a_folder_of_its_own_below(tmp_path: Path, library: str) -> None:
    index = opened(tmp_path / "below")
    fed(index, [note(1, "word")], library)
    assert index.fingerprints(library) == {1: "checksum-1"}
    assert [each.name for each in tmp_path.iterdir()] == ["below"]
    assert len(list((tmp_path / "below").iterdir())) == 1
    index.clear(library)
    assert list((tmp_path / "below").iterdir()) == []


def test_many_small_batches_leave_few_segments(tmp_path: Path) -> None:
    index = opened(tmp_path)
    for num in range(1, 41):
        fed(index, [note(num, "word")])
    meta = json.loads(files(tmp_path, "meta.json")[0].read_text("utf-8"))
    assert len(meta["segments"]) <= 8
    assert found(index, "word", depth=50) == list(range(40, 0, -1))


def test_a_failed_batch_leaves_the_former_state(full: Path) -> None:
    index = opened(full)
    broken = note(200, "word", id="no uuid")
    with pytest.raises(SearchBackendError):
        index.apply(LIBRARY, Changes(upto=500, put=(note(1, "other"), broken)))
    assert index.applied(LIBRARY) == 99
    assert len(found(index, "word", depth=200)) == 99
    fed(index, [note(200, "word")])
    assert index.applied(LIBRARY) == 100


WRITER = """
import sys
from pathlib import Path
import numpy as np
from tests.unit.index.lexical.notes import LIBRARY, note
from trilith.index.lexical.index import LexicalIndex
from trilith.ports.items import Changes

index = LexicalIndex(Path(sys.argv[1]), lambda filter: np.array([], np.int64))
for upto in range(1, 10_000):
    index.apply(LIBRARY, Changes(upto=upto, put=tuple(note(upto * 10 + place, f"word{upto}") for place in range(10))))
    print(upto, flush=True)
"""


def writer(folder: Path) -> subprocess.Popen[str]:
    root = Path(__file__).parents[4]
    command = [sys.executable, "-c", WRITER, str(folder)]
    return subprocess.Popen(command, cwd=root, env={"PYTHONPATH": str(root)}, stdout=subprocess.PIPE, text=True)


def test_other_processes_read_what_one_writes(tmp_path: Path) -> None:
    index = opened(tmp_path)
    with writer(tmp_path) as process:
        assert process.stdout is not None
        for line in process.stdout:
            upto = int(line)
            assert index.applied(LIBRARY) >= upto
            assert len(found(index, f"word{upto}")) == 10
            if upto == 12:
                break
        process.kill()


@pytest.mark.parametrize("commits", [1, 3, 8])
def test_a_kill_at_any_moment_leaves_a_whole_batch(tmp_path: Path, commits: int) -> None:
    with writer(tmp_path) as process:
        assert process.stdout is not None
        for _ in range(commits):
            last = int(process.stdout.readline())
        deadline = time.monotonic() + 0.005 * commits
        while time.monotonic() < deadline:
            pass
        process.kill()
    index = opened(tmp_path)
    upto = index.applied(LIBRARY)
    assert upto >= last
    assert len(index.fingerprints(LIBRARY)) == upto * 10
    index.apply(LIBRARY, Changes(upto=upto + 1, put=(note(5, "after"),)))
    assert found(index, "after") == [5]
