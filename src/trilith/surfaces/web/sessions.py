"""Who has signed in with a key. The browser holds a secret that is good for nothing but these pages; the key stays out of it."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

LASTING = 7 * 24 * 3600.0
"""Seconds that a session lasts without a visit."""
MOST = 1_000
"""Sessions at a time; whoever has not come for the longest time signs in again."""


@dataclass(frozen=True, slots=True)
class Session:
    """`key` is the id of the key that was shown; `token` is what every form of its pages sends along."""

    key: str
    token: str
    seen: float


@dataclass(frozen=True, slots=True)
class Sessions:
    """`seconds` is a clock that never goes back. Sessions end with the process."""

    seconds: Callable[[], float]
    held: dict[str, Session] = field(default_factory=dict)
    """By secret, the one seen last at the end."""

    def begin(self, key: str) -> str:
        """The secret of a new session."""
        secret = secrets.token_urlsafe(32)
        self.held[secret] = Session(key, secrets.token_urlsafe(32), self.seconds())
        while len(self.held) > MOST:
            del self.held[next(iter(self.held))]
        return secret

    def find(self, secret: str | None) -> Session | None:
        """The session with this secret, if it has not ended. It lasts anew from now."""
        former = self.held.pop(secret, None) if secret else None
        if secret is None or former is None or self.seconds() - former.seen > LASTING:
            return None
        self.held[secret] = Session(former.key, former.token, self.seconds())
        return self.held[secret]

    def end(self, secret: str | None) -> None:
        if secret:
            self.held.pop(secret, None)
