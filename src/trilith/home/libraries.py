"""How a library stands in the ledger."""

from __future__ import annotations

import json
from typing import Any

from trilith.model.principal import Library

COLUMNS = "name, root, owner, read_only, hidden, protected"


def library_of(row: tuple[Any, ...]) -> Library:
    """A library from its `COLUMNS`."""
    name, root, owner, read_only, hidden, protected = row
    return Library(
        name=name,
        root=root,
        owner=owner,
        read_only=bool(read_only),
        hidden=tuple(json.loads(hidden)),
        protected=tuple(json.loads(protected)),
    )


def row_of(library: Library) -> tuple[Any, ...]:
    """Its `COLUMNS`."""
    folders = json.dumps(library.hidden), json.dumps(library.protected)
    return library.name, library.root, library.owner, library.read_only, *folders
