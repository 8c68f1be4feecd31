"""`lb_add_node`, `lb_update_node` and `lb_update_node_tags`: nodes are made and changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from trilith.dialects.arguments import Arguments
from trilith.dialects.changing import frontmatter
from trilith.dialects.loombrain.membership import PARA_ITEM_IDS, items_named, slugs
from trilith.dialects.loombrain.reading import ID, PIECES, node_id, whole
from trilith.dialects.loombrain.scope import nodes
from trilith.dialects.loombrain.shapes import NODE
from trilith.dialects.parameters import LIBRARY, WRITTEN_LIBRARY
from trilith.dialects.schema import STRINGS, record
from trilith.dialects.tool import Json, Parameter, Tool
from trilith.errors import InvalidInput
from trilith.model.change import Draft, FieldValue, Revision, WriteResult
from trilith.model.note import Entry, Metadata
from trilith.model.principal import Principal
from trilith.model.query import Filter

if TYPE_CHECKING:
    from trilith.app import App

OTHER_NAMES = frozenset({"id", "tag", "alias", "created", "date", "updated", "modified", "links", "type"})
KNOWN = frozenset(Metadata.__dataclass_fields__) - {"extra", "typed_links"} | OTHER_NAMES
"""Frontmatter that means something to Trilith, and is not set as plain metadata."""

Change = Callable[[Filter, Entry], Revision]


def add_node(app: App, caller: Principal, arguments: Arguments) -> Json:
    title, why = arguments.required_text("title"), (arguments.text("why") or "").strip()
    library = app.gate.writable(caller, arguments.text("library"))
    filter = nodes(app, caller, library.name)
    items = items_named(app, filter, arguments)
    folder = next((item.folder for item in items if item.folder is not None), "")
    fields = frontmatter(arguments, app.clock.now())
    del fields["title"]
    draft = Draft(
        title=title,
        body=arguments.text("body_markdown") or "",
        agent=caller.name,
        place=folder,
        fields={**fields, "why": why, "para": slugs(items, f"{folder}/")},
    )
    return _written(app, filter, app.writer.create(library, filter, draft))


def update_node(app: App, caller: Principal, arguments: Arguments) -> Json:
    if arguments.has("title"):
        arguments.required_text("title")
    fields = {**_metadata(arguments), **frontmatter(arguments, app.clock.now())}
    body = arguments.text("body_markdown")
    if body is None and not fields:
        raise InvalidInput("Nothing is to be changed: give a field of the node.", field="body_markdown")
    return _revised(
        app, caller, arguments, lambda _filter, _entry: Revision(agent=caller.name, body=body, fields=fields)
    )


def update_node_tags(app: App, caller: Principal, arguments: Arguments) -> Json:
    fields = frontmatter(arguments, app.clock.now())
    if not fields and not arguments.has("para_item_ids"):
        raise InvalidInput("Nothing is to be changed: give 'tags' or 'para_item_ids'.", field="tags")

    def change(filter: Filter, entry: Entry) -> Revision:
        if not arguments.has("para_item_ids"):
            return Revision(agent=caller.name, fields=fields)
        items = items_named(app, filter, arguments, entry)
        return Revision(agent=caller.name, fields={**fields, "para": slugs(items, entry.path)})

    return _revised(app, caller, arguments, change)


def _revised(app: App, caller: Principal, arguments: Arguments, change: Change) -> Json:
    filter = nodes(app, caller, arguments.text("library"))
    entry = app.reader.find_to_change(filter, note_id=node_id(arguments))
    library = app.gate.writable(caller, entry.library)
    return _written(app, filter, app.writer.revise(library, filter, entry, change(filter, entry)))


def _written(app: App, filter: Filter, result: WriteResult) -> Json:
    shown = whole(app, filter, result.entry)
    return {**shown, "warnings": list(result.warnings)} if result.warnings else shown


def _metadata(arguments: Arguments) -> Mapping[str, FieldValue]:
    """Further frontmatter, as it was given. Raises `InvalidInput` naming what cannot be set."""
    given = arguments.mapping("metadata")
    for name, value in given.items():
        if name in KNOWN or not name.strip():
            raise InvalidInput(
                f"'metadata' cannot set '{name[:80]}': it is kept by Trilith, or set by another argument or tool.",
                field="metadata",
            )
        if not _is_field(value):
            raise InvalidInput(
                f"'metadata' may hold texts, numbers, true, false, null and lists of texts; '{name[:80]}' is something else.",
                field="metadata",
            )
    return {name: "" if value is None else value for name, value in given.items()}


def _is_field(value: Any) -> bool:
    if isinstance(value, list):
        return all(isinstance(item, str) for item in value)
    return value is None or isinstance(value, str | int | float)


SUMMARY = Parameter(name="summary", type="string", description="One or two sentences on what it says.")
BODY = Parameter(
    name="body_markdown", type="string", description="The body in Markdown, without frontmatter; at most 1 MB."
)
TAGS = Parameter(name="tags", type="strings", description="Tags, without #.")
ANSWER = record(NODE, {**PIECES, "warnings": STRINGS})

ADD_NODE = Tool(
    name="lb_add_node",
    title="Add a node",
    description=(
        "Add a node to the knowledge graph. It becomes a Markdown file, in the folder of its first PARA item that has one, "
        "and is found at once."
    ),
    parameters=(
        Parameter(name="title", type="string", required=True, description="Title; the file is named after it."),
        PARA_ITEM_IDS,
        SUMMARY,
        BODY,
        TAGS,
        Parameter(name="why", type="string", description="Why it is worth keeping."),
        WRITTEN_LIBRARY,
    ),
    output=ANSWER,
    run=add_node,
    writes=True,
)

UPDATE_NODE = Tool(
    name="lb_update_node",
    title="Change a node",
    description=(
        "Change fields or the body of a node. What is left out stays as it is; an empty text or list clears a field. A body is "
        "replaced as a whole: read all of it first."
    ),
    parameters=(
        ID,
        Parameter(name="title", type="string", description="A new title; the file keeps its name."),
        SUMMARY,
        BODY,
        TAGS,
        Parameter(
            name="status",
            type="string",
            description="raw, validated, dismissed (hidden from search, lists and graph) or archived.",
        ),
        Parameter(
            name="metadata",
            type="object",
            description="Further frontmatter: names with texts, numbers, booleans or lists of texts; null takes one away.",
        ),
        LIBRARY,
    ),
    output=ANSWER,
    run=update_node,
    writes=True,
    destructive=True,
)

UPDATE_NODE_TAGS = Tool(
    name="lb_update_node_tags",
    title="Change a node's tags and PARA items",
    description="Replace the tags of a node, the PARA items that it belongs to, or both. Tags within the body stay.",
    parameters=(ID, TAGS, PARA_ITEM_IDS, LIBRARY),
    output=ANSWER,
    run=update_node_tags,
    writes=True,
    destructive=True,
)
