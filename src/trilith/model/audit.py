"""What was done through a door, by whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

LONGEST = 200
"""Characters that are kept of what was asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One request. `user` is "" for somebody without a key; `key` is the id of the key that was shown, if one was."""

    at: datetime
    user: str
    key: str | None
    door: str
    """`mcp`, `rest` or `web`."""
    action: str
    """Name of the tool, or method and path."""
    library: str | None = None
    subject: str = ""
    """What was read, searched or written: an id, a path, a query."""
    outcome: str = "ok"
    """`ok`, or the code of the error."""
