"""Which memos are meant, and how they are shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from trilith.dialects.arguments import Arguments
from trilith.dialects.schema import FREE, STRING, STRINGS
from trilith.dialects.tool import Json, Parameter
from trilith.errors import NotFound, Unavailable
from trilith.model.hits import EngineState
from trilith.model.ids import Num
from trilith.model.note import Entry
from trilith.model.principal import Principal
from trilith.model.query import Filter

if TYPE_CHECKING:
    from trilith.app import App

LIBRARY = Parameter(
    name="library",
    type="string",
    description="User name whose library is meant, or the name of a library. Default: your own.",
)
UNREAD: Json = {
    **FREE,
    "description": "There only while memos may be missing, because they have not been read yet.",
}
MEMO_ID = Parameter(
    name="memoId",
    type="string",
    required=True,
    description="Id of the memo, such as ada-3f9c0b; or the UUID of its note.",
)
HEAD: dict[str, Json] = {
    "memoId": STRING,
    "title": STRING,
    "tags": STRINGS,
    "url": STRING,
    "visibility": {**STRING, "description": "private, hidden, link or public."},
    "accessReason": {
        **STRING,
        "description": "Why you may see it: owner, grant, collaborator, public or link.",
    },
}


def unread(app: App, filter: Filter) -> Json:
    """What is to be said while memos may be missing because they have not been read yet; else nothing."""
    if all(app.catalog.scan_state(name).finished_at is not None for name in filter.libraries):
        return {}
    return {"fulltext": EngineState.LOADING.value, "reason": "the memos are still being read for the first time"}


def find(app: App, caller: Principal, arguments: Arguments, *, to_change: bool = False) -> tuple[Entry, Filter]:
    """The memo that `memoId` names, and the filter that it passed. Raises `NotFound`, `Ambiguous` when the wrong one might
    be changed, and `Unavailable` when it may be among those that have not been read yet."""
    library = arguments.text("library")
    filter = app.gate.filter(caller) if library is None else app.gate.filter_of(caller, library)
    try:
        entry = app.short_ids.find(arguments.required_text("memoId"), filter)
    except NotFound:
        if unread(app, filter):
            raise Unavailable("The memos are still being read for the first time; try again in a while.") from None
        raise
    return (app.reader.find_to_change(filter, note_id=entry.id) if to_change else entry), filter


def heads(app: App, filter: Filter, entries: Iterable[Entry]) -> dict[Num, Json]:
    """What is shown of each memo wherever it is named."""
    shown = list(entries)
    ids = app.short_ids.of(shown)
    return {
        entry.num: {
            "memoId": str(ids[entry.num]),
            "title": entry.metadata.title,
            "tags": list(entry.metadata.tags),
            "url": f"/me/{ids[entry.num].owner}/{ids[entry.num].hex}",
            "visibility": entry.metadata.visibility.value,
            "accessReason": app.gate.reason(filter, entry).value,
            **({"library": entry.library} if len(filter.scopes) > 1 else {}),
        }
        for entry in shown
    }
