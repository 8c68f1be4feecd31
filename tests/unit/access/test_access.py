"""Scopes and names of libraries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.access.naming import check, free_name
from trilith.access.policy import scopes
from trilith.errors import InvalidInput, NotFound
from trilith.model.principal import Library, Principal

TWO = (Library(name="a", root="/a"), Library(name="b", root="/b"))


def test_the_owner_reads_everything_or_the_library_asked_for() -> None:
    assert [scope.library for scope in scopes(Principal(), TWO)] == ["a", "b"]
    assert [scope.library for scope in scopes(Principal(), TWO, "b")] == ["b"]


def test_an_unknown_library_and_one_that_is_not_yours_are_the_same_not_found() -> None:
    with pytest.raises(NotFound, match="'c'"):
        scopes(Principal(), TWO, "c")
    with pytest.raises(NotFound, match="'a'"):
        scopes(Principal(name="guest", is_owner=False), TWO, "a")


@pytest.mark.parametrize("name", ["", "..", "a/b", "a\\b", "-a", "a b", "x" * 65, "a\0", "C:"])
def test_names_that_could_leave_their_place_are_refused(name: str) -> None:
    with pytest.raises(InvalidInput):
        check(name)


@given(st.text(max_size=80), st.sets(st.sampled_from(["vault", "vault-2"])))
def test_every_folder_gets_a_good_name_that_is_free(folder: str, taken: set[str]) -> None:
    name = free_name(f"/home/me/{folder}", taken)
    assert check(name) == name
    assert name not in taken


def test_a_folder_of_the_same_name_gets_a_number() -> None:
    assert free_name("/other/My Notes", {"my-notes"}) == "my-notes-2"
