"""Which time does a date mean? ISO 8601 dates to years, months, days or instants; without a zone they are UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

_DATE = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?")
_INSTANT = timedelta(microseconds=1)


def interval(text: str) -> tuple[datetime, datetime]:
    """The first moment that a date means and the first one after it: a year, a month, a day, or a microsecond.

    Raises ValueError for anything else.
    """
    try:
        if match := _DATE.fullmatch(text):
            return _period(*(int(part) if part else None for part in match.groups()))
        if _TIME.fullmatch(text):
            moment = datetime.fromisoformat(text)
            moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
            return moment, moment + _INSTANT
    except OverflowError as error:
        raise ValueError(f"out of the calendar: {text}") from error
    raise ValueError(f"not an ISO 8601 date: {text}")


def _period(year: int | None, month: int | None, day: int | None) -> tuple[datetime, datetime]:
    start = datetime(year or 0, month or 1, day or 1, tzinfo=UTC)
    if month is None:
        return start, start.replace(year=start.year + 1)
    if day is None:
        return start, (start + timedelta(days=31)).replace(day=1)
    return start, start + timedelta(days=1)


def half_open(
    lower: str | None, upper: str | None, include_lower: bool, include_upper: bool
) -> tuple[datetime | None, datetime | None]:
    """The moments of a range of dates: from the first (inclusive) up to the second (exclusive); None is open.

    An inclusive upper day counts to its end, an exclusive lower day is left out whole. Raises ValueError.
    """
    start = None if lower is None else interval(lower)[0 if include_lower else 1]
    end = None if upper is None else interval(upper)[1 if include_upper else 0]
    return start, end
