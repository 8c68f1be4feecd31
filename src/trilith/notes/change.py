"""A change becomes the new text of a file. Pure; who may change what is decided elsewhere."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from trilith.errors import ContentTooLarge, InvalidInput, NotUtf8, Refused
from trilith.markdown.amending import append, find_and_replace, prepend, replace_section
from trilith.markdown.editing import set_fields
from trilith.markdown.fields import MAX_TITLE
from trilith.markdown.frontmatter import MAX_BLOCK, read_frontmatter
from trilith.markdown.links import typed_targets
from trilith.markdown.text import BOM, LINE_END, first_line_end
from trilith.markdown.values import texts_of
from trilith.markdown.yamltree import Mapping as YamlMapping
from trilith.markdown.yamltree import Scalar
from trilith.model.change import Draft, Edit, EditKind, FieldValue, Revision
from trilith.model.ids import NoteId
from trilith.model.note import Entry, Note

MAX_CONTENT = 1_000_000
"""Bytes of UTF-8 that a note's body may have to be written through Trilith."""

_NO_FIELD = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
"""What frontmatter does not hold: control characters but for blanks and line ends, and half characters."""
_NO_BODY = re.compile("[\x00\ud800-\udfff]")

_OTHER_KEYS = {"tags": "tag", "aliases": "alias"}
"""Keys that are read together with another: whoever sets one means both."""


def text_of_draft(draft: Draft, note_id: NoteId, now: datetime) -> str:
    """The text of a new file: frontmatter, and the body as it was given. Raises `InvalidInput`, `ContentTooLarge`."""
    _check_body(draft.body)
    fields: dict[str, FieldValue] = {
        "id": note_id,
        "title": line_of(draft.title),
        "author": _agent(draft.agent),
        "created_at": _stamp(now),
        "updated_at": _stamp(now),
        "version": 1,
    }
    return set_fields("", _checked({**fields, **draft.fields})) + draft.body


def revised(text: str, entry: Entry, note: Note, revision: Revision, *, now: datetime) -> str:
    """The file's text with the changes of `revision`, and the fields that every write keeps up.

    Args:
        text: the file as it is, its byte order mark included.
        entry: what the catalog says of it, with its version in force.
        note: the file, parsed.

    Raises `InvalidInput`, `ContentTooLarge`, and `Refused` for frontmatter that cannot be edited.
    """
    changed = _with_fields(text, entry, note, revision, now)
    if revision.body is None:
        return changed
    _check_body(revision.body)
    return _with_body(changed, _fitted(revision.body, text))


def edited(
    text: str, entry: Entry, note: Note, edit: Edit, revision: Revision, *, now: datetime
) -> tuple[str, int | None]:
    """As `revised`, with a part of the body changed, and how often a text was replaced where that was the edit.

    Raises also `NotInNote` when there is nothing to replace, `Ambiguous` when there is more than one.
    """
    _check_body(edit.content)
    body, replaced = _edited_body(note, edit, first_line_end(text))
    _check_size(body, already=len(note.body.encode()))
    return _with_body(_with_fields(text, entry, note, revision, now), body), replaced


def warnings_of(body: str) -> tuple[str, ...]:
    """What is odd about a body that is written, for the one who wrote it."""
    if not read_frontmatter(body).body:
        return ()
    return ("The content begins with frontmatter of its own; it is kept as text and does not count.",)


def line_of(title: str) -> str:
    """A title on one line. Raises `InvalidInput` when it is blank or above the longest that is read back."""
    line = " ".join(title.split())
    if not line:
        raise InvalidInput("'title' is required and must not be blank.", field="title")
    if len(line) > MAX_TITLE:
        raise InvalidInput(f"'title' may have {MAX_TITLE} characters, not {len(line)}.", field="title")
    return line


