"""Keys hold while they hold, and say nothing of why they do not."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from trilith.access.keys import LOOKS_LIKE_ONE, bearer_of, digest, holds, new_key, new_secret
from trilith.access.rates import Bucket, take
from trilith.errors import Unauthorized
from trilith.model.principal import Key, Principal, Right

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SECRET = new_secret()
READ = frozenset({Right.READ})
KEY = new_key(SECRET, "bea", NOW, rights=READ, libraries=["hers"], expires_at=NOW + timedelta(days=1))


def test_a_secret_is_long_and_never_the_same() -> None:
    assert LOOKS_LIKE_ONE.fullmatch(SECRET)
    assert len(SECRET) == 4 + 43
    assert new_secret() != SECRET


def test_what_is_kept_does_not_tell_the_secret() -> None:
    assert SECRET[4:] not in repr(KEY)
    assert KEY.digest == digest(SECRET) != digest(new_secret())


def test_who_shows_a_key_is_its_user_with_its_rights() -> None:
    others = [new_key(new_secret(), "al", NOW, rights=Right) for _ in range(3)]
    assert bearer_of(SECRET, [*others, KEY], NOW) == Principal(
        "bea", is_owner=False, rights=READ, libraries=frozenset({"hers"}), key=KEY.id
    )


@pytest.mark.parametrize(
    ("secret", "key", "now"),
    [
        (SECRET + "x", KEY, NOW),
        ("", KEY, NOW),
        (SECRET.lower(), KEY, NOW),
        ("tri_\udcff", KEY, NOW),
        (SECRET, KEY, NOW + timedelta(days=1)),
        (SECRET, replace(KEY, revoked_at=NOW), NOW),
        (SECRET, replace(KEY, expires_at=None, revoked_at=NOW), NOW - timedelta(days=9)),
    ],
    ids=["longer", "none", "another case", "not utf-8", "expired", "revoked", "revoked later"],
)
def test_wrong_expired_and_revoked_are_told_alike(secret: str, key: Key, now: datetime) -> None:
    with pytest.raises(Unauthorized, match=r"^This key does not hold: it is unknown, expired or revoked\.$"):
        bearer_of(secret, [key], now)


def test_a_key_without_an_end_holds() -> None:
    assert holds(replace(KEY, expires_at=None), NOW + timedelta(days=99_999))


def test_a_minute_has_so_many_requests_and_they_come_back_one_by_one() -> None:
    bucket, waits = None, []
    for _ in range(4):
        bucket, wait = take(bucket, 100.0, per_minute=3)
        waits.append(wait)
    assert waits == [0.0, 0.0, 0.0, 20.0]
    assert take(bucket, 119.0, 3)[1] == pytest.approx(1.0)
    assert take(bucket, 120.0, 3)[1] == 0.0


def test_rest_is_not_saved_up_for_more_than_a_minute() -> None:
    bucket, _ = take(Bucket(0.0, 0.0), 10_000.0, per_minute=5)
    assert bucket.left == 4.0
