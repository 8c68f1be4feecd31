"""`lithos_read` and `lithos_related`: one document and what surrounds it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trilith.dialects import shapes
from trilith.dialects.arguments import Arguments
from trilith.dialects.parameters import LIBRARY
from trilith.dialects.schema import BOOLEAN, FREE, STRING, STRINGS, listing, record
from trilith.dialects.tool import Json, Parameter, Tool
from trilith.errors import InvalidInput
from trilith.model.principal import Principal

if TYPE_CHECKING:
    from trilith.app import App

ASPECTS = ("links", "provenance")
MAX_DEPTH = 3


def read(app: App, caller: Principal, arguments: Arguments) -> Json:
    note_id, path = arguments.text("id"), arguments.text("path")
    if (note_id is None) == (path is None):
        raise InvalidInput("Give exactly one of 'id' and 'path'.", field="id")
    most = arguments.optional_integer("max_length", least=0)
    filter = app.gate.filter(caller, arguments.text("library"))
    note = app.reader.read(app.reader.find(filter, note_id=note_id, path=path), filter)
    content, truncated = app.reader.shortened(note, most)
    return shapes.document(note, content, truncated=truncated, name_library=len(filter.scopes) > 1)


def related(app: App, caller: Principal, arguments: Arguments) -> Json:
    filter = app.gate.filter(caller, arguments.text("library"))
    include = frozenset(arguments.strings("include")) or frozenset(ASPECTS)
    if not include <= set(ASPECTS):
        raise InvalidInput(f"'include' may name {' and '.join(ASPECTS)}.", field="include")
    depth = arguments.integer("depth", default=1, most=MAX_DEPTH)
    entry = app.reader.find(filter, note_id=arguments.required_text("id"))
    answer = shapes.related(app.reader.related(entry, filter), include)
    if depth > 1 and "links" in include:
        around = app.neighbourhood.around(entry, filter, limit=FURTHER_LIMIT, deepest=depth)
        further = [hit.entry.id for hit in around.hits]
        answer["related_ids"] = list(dict.fromkeys([*answer["related_ids"], *further]))
    return answer


FURTHER_LIMIT = 200
"""Most documents listed beyond the direct ones."""

REFERENCE = record({"id": STRING, "title": STRING, "path": STRING})

READ = Tool(
    name="lithos_read",
    title="Read a document",
    description="Read one document by id or by path: its content, metadata, and the ids of documents that it links to and that link to it.",
    parameters=(
        Parameter(name="id", type="string", description="UUID of the document. Give either id or path."),
        Parameter(
            name="path", type="string", description="Path in the vault, with or without .md. Give either id or path."
        ),
        Parameter(
            name="max_length",
            type="integer",
            description="Cut the content at the last paragraph or sentence end at or before this many characters. Default: whole.",
        ),
        LIBRARY,
    ),
    output=record(
        {
            "id": STRING,
            "title": STRING,
            "path": STRING,
            "content": STRING,
            "truncated": BOOLEAN,
            "metadata": FREE,
            "links": record({"outgoing": STRINGS, "incoming": STRINGS}),
        },
        {"library": STRING, "links_truncated": shapes.CUT_REFERENCES},
    ),
    run=read,
)

RELATED = Tool(
    name="lithos_related",
    title="What surrounds a document",
    description="Documents connected with one document: by links in both directions, and by provenance (derived_from_ids).",
    parameters=(
        Parameter(name="id", type="string", required=True, description="UUID of the document."),
        Parameter(name="include", type="strings", description="links, provenance, or both (default)."),
        Parameter(
            name="depth", type="integer", description="How many links away related_ids may be. Default 1, at most 3."
        ),
        LIBRARY,
    ),
    output=record(
        {"id": STRING, "related_ids": STRINGS},
        {
            "links": record({"outgoing": listing(REFERENCE), "incoming": listing(REFERENCE)}),
            "provenance": record(
                {"sources": listing(REFERENCE), "derived": listing(REFERENCE), "unresolved_sources": STRINGS}
            ),
            "truncated": shapes.CUT_REFERENCES,
        },
    ),
    run=related,
)
