"""`lithos_write`, `lithos_delete`, `note_edit`: documents are made, changed and put away."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from trilith.dialects import shapes
from trilith.dialects.arguments import Arguments
from trilith.dialects.lithos.searching import LIBRARY
from trilith.dialects.moments import iso, moment
from trilith.dialects.schema import BOOLEAN, FREE, INTEGER, STRING, STRINGS, record
from trilith.dialects.tool import Json, Parameter, Tool
from trilith.errors import InvalidInput
from trilith.model.change import Draft, Edit, EditKind, FieldValue, Revision, Written
from trilith.model.ids import parse_id
from trilith.model.principal import Principal
from trilith.model.query import Filter

if TYPE_CHECKING:
    from trilith.app import App
    from trilith.model.change import WriteResult

VECTOR_PATIENCE = 30.0
"""Seconds that a write with `wait` waits for its vectors."""


def write(app: App, caller: Principal, arguments: Arguments) -> Json:
    title, agent = arguments.required_text("title"), arguments.required_text("agent")
    content = arguments.text("content")
    if content is None:
        raise InvalidInput("'content' is required; an empty text is allowed.", field="content")
    fields = _fields(app, arguments)
    note_id = arguments.text("id")
    if note_id is None:
        library = app.gate.writable(caller, arguments.text("library"))
        filter = app.gate.filter(caller, library.name)
        place = arguments.text("path") or ""
        draft = Draft(title=title, body=content, agent=agent, place=place, fields=_present(fields))
        result = app.writer.create(library, filter, draft)
    else:
        if arguments.has("path"):
            raise InvalidInput("'path' is for new documents; note_move moves one.", field="path")
        filter = app.gate.filter(caller, arguments.text("library"))
        entry = app.reader.find(filter, note_id=note_id)
        revision = Revision(
            agent=agent,
            body=content,
            fields=fields if title == entry.metadata.title else {"title": title, **fields},
            expected_version=_version(arguments),
        )
        result = app.writer.revise(app.gate.writable(caller, entry.library), entry, revision)
    return _answer(app, filter, result, arguments)


def delete(app: App, caller: Principal, arguments: Arguments) -> Json:
    filter = app.gate.filter(caller, arguments.text("library"))
    entry = app.reader.find(filter, note_id=arguments.required_text("id"))
    app.writer.delete(app.gate.writable(caller, entry.library), entry, arguments.required_text("agent"))
    return {"success": True}


def edit(app: App, caller: Principal, arguments: Arguments) -> Json:
    filter = app.gate.filter(caller, arguments.text("library"))
    entry = app.reader.find(filter, note_id=arguments.required_text("id"))
    operation = arguments.required_text("operation")
    if operation not in set(EditKind):
        raise InvalidInput(f"'operation' must be one of {', '.join(EditKind)}.", field="operation")
    change = Edit(
        kind=EditKind(operation),
        content=arguments.text("content") or "",
        section=arguments.strings("section"),
        find=arguments.text("find") or "",
        every=arguments.boolean("all"),
    )
    revision = Revision(
        agent=arguments.required_text("agent"),
        expected_version=_version(arguments),
        expected_checksum=arguments.text("expected_hash"),
    )
    result = app.writer.edit(app.gate.writable(caller, entry.library), entry, change, revision)
    answer = _answer(app, filter, result, arguments)
    return answer if result.replaced is None else {**answer, "replaced": result.replaced}


def _fields(app: App, arguments: Arguments) -> dict[str, FieldValue]:
    """Frontmatter that was given, emptied fields included."""
    fields: dict[str, FieldValue] = {}
    for name in ("tags", "derived_from_ids"):
        if arguments.has(name):
            fields[name] = arguments.strings(name)
    if any(parse_id(item) is None for item in arguments.strings("derived_from_ids")):
        raise InvalidInput("'derived_from_ids' must be a list of UUIDs.", field="derived_from_ids")
    if arguments.has("confidence"):
        fields["confidence"] = arguments.number("confidence", least=0.0, most=1.0)
    for name, key in (("source_url", "source_url"), ("source_task", "source")):
        if arguments.has(name):
            fields[key] = arguments.text(name) or ""
    expiry = _expiry(app, arguments)
    return fields if expiry is None else {**fields, "expires_at": expiry}


def _expiry(app: App, arguments: Arguments) -> str | None:
    """`expires_at` as it is to stand in the file; empty takes it away."""
    if arguments.has("ttl_hours") and arguments.has("expires_at"):
        raise InvalidInput("Give 'ttl_hours' or 'expires_at', not both.", field="ttl_hours")
    if arguments.has("ttl_hours"):
        return iso(app.clock.now() + timedelta(hours=arguments.number("ttl_hours", least=0.0)))
    text = arguments.text("expires_at")
    return text if not text else iso(moment("expires_at", text))


def _present(fields: dict[str, FieldValue]) -> dict[str, FieldValue]:
    return {name: value for name, value in fields.items() if value not in ("", (), [])}


def _version(arguments: Arguments) -> int | None:
    return arguments.optional_integer("expected_version", least=1)


def _answer(app: App, filter: Filter, result: WriteResult, arguments: Arguments) -> Json:
    entry = result.entry
    answer: Json = {
        "status": result.status.value,
        "id": entry.id,
        "path": entry.path,
        "version": entry.metadata.version,
        "library": entry.library,
        "warnings": [*result.warnings, *_unknown_sources(app, filter, result)],
    }
    if result.status is Written.DUPLICATE:
        answer["duplicate_of"] = {**shapes.reference(entry), "source_url": entry.metadata.source_url}
    elif arguments.boolean("wait") and not app.indexer.await_vectors(entry, VECTOR_PATIENCE):
        answer["warnings"].append("The vectors are not ready yet; full text finds the document already.")
    return answer


def _unknown_sources(app: App, filter: Filter, result: WriteResult) -> list[str]:
    if result.status is Written.DUPLICATE:
        return []
    sources = result.entry.metadata.derived_from_ids
    return [
        f"No document has the id '{source}' of derived_from_ids."
        for source in sources
        if app.catalog.by_id(source, filter) is None
    ]


AGENT = Parameter(
    name="agent",
    type="string",
    required=True,
    description="Who writes; author of a new document, contributor to others.",
)
WAIT = Parameter(name="wait", type="boolean", description="Also wait until search by meaning finds it. Default false.")
EXPECTED = Parameter(
    name="expected_version",
    type="integer",
    description="The version that you read; another one on disk is a version_conflict.",
)
ANSWER = record(
    {
        "status": {**STRING, "description": "created, updated or duplicate."},
        "id": STRING,
        "path": STRING,
        "version": INTEGER,
        "library": STRING,
        "warnings": STRINGS,
    },
    {
        "duplicate_of": {**FREE, "description": "The document that has the same source_url; nothing was written."},
        "replaced": INTEGER,
    },
)

WRITE = Tool(
    name="lithos_write",
    title="Write a document",
    description=(
        "Create a document, or with id replace the content of one. Fields that are left out stay as they are; an empty "
        "text or list clears a field."
    ),
    parameters=(
        Parameter(name="title", type="string", required=True, description="Title; a new file is named after it."),
        Parameter(
            name="content",
            type="string",
            required=True,
            description="The body in Markdown, without frontmatter; at most 1 MB.",
        ),
        AGENT,
        Parameter(name="tags", type="strings", description="Tags, without #."),
        Parameter(name="confidence", type="number", description="How sure you are, 0 to 1."),
        Parameter(
            name="path", type="string", description="Folder for a new document, or its file when it ends in .md."
        ),
        Parameter(name="id", type="string", description="UUID of the document to update."),
        Parameter(name="source_task", type="string", description="The task that this came from."),
        Parameter(
            name="source_url",
            type="string",
            description="Where it came from; one that another document has is a duplicate.",
        ),
        Parameter(
            name="derived_from_ids", type="strings", description="UUIDs of the documents that this was made from."
        ),
        Parameter(name="ttl_hours", type="number", description="Hours until it is stale."),
        Parameter(name="expires_at", type="string", description="ISO 8601 time from which it is stale."),
        EXPECTED,
        LIBRARY,
        WAIT,
    ),
    output=ANSWER,
    run=write,
    writes=True,
)

DELETE = Tool(
    name="lithos_delete",
    title="Delete a document",
    description="Put a document into the trash, from which its owner can restore it.",
    parameters=(
        Parameter(name="id", type="string", required=True, description="UUID of the document."),
        AGENT,
        LIBRARY,
    ),
    output=record({"success": BOOLEAN}),
    run=delete,
    writes=True,
    destructive=True,
)

EDIT = Tool(
    name="note_edit",
    title="Edit a part of a document",
    description=(
        "Change a part of a document's body and leave the rest as it is: append, prepend, replace_section (heading kept) "
        "or find_replace (text as it stands)."
    ),
    parameters=(
        Parameter(name="id", type="string", required=True, description="UUID of the document."),
        Parameter(
            name="operation",
            type="string",
            required=True,
            description="append, prepend, replace_section or find_replace.",
        ),
        Parameter(name="content", type="string", description="The text to put in."),
        AGENT,
        Parameter(
            name="section",
            type="strings",
            description="For replace_section: the heading, with those above it in front where its name alone is not enough.",
        ),
        Parameter(name="find", type="string", description="For find_replace: the text to replace."),
        Parameter(
            name="all",
            type="boolean",
            description="For find_replace: wherever it occurs. Default false: it must be there once.",
        ),
        EXPECTED,
        Parameter(
            name="expected_hash",
            type="string",
            description="SHA-256 of the file that you read; another one is a version_conflict.",
        ),
        LIBRARY,
        WAIT,
    ),
    output=ANSWER,
    run=edit,
    writes=True,
    destructive=True,
)
