"""What can this program do? Every use case, in one frozen value that the doors are given."""

from __future__ import annotations

from dataclasses import dataclass, replace

from trilith.access.gate import Gate
from trilith.health.doctor import Doctor
from trilith.health.repair import Mender
from trilith.health.status import Reporter
from trilith.notes.mover import Mover
from trilith.notes.reader import Reader
from trilith.notes.relations import Relations
from trilith.notes.shortids import ShortIds
from trilith.notes.trash import Trash
from trilith.notes.writer import Writer
from trilith.para.changing import ItemWriter
from trilith.para.items import Items
from trilith.ports.accounts import Audit
from trilith.ports.catalog import Catalog
from trilith.ports.graph import Graph
from trilith.ports.surroundings import Clock
from trilith.search.chunks import ChunkSearcher
from trilith.search.neighbourhood import Neighbourhood
from trilith.search.searcher import Searcher
from trilith.sync.follow import Follower
from trilith.sync.foreground import Foreground
from trilith.sync.indexer import Indexer


@dataclass(frozen=True, slots=True, kw_only=True)
class App:
    """The use cases. Whatever a door does goes through `gate` first and through one of the others then.

    `catalog` and `graph` are here for the plain listings (`page`, `tag_counts`, `orphans`), which need nothing but a filter.
    """

    gate: Gate
    searcher: Searcher
    chunk_searcher: ChunkSearcher
    neighbourhood: Neighbourhood
    reader: Reader
    relations: Relations
    short_ids: ShortIds
    writer: Writer
    mover: Mover
    trash: Trash
    para: Items
    para_writer: ItemWriter
    catalog: Catalog
    graph: Graph
    reporter: Reporter
    doctor: Doctor
    mender: Mender
    indexer: Indexer
    follower: Follower
    foreground: Foreground
    clock: Clock
    audit: Audit

    def within(self, library: str) -> App:
        """The same, as if there were no other library."""
        return replace(self, gate=self.gate.within(library))
