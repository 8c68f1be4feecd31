"""Databases that are fit for use, and those that are not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from tests.conftest import Place
from tests.unit.index.building import DAY, passing, put, recorded, whole

from trilith.errors import StartFailure, Unavailable
from trilith.index.postgres.catalog import PostgresCatalog
from trilith.index.postgres.migrating import migrations, unfit
from trilith.index.postgres.values import escaped, unescaped
from trilith.language.normal import fold
from trilith.ports.catalog import ScanState


def run(place: Place, sql: str) -> list[tuple[object, ...]]:
    with psycopg.connect(place.url, autocommit=True) as connection:
        connection.execute(f'SET search_path TO "{place.schema}", public')
        done = connection.execute(sql)
        return done.fetchall() if done.description else []


def test_opening_again_keeps_what_is_there(postgres: Place) -> None:
    first = PostgresCatalog(postgres.url, postgres.schema)
    put(first, recorded("a.md"))
    first.close()
    again = PostgresCatalog(postgres.url, postgres.schema)
    assert passing(again, whole()) == ["a.md"]
    assert again.check() is None
    assert again.set_aside is None
    again.close()


def test_the_planner_knows_the_tables_after_a_scan(postgres: Place) -> None:
    catalog = PostgresCatalog(postgres.url, postgres.schema)
    put(catalog, *(recorded(f"{n}.md") for n in range(50)))
    count = f"SELECT reltuples FROM pg_class WHERE oid = '{postgres.schema}.notes'::regclass"
    assert run(postgres, count) == [(-1,)]
    catalog.record_scan("lib", ScanState(finished_at=DAY), frozenset())
    assert run(postgres, count) == [(50,)]
    catalog.close()


def test_processes_that_start_together_migrate_once(postgres: Place) -> None:
    with ThreadPoolExecutor(4) as threads:
        opened = list(threads.map(lambda _: PostgresCatalog(postgres.url, postgres.schema), range(4)))
    assert run(postgres, "SELECT number FROM migrations ORDER BY 1") == [(n,) for n in range(1, len(migrations()) + 1)]
    for each in opened:
        each.close()


def test_a_schema_of_a_newer_trilith_is_refused(postgres: Place) -> None:
    PostgresCatalog(postgres.url, postgres.schema).close()
    run(postgres, "INSERT INTO migrations VALUES (999, now())")
    with pytest.raises(StartFailure, match="at version 999, made by a newer Trilith"):
        PostgresCatalog(postgres.url, postgres.schema)


def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    with pytest.raises(StartFailure, match="cannot be opened") as told:
        PostgresCatalog("postgresql://ada:secret@127.0.0.1:1/notes")
    assert "secret" not in str(told.value)


def test_an_address_that_is_none() -> None:
    with pytest.raises(StartFailure, match="cannot be opened"):
        PostgresCatalog("http://example.org/x")


def test_a_database_without_pgvector_says_what_to_run(postgres: Place) -> None:
    run(postgres, f"CREATE DATABASE {postgres.schema}")
    run(postgres, f"CREATE ROLE {postgres.schema} LOGIN")
    url = postgres.url.replace("postgres@", f"{postgres.schema}@").replace("/postgres", f"/{postgres.schema}")
    try:
        with pytest.raises(StartFailure, match="CREATE EXTENSION vector;"):
            PostgresCatalog(url)
    finally:
        run(postgres, f"DROP DATABASE {postgres.schema}")
        run(postgres, f"DROP ROLE {postgres.schema}")


def test_servers_and_databases_that_will_not_do() -> None:
    assert unfit(18_00_03, "UTF8") is None
    assert "PostgreSQL 15; 16 or newer" in (unfit(15_00_09, "UTF8") or "")
    assert "LATIN1" in (unfit(16_00_00, "LATIN1") or "")


def test_a_schema_that_is_gone_is_unavailable(postgres: Place) -> None:
    catalog = PostgresCatalog(postgres.url, postgres.schema)
    run(postgres, f'DROP SCHEMA "{postgres.schema}" CASCADE')
    with pytest.raises(Unavailable, match="is not as it was"):
        catalog.generation()
    catalog.close()
    with pytest.raises(Unavailable):
        catalog.generation()


def test_a_connection_that_broke_is_let_go_of(postgres: Place) -> None:
    catalog = PostgresCatalog(postgres.url, postgres.schema)
    assert catalog.generation() >= 0
    run(postgres, "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'trilith'")
    assert catalog.generation() >= 0
    catalog.close()


def test_nul_and_the_character_that_stands_for_it_come_back() -> None:
    for text in ("\0", "a\0b", "\U0010fffe", "\U0010fffe0", "\0\U0010fffe1\0"):
        assert "\0" not in escaped(text)
        assert unescaped(escaped(text)) == text


def test_texts_are_folded_as_elsewhere(postgres: Place) -> None:
    PostgresCatalog(postgres.url, postgres.schema).close()
    texts = [
        "Café CAFE\u0301 Straße ŒUVRE Ødegård Łódź",
        "Привет й ё",
        "Ω ΣΑΣ ς",
        "हिन्दी हिंदी क़",
        "مدرسة ـكتابـ ی",
        "ﬁ ① ㍍ ｱ",
        "知识 がが",
        "İstanbul ıx",
        "plain ASCII",
    ]
    with psycopg.connect(postgres.url) as connection:
        connection.execute(f'SET search_path TO "{postgres.schema}", public')
        for text in texts:
            (found,) = connection.execute("SELECT folded(%s)", (text,)).fetchone() or ("",)
            assert found == fold(text)
