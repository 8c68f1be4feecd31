"""Reads one note: its text from the file, its metadata and links from the catalog."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from trilith.access.paths import check
from trilith.errors import Ambiguous, ContentTooLarge, NotFound, Unavailable
from trilith.markdown.shorten import shorten
from trilith.model.ids import NoteId, Num, parse_id
from trilith.model.note import Entry
from trilith.model.query import Filter
from trilith.notes.absent import absent
from trilith.ports.catalog import Catalog
from trilith.ports.graph import Graph, ResolvedLink
from trilith.ports.surroundings import NoteParser
from trilith.ports.vault import Vault


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadNote:
    """A note with its text. `outgoing` and `incoming` hold only notes that the filter lets through; `partial` is set for a
    file so large that only its head is read."""

    entry: Entry
    content: str
    outgoing: tuple[Entry, ...]
    incoming: tuple[Entry, ...]
    partial: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """What surrounds a note. `unresolved` are targets of links that no note answers to, as written."""

    entry: Entry
    outgoing: tuple[Entry, ...]
    incoming: tuple[Entry, ...]
    sources: tuple[Entry, ...]
    derived: tuple[Entry, ...]
    unresolved_sources: tuple[NoteId, ...]
    unresolved: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reader:
    """Finds notes by exact identity or by name, and reads them."""

    catalog: Catalog
    graph: Graph
    vault: Callable[[str], Vault]
    """The vault of a library, by name."""
    parse: NoteParser

    def find(self, filter: Filter, *, note_id: str | None = None, path: str | None = None) -> Entry:
        """The note with this exact id or path. Raises `NotFound`, and `PathForbidden` for a path that leaves the vault."""
        entry = self._exact(filter, note_id, path)
        if entry is None:
            raise absent(self.catalog, filter.libraries, _asked(note_id, path))
        return entry

    def find_to_change(self, filter: Filter, *, note_id: str | None = None, path: str | None = None) -> Entry:
        """As `find`; raises `Ambiguous` when notes of several libraries have this id or path, for the wrong one must not
        be changed, and `Unavailable` when it may be among those that have not been read yet."""
        each = [self._exact(replace(filter, scopes=(scope,)), note_id, path) for scope in filter.scopes]
        found = [entry for entry in each if entry is not None]
        if not found:
            raise absent(self.catalog, filter.libraries, _asked(note_id, path))
        if len(found) > 1:
            names = ", ".join(entry.library for entry in found)
            candidates = [{**_candidate(entry), "library": entry.library} for entry in found]
            raise Ambiguous(
                f"Several libraries have a document with {_asked(note_id, path)}: {names}. Name the library.",
                candidates=candidates,
            )
        return found[0]

    def resolve(self, name: str, filter: Filter) -> Entry:
        """The one note that answers to `name`: id, path, slug, title or alias. Raises `NotFound`, `Ambiguous`."""
        exact = self._by_id(name, filter) or self.catalog.by_path(name, filter)
        if exact is not None:
            return exact
        named = self.catalog.named(name, filter)
        if not named:
            raise absent(self.catalog, filter.libraries, f"id, path, slug, title or alias '{name}'")
        strongest = [found.num for found in named if found.kind is named[0].kind]
        entries = self.catalog.entries(strongest)
        if len(entries) > 1:
            candidates = [_candidate(entry) for entry in entries.values()]
            raise Ambiguous(f"{len(candidates)} documents answer to '{name}'; use an id.", candidates=candidates)
        return entries[strongest[0]]

    def read(self, entry: Entry, filter: Filter) -> ReadNote:
        """The note's text and links. Raises `NotFound` when its file has gone since."""
        outgoing, incoming = self._links(entry.num, filter)
        content, partial = self._content(entry)
        return ReadNote(entry=entry, content=content, outgoing=outgoing, incoming=incoming, partial=partial)

    def shortened(self, note: ReadNote, most: int | None) -> tuple[str, bool]:
        """The note's text within `most` characters, ended at a paragraph or sentence, and whether it is not all of it:
        cut here, or of a file so large that only its head is read."""
        content, cut = (note.content, False) if most is None else shorten(note.content, most)
        return content, cut or note.partial

    def related(self, entry: Entry, filter: Filter) -> Related:
        links = self.graph.outgoing(entry.num, filter)
        outgoing, incoming = self._links(entry.num, filter)
        sources = {note_id: self.catalog.by_id(note_id, filter) for note_id in entry.metadata.derived_from_ids}
        return Related(
            entry=entry,
            outgoing=outgoing,
            incoming=incoming,
            sources=tuple(source for source in sources.values() if source is not None),
            derived=self._entries(self.graph.derived(entry.id, filter)),
            unresolved_sources=tuple(note_id for note_id, source in sources.items() if source is None),
            unresolved=tuple(dict.fromkeys(_missing(links))),
        )

    def attachment(self, entry: Entry, filter: Filter, path: str) -> bytes:
        """A file that a note links to: whoever may read the note may see what it shows. Raises `NotFound`,
        `ContentTooLarge`, `Unavailable`."""
        if path not in {link.attachment for link in self.graph.outgoing(entry.num, filter)}:
            raise NotFound(f"'{entry.path}' links to no file '{path}'.")
        raw = self.vault(entry.library).read(path)
        if raw.truncated:
            raise ContentTooLarge(f"The file '{path}' is too large to be shown.", field="path")
        return raw.data

    def _exact(self, filter: Filter, note_id: str | None, path: str | None) -> Entry | None:
        return self.catalog.by_path(check(path or ""), filter) if note_id is None else self._by_id(note_id, filter)

    def _by_id(self, text: str, filter: Filter) -> Entry | None:
        note_id = parse_id(text)
        return None if note_id is None else self.catalog.by_id(note_id, filter)

    def _links(self, num: Num, filter: Filter) -> tuple[tuple[Entry, ...], tuple[Entry, ...]]:
        targets = [link.target for link in self.graph.outgoing(num, filter) if link.target not in (None, num)]
        outgoing = self._entries(tuple(dict.fromkeys(target for target in targets if target is not None)))
        return outgoing, self._entries(self.graph.incoming(num, filter))

    def _entries(self, nums: tuple[Num, ...]) -> tuple[Entry, ...]:
        entries = self.catalog.entries(nums)
        return tuple(entries[num] for num in nums if num in entries)

    def _content(self, entry: Entry) -> tuple[str, bool]:
        """From the file, so that an edit which the index has not seen yet is read; from the catalog while the vault is
        away."""
        try:
            raw = self.vault(entry.library).read(entry.path)
        except Unavailable:
            return self.catalog.body(entry.num), False
        unchanged = raw.checksum == entry.checksum
        return self.catalog.body(entry.num) if unchanged else self.parse(entry.path, raw).body, raw.truncated


def _asked(note_id: str | None, path: str | None) -> str:
    return f"path '{path}'" if note_id is None else f"id '{note_id}'"


def _candidate(entry: Entry) -> dict[str, str]:
    return {"id": entry.id, "path": entry.path, "title": entry.metadata.title}


def _missing(links: tuple[ResolvedLink, ...]) -> list[str]:
    return [r.link.target for r in links if r.target is None and r.attachment is None and r.link.target]
