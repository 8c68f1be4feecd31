"""`trilith search`, `read`, `list` and `related`."""

from __future__ import annotations

from typing import Annotated

import typer

from trilith.access.gate import Gate
from trilith.dialects.native import requests
from trilith.dialects.native.requests import Narrowing
from trilith.errors import InvalidInput
from trilith.surfaces.cli import local, options, show
from trilith.surfaces.cli.asking import asking
from trilith.surfaces.cli.scope import choose
from trilith.surfaces.cli.terminal import answer, answer_json, answer_text, remark

Reference = Annotated[str, typer.Argument(metavar="REF", help="Id or path of a note.")]
Name = Annotated[str, typer.Argument(metavar="REF", help="Id, path, slug, title or alias of a note.")]
Query = Annotated[
    list[str],
    typer.Argument(metavar="QUERY", help="What to look for; several words need no quotes. In graph mode: a note."),
]
Mode = Annotated[str, typer.Option("--mode", metavar="MODE", help="hybrid, fulltext, semantic or graph.")]
SearchSort = Annotated[str, typer.Option("--sort", metavar="KEY", help="relevance, updated or created.")]
ListSort = Annotated[str, typer.Option("--sort", metavar="KEY", help="updated, created, title or path.")]
MaxLength = Annotated[
    int | None,
    typer.Option("--max-length", metavar="N", help="Cut the text at the last sentence end within N characters."),
]
Offset = Annotated[int, typer.Option("--offset", metavar="N", help="Notes to pass over.")]
Explain = Annotated[bool, typer.Option("--explain", help="Say of each note why it is where it is.")]


def search(
    query: Query,
    *,
    mode: Mode = "hybrid",
    limit: options.Limit = 10,
    tag: options.Tags = None,
    author: options.Author = None,
    path_prefix: options.PathPrefix = None,
    modified_after: options.ModifiedAfter = None,
    modified_before: options.ModifiedBefore = None,
    created_after: options.CreatedAfter = None,
    created_before: options.CreatedBefore = None,
    where: options.Where = None,
    sort: SearchSort = "relevance",
    explain: Explain = False,
    vault: options.Vault = None,
    library: options.Library = None,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Search by words and by meaning.

    Unless a server of the same home answers, new and changed notes are read first, and notes that have no vectors yet
    get them for at most about two seconds.
    """
    scope = choose(home, vault, library)
    text = " ".join(query)
    narrowing = Narrowing(
        tags=split_tags(tag),
        author=author,
        path_prefix=path_prefix,
        modified_after=modified_after,
        modified_before=modified_before,
        created_after=created_after,
        created_before=created_before,
        where=where,
    )
    check_search(text, mode, limit, narrowing, sort)
    by_meaning = (local.load_models, local.refresh, local.embed_some)
    preparations = by_meaning if mode in ("hybrid", "semantic") else (local.refresh,)
    with asking(scope, *preparations, quiet=json) as source:
        found = source.search(text, mode, limit, narrowing, sort, explain=explain)
    if json:
        answer_json(found)
        return
    for line in show.hits(found, explain=explain):
        answer(line)
    if not found["results"]:
        answer(show.nothing(found))
    for line in show.search_remarks(text, found):
        remark(line)


def read(
    reference: Reference,
    *,
    max_length: MaxLength = None,
    vault: options.Vault = None,
    library: options.Library = None,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Print a note.

    Its text goes to stdout as it stands in the file; what is known about it goes to stderr.
    """
    scope = choose(home, vault, library)
    check_reference(reference)
    if max_length is not None and max_length < 0:
        raise InvalidInput(f"'max_length' must be a whole number from 0, not {max_length}.", field="max_length")
    with asking(scope, local.refresh, quiet=json) as source:
        document = source.read(reference, max_length)
    if json:
        answer_json(document)
        return
    for line in show.document_head(document):
        remark(line)
    answer_text(document["content"])
    if document["truncated"]:
        remark(f"Cut to {len(document['content'])} characters.")


def list_notes(
    *,
    limit: options.Limit = 50,
    offset: Offset = 0,
    tag: options.Tags = None,
    author: options.Author = None,
    path_prefix: options.PathPrefix = None,
    modified_after: options.ModifiedAfter = None,
    modified_before: options.ModifiedBefore = None,
    created_after: options.CreatedAfter = None,
    created_before: options.CreatedBefore = None,
    where: options.Where = None,
    sort: ListSort = "updated",
    vault: options.Vault = None,
    library: options.Library = None,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """List notes, newest first."""
    scope = choose(home, vault, library)
    narrowing = Narrowing(
        tags=split_tags(tag),
        author=author,
        path_prefix=path_prefix,
        modified_after=modified_after,
        modified_before=modified_before,
        created_after=created_after,
        created_before=created_before,
        where=where,
    )
    check_narrowing(limit, narrowing, sort)
    requests.offset(offset)
    with asking(scope, local.refresh, quiet=json) as source:
        page = source.page(narrowing, limit, offset, sort)
    if json:
        answer_json(page)
        return
    for line in show.listing(page, offset):
        answer(line)


def related(
    reference: Name,
    *,
    vault: options.Vault = None,
    library: options.Library = None,
    home: options.Home = None,
    json: options.AsJson = False,
) -> None:
    """Show what a note links to, what links to it, and what it was derived from."""
    scope = choose(home, vault, library)
    check_reference(reference)
    with asking(scope, local.refresh, quiet=json) as source:
        found = source.related(reference)
    if json:
        answer_json(found)
        return
    for line in show.related(found):
        answer(line)


def split_tags(given: list[str] | None) -> tuple[str, ...]:
    """Repeated or in a comma list, as in REST."""
    return tuple(tag.strip() for text in given or () for tag in text.split(",") if tag.strip())


def check_search(text: str, mode: str, limit: int, narrowing: Narrowing, sort: str) -> None:
    """What can be told wrong before anything is opened or read. Raises `InvalidInput`."""
    if not text.strip():
        raise InvalidInput("The query is empty; say what to look for.", field="query")
    if mode != "graph":
        requests.mode(mode)
    check_narrowing(limit, narrowing, sort)


def check_reference(text: str) -> None:
    """What no note can be called, told before anything is opened. Raises `InvalidInput`."""
    if not text.strip(" \t/"):
        raise InvalidInput("The reference is empty; name a note.", field="reference")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise InvalidInput("The reference is not valid text in this terminal's encoding.", field="reference")


def check_narrowing(limit: int, narrowing: Narrowing, sort: str) -> None:
    requests.limit(limit)
    requests.sort(sort)
    narrowing.filter(Gate(tuple, tuple, bool), local.OWNER)
