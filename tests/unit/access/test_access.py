"""Scopes and names of libraries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.access.gate import Gate
from trilith.access.naming import check, free_name
from trilith.access.policy import scopes, writable
from trilith.errors import InvalidInput, NotFound
from trilith.model.principal import AccessReason, Grant, Library, Principal, Role, Scope


def gate() -> Gate:
    return Gate(lambda: TWO, tuple, nothing_shows)


def nothing_shows(_scope: Scope) -> bool:
    return False


TWO = (Library(name="a", root="/a"), Library(name="b", root="/b"))


def test_the_owner_reads_everything_or_the_library_asked_for() -> None:
    assert [scope.library for scope in scopes(Principal(), TWO)] == ["a", "b"]
    assert [scope.library for scope in gate().filter(Principal(), "b").scopes] == ["b"]


def test_an_unknown_library_and_one_that_is_not_yours_are_the_same_not_found() -> None:
    for caller, name in ((Principal(), "c"), (Principal(name="guest", is_owner=False), "a")):
        with pytest.raises(NotFound, match=f"No library named '{name}'"):
            gate().filter(caller, name)


def test_users_see_all_of_what_is_theirs_or_granted_and_a_part_of_the_rest() -> None:
    libraries = (*TWO, Library(name="c", root="/c", owner="bea", hidden=("private",)))
    granted = [Grant("b", "bea", Role.READER), Grant("a", "cy", Role.WRITER)]
    assert scopes(Principal("bea", is_owner=False), libraries, granted) == (
        Scope(library="a", reader="bea"),
        Scope(library="b", reason=AccessReason.GRANT),
        Scope(library="c", denied=("private",)),
    )


def test_somebody_without_a_name_owns_nothing_and_is_granted_nothing() -> None:
    nobody = Principal("", is_owner=False)
    library = Library(name="a", root="/a", owner="")
    assert scopes(nobody, [library], [Grant("a", "", Role.READER)]) == (Scope(library="a", reader=""),)
    assert writable(nobody, [library], [Grant("a", "", Role.WRITER)]) == ()


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
