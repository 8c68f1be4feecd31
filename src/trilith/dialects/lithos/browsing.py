"""`lithos_list`, `lithos_tags` and `lithos_stats`: the base at large."""

from __future__ import annotations

from typing import TYPE_CHECKING

from trilith.dialects import budget, shapes
from trilith.dialects.arguments import MOST_OFFSET, Arguments
from trilith.dialects.moments import moment
from trilith.dialects.parameters import LIBRARY
from trilith.dialects.schema import BOOLEAN, INTEGER, STRING, STRINGS, listing, nullable, record
from trilith.dialects.tool import Json, Parameter, Tool
from trilith.model.principal import Principal
from trilith.model.query import Listing

if TYPE_CHECKING:
    from trilith.app import App

MAX_PAGE = 500
MAX_TAGS = 500


def list_documents(app: App, caller: Principal, arguments: Arguments) -> Json:
    filter = app.gate.filter(
        caller,
        arguments.text("library"),
        path_prefix=arguments.text("path_prefix"),
        tags=arguments.strings("tags"),
        author=arguments.text("author"),
        updated_after=moment("since", arguments.text("since")),
    )
    offset = arguments.integer("offset", default=0, least=0, most=MOST_OFFSET)
    listing = Listing(
        filter=filter,
        title_contains=arguments.text("title_contains"),
        content_contains=arguments.text("content_query"),
        limit=arguments.integer("limit", default=50, most=MAX_PAGE),
        offset=offset,
    )
    page = app.catalog.page(listing)
    items, cut = budget.fit([shapes.item(entry, name_library=len(filter.scopes) > 1) for entry in page.entries])
    answer: Json = {"items": items, "total": page.total}
    if cut:
        answer |= {"truncated": True, "next_offset": offset + len(items)}
    return answer


def tags(app: App, caller: Principal, arguments: Arguments) -> Json:
    counts = app.catalog.tag_counts(app.gate.filter(caller, arguments.text("library")))
    prefix = (arguments.text("prefix") or "").casefold().removeprefix("#")
    found = {name: count for name, count in counts.items() if name.casefold().startswith(prefix)}
    most = sorted(found.items(), key=lambda pair: (-pair[1], pair[0]))
    answer: Json = {"tags": dict(most[:MAX_TAGS])}
    if len(most) > MAX_TAGS:
        answer["truncated"] = True
    return answer


def stats(app: App, caller: Principal, arguments: Arguments) -> Json:
    filter = app.gate.filter(caller, arguments.text("library"))
    status = app.reporter.status(filter)
    drifted = (
        any(sum(app.reporter.drift(scope.library).values()) for scope in filter.scopes if scope.is_whole)
        and not status.pending_fulltext
    )
    return shapes.stats(app.reporter.counts(filter), status.pending_fulltext + status.pending_vectors, drifted=drifted)


ITEM = record(
    {
        "id": STRING,
        "title": STRING,
        "path": STRING,
        "updated": STRING,
        "tags": STRINGS,
        "source_url": nullable("Where the document came from"),
        "derived_from_ids": STRINGS,
    },
    {"library": STRING},
)

LIST = Tool(
    name="lithos_list",
    title="List documents",
    description="List documents, newest first, without searching. Page with offset.",
    parameters=(
        Parameter(name="path_prefix", type="string", description="Only below this folder."),
        Parameter(name="tags", type="strings", description="Only with all of these tags."),
        Parameter(name="author", type="string", description="Only by this author."),
        Parameter(
            name="since", type="string", description="Only updated at or after this ISO 8601 date or time (UTC)."
        ),
        Parameter(
            name="title_contains", type="string", description="Only with this text in the title; case does not matter."
        ),
        Parameter(
            name="content_query", type="string", description="Only with this text in the content; case does not matter."
        ),
        Parameter(name="limit", type="integer", description="Most documents to return. Default 50, at most 500."),
        Parameter(name="offset", type="integer", description="How many to pass over. Default 0."),
        LIBRARY,
    ),
    output=record(
        {"items": listing(ITEM), "total": INTEGER},
        {
            "truncated": {**BOOLEAN, "description": "The answer was cut; go on with offset = next_offset."},
            "next_offset": INTEGER,
        },
    ),
    run=list_documents,
)

TAGS = Tool(
    name="lithos_tags",
    title="List tags",
    description="All tags with the number of documents that have each, most frequent first.",
    parameters=(
        Parameter(name="prefix", type="string", description="Only tags that begin so; case does not matter."),
        LIBRARY,
    ),
    output=record({"tags": {"type": "object", "additionalProperties": INTEGER}}, {"truncated": BOOLEAN}),
    run=tags,
)

STATS = Tool(
    name="lithos_stats",
    title="Counts and health",
    description="How many documents, chunks and tags there are, and what needs care.",
    parameters=(LIBRARY,),
    output=record(
        {
            "documents": INTEGER,
            "chunks": INTEGER,
            "tags": INTEGER,
            "unresolved_links": INTEGER,
            "expired_docs": INTEGER,
            "duplicate_urls": INTEGER,
            "pending": {**INTEGER, "description": "Documents and chunks not indexed yet."},
            "index_drift_detected": BOOLEAN,
        }
    ),
    run=stats,
)
