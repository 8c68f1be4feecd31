"""Vectors in PostgreSQL beside the catalog that they are of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.conftest import Place
from tests.unit.index.building import drop, put, recorded, seen_by, whole

from trilith.errors import SearchBackendError
from trilith.index.postgres.catalog import PostgresCatalog
from trilith.index.postgres.vectors import PostgresVectors
from trilith.index.vector.index import VectorIndex
from trilith.model.note import Status, Visibility
from trilith.ports.embedding import Floats

WIDTH = 16


@pytest.fixture
def catalog(postgres: Place) -> Iterator[PostgresCatalog]:
    opened = PostgresCatalog(postgres.url, postgres.schema)
    yield opened
    opened.close()


def units(seed: int, rows: int) -> Floats:
    made = np.random.default_rng(seed).standard_normal((rows, WIDTH)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def view(catalog: PostgresCatalog, exact_rows: int = 20_000) -> PostgresVectors:
    return PostgresVectors(catalog.database, lambda _: ("m", WIDTH), exact_rows=exact_rows)


def embed(catalog: PostgresCatalog) -> None:
    texts = catalog.pending_texts("lib", "m", 1000)
    catalog.store_vectors("lib", "m", texts, units(1, len(texts)).astype(np.float16))


def has_index(catalog: PostgresCatalog) -> bool:
    with catalog.database.reading() as connection:
        sql = "SELECT count(*) FROM pg_indexes WHERE schemaname = current_schema() AND indexname LIKE 'vectors_near%'"
        return bool(connection.execute(sql).fetchone()[0])


def test_filters_and_permissions_are_those_of_the_catalog(catalog: PostgresCatalog, tmp_path: Path) -> None:
    notes = [
        recorded(
            f"{'x' if n % 3 else 'y'}/{n}.md",
            parts=[f"one {n}", f"two {n}"],
            tags=("t",) if n % 2 else (),
            visibility=Visibility.PUBLIC if n % 5 else Visibility.PRIVATE,
            status=Status.DISMISSED if n % 7 == 0 else Status.RAW,
            collaborator_notes=f"between us {n}" if n % 4 else None,
            collaborators=("bob",) if n % 8 == 0 else (),
        )
        for n in range(60)
    ]
    nums = put(catalog, *notes)
    embed(catalog)
    vectors, files = view(catalog), VectorIndex(tmp_path, "m", WIDTH, catalog.allowed)
    for each in (vectors, files):
        each.apply("lib", catalog.vector_changes("lib", "m", 0, 1000))
    drop(catalog, nums["x/1.md"])
    query = units(2, 1)[0]
    filters = [whole(), seen_by(""), seen_by("bob"), seen_by(None, "x"), replace(whole(), tags=("t",))]
    filters += [replace(seen_by("bob", "y"), tags=("t",)), replace(whole(), path_prefix="x"), whole("elsewhere")]
    for filter in filters:
        there, here = vectors.retrieve(query, filter, 100), files.retrieve(query, filter, 100)
        among = [candidate for candidate in here.candidates if candidate.num != nums["x/1.md"]]
        assert [(c.num, c.chunk) for c in there.candidates] == [(c.num, c.chunk) for c in among]
        assert [c.raw for c in there.candidates] == pytest.approx([c.raw for c in among], abs=1e-3)
        assert len(vectors.chunks(query, filter, 500)) <= len(files.chunks(query, filter, 500))
    assert vectors.retrieve(query, seen_by("bob"), 100).candidates


def test_many_rows_are_indexed_once_and_found_alike(catalog: PostgresCatalog) -> None:
    nums = put(catalog, *(recorded(f"{n}.md", parts=[f"{n} a", f"{n} b"], tags=(f"t{n % 2}",)) for n in range(150)))
    embed(catalog)
    exact, indexed = view(catalog), view(catalog, exact_rows=50)
    exact.apply("lib", catalog.vector_changes("lib", "m", 0, 20))
    assert not has_index(catalog)
    indexed.apply("lib", catalog.vector_changes("lib", "m", exact.applied("lib"), 1000))
    assert has_index(catalog)
    query = units(3, 1)[0]
    for filter in (whole(), replace(whole(), tags=("t1",))):
        assert indexed.retrieve(query, filter, 5).candidates == exact.retrieve(query, filter, 5).candidates
    drop(catalog, *list(nums.values())[:75])
    indexed.apply("lib", catalog.vector_changes("lib", "m", exact.applied("lib"), 1000))
    assert indexed.retrieve(query, whole(), 5).candidates == exact.retrieve(query, whole(), 5).candidates
    indexed.clear("lib")
    assert not has_index(catalog)
    assert indexed.retrieve(query, whole(), 5).candidates == ()


def test_a_server_that_does_not_answer_is_a_failure_of_the_search(catalog: PostgresCatalog) -> None:
    vectors = view(catalog)
    catalog.close()
    with pytest.raises(SearchBackendError, match="cannot be used now"):
        vectors.retrieve(units(4, 1)[0], whole(), 5)
