"""`lb_link_nodes` and `lb_graph_health`: the graph as such."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from trilith.dialects.arguments import Arguments
from trilith.dialects.loombrain.reading import node_id
from trilith.dialects.loombrain.scope import nodes
from trilith.dialects.parameters import LIBRARY
from trilith.dialects.schema import INTEGER, STRING, record
from trilith.dialects.tool import Json, Parameter, Tool
from trilith.errors import InvalidInput
from trilith.model.change import Revision
from trilith.model.ids import NoteId
from trilith.model.note import Entry, Status
from trilith.model.principal import Principal
from trilith.model.query import Filter, Listing

if TYPE_CHECKING:
    from trilith.app import App

LINK_TYPES = ("related", "next", "derived_from", "supersedes", "mentions", "invokes")
MAX_TARGETS = 16


def link_nodes(app: App, caller: Principal, arguments: Arguments) -> Json:
    kind = arguments.text("link_type") or LINK_TYPES[0]
    if kind not in LINK_TYPES:
        raise InvalidInput(f"'link_type' must be one of {', '.join(LINK_TYPES)}, not '{kind[:80]}'.", field="link_type")
    asked = arguments.strings("target_node_ids")
    if not 1 <= len(asked) <= MAX_TARGETS:
        raise InvalidInput(
            f"'target_node_ids' must have 1 to {MAX_TARGETS} ids, not {len(asked)}.", field="target_node_ids"
        )
    filter = nodes(app, caller, arguments.text("library"))
    source = app.reader.find_to_change(filter, note_id=node_id(arguments, "source_node_id"))
    targets = _targets(app, filter, source, asked)
    revision = Revision(agent=caller.name, links={kind: targets})
    app.writer.revise(app.gate.writable(caller, source.library), filter, source, revision)
    return {"source_node_id": source.id, "link_type": kind, "targets_set": len(targets)}


def _targets(app: App, filter: Filter, source: Entry, asked: tuple[str, ...]) -> tuple[NoteId, ...]:
    """The ids of nodes of the source's own library. Raises `NotFound` for one that is not there, `InvalidInput` for the
    source itself."""
    scopes = tuple(scope for scope in filter.scopes if scope.library == source.library)
    own = Filter(scopes=scopes, without=filter.without)
    targets = tuple(dict.fromkeys(app.reader.find(own, note_id=text).id for text in asked))
    if source.id in targets:
        raise InvalidInput("A node cannot be linked with itself.", field="target_node_ids")
    return targets


def graph_health(app: App, caller: Principal, arguments: Arguments) -> Json:
    filter = nodes(app, caller, arguments.text("library"))
    orphans = app.graph.orphans(filter)
    status = app.reporter.status(filter)
    return {
        "total_nodes": _count(app, filter),
        "validated_nodes": _count(app, replace(filter, where={"status": Status.VALIDATED.value})),
        "total_links": orphans.links,
        "orphan_nodes": len(orphans.neither),
        "stale_nodes": app.reporter.stale(filter),
        "state": status.state.value,
    }


def _count(app: App, filter: Filter) -> int:
    return app.catalog.page(Listing(filter=filter, limit=0)).total


LINK_NODES = Tool(
    name="lb_link_nodes",
    title="Link nodes",
    description=(
        "Set the links of one type from a node: those of that type that it had give way, those of other types stay. All targets must "
        "be there, or nothing is changed."
    ),
    parameters=(
        Parameter(
            name="source_node_id", type="string", required=True, description="UUID of the node that the links begin at."
        ),
        Parameter(
            name="target_node_ids",
            type="strings",
            required=True,
            description="UUIDs of 1 to 16 nodes of the same library that the links lead to.",
        ),
        Parameter(
            name="link_type",
            type="string",
            description="related (default), next, derived_from, supersedes, mentions or invokes.",
        ),
        LIBRARY,
    ),
    output=record(
        {
            "source_node_id": STRING,
            "link_type": STRING,
            "targets_set": {**INTEGER, "description": "How many links of that type the node has now."},
        }
    ),
    run=link_nodes,
    writes=True,
    destructive=True,
)

GRAPH_HEALTH = Tool(
    name="lb_graph_health",
    title="Health of the graph",
    description="How many nodes and links there are, and how many nodes are unlinked or not embedded yet.",
    parameters=(LIBRARY,),
    output=record(
        {
            "total_nodes": INTEGER,
            "validated_nodes": {**INTEGER, "description": "Nodes with status validated."},
            "total_links": {**INTEGER, "description": "Pairs of a node and another that it links to."},
            "orphan_nodes": {**INTEGER, "description": "Nodes without a link in either direction."},
            "stale_nodes": {**INTEGER, "description": "Nodes that search by meaning does not know as they are."},
            "state": {
                **STRING,
                "description": "starting, indexing, ready or unavailable: the counts are whole when ready.",
            },
        }
    ),
    run=graph_health,
)
