"""What tests of several rooms share."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.postgres import running_server


@dataclass(frozen=True, slots=True)
class Place:
    """A schema of a PostgreSQL database that is not there yet; others whose names begin alike are free, too."""

    url: str
    schema: str


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    with running_server() as url:
        yield url


@pytest.fixture
def postgres(postgres_server: str) -> Iterator[Place]:
    schema = f"test_{uuid.uuid4().hex}"
    yield Place(postgres_server, schema)
    import psycopg

    with psycopg.connect(postgres_server, autocommit=True) as connection:
        connection.execute("SET client_min_messages TO warning")
        made = connection.execute("SELECT nspname FROM pg_namespace WHERE starts_with(nspname, %s)", (schema,))
        for (name,) in made.fetchall():
            connection.execute(f'DROP SCHEMA "{name}" CASCADE'.encode())
