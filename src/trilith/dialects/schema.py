"""Pieces of output schemas. A field that may be null has a description and no type, which every client accepts."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

STRING: Json = {"type": "string"}
INTEGER: Json = {"type": "integer"}
NUMBER: Json = {"type": "number"}
BOOLEAN: Json = {"type": "boolean"}
STRINGS: Json = {"type": "array", "items": {"type": "string"}}
FREE: Json = {"type": "object", "additionalProperties": True}


def nullable(description: str) -> Json:
    return {"description": f"{description}; null when there is none"}


def listing(item: Json) -> Json:
    return {"type": "array", "items": item}


def record(required: dict[str, Json], optional: dict[str, Json] | None = None) -> Json:
    """An object: fields that are always there, and fields that may be."""
    return {"type": "object", "properties": {**required, **(optional or {})}, "required": list(required)}


RERANKER: dict[str, Json] = {
    "reranker": {
        **STRING,
        "description": "ok, loading or degraded; only where there is one. Unless ok, the order before it stands.",
    },
    "reranker_reason": nullable("Why the reranker is not ok"),
}


def diagnostics(optional: dict[str, Json] | None = None) -> Json:
    """How well the parts worked for an answer, as `shapes.diagnostics` gives it."""
    return record(
        {
            "semantic": {**STRING, "description": "ok, loading, degraded or off."},
            "reason": nullable("Why a part is not ok"),
            "pending": {**INTEGER, "description": "Chunks that have no vector yet."},
        },
        {
            "fulltext": {**STRING, "description": "Named only when not ok."},
            "similar_words": {
                **BOOLEAN,
                "description": "true: no note has these words; by words it was found by similar ones.",
            },
            **RERANKER,
            **(optional or {}),
        },
    )
