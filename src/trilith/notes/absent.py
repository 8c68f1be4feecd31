"""What is said of a note that is not there."""

from __future__ import annotations

from collections.abc import Iterable

from trilith.errors import NotFound, Unavailable
from trilith.ports.catalog import Catalog


def absent(catalog: Catalog, libraries: Iterable[str], asked: str) -> NotFound | Unavailable:
    """A note that is not there is one thing; one that may not have been read yet, as while an index is built anew, is
    another."""
    unread = [name for name in libraries if catalog.scan_state(name).finished_at is None]
    if unread:
        return Unavailable(
            f"No document with {asked} has been read yet: the notes of '{unread[0]}' are still being read for the"
            " first time; try again."
        )
    return NotFound(f"No document found with {asked}")
