"""Libraries asked for by the name of a person."""

from __future__ import annotations

import pytest

from trilith.access.gate import Gate
from trilith.errors import NotFound
from trilith.model.principal import Grant, Library, Principal, Role, Scope

WORK = Library(name="work", root="/1", owner="ann")
HOME = Library(name="home", root="/2", owner="ann")
ANN = Library(name="ann", root="/3", owner="bob")
SECRET = Library(name="secret", root="/4", owner="eve")
ALL = (WORK, HOME, ANN, SECRET)
OWNER, BOB = Principal(), Principal(name="bob", is_owner=False)


def shows(scope: Scope) -> bool:
    """Something of every library but one is public."""
    return scope.library != "secret"


GATE = Gate(lambda: ALL, lambda: [Grant("home", "bob", Role.READER)], shows)


def names(principal: Principal, user: str | None = None) -> list[str]:
    return [scope.library for scope in GATE.filter_of(principal, user).scopes]


def test_nobody_named_is_the_caller() -> None:
    assert names(BOB) == ["ann"]
    assert names(OWNER) == ["work", "home", "ann", "secret"]


def test_a_user_is_meant_before_a_library_of_that_name() -> None:
    assert names(OWNER, "ann") == ["work", "home"]
    assert names(BOB, "ann") == ["work", "home"]
    assert names(BOB, "home") == ["home"]


def test_what_may_be_seen_there_is_up_to_the_grants() -> None:
    readers = {scope.library: scope.reader for scope in GATE.filter_of(BOB, "ann").scopes}
    assert readers == {"work": "bob", "home": None}


@pytest.mark.parametrize("user", ["nobody", "eve", "secret", ""])
def test_unknown_and_invisible_are_the_same(user: str) -> None:
    with pytest.raises(NotFound, match=f"No user or library named '{user}'"):
        GATE.filter_of(BOB, user)


def test_who_has_no_library_is_told_so() -> None:
    with pytest.raises(NotFound, match="no library of your own"):
        GATE.filter_of(Principal(name="dan", is_owner=False))


def test_filters_go_with_it() -> None:
    assert GATE.filter_of(BOB, tags=("a",)).tags == ("a",)
