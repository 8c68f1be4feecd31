"""`lb_get_node` and `lb_get_related`: one node, and what is one link away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trilith.dialects import budget
from trilith.dialects.arguments import MOST_OFFSET, Arguments
from trilith.dialects.loombrain import shapes
from trilith.dialects.loombrain.scope import nodes
from trilith.dialects.parameters import LIBRARY
from trilith.dialects.schema import BOOLEAN, INTEGER, STRING, listing, nullable, record
from trilith.dialects.tool import Json, Parameter, Tool
from trilith.model.note import Entry
from trilith.model.principal import Principal
from trilith.model.query import Filter

if TYPE_CHECKING:
    from trilith.app import App
    from trilith.notes.relations import Relation

RELATED, MAX_RELATED = 20, 100


def get_node(app: App, caller: Principal, arguments: Arguments) -> Json:
    filter = nodes(app, caller, arguments.text("library"))
    offset = arguments.integer("offset", default=0, least=0, most=MOST_OFFSET)
    return whole(app, filter, app.reader.find(filter, note_id=node_id(arguments)), offset)


def node_id(arguments: Arguments, name: str = "id") -> str:
    return arguments.required_text(name).strip()


def whole(app: App, filter: Filter, entry: Entry, offset: int = 0) -> Json:
    """A node with as much of its body as fits, from `offset`."""
    note = app.reader.read(entry, filter)
    body, following = budget.part(note.content, offset)
    shown = shapes.node(entry, body, app.para.all(filter))
    if following is not None:
        return {**shown, "truncated": True, "next_offset": following}
    return {**shown, "truncated": True} if note.partial else shown


def get_related(app: App, caller: Principal, arguments: Arguments) -> Json:
    filter = nodes(app, caller, arguments.text("library"))
    limit = arguments.integer("limit", default=RELATED, most=MAX_RELATED)
    relations, more = app.relations.of(app.reader.find(filter, note_id=node_id(arguments)), filter)
    several = len(app.gate.known(caller)) > 1
    kept, _ = budget.fit([_related(relation, several=several) for relation in relations[:limit]])
    return {"nodes": kept, **({"truncated": True} if more or len(kept) < len(relations) else {})}


def _related(relation: Relation, *, several: bool) -> Json:
    known = shapes.brief(relation.entry)
    shown = {name: known[name] for name in ("id", "title", "summary")}
    shown |= {"relationship_type": relation.kind, "direction": "outgoing" if relation.outgoing else "incoming"}
    return {**shown, "library": relation.entry.library} if several else shown


PIECES = {
    "truncated": {**BOOLEAN, "description": "The body goes on: ask lb_get_node with offset = next_offset."},
    "next_offset": INTEGER,
}
ID = Parameter(name="id", type="string", required=True, description="UUID of the node.")

GET_NODE = Tool(
    name="lb_get_node",
    title="Read a node",
    description="Read one node by id, with its body in Markdown. A long body comes in pieces.",
    parameters=(
        ID,
        Parameter(name="offset", type="integer", description="From which character of the body on. Default 0."),
        LIBRARY,
    ),
    output=record(shapes.NODE, PIECES),
    run=get_node,
)

GET_RELATED = Tool(
    name="lb_get_related",
    title="What is linked with a node",
    description="The nodes one link away from a node, in both directions: typed links first, then mentions in a text.",
    parameters=(
        ID,
        Parameter(name="limit", type="integer", description="Most nodes to return. Default 20, at most 100."),
        LIBRARY,
    ),
    output=record(
        {
            "nodes": listing(
                record(
                    {
                        "id": STRING,
                        "title": STRING,
                        "summary": nullable("A brief summary"),
                        "relationship_type": {
                            **STRING,
                            "description": "related, next, derived_from, supersedes, mentions, invokes, or the owner's own.",
                        },
                        "direction": {**STRING, "description": "outgoing (from the node asked for) or incoming."},
                    },
                    {"library": STRING},
                )
            )
        },
        {"truncated": {**BOOLEAN, "description": "There are more: raise limit, up to 100."}},
    ),
    run=get_related,
)
