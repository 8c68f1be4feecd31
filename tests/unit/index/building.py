"""Notes for catalogs, made without files."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

from trilith.model.ids import NoteId, Num
from trilith.model.note import Chunk, Heading, Link, LinkKind, Metadata, Note, Problem, Section
from trilith.model.principal import Scope
from trilith.model.query import Filter
from trilith.ports.catalog import Catalog, CatalogBatch, Recorded
from trilith.ports.vault import Stamp

DAY = datetime(2024, 5, 1, tzinfo=UTC)


def id_of(path: str) -> NoteId:
    return NoteId(str(uuid.uuid5(uuid.NAMESPACE_URL, path)))


def wiki(*targets: str) -> tuple[Link, ...]:
    return tuple(Link(LinkKind.WIKI, target, start=place, end=place + 1) for place, target in enumerate(targets))


def markdown(*targets: str) -> tuple[Link, ...]:
    """Behind those of `wiki`, when both are given."""
    places = range(1 << 20, (1 << 20) + len(targets))
    return tuple(
        Link(LinkKind.MARKDOWN, target, start=at, end=at + 1) for at, target in zip(places, targets, strict=True)
    )


def recorded(
    path: str,
    *,
    num: Num | None = None,
    note_id: str | None = None,
    links: Sequence[Link] = (),
    body: str = "",
    parts: Sequence[str] = (),
    day: int = 0,
    headings: Sequence[Heading] = (),
    problems: Sequence[Problem] = (),
    **metadata: object,
) -> Recorded:
    """A note at `path`; each of `parts` becomes a chunk, embedded with the title in front, and the body if none is given."""
    title = str(metadata.pop("title", path.rpartition("/")[2].removesuffix(".md")))
    known = Metadata(title=title, **metadata)  # type: ignore[arg-type]
    body = body or "\n".join(parts)
    chunks = _chunks(parts)
    if known.collaborator_notes:
        size = len(known.collaborator_notes)
        chunks += (Chunk(len(chunks), 0, size, section=Section.NOTES),)
        parts = (*parts, known.collaborator_notes)
    note = Note(
        metadata=known,
        body=body,
        links=tuple(links),
        chunks=chunks,
        headings=tuple(headings),
        problems=tuple(problems),
    )
    content = repr((known, body, links))
    return Recorded(
        num=num,
        id=NoteId(note_id) if note_id else id_of(path),
        path=path,
        stamp=stamp(len(body)),
        checksum=hashlib.sha256(content.encode("utf-8", "replace")).hexdigest(),
        created_at=DAY + timedelta(days=day),
        updated_at=DAY + timedelta(days=day, hours=1),
        note=note,
        embed_texts=tuple(f"{title}\n{part}" for part in parts),
    )


def stamp(size: int = 1, mtime_ns: int = 2, ctime_ns: int = 3, inode: int = 4) -> Stamp:
    return Stamp(size, mtime_ns, ctime_ns, inode)


def whole(*libraries: str) -> Filter:
    return Filter(scopes=tuple(Scope(library=library) for library in libraries or ("lib",)))


def seen_by(reader: str | None, *denied: str) -> Filter:
    return Filter(scopes=(Scope(library="lib", reader=reader, denied=denied),))


def put(catalog: Catalog, *notes: Recorded, library: str = "lib") -> dict[str, Num]:
    return catalog.record(library, CatalogBatch(put=notes))


def drop(catalog: Catalog, *nums: Num, library: str = "lib") -> None:
    catalog.record(library, CatalogBatch(drop=nums))


def paths_of(catalog: Catalog, nums: Iterable[int]) -> list[str]:
    """In the order of the numbers."""
    wanted = [Num(int(num)) for num in nums]
    entries = catalog.entries(wanted)
    return [entries[num].path for num in wanted]


def passing(catalog: Catalog, filter: Filter) -> list[str]:
    """The paths of all notes that pass, sorted; checks that the ways of asking agree."""
    from trilith.model.query import Listing, Sort

    page = catalog.page(Listing(filter=filter, sort=Sort.PATH, descending=False, limit=1000))
    allowed = catalog.allowed(filter)
    found = [entry.path for entry in page.entries]
    assert page.total == len(found)
    if allowed.nums is None:
        assert allowed.total == len(found)
    else:
        assert sorted(paths_of(catalog, allowed.nums)) == sorted(found)
        assert allowed.nums.tolist() == sorted(allowed.nums.tolist())
    return found


def _chunks(parts: Sequence[str]) -> tuple[Chunk, ...]:
    chunks: list[Chunk] = []
    start = 0
    for ordinal, part in enumerate(parts):
        chunks.append(Chunk(ordinal, start, start + len(part), ("Top",) if ordinal else ()))
        start += len(part) + 1
    return tuple(chunks)
