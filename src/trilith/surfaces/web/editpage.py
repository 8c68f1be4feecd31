"""Editing a note's text: the form, a look at how it will read, and the writing, which never goes over what others wrote."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from trilith.access.folders import check_writable
from trilith.errors import ContentTooLarge, InvalidInput, VersionConflict
from trilith.markdown.text import LINE_END, first_line_end
from trilith.model.change import Revision
from trilith.surfaces.web.links import Linked
from trilith.surfaces.web.notepage import Found, find
from trilith.surfaces.web.rendering.document import render
from trilith.surfaces.web.shop import Shop
from trilith.surfaces.web.views.difference import difference
from trilith.surfaces.web.visitors import PART


def form(shop: Shop, request: Request) -> Response:
    """Raises `ReadOnly` and its like where this note may not be written."""
    found = find(shop, request)
    _check(found)
    text = _text(found)
    return _form(shop, request, found, text)


def save(shop: Shop, request: Request, sent: Mapping[str, str]) -> Response:
    """To the note where it was written; else to the form again, with what differs. Nothing that was typed is lost."""
    found = find(shop, request)
    library = found.app.gate.writable(found.caller, found.entry.library)
    current = _text(found)
    body = _with_line_ends(_given(sent, "body"), first_line_end(current))
    revision = Revision(
        agent=found.caller.name,
        body=body,
        expected_version=_number(_given(sent, "version")),
        expected_checksum=_given(sent, "checksum"),
    )
    try:
        if body != current:
            found.app.writer.revise(library, found.filter, found.entry, revision)
    except VersionConflict:
        again = find(shop, request)
        return _form(shop, request, again, body, theirs=_text(again))
    return RedirectResponse(f"{request.scope.get('root_path', '')}/note/{found.entry.id}", 303)


def preview(shop: Shop, request: Request, sent: Mapping[str, str]) -> Response:
    """How a text will read: for those who may write it, since it tells where links lead that no note holds."""
    found = find(shop, request)
    _check(found)
    text = _given(sent, "body")
    linking = Linked(found.app, found.filter, request.scope.get("root_path", "")).within(found.entry, text)
    html = render(text, linking, title=found.entry.metadata.title).html
    return shop.pages.page(request, "_text", html=html)


def _form(shop: Shop, request: Request, found: Found, text: str, theirs: str | None = None) -> Response:
    return shop.pages.page(
        request,
        "_edit" if PART in request.headers else "edit",
        200 if theirs is None else VersionConflict.status,
        entry=found.entry,
        text=LINE_END.sub("\n", text),
        conflict=theirs is not None,
        rows=None if theirs is None else difference(theirs, text),
    )


def _check(found: Found) -> None:
    check_writable(found.app.gate.writable(found.caller, found.entry.library), found.entry.path)


def _text(found: Found) -> str:
    note = found.app.reader.read(found.entry, found.filter)
    if note.partial:
        raise ContentTooLarge(f"'{found.entry.path}' is too large to be edited here.", field="id")
    return note.content


def _with_line_ends(text: str, end: str) -> str:
    """Browsers send every line end as CRLF; the file keeps its own."""
    return LINE_END.sub(lambda _: end, text)


def _given(sent: Mapping[str, str], name: str) -> str:
    """Raises `InvalidInput`: a form that has lost a field on its way empties no note, and writes over nobody."""
    if name not in sent:
        raise InvalidInput(f"The form must send '{name}'.", field=name)
    return sent[name]


def _number(text: str) -> int:
    """Raises `InvalidInput`: without the version that was read, nothing is written."""
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise InvalidInput("'version' must be the version of the note that was edited.", field="version")
    return int(text)
