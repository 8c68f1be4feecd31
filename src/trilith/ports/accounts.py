"""Who may come in, and who did what."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from trilith.model.audit import Act
from trilith.model.principal import Grant, Key


class Accounts(Protocol):
    """Who may come in."""

    def users(self) -> tuple[str, ...]:
        """By name."""
        ...

    def add_user(self, name: str) -> bool:
        """False, and nothing done, when there is a user of that name."""
        ...

    def grants(self) -> tuple[Grant, ...]: ...

    def grant(self, grant: Grant) -> None:
        """Takes the place of what the user was granted for the library before."""
        ...

    def take_back(self, library: str, user: str) -> bool:
        """False when there was nothing to take back."""
        ...

    def keys(self) -> tuple[Key, ...]:
        """Oldest first, those that hold no more included. Cheap: every request asks."""
        ...

    def add_key(self, key: Key) -> None: ...

    def revoke_key(self, key_id: str, now: datetime) -> bool:
        """False when there is no such key. One that was revoked already keeps its date."""
        ...


class Audit(Protocol):
    """Who read, searched and wrote what: local and bounded."""

    def record(self, act: Act) -> None:
        """Returns at once and raises nothing; what is recorded is soon on disk."""
        ...

    def recent(self, limit: int, user: str | None = None) -> tuple[Act, ...]:
        """The last acts of everybody, or of one user, newest first. Raises `Unavailable`."""
        ...
