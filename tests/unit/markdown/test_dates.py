from __future__ import annotations

from datetime import UTC, datetime

import pytest

from trilith.markdown.dates import parse_date


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026-03-01T09:30", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-03-01 09:30:15", datetime(2026, 3, 1, 9, 30, 15, tzinfo=UTC)),
        ("2026-03-01T09:30:15.25Z", datetime(2026, 3, 1, 9, 30, 15, 250000, tzinfo=UTC)),
        ("2026-03-01T00:00:00+09:00", datetime(2026, 2, 28, 15, tzinfo=UTC)),
        ("2026-03-01 09:30:00 +0900", datetime(2026, 3, 1, 0, 30, tzinfo=UTC)),
        ("2026-03-01 09:30 UTC", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026-03-01t09:30z", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026/3/1 9:30", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("2026.03.01", datetime(2026, 3, 1, tzinfo=UTC)),
        ("20260301", datetime(2026, 3, 1, tzinfo=UTC)),
        ("20260301T0930Z", datetime(2026, 3, 1, 9, 30, tzinfo=UTC)),
        ("March 1, 2026", datetime(2026, 3, 1, tzinfo=UTC)),
        ("Mar 1st 2026", datetime(2026, 3, 1, tzinfo=UTC)),
        ("1 Sept. 2026", datetime(2026, 9, 1, tzinfo=UTC)),
        ("[[2026-03-01]]", datetime(2026, 3, 1, tzinfo=UTC)),
        ("[[2026-03-01|today]]", datetime(2026, 3, 1, tzinfo=UTC)),
        ("  2026-03-01  ", datetime(2026, 3, 1, tzinfo=UTC)),
    ],
)
def test_common_spellings(text: str, at: datetime) -> None:
    assert parse_date(text) == at


@pytest.mark.parametrize(
    "text",
    [
        "",
        "soon",
        "2026",
        "2026-13-01",
        "2026-02-30",
        "2026-03-01T25:00",
        "1 Ma 2026",
        "Foo 1, 2026",
        "{{date}}",
        "0001-01-01T00:00:00+09:00",
        "1700000000",
        "٢٠٢٦-٠٣-٠١x",
    ],
)
def test_what_is_no_date(text: str) -> None:
    assert parse_date(text) is None


def test_a_day_can_mean_its_end() -> None:
    end = parse_date("2026-01-01", day_ends=True)
    assert end is not None
    assert end.date().isoformat() == "2026-01-01"
    assert end < datetime(2026, 1, 2, tzinfo=UTC)
    assert parse_date("2026-01-01T00:00", day_ends=True) == datetime(2026, 1, 1, tzinfo=UTC)
