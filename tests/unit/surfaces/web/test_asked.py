"""What the address of the search page says."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from starlette.datastructures import QueryParams

from trilith.errors import InvalidInput, InvalidMode
from trilith.surfaces.web.views.asked import Asked, read

NOW = datetime(2026, 3, 18, 12, tzinfo=UTC)


def test_an_address_leads_to_the_same_search() -> None:
    asked = Asked(q="oven & fault", mode="semantic", tags=("a/b", "ç"), folder="in box", age="week", limit=40)
    _, _, query = asked.address().partition("?")
    assert read(QueryParams(query)) == asked
    assert asked.address(tags=(), mode="hybrid") == "/?q=oven+%26+fault&folder=in+box&age=week&limit=40"
    assert Asked().address() == "/"


def test_filters_that_are_left_out_narrow_nothing() -> None:
    narrowing = Asked(q="x").narrowing(NOW)
    assert narrowing == type(narrowing)()
    assert Asked(q="x").narrows == 0


def test_days_are_both_included_and_the_later_start_counts() -> None:
    narrowing = Asked(after="2026-03-01", before="2026-03-17", age="week").narrowing(NOW)
    assert narrowing.modified_after == "2026-03-11T12:00:00+00:00"
    assert narrowing.modified_before == "2026-03-18T00:00:00+00:00"
    assert Asked(after="2026-03-15", age="week").narrowing(NOW).modified_after == "2026-03-15T00:00:00+00:00"


@pytest.mark.parametrize(
    ("query", "field"),
    [("age=year2", "age"), ("limit=0", "limit"), ("limit=-1", "limit"), ("limit=²", "limit")],
)
def test_what_is_wrong_is_named(query: str, field: str) -> None:
    with pytest.raises(InvalidInput) as failure:
        read(QueryParams(query))
    assert failure.value.details["field"] == field


def test_an_unknown_mode_is_refused_and_an_unknown_parameter_is_not() -> None:
    with pytest.raises(InvalidMode):
        read(QueryParams("mode=magic"))
    assert read(QueryParams("utm_source=x&q=a")) == Asked(q="a")


def test_the_last_day_of_the_calendar_is_a_day_too() -> None:
    assert Asked(before="9999-12-31").narrowing(NOW).modified_before is None
    assert Asked(before="9999-12-30").narrowing(NOW).modified_before == "9999-12-31T00:00:00+00:00"


def test_no_date_is_no_date() -> None:
    with pytest.raises(InvalidInput):
        Asked(after="soon").narrowing(NOW)
