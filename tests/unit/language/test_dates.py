from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from trilith.language.dates import half_open, interval


def day(year: int, month: int = 1, date: int = 1) -> datetime:
    return datetime(year, month, date, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("2026", day(2026), day(2027)),
        ("2026-12", day(2026, 12), day(2027)),
        ("2026-02", day(2026, 2), day(2026, 3)),
        ("2024-02-29", day(2024, 2, 29), day(2024, 3, 1)),
        ("2026-12-31", day(2026, 12, 31), day(2027)),
    ],
)
def test_a_date_means_all_of_its_period(text: str, start: datetime, end: datetime) -> None:
    assert interval(text) == (start, end)


@pytest.mark.parametrize("text", ["2026-03-01T10:00", "2026-03-01 10:00:00Z", "2026-03-01T12:00:00.000+02:00"])
def test_a_time_is_an_instant_and_utc_without_a_zone(text: str) -> None:
    moment = datetime(2026, 3, 1, 10, tzinfo=UTC)
    assert interval(text) == (moment, moment + timedelta(microseconds=1))


@pytest.mark.parametrize(
    "text",
    ["", "soon", "2026-13-01", "2026-02-30", "26-01-01", "2026-W01-1", "20260101", "9999-12-31", "0000", "2026-1"],
)
def test_anything_else_is_no_date(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        interval(text)


def test_bounds_include_or_leave_out_whole_days() -> None:
    both = half_open("2026-01-01", "2026-01-31", include_lower=True, include_upper=True)
    assert both == (day(2026), day(2026, 2))
    neither = half_open("2026-01-01", "2026-01-31", include_lower=False, include_upper=False)
    assert neither == (day(2026, 1, 2), day(2026, 1, 31))
    assert half_open(None, None, include_lower=True, include_upper=True) == (None, None)
