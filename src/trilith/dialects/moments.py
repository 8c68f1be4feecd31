"""Times as every dialect writes them."""

from __future__ import annotations

from datetime import UTC, datetime

from trilith.errors import InvalidInput


def iso(moment: datetime | None) -> str | None:
    """ISO 8601 in UTC to the second, with `Z`: `2026-03-18T12:00:00Z`."""
    return None if moment is None else moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def moment(field: str, text: str | None) -> datetime | None:
    """A time as given in argument `field`: ISO 8601; without a zone it is UTC. Raises `InvalidInput`."""
    if text is None:
        return None
    try:
        parsed = datetime.fromisoformat(text)
        return (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise InvalidInput(f"'{field}' must be an ISO 8601 date or time, not '{text[:80]}'.", field=field) from None
