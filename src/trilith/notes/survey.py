"""Before a note moves: which files have links that must follow, and can they?"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from trilith.errors import ContentTooLarge, Refused, Unavailable
from trilith.markdown.spelling import Moved
from trilith.model.ids import Num
from trilith.model.note import Entry
from trilith.notes.change import decoded
from trilith.notes.following import plan, why_astray, why_left
from trilith.notes.records import read_if_there
from trilith.ports.catalog import Catalog, Reference
from trilith.ports.ledger import Following, Rewriting
from trilith.ports.vault import Vault

CHANGED = "it is being changed by others"


@dataclass(slots=True)
class Survey:
    """What is to be done to the files of a library once a note has moved.

    `failed` tells, by the path that a file will have, why links of it stay as they are; `shared` are the names that more
    than one note or file will answer to. `stale`: some files are not as the catalog knows them.
    """

    catalog: Catalog
    moved: Entry
    rewritings: list[Rewriting] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)
    stale: bool = False
    _unique: dict[str, bool] = field(default_factory=dict)
    _expected: list[Reference] = field(default_factory=list)

    @property
    def shared(self) -> tuple[str, ...]:
        return tuple(sorted(name for name, unique in self._unique.items() if not unique))

    def look(self, vault: Vault, current: Entry) -> None:
        """At every file with links that cannot stay as they are. `current` is the note before it moves."""
        links: dict[Num, list[Following]] = defaultdict(list)
        for each in self.catalog.drawn(self.moved):
            now = self.moved.path if each.leads_to == current.path else each.leads_to
            follows = Following(kind=each.kind, target=each.target, was=each.leads_to, now=now, certain=True)
            links[each.source].append(follows)
        sources = self.catalog.entries(links)
        for num, source in sources.items():
            path = Moved(source.path, self.moved.path if num == self.moved.num else source.path)
            try:
                self._look_at(vault, source, path, links[num])
            except (Refused, ContentTooLarge, Unavailable) as failure:
                self._fail(path.now, failure.message)
        paths = {num: entry.path for num, entry in sources.items()} | {self.moved.num: self.moved.path}
        for link in self.catalog.astray(self.moved, self._expected):
            self._fail(paths[link.source], why_astray(link.target))

    def _look_at(self, vault: Vault, source: Entry, path: Moved, links: Sequence[Following]) -> None:
        raw = read_if_there(vault, path.was)
        if raw is None or raw.checksum != source.checksum:
            self.stale = True
            self._fail(path.now, CHANGED)
            return
        if raw.truncated:
            raise ContentTooLarge(f"'{path.now}' is too large to be edited through Trilith.")
        rewriting, followed = plan(decoded(raw.data, path.now), path, links, self._is_unique)
        if rewriting is not None:
            self.rewritings.append(rewriting)
        for link in followed.left:
            self._fail(path.now, why_left(link))
        self._expected += [
            Reference(source=source.num, kind=link.kind, target=link.target, leads_to=leads_to)
            for link, leads_to in followed.now
            if leads_to is not None
        ]

    def _fail(self, path: str, reason: str) -> None:
        self.failed[path] = f"{self.failed[path]}; {reason}" if path in self.failed else reason

    def _is_unique(self, name: str) -> bool:
        if name not in self._unique:
            self._unique[name] = self.catalog.is_unique(name, self.moved)
        return self._unique[name]
