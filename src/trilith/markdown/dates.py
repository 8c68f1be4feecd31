"""Dates as people write them in frontmatter."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time

_YEAR_FIRST = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]\s*(.*))?", re.IGNORECASE)
_CLOCK = re.compile(r"(\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s*(Z|UTC|GMT|[-+]\d{2}(?::?\d{2})?)?", re.IGNORECASE)
_COMPACT = re.compile(r"\d{8}(?:T\d{4,6}(?:Z|[-+]\d{2}:?\d{2})?)?")
_MONTH_FIRST = re.compile(r"([A-Za-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})")
_DAY_FIRST = re.compile(r"(\d{1,2})(?:st|nd|rd|th)? ([A-Za-z]{3,9})\.?,? (\d{4})")
_WIKI = re.compile(r"\[\[(.*?)(?:\|.*)?\]\]")

_MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)

END_OF_DAY = time(23, 59, 59, 999999)


def parse_date(text: str, *, day_ends: bool = False) -> datetime | None:
    """A point in time, aware and in UTC; None when `text` is no date.

    Read are ISO 8601 (`2026-03-01`, `2026-03-01T09:30`, `...+09:00`, `...Z`, `20260301`), its looser spellings
    (`2026/3/1 9:30`, `2026-03-01 09:30:00 +0900`), English dates (`March 1, 2026`, `1 Mar 2026`), and any of these as a
    wiki link (`[[2026-03-01]]`). A time without a zone is UTC.

    Args:
        text: the value as written.
        day_ends: a date without a time means the end of that day instead of its start.
    """
    text = text.strip()
    if link := _WIKI.fullmatch(text):
        text = link[1].strip()
    try:
        day, clock = _split(text)
        if clock is None:
            return datetime.combine(day, END_OF_DAY if day_ends else time(), UTC)
        at = datetime.combine(day, clock, clock.tzinfo or UTC)
        return at.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _split(text: str) -> tuple[date, time | None]:
    """The day and, where given, the time. Raises ValueError."""
    if match := _YEAR_FIRST.fullmatch(text):
        day = date(int(match[1]), int(match[2]), int(match[3]))
        return day, _clock(match[4]) if match[4] else None
    if match := _COMPACT.fullmatch(text):
        at = datetime.fromisoformat(text)
        return at.date(), at.timetz() if "T" in text else None
    if match := _MONTH_FIRST.fullmatch(text):
        return date(int(match[3]), _month(match[1]), int(match[2])), None
    if match := _DAY_FIRST.fullmatch(text):
        return date(int(match[3]), _month(match[2]), int(match[1])), None
    raise ValueError(text)


def _clock(text: str) -> time:
    match = _CLOCK.fullmatch(text.strip())
    if match is None:
        raise ValueError(text)
    clock, zone = match[1].rjust(5, "0") if match[1].count(":") == 1 else match[1].zfill(8), match[2] or ""
    if zone.upper() in ("UTC", "GMT", "Z"):
        zone = "+00:00"
    return time.fromisoformat(clock.replace(",", ".") + zone)


def _month(name: str) -> int:
    matches = [number for number, month in enumerate(_MONTHS, 1) if month.startswith(name.lower())]
    if len(matches) != 1:
        raise ValueError(name)
    return matches[0]
