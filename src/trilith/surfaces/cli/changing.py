"""`trilith write`, `edit`, `move`, `delete` and `restore`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from trilith.dialects.native.bodies import CREATE, PATCH
from trilith.errors import InvalidInput
from trilith.surfaces.cli import local, options, show
from trilith.surfaces.cli.asking import changing
from trilith.surfaces.cli.querying import check_reference, split_tags
from trilith.surfaces.cli.scope import choose
from trilith.surfaces.cli.terminal import answer, answer_json, remark, warn
from trilith.surfaces.cli.typed import given_text, login_name, one_operation

Json = dict[str, Any]

Title = Annotated[str, typer.Argument(metavar="TITLE", help="Title of the note; a new file is named after it.")]
Reference = Annotated[str, typer.Argument(metavar="REF", help="Id or exact path of a note.")]
Key = Annotated[
    str | None, typer.Argument(metavar="KEY", help="Key of a deleted note. Without it: what can be restored.")
]
To = Annotated[
    str,
    typer.Argument(metavar="TO", help="A folder of the vault, / for its top, or the new file when it ends in .md."),
]
Content = Annotated[str | None, typer.Option("--content", metavar="TEXT", help="The text, in Markdown.")]
File = Annotated[
    Path | None,
    typer.Option("--file", metavar="PATH", help="File that holds the text. Without --content and --file: stdin."),
]
Place = Annotated[
    str | None, typer.Option("--path", metavar="PATH", help="Folder of a new note, or its file when it ends in .md.")
]
Id = Annotated[str | None, typer.Option("--id", metavar="REF", help="Change this note: its id or exact path.")]
Tags = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar="TAG", help='Tag of the note. Repeat it; "" alone takes all tags away.'),
]
Confidence = Annotated[float | None, typer.Option("--confidence", metavar="X", help="How sure it is, 0 to 1.")]
Summary = Annotated[str | None, typer.Option("--summary", metavar="TEXT", help="What it is about, in a sentence.")]
SourceUrl = Annotated[str | None, typer.Option("--source-url", metavar="URL", help="Where it came from.")]
Status = Annotated[str | None, typer.Option("--status", metavar="NAME", help="raw, validated, dismissed or archived.")]
ExpiresAt = Annotated[
    str | None, typer.Option("--expires-at", metavar="TIME", help="ISO 8601 time from which it is stale.")
]
ExpectedVersion = Annotated[
    int | None,
    typer.Option("--expected-version", metavar="N", help="Refuse when the note is at another version by now."),
]
Agent = Annotated[str | None, typer.Option("--agent", metavar="NAME", help="Who writes. Default: your login name.")]
Wait = Annotated[bool, typer.Option("--wait", help="Return once search by meaning finds it, too.")]
Append = Annotated[str | None, typer.Option("--append", metavar="TEXT", help="Text to put below the rest.")]
Prepend = Annotated[str | None, typer.Option("--prepend", metavar="TEXT", help="Text to put above the rest.")]
Section = Annotated[
    list[str] | None,
    typer.Option(
        "--replace-section",
        metavar="HEADING",
        help="Heading whose text is replaced by --content, --file or stdin. Repeat it: headings above come first.",
    ),
]
Find = Annotated[str | None, typer.Option("--find", metavar="TEXT", help="Text to replace, as it stands.")]
Replace = Annotated[str | None, typer.Option("--replace", metavar="TEXT", help="What stands there instead.")]
All = Annotated[bool, typer.Option("--all", help="Replace it wherever it occurs; else it must occur once.")]


def write(
    title: Title,
    *,
    content: Content = None,
    file: File = None,
    path: Place = None,
    id: Id = None,
    tag: Tags = None,
    summary: Summary = None,
    confidence: Confidence = None,
    source_url: SourceUrl = None,
    status: Status = None,
    expires_at: ExpiresAt = None,
    expected_version: ExpectedVersion = None,
    agent: Agent = None,
    wait: Wait = False,
    vault: options.Vault = None,
    library: options.Library = None,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Make a note, or change one with --id.

    A change leaves alone what is not given, and an empty value takes a field away. What is written is found by the next
    search. Where several libraries are registered, --vault or --library names the one to write to.
    """
    scope = choose(home, vault, library)
    if id is not None:
        check_reference(id)
    asked: Json = {
        "title": title,
        "content": given_text(content, file, keep=id is not None),
        "path": path,
        "tags": list(split_tags(tag)) if tag else None,
        "summary": summary,
        "confidence": confidence,
        "source_url": source_url,
        "status": status,
        "expires_at": expires_at,
        "expected_version": expected_version,
        "agent": agent or login_name(),
        "wait": wait,
    }
    wrong = _foreign(asked, {parameter.name for parameter in (CREATE if id is None else PATCH)})
    if wrong is not None:
        how = "is for changes; give --id with it" if id is None else "is for new notes; it cannot go with --id"
        raise InvalidInput(f"'{wrong}' {how}.", field=wrong)
    with changing(scope, local.settle, quiet=json) as target:
        written = target.create(asked) if id is None else target.patch(id, asked)
    _tell(written, as_json=json)


