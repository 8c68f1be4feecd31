"""`lb_list_para_items` and the tools that make and change PARA items."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TYPE_CHECKING, TypeVar

from trilith.dialects import budget
from trilith.dialects.arguments import MOST_OFFSET, Arguments
from trilith.dialects.changing import date_text
from trilith.dialects.loombrain import shapes
from trilith.dialects.loombrain.scope import item_of_id
from trilith.dialects.parameters import LIBRARY, WRITTEN_LIBRARY
from trilith.dialects.schema import BOOLEAN, INTEGER, STRING, listing, record
from trilith.dialects.tool import Json, Parameter, Tool
from trilith.errors import InvalidInput, NotFound
from trilith.markdown.fields import MAX_TITLE
from trilith.model.change import Draft, FieldValue
from trilith.model.para import Category, ItemStatus, ParaItem
from trilith.model.principal import Principal
from trilith.model.query import Filter

if TYPE_CHECKING:
    from trilith.app import App

Kind = TypeVar("Kind", bound=StrEnum)


def list_items(app: App, caller: Principal, arguments: Arguments) -> Json:
    filter = app.gate.filter(caller, arguments.text("library"))
    category, status = _one_of(arguments, "category", Category), _one_of(arguments, "status", ItemStatus)
    offset = arguments.integer("offset", default=0, least=0, most=MOST_OFFSET)
    chosen = [
        item for item in app.para.all(filter) if category in (None, item.category) and status in (None, item.status)
    ]
    chosen.sort(key=lambda item: (item.status, list(Category).index(item.category), item.label.casefold(), item.id))
    shown = [shapes.item(app.para.dated(filter, item)) for item in chosen[offset : offset + MOST_SHOWN]]
    kept, _ = budget.fit(shown)
    answer: Json = {"items": kept, "total": len(chosen)}
    following = offset + len(kept)
    return {**answer, "truncated": True, "next_offset": following} if kept and following < len(chosen) else answer


def create_item(app: App, caller: Principal, arguments: Arguments) -> Json:
    arguments.required_text("category")
    category, label = _one_of(arguments, "category", Category), _label(arguments)
    library = app.gate.writable(caller, arguments.text("library"))
    filter = app.gate.filter(caller, library.name)
    draft = Draft(title=label, body="", agent=caller.name, fields=_texts(arguments, "description"))
    return shapes.item(app.para_writer.create(library, filter, draft, category or Category.RESOURCES))


def update_item(app: App, caller: Principal, arguments: Arguments) -> Json:
    fields = {**_texts(arguments, "description"), **_deadline(arguments)}
    if arguments.has("label"):
        fields["title"] = _label(arguments)
    if not fields:
        raise InvalidInput("Nothing is to be changed: give 'label', 'description' or 'deadline'.", field="label")
    filter, item = _find(app, caller, arguments)
    return shapes.item(_changed(app, caller, filter, item, fields))


def archive_item(app: App, caller: Principal, arguments: Arguments) -> Json:
    return _with_status(app, caller, arguments, ItemStatus.ARCHIVED)


def unarchive_item(app: App, caller: Principal, arguments: Arguments) -> Json:
    return _with_status(app, caller, arguments, ItemStatus.ACTIVE)


def _with_status(app: App, caller: Principal, arguments: Arguments, status: ItemStatus) -> Json:
    filter, item = _find(app, caller, arguments)
    library = app.gate.writable(caller, item.library)
    if item.status is not status:
        item = app.para_writer.change(library, filter, item, caller.name, {"status": status.value})
    return {"id": item.id, "status": item.status.value}


def _find(app: App, caller: Principal, arguments: Arguments) -> tuple[Filter, ParaItem]:
    filter = app.gate.filter(caller, arguments.text("library"))
    asked = arguments.required_text("id").strip()
    item = item_of_id(app.para.all(filter), asked)
    if item is None:
        raise NotFound(f"No PARA item found with id '{asked[:80]}'.", field="id")
    return filter, item


def _changed(app: App, caller: Principal, filter: Filter, item: ParaItem, fields: Mapping[str, FieldValue]) -> ParaItem:
    return app.para_writer.change(app.gate.writable(caller, item.library), filter, item, caller.name, fields)


def _label(arguments: Arguments) -> str:
    label = " ".join(arguments.required_text("label").split())
    if len(label) > MAX_TITLE:
        raise InvalidInput(f"'label' may have {MAX_TITLE} characters, not {len(label)}.", field="label")
    return label


def _texts(arguments: Arguments, name: str) -> dict[str, FieldValue]:
    return {name: (arguments.text(name) or "").strip()} if arguments.has(name) else {}


def _deadline(arguments: Arguments) -> dict[str, FieldValue]:
    return {"deadline": date_text(arguments, "deadline")} if arguments.has("deadline") else {}


def _one_of(arguments: Arguments, name: str, kind: type[Kind]) -> Kind | None:
    text = (arguments.text(name) or "").strip()
    if text and text not in set(kind):
        raise InvalidInput(f"'{name}' must be one of {', '.join(kind)}, not '{text[:80]}'.", field=name)
    return kind(text) if text else None


MOST_SHOWN = 200
"""Items in one answer, however short they are."""
CATEGORY = "projects (with an end), areas (without one) or resources (of interest)."
ITEM_ID = Parameter(name="id", type="string", required=True, description="Id of the PARA item.")
DESCRIPTION = Parameter(name="description", type="string", description="What it is about.")
STATUS_ANSWER = record({"id": STRING, "status": {**STRING, "description": "active or archived."}})

LIST_ITEMS = Tool(
    name="lb_list_para_items",
    title="List PARA items",
    description="The projects, areas and resources that nodes belong to: active ones first.",
    parameters=(
        Parameter(name="category", type="string", description="Only projects, areas or resources."),
        Parameter(name="status", type="string", description="Only active or archived ones."),
        Parameter(name="offset", type="integer", description="How many to pass over. Default 0."),
        LIBRARY,
    ),
    output=record(
        {"items": listing(record(shapes.ITEM)), "total": INTEGER},
        {
            "truncated": {**BOOLEAN, "description": "The answer was cut; go on with offset = next_offset."},
            "next_offset": INTEGER,
        },
    ),
    run=list_items,
)

CREATE_ITEM = Tool(
    name="lb_create_para_item",
    title="Create a PARA item",
    description="Begin a project, an area or a resource. It becomes a note in the folder para.",
    parameters=(
        Parameter(name="category", type="string", required=True, description=CATEGORY),
        Parameter(name="label", type="string", required=True, description="Its name; the slug is made of it."),
        DESCRIPTION,
        WRITTEN_LIBRARY,
    ),
    output=record(shapes.ITEM),
    run=create_item,
    writes=True,
)

UPDATE_ITEM = Tool(
    name="lb_update_para_item",
    title="Change a PARA item",
    description="Change the name, description or deadline of a PARA item; its slug and its nodes stay. An empty text clears a field.",
    parameters=(
        ITEM_ID,
        Parameter(name="label", type="string", description="A new name."),
        DESCRIPTION,
        Parameter(name="deadline", type="string", description="ISO 8601 date."),
        LIBRARY,
    ),
    output=record(shapes.ITEM),
    run=update_item,
    writes=True,
    destructive=True,
)

ARCHIVE_ITEM = Tool(
    name="lb_archive_para_item",
    title="Archive a PARA item",
    description="Put a PARA item away. Its nodes stay, and are found by every search that does not ask for the item.",
    parameters=(ITEM_ID, LIBRARY),
    output=STATUS_ANSWER,
    run=archive_item,
    writes=True,
)

UNARCHIVE_ITEM = Tool(
    name="lb_unarchive_para_item",
    title="Bring a PARA item back",
    description="Make an archived PARA item active again.",
    parameters=(ITEM_ID, LIBRARY),
    output=STATUS_ANSWER,
    run=unarchive_item,
    writes=True,
)
