"""`create_memo`, `update_memo`, `delete_memo`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trilith.dialects.arguments import Arguments
from trilith.dialects.changing import frontmatter
from trilith.dialects.mythos.memos import LIBRARY, MEMO_ID, find
from trilith.dialects.mythos.reading import MEMO, memo
from trilith.dialects.schema import BOOLEAN, record
from trilith.dialects.tool import Json, Parameter, Tool
from trilith.errors import InvalidInput
from trilith.model.change import Draft, Revision, WriteResult
from trilith.model.principal import Library, Principal
from trilith.model.query import Filter

if TYPE_CHECKING:
    from trilith.app import App


def create(app: App, caller: Principal, arguments: Arguments) -> Json:
    title, content = arguments.required_text("title"), arguments.text("content") or ""
    fields = frontmatter(arguments, app.clock.now())
    del fields["title"]
    library = _target(app, caller, arguments.text("library"))
    filter = app.gate.filter(caller, library.name)
    draft = Draft(title=title, body=content, agent=caller.name, fields=fields)
    return _written(app, filter, app.writer.create(library, filter, draft))


def update(app: App, caller: Principal, arguments: Arguments) -> Json:
    fields, content = frontmatter(arguments, app.clock.now()), arguments.text("content")
    if not fields and content is None:
        raise InvalidInput("Give 'content', 'tags' or 'visibility': what is to be changed.", field="content")
    entry, filter = find(app, caller, arguments, to_change=True)
    revision = Revision(agent=caller.name, body=content, fields=fields)
    library = app.gate.writable(caller, entry.library)
    return _written(app, filter, app.writer.revise(library, filter, entry, revision))


def delete(app: App, caller: Principal, arguments: Arguments) -> Json:
    entry, _ = find(app, caller, arguments, to_change=True)
    app.trash.delete(app.gate.writable(caller, entry.library), entry, Revision(agent=caller.name))
    return {"success": True}


def _target(app: App, caller: Principal, wanted: str | None) -> Library:
    """The library that a new memo goes to. Raises as `Gate.writable` does."""
    if wanted is None:
        return app.gate.writable(caller, None)
    names = app.gate.filter_of(caller, wanted).libraries
    if len(names) > 1:
        raise InvalidInput(f"'{wanted}' has several libraries; name one: {', '.join(names)}.", field="library")
    return app.gate.writable(caller, names[0])


def _written(app: App, filter: Filter, result: WriteResult) -> Json:
    answer = memo(app, filter, result.entry)
    return {**answer, "warnings": list(result.warnings)} if result.warnings else answer


CONTENT = Parameter(
    name="content", type="string", description="The text in Markdown, without frontmatter; at most 1 MB."
)
TAGS = Parameter(name="tags", type="strings", description="Tags, without #: a list, or comma-separated.")
VISIBILITY = Parameter(
    name="visibility",
    type="string",
    description="private (default), hidden, link (only for who has its whole id; `unlisted` means the same) or public.",
)

CREATE = Tool(
    name="create_memo",
    title="Create a memo",
    description="Create a memo. It becomes a Markdown file named after its title, and is found at once.",
    parameters=(
        Parameter(name="title", type="string", required=True, description="Title; no other memo may have it."),
        CONTENT,
        TAGS,
        VISIBILITY,
        LIBRARY,
    ),
    output=MEMO,
    run=create,
    writes=True,
)

UPDATE = Tool(
    name="update_memo",
    title="Update a memo",
    description=(
        "Change the text, tags or visibility of a memo. What is left out stays as it is; an empty list of tags takes them "
        "away. The text is replaced as a whole: read it first."
    ),
    parameters=(MEMO_ID, CONTENT, TAGS, VISIBILITY, LIBRARY),
    output=MEMO,
    run=update,
    writes=True,
    destructive=True,
)

DELETE = Tool(
    name="delete_memo",
    title="Delete a memo",
    description="Put a memo into the trash, from which its owner can restore it.",
    parameters=(MEMO_ID, LIBRARY),
    output=record({"success": BOOLEAN}),
    run=delete,
    writes=True,
    destructive=True,
)
