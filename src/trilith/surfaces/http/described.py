"""The answers of REST as JSON schemas, for its OpenAPI document."""

from __future__ import annotations

from typing import Any

from trilith.dialects.explaining import EXPLANATION
from trilith.dialects.schema import (
    BOOLEAN,
    FREE,
    INTEGER,
    NUMBER,
    RERANKER,
    STRING,
    STRINGS,
    Json,
    listing,
    nullable,
    record,
)
from trilith.dialects.shapes import CUT_REFERENCES

MATCH = record(
    {},
    {
        "fulltext": record({"rank": INTEGER, "raw": {**NUMBER, "description": "BM25."}}),
        "semantic": record({"rank": INTEGER, "cosine": NUMBER}),
    },
)

HIT = record(
    {
        "id": STRING,
        "title": STRING,
        "snippet": STRING,
        "score": {
            **NUMBER,
            "description": "0..1, higher is more relevant. In hybrid mode the probability of an answer.",
        },
        "path": STRING,
        "source_url": nullable("Where the note came from"),
        "updated_at": STRING,
        "is_stale": BOOLEAN,
        "derived_from_ids": STRINGS,
        "match": {**MATCH, "description": "Rank and raw score of each engine that found the note."},
    },
    {
        "depth": {**INTEGER, "description": "Hops from the start, in graph mode."},
        "library": STRING,
        "explanation": {**EXPLANATION, "description": "With `explain`: why it is where it is."},
    },
)

DIAGNOSTICS = record(
    {
        "semantic": {**STRING, "description": "ok, loading, degraded or off."},
        "reason": nullable("Why a part is not ok"),
        "pending": {**INTEGER, "description": "Chunks that have no vector yet."},
    },
    {"fulltext": {**STRING, "description": "Named only when not ok."}, **RERANKER},
)

SEARCH = record(
    {"results": listing(HIT)},
    {
        "total": {**INTEGER, "description": "How many notes were found in all, of which these are the first."},
        "query_interpretation": {**STRING, "description": "syntax or literal."},
        "query_interpretation_reason": nullable("Why the query was not taken for syntax"),
        "diagnostics": DIAGNOSTICS,
        "ignored_filters": {**STRINGS, "description": "Filters that a walk over links does not apply, in graph mode."},
        "truncated": {**BOOLEAN, "description": "There are more notes around it than shown, in graph mode."},
    },
)

NOTE = record(
    {
        "id": STRING,
        "title": STRING,
        "path": STRING,
        "library": STRING,
        "content": STRING,
        "truncated": BOOLEAN,
        "metadata": FREE,
        "links": record({"outgoing": STRINGS, "incoming": STRINGS}),
    },
    {"links_truncated": CUT_REFERENCES},
)

ITEM = record(
    {
        "id": STRING,
        "title": STRING,
        "path": STRING,
        "library": STRING,
        "updated": STRING,
        "tags": STRINGS,
        "source_url": nullable("Where the note came from"),
        "derived_from_ids": STRINGS,
    }
)

PAGE = record({"items": listing(ITEM), "total": INTEGER, "has_more": BOOLEAN})
PAGE_OR_NOTE: Json = {"anyOf": [PAGE, NOTE]}

TAGS = record({"tags": {"type": "object", "additionalProperties": INTEGER}})

REFERENCE = record({"id": STRING, "title": STRING, "path": STRING})

RELATED = record(
    {
        "id": STRING,
        "links": record({"outgoing": listing(REFERENCE), "incoming": listing(REFERENCE)}),
        "provenance": record(
            {"sources": listing(REFERENCE), "derived": listing(REFERENCE), "unresolved_sources": STRINGS}
        ),
        "related_ids": STRINGS,
        "unresolved_links": STRINGS,
    },
    {"truncated": CUT_REFERENCES},
)

PENDING = record(
    {
        "fulltext": {**INTEGER, "description": "Notes that full text does not hold yet."},
        "vectors": {**INTEGER, "description": "Chunks without a vector."},
    }
)

STATUS = record(
    {
        "state": {**STRING, "description": "starting, indexing, ready or unavailable."},
        "documents": INTEGER,
        "pending": PENDING,
        "semantic": record({"state": STRING, "reason": nullable("Why it is not ok")}),
        "libraries": listing(FREE),
    }
)

