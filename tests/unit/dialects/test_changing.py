"""Arguments become changes."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from trilith.dialects.arguments import Arguments
from trilith.dialects.changing import frontmatter, part
from trilith.dialects.native.bodies import CREATE, DELETE, EDIT, PATCH, read
from trilith.dialects.native.limits import schema
from trilith.errors import InvalidInput
from trilith.model.change import EditKind

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)
ID = "f47ac10b-58cc-4372-a567-0e02b2c3d479"


def fields(**given: Any) -> dict[str, Any]:
    return frontmatter(read(given, PATCH), NOW)


def edit(**given: Any) -> Any:
    return part(Arguments(given, frozenset(parameter.name for parameter in EDIT)))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, {}),
        ({"tags": None}, {}),
        ({"tags": []}, {"tags": ()}),
        ({"tags": ""}, {"tags": ()}),
        ({"tags": ["#a", " B ", "b", ""]}, {"tags": ("a", "B")}),
        ({"tags": "a, b/c"}, {"tags": ("a", "b/c")}),
        ({"summary": " s "}, {"summary": "s"}),
        ({"summary": ""}, {"summary": ""}),
        ({"confidence": "0.5"}, {"confidence": 0.5}),
        ({"derived_from_ids": [ID.upper(), ID]}, {"derived_from_ids": (ID,)}),
        ({"status": "validated", "visibility": "public"}, {"status": "validated", "visibility": "public"}),
        ({"status": ""}, {"status": ""}),
        ({"expires_at": "2026-04-01"}, {"expires_at": "2026-04-01"}),
        ({"expires_at": "2026-04-01T10:00:00+02:00"}, {"expires_at": "2026-04-01T08:00:00Z"}),
        ({"expires_at": ""}, {"expires_at": ""}),
        ({"ttl_hours": 36}, {"expires_at": "2026-03-20T00:00:00Z"}),
        ({"title": " T "}, {"title": "T"}),
    ],
)
def test_what_is_given_is_what_will_stand_there(given: dict[str, Any], expected: dict[str, Any]) -> None:
    assert fields(**given) == expected


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("title", 5),
        ("tags", [1]),
        ("confidence", 1.5),
        ("confidence", "sure"),
        ("derived_from_ids", ["x"]),
        ("status", "doing"),
        ("visibility", "Public"),
        ("expires_at", "soon"),
        ("ttl_hours", -1),
        ("ttl_hours", 1e300),
        ("ttl_hours", float("nan")),
    ],
)
def test_what_is_wrong_is_named(name: str, value: Any) -> None:
    with pytest.raises(InvalidInput) as refusal:
        fields(**{name: value})
    assert refusal.value.details["field"] == name
    assert f"'{name}'" in refusal.value.message


def test_two_ends_are_one_too_many() -> None:
    with pytest.raises(InvalidInput, match="not both"):
        fields(ttl_hours=1, expires_at="2027-01-01")


def test_a_heading_keeps_its_commas() -> None:
    for section in ("Plans, next", ["Plans, next"], '["Plans, next"]'):
        assert edit(operation="replace_section", section=section).section == ("Plans, next",)
    assert edit(operation="append").kind is EditKind.APPEND


@pytest.mark.parametrize(
    ("given", "field"),
    [({}, "operation"), ({"operation": "erase"}, "operation"), ({"operation": "append", "all": 1}, "all")],
)
def test_an_edit_that_is_none_is_named(given: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        edit(**given)
    assert refusal.value.details["field"] == field


@pytest.mark.parametrize("body", [CREATE, PATCH, EDIT, DELETE])
def test_a_request_has_its_fields_and_no_others(body: Any) -> None:
    described = schema(body)
    assert set(described["properties"]) == {parameter.name for parameter in body}
    assert described["additionalProperties"] is False
    with pytest.raises(InvalidInput, match="'titel'"):
        read({"titel": "x"}, body)