def decoded(data: bytes, path: str) -> str:
    """A file's text, exactly. Raises `NotUtf8`: what we cannot read we do not rewrite."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as failure:
        line = data.count(b"\n", 0, failure.start) + 1
        raise NotUtf8(f"'{path}' is not UTF-8 (line {line}); it is searched, but not edited.", line=line) from None


def _edited_body(note: Note, edit: Edit, line_end: str) -> tuple[str, int | None]:
    if edit.kind is EditKind.APPEND:
        return append(note.body, edit.content, line_end), None
    if edit.kind is EditKind.PREPEND:
        return prepend(note.body, edit.content, line_end), None
    if edit.kind is EditKind.REPLACE_SECTION:
        return replace_section(note.body, note.headings, edit.section, edit.content, line_end), None
    return find_and_replace(note.body, edit.find, edit.content, every=edit.every, line_end=line_end)


def _with_fields(text: str, entry: Entry, note: Note, revision: Revision, now: datetime) -> str:
    wanted = dict(revision.fields)
    if wanted.get("title"):
        wanted["title"] = line_of(str(wanted["title"]))
    if wanted.get("title") == note.metadata.title:
        del wanted["title"]  # also where it comes from a heading: it need not stand twice
    others: dict[str, FieldValue] = {other: () for key, other in _OTHER_KEYS.items() if key in wanted}
    return set_fields(
        text,
        {
            **_own_id(entry, note),
            **_checked(wanted),
            **_links(text, revision.links),
            **others,
            **_kept_up(entry, note, _agent(revision.agent), now),
        },
    )


def _links(text: str, changes: Mapping[str, Sequence[NoteId]]) -> Mapping[str, FieldValue]:
    """The `links` field with these types changed, all others as they are written. Raises `Refused` where it is the user's
    own."""
    if not changes:
        return {}
    written = read_frontmatter(text.removeprefix(BOM)).fields.items.get("links")
    is_nothing = written is None or (isinstance(written, Scalar) and written.is_null)
    if written is not None and not is_nothing and typed_targets(written) is None:
        raise Refused("The note's field 'links' holds something else than typed links; it is left alone.")
    old = written.items if isinstance(written, YamlMapping) else {}
    return {"links": {kind: texts_of(node) or () for kind, node in old.items()} | dict(changes)}


def _own_id(entry: Entry, note: Note) -> Mapping[str, FieldValue]:
    """The id, for a file that has none or that of another note. One that is no UUID is the user's own."""
    return {} if note.declared_id == entry.id or "id" in note.metadata.extra else {"id": entry.id}


def _kept_up(entry: Entry, note: Note, agent: str, now: datetime) -> Mapping[str, FieldValue]:
    """Time, version and contributors, but for those that hold something of the user's own."""
    known = entry.metadata
    fields: dict[str, FieldValue] = {"updated_at": _stamp(now), "version": known.version + 1}
    if agent and agent != known.author and agent not in known.contributors:
        fields["contributors"] = [*known.contributors, agent]
    return {name: value for name, value in fields.items() if name not in note.metadata.extra}


def _with_body(text: str, body: str) -> str:
    """The same file with another body. It has a block of frontmatter."""
    mark, rest = (BOM, text[len(BOM) :]) if text.startswith(BOM) else ("", text)
    head = rest[: read_frontmatter(rest).body]
    joint = "" if not body or head.endswith(("\n", "\r")) else first_line_end(rest)
    return f"{mark}{head}{joint}{body}"


def _fitted(body: str, text: str) -> str:
    """A body in the line ends of a file that has others than ours."""
    end = first_line_end(text)
    return body if end == "\n" else LINE_END.sub(lambda _: end, body)


def _check_body(body: str) -> None:
    if _NO_BODY.search(body):
        raise InvalidInput("'content' holds a NUL or half a character; send valid text.", field="content")
    _check_size(body)


def _check_size(body: str, already: int = 0) -> None:
    """`already`: the bytes of the body before, which may be above the limit as long as it does not grow."""
    size = len(body.encode())
    if size > max(MAX_CONTENT, already):
        raise ContentTooLarge(f"The content has {size} bytes; a note may have {MAX_CONTENT}.", field="content")


def _checked(fields: Mapping[str, FieldValue]) -> Mapping[str, FieldValue]:
    for name, value in fields.items():
        texts = _texts(value)
        if any(_NO_FIELD.search(text) for text in texts):
            raise InvalidInput(f"'{name}' holds a control character or half a character; send plain text.", field=name)
        if sum(map(len, texts)) > MAX_BLOCK:
            raise ContentTooLarge(f"'{name}' is too long: frontmatter may have {MAX_BLOCK} characters.", field=name)
    return fields


def _agent(name: str) -> str:
    return " ".join(str(_checked({"agent": name})["agent"]).split())


def _texts(value: FieldValue) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [*value, *(item for items in value.values() for item in items)]
    return [] if isinstance(value, int | float) else list(value)


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
