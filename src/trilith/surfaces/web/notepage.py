"""The page of a note, its raw text, the files it shows, and the notes that are near to it in meaning."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from trilith.access.folders import check_writable
from trilith.app import App
from trilith.errors import TrilithError
from trilith.model.ids import Num
from trilith.model.note import Entry
from trilith.model.principal import Principal
from trilith.model.query import Filter, Mode, Query
from trilith.notes.relations import MENTIONS
from trilith.surfaces.caller import caller_of
from trilith.surfaces.web.files import served
from trilith.surfaces.web.links import Linked
from trilith.surfaces.web.rendering.document import render
from trilith.surfaces.web.shop import Shop
from trilith.surfaces.web.views.localgraph import MOST, drawing
from trilith.surfaces.web.views.properties import properties
from trilith.surfaces.web.views.sentences import Sentence, sentence

MOST_BACKLINKS = 50
MOST_SENTENCES = 3
"""Of one note."""
MOST_NEAREST = 6


@dataclass(frozen=True, slots=True)
class Found:
    """A note that its reader may see."""

    app: App
    caller: Principal
    filter: Filter
    entry: Entry

    def can_edit(self) -> bool:
        try:
            check_writable(self.app.gate.writable(self.caller, self.entry.library), self.entry.path)
        except TrilithError:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Backlink:
    title: str
    href: str
    where: str
    sentences: tuple[Sentence, ...]
    kinds: tuple[str, ...]
    """Of typed links, and of provenance."""


@dataclass(frozen=True, slots=True)
class Tie:
    """A typed link to another note, or where it comes from."""

    kind: str
    title: str
    href: str


def find(shop: Shop, request: Request) -> Found:
    """The note of the address. Raises `NotFound`."""
    app, caller = shop.app, caller_of(request.scope)
    filter = app.gate.filter(caller)
    return Found(app, caller, filter, app.reader.find(filter, note_id=str(request.path_params["id"])))


def page(shop: Shop, request: Request) -> Response:
    found = find(shop, request)
    app, entry, filter = found.app, found.entry, found.filter
    base = request.scope.get("root_path", "")
    note, related = app.reader.read(entry, filter), app.reader.related(entry, filter)
    linked = Linked(app, filter, base)
    linking = linked.of(entry)
    confided = app.gate.reads_collaborator_notes(filter, entry)
    notes = entry.metadata.collaborator_notes if confided else None
    rendered = render(note.content, linking, title=entry.metadata.title)
    near, titles, ids = _around(app, entry, filter)
    return shop.pages.page(
        request,
        "note",
        entry=entry,
        metadata=entry.metadata,
        stale=entry.metadata.is_stale(app.clock.now()),
        several=len(app.gate.known(found.caller)) > 1,
        folders=_folders(entry.path),
        note=rendered,
        partial=note.partial or rendered.cut,
        confided=render(notes, linked.within(entry, notes)).html if notes else None,
        properties=properties(
            entry, linking.destinations, base, {each.id: each for each in related.sources}, confided=confided
        ),
        unresolved=related.unresolved,
        backlinks=tuple(_backlinks(app, entry, filter, base)),
        incoming=len(note.incoming),
        ties=tuple(_ties(app, entry, filter, base)),
        drawing=drawing(entry.num, near, titles),
        titles=titles,
        ids=ids,
        short=app.short_ids.of([entry])[entry.num],
        can_edit=found.can_edit(),
    )


def named(shop: Shop, request: Request) -> Response:
    """From a path, a title or another name to the note's lasting address."""
    app = shop.app
    filter = app.gate.filter(caller_of(request.scope), request.query_params.get("library") or None)
    return _to(request, app.reader.resolve(request.path_params["name"], filter))


def memo(shop: Shop, request: Request) -> Response:
    """From the address by which MythOS knows a note to its page."""
    app = shop.app
    short = f"{request.path_params['owner']}-{request.path_params['hex']}"
    return _to(request, app.short_ids.find(short, app.gate.filter(caller_of(request.scope))))


def raw(shop: Shop, request: Request) -> Response:
    """The text of the note, as it is written."""
    found = find(shop, request)
    return PlainTextResponse(found.app.reader.read(found.entry, found.filter).content)


def file(shop: Shop, request: Request) -> Response:
    """A file that the note shows or links to."""
    found, path = find(shop, request), request.path_params["path"]
    return served(path, found.app.reader.attachment(found.entry, found.filter, path))


def nearest(shop: Shop, request: Request) -> Response:
    """The notes that mean something alike, for a script: the page does not wait for them."""
    found = find(shop, request)
    app, entry = found.app, found.entry
    text = " ".join((entry.metadata.title, entry.metadata.summary or app.catalog.body(entry.num)[:600]))
    query = Query(text=text, filter=found.filter, mode=Mode.SEMANTIC, limit=MOST_NEAREST + 1, snippets=False)
    hits = [hit for hit in app.searcher.search(query).hits if hit.entry.num != entry.num][:MOST_NEAREST]
    return shop.pages.page(request, "_nearest", hits=hits)


def _to(request: Request, entry: Entry) -> Response:
    return RedirectResponse(f"{request.scope.get('root_path', '')}/note/{entry.id}", 302)


def _around(
    app: App, entry: Entry, filter: Filter
) -> tuple[dict[Num, tuple[Num, ...]], dict[Num, str], dict[Num, str]]:
    """The links of the note and of those one link away; and of all of these the titles and the ids."""
    own = app.graph.neighbours([entry.num], filter)
    near = own | app.graph.neighbours(own[entry.num][:MOST], filter)
    entries = app.catalog.entries({num for others in near.values() for num in others} | {entry.num})
    return near, {num: each.metadata.title for num, each in entries.items()}, {num: e.id for num, e in entries.items()}


def _backlinks(app: App, entry: Entry, filter: Filter, base: str) -> Iterator[Backlink]:
    sources = app.graph.incoming(entry.num, filter)[:MOST_BACKLINKS]
    entries, bodies = app.catalog.entries(sources), app.catalog.bodies(sources)
    for num in sources:
        links = app.graph.between(num, entry.num, filter)
        written = [link for link in links if link.start >= 0][:MOST_SENTENCES]
        yield Backlink(
            title=entries[num].metadata.title,
            href=f"{base}/note/{entries[num].id}",
            where=entries[num].path,
            sentences=tuple(sentence(bodies.get(num, ""), link.start, link.end) for link in written),
            kinds=tuple(dict.fromkeys(link.relation for link in links if link.relation)),
        )


def _ties(app: App, entry: Entry, filter: Filter, base: str) -> Iterator[Tie]:
    relations, _ = app.relations.of(entry, filter)
    for each in relations:
        if each.kind != MENTIONS:
            arrow = "" if each.outgoing else "← "
            yield Tie(f"{arrow}{each.kind}", each.entry.metadata.title, f"{base}/note/{each.entry.id}")


def _folders(path: str) -> list[tuple[str, str]]:
    """The folders above a note, each with the search in it."""
    parts = path.split("/")[:-1]
    return [(part, f"/?folder={quote('/'.join(parts[: place + 1]), safe='')}") for place, part in enumerate(parts)]
