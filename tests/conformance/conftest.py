"""What suites of several ports run on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from tests.conftest import Place

from trilith.index.catalog.catalog import SqlCatalog, SqliteCatalog


def in_postgres(place: Place) -> SqlCatalog:
    from trilith.index.postgres.catalog import PostgresCatalog  # others do without the driver

    return PostgresCatalog(place.url, place.schema)


@pytest.fixture(params=["sqlite", "postgres"])
def another(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], SqlCatalog]]:
    """Opens a catalog: always the same one, as another process would."""
    place = request.getfixturevalue("postgres") if request.param == "postgres" else None
    with ExitStack() as closing:

        def opened() -> SqlCatalog:
            made = SqliteCatalog(tmp_path / "catalog.db") if place is None else in_postgres(place)
            closing.callback(made.close)
            return made

        yield opened
