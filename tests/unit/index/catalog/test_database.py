from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tests.unit.index.building import passing, put, recorded, whole

from trilith.errors import StartFailure, Unavailable
from trilith.index.catalog import schema
from trilith.index.catalog.catalog import SqliteCatalog
from trilith.index.catalog.database import Database


def test_a_new_catalog_sets_nothing_aside(tmp_path: Path) -> None:
    for _ in range(2):
        catalog = SqliteCatalog(tmp_path / "catalog.db")
        assert catalog.set_aside is None
        put(
            catalog,
            recorded("a.md", num=None if not catalog.known_files("lib") else catalog.known_files("lib")["a.md"].num),
        )
        catalog.close()
    assert passing(SqliteCatalog(tmp_path / "catalog.db"), whole()) == ["a.md"]


def test_readers_do_not_wait_for_a_writer(tmp_path: Path) -> None:
    database = Database(tmp_path / "c.db")
    with database.writing() as writer:
        writer.execute("INSERT INTO embedders (name, width) VALUES ('m', 1)")
        with database.reading() as reader:
            assert reader.execute("SELECT count(*) FROM embedders").fetchone() == (0,)
    with database.reading() as reader:
        assert reader.execute("SELECT count(*) FROM embedders").fetchone() == (1,)


def test_a_reader_sees_one_state(tmp_path: Path) -> None:
    database = Database(tmp_path / "c.db")
    with database.reading() as reader:
        assert reader.execute("SELECT count(*) FROM embedders").fetchone() == (0,)
        with database.writing() as writer:
            writer.execute("INSERT INTO embedders (name, width) VALUES ('m', 1)")
        assert reader.execute("SELECT count(*) FROM embedders").fetchone() == (0,)


def test_a_failed_transaction_leaves_nothing(tmp_path: Path) -> None:
    database = Database(tmp_path / "c.db")
    before = database.generation()

    def fail() -> None:
        with database.writing() as writer:
            writer.execute("INSERT INTO embedders (name, width) VALUES ('m', 1)")
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    with database.reading() as reader:
        assert reader.execute("SELECT count(*) FROM embedders").fetchone() == (0,)
    assert database.generation() == before


