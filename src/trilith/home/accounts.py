"""Who may come in: users, what they were granted, and their keys, in the ledger."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from trilith.home.ledgerfile import LedgerFile
from trilith.model.principal import Grant, Key, Right, Role


class SqliteAccounts:
    """Implements `ports.Accounts`. Reading keys is cheap: they are read again only when somebody has changed the ledger."""

    def __init__(self, file: LedgerFile) -> None:
        self._file = file
        self._keys: tuple[int, tuple[Key, ...]] | None = None

    def users(self) -> tuple[str, ...]:
        return tuple(name for (name,) in self._file.rows("SELECT name FROM users ORDER BY name"))

    def add_user(self, name: str) -> bool:
        with self._file.transaction() as connection:
            return connection.execute("INSERT OR IGNORE INTO users VALUES (?)", (name,)).rowcount == 1

    def grants(self) -> tuple[Grant, ...]:
        rows = self._file.rows("SELECT library, user, role FROM grants ORDER BY library, user")
        return tuple(Grant(library, user, Role(role)) for library, user, role in rows)

    def grant(self, grant: Grant) -> None:
        with self._file.transaction() as connection:
            row = (grant.library, grant.user, grant.role.value)
            connection.execute("INSERT OR REPLACE INTO grants VALUES (?, ?, ?)", row)

    def take_back(self, library: str, user: str) -> bool:
        with self._file.transaction() as connection:
            sql = "DELETE FROM grants WHERE library = ? AND user = ?"
            return connection.execute(sql, (library, user)).rowcount == 1

    def keys(self) -> tuple[Key, ...]:
        generation = self._file.generation()
        if self._keys is None or self._keys[0] != generation:
            rows = self._file.rows(f"SELECT {_COLUMNS} FROM keys ORDER BY created_at, id")
            self._keys = generation, tuple(_key(row) for row in rows)
        return self._keys[1]

    def add_key(self, key: Key) -> None:
        row = (
            key.id,
            key.user,
            key.digest,
            ",".join(sorted(key.rights)),
            None if key.libraries is None else ",".join(sorted(key.libraries)),
            key.created_at.isoformat(),
            None if key.expires_at is None else key.expires_at.isoformat(),
            None,
        )
        with self._file.transaction() as connection:
            connection.execute(f"INSERT INTO keys ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        self._keys = None

    def revoke_key(self, key_id: str, now: datetime) -> bool:
        with self._file.transaction() as connection:
            sql = "UPDATE keys SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?"
            found = connection.execute(sql, (now.isoformat(), key_id)).rowcount == 1
        self._keys = None
        return found


_COLUMNS = "id, user, digest, rights, libraries, created_at, expires_at, revoked_at"


def _key(row: tuple[Any, ...]) -> Key:
    key_id, user, digest, rights, libraries, *moments = row
    created, expires, revoked = (None if text is None else datetime.fromisoformat(text) for text in moments)
    assert created is not None
    return Key(
        id=key_id,
        user=user,
        digest=digest,
        rights=frozenset(map(Right, rights.split(","))),
        libraries=None if libraries is None else frozenset(libraries.split(",")),
        created_at=created,
        expires_at=expires,
        revoked_at=revoked,
    )
