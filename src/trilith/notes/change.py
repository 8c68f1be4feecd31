"""A change becomes the new text of a file. Pure; what may be changed is decided elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from trilith.errors import ContentTooLarge, NotUtf8
from trilith.markdown.amending import append, find_and_replace, prepend, replace_section
from trilith.markdown.editing import set_fields
from trilith.markdown.frontmatter import read_frontmatter
from trilith.markdown.text import BOM, LINE_END
from trilith.model.change import Draft, Edit, EditKind, FieldValue, Revision
from trilith.model.ids import NoteId
from trilith.model.note import Entry, Note

MAX_CONTENT = 1_000_000
"""Bytes of UTF-8 that a note's body may have to be written through Trilith."""


def text_of_draft(draft: Draft, note_id: NoteId, now: datetime) -> str:
    """The text of a new file: frontmatter, and the body as it was given."""
    _check_size(draft.body)
    fields: dict[str, FieldValue] = {
        "id": note_id,
        "title": draft.title,
        "author": draft.agent,
        "created_at": _stamp(now),
        "updated_at": _stamp(now),
        "version": 1,
    }
    return set_fields("", {**fields, **draft.fields}) + draft.body


def revised(text: str, entry: Entry, note: Note, revision: Revision, now: datetime) -> str:
    """The file's text with the changes of `revision`, and the fields that every write keeps up.

    Args:
        text: the file as it is, its byte order mark included.
        entry: what the catalog says of it, with its version in force.
        note: the file, parsed.
    """
    fields = {**revision.fields, **_kept_up(entry, note, revision.agent, now)}
    if revision.body is not None:
        text = with_body(text, revision.body)
    return set_fields(text, fields)


def with_body(text: str, body: str) -> str:
    """The same file with another body, in the line ends of the file. Raises `ContentTooLarge`."""
    _check_size(body)
    mark, rest = (BOM, text[len(BOM) :]) if text.startswith(BOM) else ("", text)
    first = LINE_END.search(rest)
    fitted = LINE_END.sub(lambda _: first.group(), body) if first and first.group() != "\n" else body
    return f"{mark}{rest[: read_frontmatter(rest).body]}{fitted}"


def edited_body(note: Note, edit: Edit) -> tuple[str, int | None]:
    """The body after an edit, and how often a text was replaced where that was the edit.

    Raises `InvalidInput` when there is nothing to replace, `Ambiguous` when there is more than one.
    """
    if edit.kind is EditKind.APPEND:
        return append(note.body, edit.content), None
    if edit.kind is EditKind.PREPEND:
        return prepend(note.body, edit.content), None
    if edit.kind is EditKind.REPLACE_SECTION:
        return replace_section(note.body, note.headings, edit.section, edit.content), None
    return find_and_replace(note.body, edit.find, edit.content, every=edit.every)


def decoded(data: bytes, path: str) -> str:
    """A file's text, exactly. Raises `NotUtf8`: what we cannot read we do not rewrite."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as failure:
        line = data.count(b"\n", 0, failure.start) + 1
        raise NotUtf8(f"'{path}' is not UTF-8 (line {line}); it is searched, but not edited.", line=line) from None


def _kept_up(entry: Entry, note: Note, agent: str, now: datetime) -> Mapping[str, FieldValue]:
    """Version, time, contributors, and the id where the file may carry one and does not."""
    known = entry.metadata
    fields: dict[str, FieldValue] = {"updated_at": _stamp(now), "version": known.version + 1}
    if agent and agent != known.author and agent not in known.contributors:
        fields["contributors"] = [*known.contributors, agent]
    if note.declared_id is None and "id" not in known.extra:
        fields["id"] = entry.id
    return fields


def _check_size(body: str) -> None:
    size = len(body.encode("utf-8", errors="surrogatepass"))
    if size > MAX_CONTENT:
        raise ContentTooLarge(f"The content has {size} bytes; a note may have {MAX_CONTENT}.", field="content")


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
