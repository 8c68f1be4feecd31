"""Does the embedder of a library know the language of its notes?"""

from __future__ import annotations

from dataclasses import dataclass

from trilith.language.guess import share_of_others
from trilith.model.hits import EngineState
from trilith.model.query import Filter, Listing
from trilith.ports.catalog import Catalog
from trilith.ports.embedding import Embedder

SAMPLE = 24
"""Notes that are looked at: those changed last."""
MOST = 1_000
"""Characters of each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What is not as it might be, and what to do about it."""

    message: str
    next_step: str


def has_own(embedder: Embedder, library: str) -> bool:
    """Whether the owner of a library has chosen its embedder."""
    return embedder.of(library) is not embedder.of("")


def advice(catalog: Catalog, embedder: Embedder, filter: Filter) -> Advice | None:
    """For the one library of a filter: where most of its notes are not in English, and nobody has chosen an embedder for
    them. Nothing while search by meaning is off."""
    (library,) = filter.libraries
    if has_own(embedder, library) or embedder.status().state is EngineState.OFF:
        return None
    entries = catalog.page(Listing(filter=filter, limit=SAMPLE)).entries
    texts = catalog.bodies(entry.num for entry in entries)
    share = share_of_others(text[:MOST] for text in texts.values())
    if share <= 0.5:
        return None
    return Advice(
        message=f"about {share:.0%} of its notes are not in English, and the model for search by meaning knows nothing else",
        next_step=(
            f'Choose an embedder for it in trilith.toml: [library.{library}.embedder] with kind = "multilingual", once '
            "trilith[multilingual] is installed, or a model of your own (docs/languages.md)."
        ),
    )
