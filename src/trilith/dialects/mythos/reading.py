"""`read_memo`, `list_tags`, `get_memo_index`, `delta_sync`: what there is, and what has become of it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from trilith.dialects import budget
from trilith.dialects.arguments import MOST_OFFSET, Arguments
from trilith.dialects.moments import iso, moment
from trilith.dialects.mythos.memos import HEAD, LIBRARY, MEMO_ID, UNREAD, find, heads, unread
from trilith.dialects.schema import BOOLEAN, INTEGER, STRING, STRINGS, listing, record
from trilith.dialects.tool import Json, Parameter, Tool
from trilith.errors import InvalidInput
from trilith.model.ids import Num
from trilith.model.note import Entry
from trilith.model.principal import Principal
from trilith.model.query import Filter, Listing

if TYPE_CHECKING:
    from trilith.app import App

SECTIONS = ("body", "notes")
MAX_TAGS = 500
PAGE, MOST_ON_PAGE = 100, 500
CHANGES, MOST_CHANGES = 50, 500


def read(app: App, caller: Principal, arguments: Arguments) -> Json:
    section = arguments.text("section") or "body"
    if section not in SECTIONS:
        raise InvalidInput(f"'section' must be one of {', '.join(SECTIONS)}, not '{section}'.", field="section")
    entry, filter = find(app, caller, arguments)
    return memo(app, filter, entry, section)


def memo(app: App, filter: Filter, entry: Entry, section: str = "body") -> Json:
    """A memo with a part of its text. Collaborator notes that are not for the caller are as if there were none."""
    content = app.reader.read(entry, filter).content
    if section == "notes":
        mine = app.gate.reads_collaborator_notes(filter, entry)
        content = (entry.metadata.collaborator_notes or "") if mine else ""
    return {
        **heads(app, filter, [entry])[entry.num],
        "content": content,
        "createdAt": iso(entry.created_at),
        "updatedAt": iso(entry.updated_at),
    }


def tags(app: App, caller: Principal, arguments: Arguments) -> Json:
    filter = app.gate.filter_of(caller, arguments.text("library"))
    counts = app.catalog.tag_counts(filter)
    most = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    answer: Json = {"tags": [{"name": name, "count": count} for name, count in most[:MAX_TAGS]], **_partly(app, filter)}
    return {**answer, "truncated": True} if len(most) > MAX_TAGS else answer


def index(app: App, caller: Principal, arguments: Arguments) -> Json:
    filter = app.gate.filter_of(caller, arguments.text("library"))
    offset = arguments.integer("offset", default=0, least=0, most=MOST_OFFSET)
    limit = arguments.integer("limit", default=PAGE, most=MOST_ON_PAGE)
    page = app.catalog.page(Listing(filter=filter, limit=limit, offset=offset))
    memos, cut = budget.fit(_items(app, filter, page.entries))
    answer: Json = {"memos": memos, "total": page.total, **_partly(app, filter)}
    return {**answer, "truncated": True, "next_offset": offset + len(memos)} if cut else answer


def sync(app: App, caller: Principal, arguments: Arguments) -> Json:
    since = moment("since", arguments.required_text("since"))
    assert since is not None
    filter = app.gate.filter_of(caller, arguments.text("library"))
    changes = app.trash.delta(filter, since, arguments.integer("limit", default=CHANGES, most=MOST_CHANGES))
    gone = app.short_ids.of_gone(changes.gone)
    return {
        "memos": _items(app, filter, changes.changed),
        "deleted": [str(gone[each]) for each in changes.gone],
        "next": (changes.upto or since).isoformat().replace("+00:00", "Z"),
        "more": changes.more,
        **_partly(app, filter),
    }


def _partly(app: App, filter: Filter) -> Json:
    diagnostics = unread(app, filter)
    return {"diagnostics": diagnostics} if diagnostics else {}


def _items(app: App, filter: Filter, entries: tuple[Entry, ...]) -> list[Json]:
    shown, hashes = heads(app, filter, entries), _hashes(app, filter, entries)
    return [
        {
            **{
                name: value
                for name, value in shown[entry.num].items()
                if name in ("memoId", "title", "tags", "library")
            },
            "hash": hashes[entry.num],
            "updatedAt": iso(entry.updated_at),
        }
        for entry in entries
    ]


def _hashes(app: App, filter: Filter, entries: Sequence[Entry]) -> dict[Num, str]:
    """Of the whole file; of the body alone for those who may not see all that a file may hold, for a hash of collaborator
    notes would tell that there are some, when they change, and whether a guess is right."""
    hashes = {entry.num: entry.checksum for entry in entries}
    partly = [entry.num for entry in entries if not app.gate.reads_collaborator_notes(filter, entry)]
    for num, body in app.catalog.bodies(partly).items():
        hashes[num] = hashlib.sha256(body.encode("utf-8", "surrogatepass")).hexdigest()
    return hashes


MEMO = record(
    {**HEAD, "content": STRING, "createdAt": STRING, "updatedAt": STRING}, {"library": STRING, "warnings": STRINGS}
)
ITEM = record(
    {
        "memoId": STRING,
        "title": STRING,
        "tags": STRINGS,
        "hash": {**STRING, "description": "SHA-256 of the file: another one when the memo has changed."},
        "updatedAt": STRING,
    },
    {"library": STRING},
)

READ = Tool(
    name="read_memo",
    title="Read a memo",
    description="Read one memo: its text in Markdown, and what search tells of it.",
    parameters=(
        MEMO_ID,
        Parameter(
            name="section",
            type="string",
            description="body (default), or notes for the notes among collaborators; empty where there are none for you.",
        ),
        LIBRARY,
    ),
    output=MEMO,
    run=read,
)

TAGS = Tool(
    name="list_tags",
    title="List tags",
    description="All tags with the number of memos that have each, most frequent first.",
    parameters=(LIBRARY,),
    output=record(
        {"tags": listing(record({"name": STRING, "count": INTEGER}))}, {"truncated": BOOLEAN, "diagnostics": UNREAD}
    ),
    run=tags,
)

INDEX = Tool(
    name="get_memo_index",
    title="List memos",
    description="All memos, newest first, with a hash of each to tell what has changed. Page with offset.",
    parameters=(
        Parameter(name="limit", type="integer", description="Most memos to return. Default 100, at most 500."),
        Parameter(name="offset", type="integer", description="How many to pass over. Default 0."),
        LIBRARY,
    ),
    output=record(
        {"memos": listing(ITEM), "total": INTEGER},
        {
            "truncated": {**BOOLEAN, "description": "The answer was cut; go on with offset = next_offset."},
            "next_offset": INTEGER,
            "diagnostics": UNREAD,
        },
    ),
    run=index,
)

DELTA = Tool(
    name="delta_sync",
    title="What has changed",
    description=(
        "Memos that were made, changed, moved or deleted since a time, in the order in which it was noticed. `deleted` "
        "knows what was deleted through Trilith, and what went from the folder while the index was kept; after the index "
        "was built anew, compare with get_memo_index. In libraries of others only changes are told."
    ),
    parameters=(
        Parameter(
            name="since",
            type="string",
            required=True,
            description="ISO 8601 time (UTC), or `next` of the answer before.",
        ),
        Parameter(name="limit", type="integer", description="Most changes to return. Default 50, at most 500."),
        LIBRARY,
    ),
    output=record(
        {
            "memos": listing(ITEM),
            "deleted": {**STRINGS, "description": "memoIds."},
            "next": {**STRING, "description": "Give it as `since` to go on from here."},
            "more": {**BOOLEAN, "description": "There are later changes already."},
        },
        {"diagnostics": UNREAD},
    ),
    run=sync,
)
