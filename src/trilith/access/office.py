"""What an owner decides: users, grants, keys, and rules for folders. Each is checked whole before it is written down."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from trilith.access.folders import folder
from trilith.access.keys import holds, new_key, new_secret
from trilith.errors import InvalidInput, NotFound
from trilith.model.principal import Grant, Key, Library, Right, Role
from trilith.ports.accounts import Accounts
from trilith.ports.ledger import Ledger
from trilith.ports.surroundings import Clock

USER = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,30}[a-z0-9])?")


@dataclass(frozen=True, slots=True)
class Office:
    ledger: Ledger
    accounts: Accounts
    clock: Clock

    def add_user(self, name: str) -> None:
        """Raises `InvalidInput` for a name that cannot stand in an address, or is taken."""
        if not USER.fullmatch(name):
            expected = "1 to 32 small letters, digits, '-' and '_', with a letter or digit at both ends"
            raise InvalidInput(f"'{name}' cannot name a user: use {expected}.", field="name")
        if not self.accounts.add_user(name):
            raise InvalidInput(f"There is a user named '{name}' already.", field="name")

    def user(self, name: str) -> str:
        """The name of a user who is there. Raises `NotFound`."""
        known = self.accounts.users()
        if name not in known:
            raise NotFound(f"No user named '{name}'. Known: {', '.join(known)}.", field="user")
        return name

    def grant(self, library: str, user: str, role: Role) -> Grant:
        """Raises `NotFound`, and `InvalidInput` for the library's own owner."""
        granted = Grant(self.library(library).name, self.user(user), role)
        if self.library(library).owner == user:
            raise InvalidInput(f"'{user}' owns '{library}' and may do everything there.", field="user")
        self.accounts.grant(granted)
        return granted

    def take_back(self, library: str, user: str) -> None:
        """Raises `NotFound` when nothing was granted."""
        if not self.accounts.take_back(library, user):
            raise NotFound(f"Nothing of '{library}' was granted to '{user}'.", field="user")

    def create_key(
        self, user: str, rights: Sequence[Right], libraries: Sequence[str], expires_at: datetime | None
    ) -> tuple[str, Key]:
        """The secret, which is kept nowhere, and the key. No libraries: all that are the user's to see.

        Raises `NotFound` for a user or library that is not there, `InvalidInput` for an end that has passed.
        """
        now = self.clock.now()
        if expires_at is not None and expires_at <= now:
            raise InvalidInput("A key must expire in the future.", field="expires")
        names = [self.library(name).name for name in libraries]
        secret = new_secret()
        reading = [Right.READ] if Right.WRITE in rights else []  # whoever writes is told what is there
        key = new_key(
            secret, self.user(user), now, rights=[*rights, *reading], libraries=names or None, expires_at=expires_at
        )
        self.accounts.add_key(key)
        return secret, key

    def revoke_key(self, key_id: str) -> bool:
        """Whether no key holds any more: nobody is let in then, for a revoked key leaves the doors shut. Raises `NotFound`."""
        now = self.clock.now()
        if not self.accounts.revoke_key(key_id, now):
            raise NotFound(f"No key has the id '{key_id}'.", field="id")
        known = self.accounts.keys()
        return not any(holds(key, now) for key in known)

    def set_folders(self, library: str, hidden: Sequence[str], protected: Sequence[str]) -> Library:
        """These rules and no others from now on. Raises `NotFound`, `PathForbidden`."""
        name = self.library(library).name
        self.ledger.set_folders(name, _distinct(hidden), _distinct(protected))
        return self.library(name)

    def library(self, name: str) -> Library:
        """A library that is there. Raises `NotFound`."""
        known = {library.name: library for library in self.ledger.libraries()}
        if name not in known:
            raise NotFound(f"No library named '{name}'. Known: {', '.join(known) or 'none'}.", field="library")
        return known[name]


def _distinct(folders: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(map(folder, folders)))
