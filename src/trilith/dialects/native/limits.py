"""What the fields of a change may hold, as JSON Schema. It is for those who read the description of REST: a request is
judged by the code that carries it out, whose errors say more."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from trilith.dialects.arguments import MOST_ITEMS
from trilith.dialects.changing import MAX_TTL_HOURS
from trilith.dialects.native import bodies
from trilith.dialects.tool import Parameter
from trilith.markdown.fields import MAX_TITLE
from trilith.model.change import EditKind
from trilith.model.note import Status, Visibility

Json = dict[str, Any]

INK = r"[^\s\u001c-\u001f\u0085]"
"""A character that is seen: what is blank is not the same everywhere."""
_CONTROL = r"\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f"
_PLAIN: Json = {"pattern": f"^[^{_CONTROL}]*$"}
_NOT_BLANK: Json = {"pattern": f"^[^{_CONTROL}]*[^{_CONTROL}\\s][^{_CONTROL}]*$"}
_BODY: Json = {"pattern": r"^[^\u0000]*$"}
_LIST: Json = {"maxItems": MOST_ITEMS, "pattern": f"^[ \\t\\r\\n]*([^{_CONTROL}\\s\\[][^{_CONTROL}]*)?$"}
"""A text is a list, too: of what stands between commas. One with `[` in front would have to be JSON."""
_NAMES: Json = {**_LIST, "items": {"type": "string", **_PLAIN}}
_UUID = "-".join(f"[0-9a-f]{{{digits}}}" for digits in (8, 4, 4, 4, 12))
_BLANK: Json = {"maxLength": 0}

TIMES: tuple[Json, ...] = ({"format": "date"}, {"format": "date-time"})

LIMITS = MappingProxyType[str, Json](
    {
        "title": {**_PLAIN, "maxLength": MAX_TITLE},
        "content": _BODY,
        "tags": _NAMES,
        "aliases": _NAMES,
        "summary": _PLAIN,
        "confidence": {"minimum": 0, "maximum": 1},
        "source": _PLAIN,
        "source_url": _PLAIN,
        "derived_from_ids": {
            "items": {"type": "string", "anyOf": [{"format": "uuid"}, _BLANK]},
            "maxItems": MOST_ITEMS,
            "pattern": f"^({_UUID}(,{_UUID})*)?$",
        },
        "ttl_hours": {"minimum": 0, "maximum": MAX_TTL_HOURS},
        "expires_at": {"anyOf": [*TIMES, _BLANK]},
        "para": _NAMES,
        "status": {"enum": [*Status, ""]},
        "visibility": {"enum": [*Visibility, "unlisted", ""]},
        "collaborators": _NAMES,
        "collaborator_notes": _PLAIN,
        "agent": _PLAIN,
        "expected_version": {"minimum": 1},
        "operation": {"enum": [*EditKind]},
        "section": {"maxItems": MOST_ITEMS, "pattern": r"^(?!\s*\[)"},
    }
)
"""By the name of the field; an empty text takes it away, where it may be empty."""


def schema(body: Sequence[Parameter], **rules: Any) -> Json:
    """The JSON schema of a request: its fields, and what holds among them."""
    return {
        "type": "object",
        "properties": {each.name: _required(each) if each.required else _optional(each) for each in body},
        "required": [each.name for each in body if each.required],
        "additionalProperties": False,
        **rules,
    }


def _required(field: Parameter) -> Json:
    return field.schema() | LIMITS.get(field.name, {}) | _NOT_BLANK


def _optional(field: Parameter) -> Json:
    """A null counts as left out."""
    stated, limits = field.schema(), LIMITS.get(field.name, {})
    values = {"enum": [*limits["enum"], None]} if "enum" in limits else {}
    return stated | limits | values | {"type": [*_types(field), "null"]}


def _types(field: Parameter) -> list[str]:
    return ["array", "string"] if field.type == "strings" else [field.type]


def _given(fields: Sequence[Parameter]) -> Json:
    """That all of these are there."""
    return {
        "properties": {each.name: {"type": _types(each)} for each in fields},
        "required": [each.name for each in fields],
    }


ABOUT = (bodies.AGENT, bodies.EXPECTED_VERSION, bodies.EXPECTED_HASH, bodies.LIBRARY, bodies.WAIT)
"""What a request says of itself, and not of the note."""

_ONE_EXPIRY: Json = {"not": _given([each for each in bodies.FIELDS if each.name in ("ttl_hours", "expires_at")])}

CREATE = schema(bodies.CREATE, **_ONE_EXPIRY)
_NAMED = [replace(each, required=each.required or each == bodies.LIBRARY) for each in bodies.CREATE]
CREATE_NAMED = schema(_NAMED, **_ONE_EXPIRY)
"""Where several libraries can be written, and none of them is the caller's only own one."""
PATCH = schema(bodies.PATCH, anyOf=[_given([each]) for each in bodies.PATCH if each not in ABOUT], **_ONE_EXPIRY)
EDIT = schema(
    bodies.EDIT,
    anyOf=[
        {"properties": {"operation": {"enum": [EditKind.APPEND, EditKind.PREPEND]}}},
        {
            "properties": {
                "operation": {"const": EditKind.REPLACE_SECTION},
                "section": {"type": ["array", "string"], "minItems": 1, "items": {"pattern": INK}, "pattern": INK},
            },
            "required": ["section"],
        },
        {
            "properties": {
                "operation": {"const": EditKind.FIND_REPLACE},
                "find": {"type": "string", "minLength": 1},
            },
            "required": ["find"],
        },
    ],
)
MOVE = schema(bodies.MOVE)
