"""Which memos are meant, and how they are shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from trilith.dialects.arguments import Arguments
from trilith.dialects.schema import STRING, STRINGS
from trilith.dialects.tool import Json, Parameter
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


def find(app: App, caller: Principal, arguments: Arguments, *, to_change: bool = False) -> tuple[Entry, Filter]:
    """The memo that `memoId` names, and the filter that it passed. Raises `NotFound`, and `Ambiguous` when the wrong one
    might be changed."""
    library = arguments.text("library")
    filter = app.gate.filter(caller) if library is None else app.gate.filter_of(caller, library)
    entry = app.short_ids.find(arguments.required_text("memoId"), filter)
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
