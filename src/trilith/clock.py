"""What time is it?"""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """The machine's clock, as a `ports.Clock`."""

    def now(self) -> datetime:
        return datetime.now(UTC)

    def monotonic(self) -> float:
        return time.monotonic()
