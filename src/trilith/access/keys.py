"""Keys: how one is made, and whether one that is shown holds. Pure, but for chance."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from datetime import datetime

from trilith.errors import Unauthorized
from trilith.model.principal import Key, Principal, Right

PREFIX = "tri_"
RANDOM_BYTES = 32
"""43 characters of URL-safe base64, without padding."""
ID_BYTES = 4
LOOKS_LIKE_ONE = re.compile(r"tri_[A-Za-z0-9_-]{43}")


def new_secret() -> str:
    """The text that is shown once."""
    return PREFIX + secrets.token_urlsafe(RANDOM_BYTES)


def new_key(
    secret: str,
    user: str,
    now: datetime,
    *,
    rights: Iterable[Right],
    libraries: Iterable[str] | None = None,
    expires_at: datetime | None = None,
) -> Key:
    """What is kept of a key with this secret."""
    return Key(
        id=secrets.token_hex(ID_BYTES),
        user=user,
        digest=digest(secret),
        rights=frozenset(rights),
        created_at=now,
        libraries=None if libraries is None else frozenset(libraries),
        expires_at=expires_at,
    )


def digest(secret: str) -> str:
    """SHA-256, hex. A secret of 256 random bits needs neither salt nor stretching."""
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def holds(key: Key, now: datetime) -> bool:
    return key.revoked_at is None and (key.expires_at is None or now < key.expires_at)


def bearer_of(secret: str, keys: Iterable[Key], now: datetime) -> Principal:
    """Who shows this secret. Every key is compared, each in constant time.

    Raises `Unauthorized`, in the same words whatever is wrong with it.
    """
    shown, found = digest(secret), None
    for key in keys:
        if hmac.compare_digest(key.digest, shown):
            found = key
    return _holder(found, now)


def holder_of(key_id: str, keys: Iterable[Key], now: datetime) -> Principal:
    """Who holds the key of this id. Raises `Unauthorized` as `bearer_of`."""
    return _holder(next((key for key in keys if key.id == key_id), None), now)


def _holder(found: Key | None, now: datetime) -> Principal:
    if found is None or not holds(found, now):
        raise Unauthorized("This key does not hold: it is unknown, expired or revoked.")
    return Principal(found.user, is_owner=False, rights=found.rights, libraries=found.libraries, key=found.id)
