"""`lithos_write`, `lithos_delete`, `note_edit`, `note_move`: documents are made, changed, moved and put away."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trilith.dialects.arguments import Arguments
from trilith.dialects.budget import fit
from trilith.dialects.changing import expected_version, frontmatter, moved, part, written
from trilith.dialects.parameters import LIBRARY, WRITTEN_LIBRARY
from trilith.dialects.schema import BOOLEAN, FREE, INTEGER, STRING, STRINGS, listing, record
from trilith.dialects.tool import Json, Parameter, Tool
from trilith.errors import InvalidInput
from trilith.model.change import Draft, Revision
from trilith.model.principal import Principal

if TYPE_CHECKING:
    from trilith.app import App


def write(app: App, caller: Principal, arguments: Arguments) -> Json:
    title, agent = arguments.required_text("title"), arguments.required_text("agent")
    content = arguments.text("content")
    if content is None:
        raise InvalidInput("'content' is required; an empty text is allowed.", field="content")
    fields = frontmatter(arguments, app.clock.now())
    if arguments.has("source_task"):
        fields["source"] = (arguments.text("source_task") or "").strip()
    note_id, wait = arguments.text("id"), arguments.boolean("wait")
    if note_id is None:
        if arguments.has("expected_version"):
            raise InvalidInput("'expected_version' is for updates; give 'id' with it.", field="expected_version")
        library = app.gate.writable(caller, arguments.text("library"))
        filter = app.gate.filter(caller, library.name)
        del fields["title"]
        draft = Draft(title=title, body=content, agent=agent, place=arguments.text("path") or "", fields=fields)
        return written(app, filter, app.writer.create(library, filter, draft), wait=wait)
    if arguments.has("path"):
        raise InvalidInput("'path' is for new documents; note_move moves one.", field="path")
    filter = app.gate.filter(caller, arguments.text("library"))
    entry = app.reader.find_to_change(filter, note_id=note_id)
    revision = Revision(agent=agent, body=content, fields=fields, expected_version=expected_version(arguments))
    library = app.gate.writable(caller, entry.library)
    return written(app, filter, app.writer.revise(library, filter, entry, revision), wait=wait)


def delete(app: App, caller: Principal, arguments: Arguments) -> Json:
    filter = app.gate.filter(caller, arguments.text("library"))
    agent = arguments.required_text("agent")
    entry = app.reader.find_to_change(filter, note_id=arguments.required_text("id"))
    deleted = app.trash.delete(app.gate.writable(caller, entry.library), entry, Revision(agent=agent))
    return {"success": True, "path": deleted.path, "library": deleted.library}


def edit(app: App, caller: Principal, arguments: Arguments) -> Json:
    filter = app.gate.filter(caller, arguments.text("library"))
    revision = Revision(
        agent=arguments.required_text("agent"),
        expected_version=expected_version(arguments),
        expected_checksum=arguments.text("expected_hash"),
    )
    change, wait = part(arguments), arguments.boolean("wait")
    entry = app.reader.find_to_change(filter, note_id=arguments.required_text("id"))
    result = app.writer.edit(app.gate.writable(caller, entry.library), entry, change, revision)
    return written(app, filter, result, wait=wait)


def move(app: App, caller: Principal, arguments: Arguments) -> Json:
    note_id, path = arguments.text("id"), arguments.text("path")
    if (note_id is None) == (path is None):
        raise InvalidInput("Give exactly one of 'id' and 'path'.", field="id")
    filter = app.gate.filter(caller, arguments.text("library"))
    agent = (arguments.text("agent") or "").strip() or caller.name
    revision = Revision(agent=agent, expected_version=expected_version(arguments))
    to, wait = arguments.required_text("to"), arguments.boolean("wait")
    entry = app.reader.find_to_change(filter, note_id=note_id, path=path)
    result = app.mover.move(app.gate.writable(caller, entry.library), filter, entry, to, revision)
    answer = moved(app, result, wait=wait)
    answer["failed"], cut = fit(answer["failed"])
    if cut:
        answer["warnings"].append(f"These are {len(answer['failed'])} of {len(result.failed)} documents that failed.")
    return answer


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
        WRITTEN_LIBRARY,
        WAIT,
    ),
    output=ANSWER,
    run=write,
    writes=True,
    destructive=True,
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
    output=record({"success": BOOLEAN, "path": STRING, "library": STRING}),
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

MOVE = Tool(
    name="note_move",
    title="Move or rename a document",
    description=(
        "Move a document to another folder or file name. Its id stays, and every link to it is rewritten, each in its own "
        "style; what could not be rewritten stays as it is, and its document is listed in failed."
    ),
    parameters=(
        Parameter(name="id", type="string", description="UUID of the document. Give either id or path."),
        Parameter(
            name="path", type="string", description="Path in the vault, with or without .md. Give either id or path."
        ),
        Parameter(
            name="to",
            type="string",
            required=True,
            description=(
                "Where to, from the top of the vault: a folder, in which it keeps its name (/ is the top), or its new "
                "file when it ends in .md, such as projects/plan.md."
            ),
        ),
        Parameter(name="agent", type="string", description="Who moves it."),
        EXPECTED,
        LIBRARY,
        WAIT,
    ),
    output=record(
        {
            "status": {**STRING, "description": "moved, or unchanged when it was there already."},
            "id": STRING,
            "path": {**STRING, "description": "Where it is now."},
            "old_path": STRING,
            "version": INTEGER,
            "library": STRING,
            "links_updated": {**INTEGER, "description": "Links that are written otherwise now."},
            "notes_changed": {**INTEGER, "description": "Files in which links were rewritten."},
            "failed": listing(record({"id": STRING, "path": STRING, "reason": STRING})),
            "warnings": STRINGS,
        }
    ),
    run=move,
    writes=True,
    destructive=True,
)
