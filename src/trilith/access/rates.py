"""How many requests may a key make? A token bucket, pure: so many a minute, and no more at once."""

from __future__ import annotations

from typing import NamedTuple

MINUTE = 60.0


class Bucket(NamedTuple):
    """What was left at a moment, in requests and seconds of a monotonic clock."""

    left: float
    at: float


def take(bucket: Bucket | None, now: float, per_minute: int) -> tuple[Bucket, float]:
    """The bucket after one more request, and the seconds to wait where there is none left (then nothing was taken)."""
    full = float(per_minute)
    left = full if bucket is None else min(full, bucket.left + (now - bucket.at) * per_minute / MINUTE)
    if left < 1.0:
        return Bucket(left, now), (1.0 - left) * MINUTE / per_minute
    return Bucket(left - 1.0, now), 0.0