@pytest.mark.parametrize("content", [b"no database", b"\0" * 4096, b"SQLite format 3\0" + b"x" * 5000])
def test_a_damaged_file_is_set_aside(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "catalog.db"
    path.write_bytes(content)
    catalog = SqliteCatalog(path)
    assert catalog.set_aside is not None
    assert str(tmp_path / "catalog.db.aside") in catalog.set_aside
    assert (tmp_path / "catalog.db.aside").read_bytes() == content
    assert put(catalog, recorded("a.md"))
    catalog.close()
    assert SqliteCatalog(path).set_aside is None


def test_another_version_is_set_aside_with_its_log(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    old = sqlite3.connect(path)
    old.execute("PRAGMA journal_mode = WAL")
    old.execute("CREATE TABLE t (x)")
    old.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    old.commit()
    catalog = SqliteCatalog(path)
    assert "another version" in str(catalog.set_aside)
    assert (tmp_path / "catalog.db.aside-wal").exists()
    assert put(catalog, recorded("a.md"))
    old.close()
    catalog.close()


def test_a_truncated_file_is_set_aside(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    catalog = SqliteCatalog(path)
    put(catalog, recorded("a.md"))
    catalog.close()
    os.truncate(path, 2048)
    assert SqliteCatalog(path).set_aside is not None


def test_damage_met_later_is_healed_by_the_next_opening(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    catalog = SqliteCatalog(path)
    put(catalog, *(recorded(f"{n}.md", body="x" * 3000) for n in range(200)))
    catalog.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size // 2 // 4096 * 4096)
        file.write(b"\xff" * (size // 4))
    catalog = SqliteCatalog(path)
    assert catalog.set_aside is None, "opening looks at the head only"
    with pytest.raises(Unavailable, match="damaged"):
        catalog.full_text_changes("lib", 0, 1000)
    catalog.close()
    healed = SqliteCatalog(path)
    assert healed.set_aside is not None
    assert healed.known_files("lib") == {}
    healed.close()
    assert SqliteCatalog(path).set_aside is None


def test_an_empty_file_left_by_a_kill_is_filled(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    path.touch()
    assert SqliteCatalog(path).set_aside is None


def test_a_file_out_of_reach_is_a_start_failure(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StartFailure, match="cannot be opened"):
        SqliteCatalog(tmp_path / "file" / "catalog.db")
    (tmp_path / "folder").mkdir()
    with pytest.raises(StartFailure, match="cannot be opened"):
        SqliteCatalog(tmp_path / "folder")


def test_numbers_of_a_catalog_made_anew_are_above_all_former_ones(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    catalog = SqliteCatalog(path)
    put(catalog, recorded("a.md"), recorded("b.md"))
    before = catalog.sequence("lib"), catalog.vector_sequence("lib"), catalog.generation()
    catalog.close()
    path.write_bytes(b"damaged")
    catalog = SqliteCatalog(path)
    put(catalog, recorded("c.md"))
    changes = catalog.full_text_changes("lib", before[0], 10)
    assert changes.anew
    assert [item.path for item in changes.put] == ["c.md"]
    assert catalog.vector_changes("lib", "m", before[1], 10).anew
    assert catalog.generation() > before[2]


def test_a_closed_catalog_says_so(tmp_path: Path) -> None:
    catalog = SqliteCatalog(tmp_path / "catalog.db")
    catalog.generation()
    catalog.close()
    catalog.close()
    with pytest.raises(Unavailable, match="closed"):
        catalog.generation()


def test_many_threads(tmp_path: Path) -> None:
    catalog = SqliteCatalog(tmp_path / "catalog.db")
    start = threading.Barrier(8)

    def work(number: int) -> None:
        start.wait()
        for turn in range(5):
            put(catalog, recorded(f"{number}-{turn}.md"))
            assert catalog.allowed(whole()).total > turn

    with ThreadPoolExecutor(8) as threads:
        for done in [threads.submit(work, number) for number in range(8)]:
            done.result()
    assert catalog.allowed(whole()).total == 40


WRITER = """
import sys
from pathlib import Path
from tests.unit.index.building import put, recorded
from trilith.index.catalog.catalog import SqliteCatalog
catalog = SqliteCatalog(Path(sys.argv[1]))
for turn in range(10):
    put(catalog, recorded(f"{sys.argv[2]}-{turn}.md"))
"""


def test_processes_that_open_a_damaged_catalog_at_once_share_the_new_one(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    path.write_bytes(b"no database")
    processes = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(number)]) for number in range(4)]
    assert [process.wait(60) for process in processes] == [0] * 4
    assert len(SqliteCatalog(path).known_files("lib")) == 40


def remove(path: Path) -> None:
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()


@pytest.mark.parametrize(
    "harm",
    [remove, lambda path: path.write_bytes(b""), lambda path: path.write_bytes(b"x" * 9000)],
    ids=["removed", "emptied", "scribbled"],
)
def test_a_file_that_is_lost_while_it_is_open_is_made_anew(tmp_path: Path, harm: Callable[[Path], object]) -> None:
    path = tmp_path / "index" / "catalog.db"
    path.parent.mkdir()
    one, other = SqliteCatalog(path), SqliteCatalog(path)
    put(one, recorded("a.md"))
    assert set(other.known_files("lib")) == {"a.md"}
    harm(path)
    for catalog in (one, other):
        insist(lambda catalog=catalog: catalog.check())
    insist(lambda: put(one, recorded("b.md")))
    assert set(insist(lambda: other.known_files("lib"))) == {"b.md"}
    put(other, recorded("c.md"))
    assert set(one.known_files("lib")) == {"b.md", "c.md"}


def insist(action: Callable[[], Any]) -> Any:
    """What comes of it, at the second try where the first one met the damage and said so."""
    try:
        return action()
    except Unavailable:
        return action()


def test_a_folder_that_is_lost_while_it_is_open_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "index" / "catalog.db"
    path.parent.mkdir()
    catalog = SqliteCatalog(path)
    put(catalog, recorded("a.md"))
    shutil.rmtree(path.parent)
    assert catalog.known_files("lib") == {}
    put(catalog, recorded("b.md"))
    assert set(SqliteCatalog(path).known_files("lib")) == {"b.md"}


def test_a_check_finds_damage_that_nobody_has_met(tmp_path: Path) -> None:
    path = tmp_path / "catalog.db"
    catalog = SqliteCatalog(path)
    put(catalog, *(recorded(f"{n}.md", body="x" * 3000) for n in range(200)))
    assert catalog.check() is None
    catalog.close()
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        file.write(b"\xff" * 40_000)
    catalog = SqliteCatalog(path)
    assert catalog.check()
    assert catalog.known_files("lib") == {}
    assert "built anew" in str(catalog.set_aside)
    assert catalog.check() is None
