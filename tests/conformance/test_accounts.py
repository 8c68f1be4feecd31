"""The suite of `Accounts`."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from trilith.access.keys import new_key, new_secret
from trilith.home.accounts import SqliteAccounts
from trilith.home.ledger import SqliteLedger
from trilith.home.ledgerfile import LedgerFile
from trilith.model.principal import Grant, Library, Right, Role
from trilith.ports.accounts import Accounts

NOW = datetime(2026, 3, 1, 12, 30, 0, 123, tzinfo=UTC)


@pytest.fixture
def accounts(tmp_path: Path) -> Accounts:
    return SqliteAccounts(LedgerFile(tmp_path / "ledger.db"))


def test_the_owner_is_there_from_the_start(accounts: Accounts) -> None:
    assert (accounts.users(), accounts.grants(), accounts.keys()) == (("owner",), (), ())


def test_users(accounts: Accounts) -> None:
    assert accounts.add_user("bea")
    assert not accounts.add_user("bea")
    assert accounts.users() == ("bea", "owner")


def test_a_grant_takes_the_place_of_the_one_before(accounts: Accounts) -> None:
    accounts.grant(Grant("lib", "bea", Role.READER))
    accounts.grant(Grant("lib", "al", Role.READER))
    accounts.grant(Grant("lib", "bea", Role.WRITER))
    assert accounts.grants() == (Grant("lib", "al", Role.READER), Grant("lib", "bea", Role.WRITER))
    assert accounts.take_back("lib", "al")
    assert not accounts.take_back("lib", "al")
    assert accounts.grants() == (Grant("lib", "bea", Role.WRITER),)


def test_keys(accounts: Accounts) -> None:
    whole = new_key(new_secret(), "owner", NOW, rights=Right)
    narrow = new_key(
        new_secret(),
        "bea",
        NOW + timedelta(seconds=1),
        rights=[Right.READ],
        libraries=["a", "b"],
        expires_at=NOW + timedelta(days=1),
    )
    accounts.add_key(narrow)
    assert accounts.keys() == (narrow,)
    accounts.add_key(whole)
    assert accounts.keys() == (whole, narrow)
    assert accounts.revoke_key(whole.id, NOW)
    assert accounts.revoke_key(whole.id, NOW + timedelta(days=9))
    assert not accounts.revoke_key("none", NOW)
    assert accounts.keys() == (replace(whole, revoked_at=NOW), narrow)


def test_what_another_process_changes_is_seen_at_once(tmp_path: Path) -> None:
    here, there = (SqliteAccounts(LedgerFile(tmp_path / "ledger.db")) for _ in range(2))
    assert here.keys() == ()
    key = new_key(new_secret(), "owner", NOW, rights=Right)
    there.add_key(key)
    assert here.keys() == (key,)
    there.revoke_key(key.id, NOW)
    assert here.keys() == (replace(key, revoked_at=NOW),)


def test_grants_go_with_their_library(tmp_path: Path) -> None:
    file = LedgerFile(tmp_path / "ledger.db")
    accounts, ledger = SqliteAccounts(file), SqliteLedger(file)
    ledger.add_library(Library(name="lib", root="/v"))
    accounts.grant(Grant("lib", "bea", Role.READER))
    accounts.grant(Grant("other", "bea", Role.READER))
    ledger.remove_library("lib")
    assert accounts.grants() == (Grant("other", "bea", Role.READER),)