WRITTEN = record(
    {
        "status": {**STRING, "description": "created, updated or duplicate."},
        "id": STRING,
        "path": STRING,
        "version": INTEGER,
        "library": STRING,
        "warnings": STRINGS,
    },
    {
        "duplicate_of": {**FREE, "description": "The note that has the same source_url; nothing was written."},
        "replaced": {**INTEGER, "description": "How often find_replace has replaced the text."},
    },
)

MOVED = record(
    {
        "status": {**STRING, "description": "moved, or unchanged when it was there already."},
        "id": STRING,
        "path": {**STRING, "description": "Where it is now."},
        "old_path": STRING,
        "version": INTEGER,
        "library": STRING,
        "links_updated": {**INTEGER, "description": "Links that are written otherwise now."},
        "notes_changed": {**INTEGER, "description": "Files in which links were rewritten."},
        "failed": {
            **listing(record({"id": STRING, "path": STRING, "reason": STRING})),
            "description": "Notes with links that could not be rewritten; they stay as they are.",
        },
        "warnings": STRINGS,
    }
)

DELETED = {
    "key": {**STRING, "description": "What brings it back."},
    "id": STRING,
    "title": STRING,
    "path": STRING,
    "library": STRING,
    "deleted_at": STRING,
    "deleted_by": STRING,
}

DELETION = record({"success": BOOLEAN, **DELETED})

TRASH = record({"items": listing(record(DELETED))})

RESTORED = record(
    {
        "status": {**STRING, "description": "restored"},
        "id": STRING,
        "path": STRING,
        "version": INTEGER,
        "library": STRING,
    }
)

FAILURE = record(
    {
        "status": {**STRING, "description": "error"},
        "code": {**STRING, "description": "What kind of failure, for programs: invalid_input, doc_not_found, ..."},
        "message": {**STRING, "description": "What happened, for people and agents."},
    }
)


def responses(schema: Json, *failures: int) -> dict[int | str, dict[str, Any]]:
    """What an operation answers: `schema`, or the envelope, mostly with one of the statuses `failures`, or of those by
    which anybody may be turned away."""
    described: dict[int | str, dict[str, Any]] = {
        200: _described(schema, "The answer."),
        "default": _described(FAILURE, "Any other failure."),
    }
    return described | {status: failed(status) for status in sorted({*failures, *TURNED_AWAY})}


def created(schema: Json, *failures: int) -> dict[int | str, dict[str, Any]]:
    """As `responses`, for what makes something new unless it is there already."""
    return responses(schema, *failures) | {
        200: _described(schema, "Nothing was written: it is there already."),
        201: _described(schema, "It was made."),
    }


def body(fields: Json, *, required: bool = True) -> dict[str, Any]:
    """What an operation is sent: an object as JSON, for `openapi_extra`."""
    return {"requestBody": {"required": required, "content": {"application/json": {"schema": fields}}}}


TURNED_AWAY = (401, 403, 429)

FAILURES = {
    400: "Something asked for is not well formed.",
    401: "There is no key, or one that does not hold.",
    403: "The key has no right to this, the path leads out of the vault, or nothing may be written there.",
    404: "There is no such note or library.",
    409: (
        "Several notes answer to that name (`candidates`), the note has changed since it was read (`current_version`), or "
        "another one is in the way (`existing`)."
    ),
    413: "The content is too large.",
    415: "The body is not sent as `application/json`.",
    422: "The file is not UTF-8 and cannot be edited.",
    429: "The key has made more requests than it may in a minute.",
    503: "A part that this needs is down or not ready yet.",
}


HEADERS: dict[int, Json] = {
    401: {"WWW-Authenticate": {"description": "How to authenticate.", "required": True, "schema": STRING}},
    429: {"Retry-After": {"description": "Seconds to wait.", "required": True, "schema": {**INTEGER, "minimum": 1}}},
}


def failed(status: int, schema: Json = FAILURE) -> dict[str, Any]:
    """The answer to a failure with this status."""
    headers = {"headers": HEADERS[status]} if status in HEADERS else {}
    return {**_described(schema, FAILURES[status]), **headers}


def _described(schema: Json, description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}