def edit(
    reference: Reference,
    *,
    append: Append = None,
    prepend: Prepend = None,
    replace_section: Section = None,
    content: Content = None,
    file: File = None,
    find: Find = None,
    replace: Replace = None,
    every: All = False,
    expected_version: ExpectedVersion = None,
    agent: Agent = None,
    wait: Wait = False,
    vault: options.Vault = None,
    library: options.Library = None,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Change a part of a note and leave the rest as it is."""
    scope = choose(home, vault, library)
    check_reference(reference)
    operation = one_operation(append=append, prepend=prepend, replace_section=replace_section, find=find)
    if (operation == "find") != (replace is not None) or (every and operation != "find"):
        raise InvalidInput("--find and --replace go together, and --all with them.", field="replace")
    if operation != "replace_section" and (content is not None or file is not None):
        raise InvalidInput("--content and --file go with --replace-section.", field="content")
    texts = {"append": append, "prepend": prepend, "find": replace}
    asked: Json = {
        "operation": "find_replace" if operation == "find" else operation,
        "content": texts[operation] if operation in texts else given_text(content, file, keep=False),
        "section": replace_section,
        "find": find,
        "all": every,
        "expected_version": expected_version,
        "agent": agent or login_name(),
        "wait": wait,
    }
    with changing(scope, local.settle, quiet=json) as target:
        written = target.edit(reference, asked)
    _tell(written, as_json=json)


def move(
    reference: Reference,
    to: To,
    *,
    expected_version: ExpectedVersion = None,
    agent: Agent = None,
    wait: Wait = False,
    vault: options.Vault = None,
    library: options.Library = None,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Move or rename a note; every link to it is rewritten, each in its own style.

    TO is a path from the top of the vault, not from the folder that the note is in.
    """
    scope = choose(home, vault, library)
    check_reference(reference)
    asked: Json = {"to": to, "expected_version": expected_version, "agent": agent or login_name(), "wait": wait}
    with changing(scope, local.settle, quiet=json) as target:
        moved = target.move(reference, asked)
    if json:
        answer_json(moved)
        return
    for line in show.moved(moved):
        answer(line)
    for line in show.unfollowed(moved):
        warn(line)


def delete(
    reference: Reference,
    *,
    expected_version: ExpectedVersion = None,
    agent: Agent = None,
    vault: options.Vault = None,
    library: options.Library = None,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Put a note into the trash, from which `restore` brings it back."""
    scope = choose(home, vault, library)
    check_reference(reference)
    asked: Json = {"expected_version": expected_version, "agent": agent or login_name()}
    with changing(scope, local.settle, quiet=json) as target:
        deleted = target.delete(reference, asked)
    if json:
        answer_json(deleted)
    else:
        answer(show.deleted(deleted))


def restore(
    key: Key = None,
    *,
    vault: options.Vault = None,
    library: options.Library = None,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Bring a deleted note back, or list what can be brought back."""
    scope = choose(home, vault, library)
    if key is not None:
        check_reference(key)
    with changing(scope, quiet=json) as target:
        found = target.trash() if key is None else target.restore(key)
    if json:
        answer_json(found)
        return
    for line in show.trash(found) if key is None else show.written(found):
        answer(line)


def _foreign(asked: Json, known: set[str]) -> str | None:
    """What is given and does not belong to the request; what is not given is taken out."""
    for name in [name for name, value in asked.items() if value is None]:
        del asked[name]
    return next((name for name in asked if name not in known), None)


def _tell(written: Json, *, as_json: bool) -> None:
    if as_json:
        answer_json(written)
        return
    for line in show.written(written):
        answer(line)
    for warning in written["warnings"]:
        warn(warning)
    if written["status"] == "duplicate":
        remark("Nothing was written: that note has the same source URL.")
