"""Arguments as agents send them."""

from __future__ import annotations

from typing import Any

import pytest

from trilith.dialects.arguments import Arguments
from trilith.errors import InvalidInput


def arguments(**given: Any) -> Arguments:
    return Arguments(given, frozenset({"limit", "tags", "query", "flag"}))


@pytest.mark.parametrize("value", [5, "5", " 5 ", 5.0])
def test_a_whole_number_in_any_spelling(value: object) -> None:
    assert arguments(limit=value).integer("limit", default=10) == 5


@pytest.mark.parametrize("value", [2.5, True, False, "2.5", "abc", "", "--5", "+-5", "9" * 5000, [1], {}])
def test_what_is_no_whole_number_is_refused_and_named(value: object) -> None:
    with pytest.raises(InvalidInput, match="limit"):
        arguments(limit=value).integer("limit", default=10)


@pytest.mark.parametrize("value", [0, -1, "-1"])
def test_below_the_least_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match="from 1"):
        arguments(limit=value).integer("limit", default=10)


def test_above_the_most_is_cut() -> None:
    assert arguments(limit=10**9).integer("limit", default=10, most=50) == 50


def test_null_counts_as_omitted() -> None:
    assert arguments(limit=None).integer("limit", default=10) == 10
    assert arguments(query=None).text("query") is None


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (["a", " b "], ("a", "b")),
        ('["a", "b"]', ("a", "b")),
        ("a, b", ("a", "b")),
        ("solo", ("solo",)),
        ("[broken", ("[broken",)),
        ("", ()),
        ([], ()),
    ],
)
def test_lists_in_any_spelling(value: object, expected: tuple[str, ...]) -> None:
    assert arguments(tags=value).strings("tags") == expected


@pytest.mark.parametrize("value", [5, {"a": 1}, [1], "[1, 2]"])
def test_what_is_no_list_of_strings_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match="tags"):
        arguments(tags=value).strings("tags")


@pytest.mark.parametrize("value", ["", "  ", None])
def test_a_required_text_must_not_be_blank(value: object) -> None:
    with pytest.raises(InvalidInput, match="query"):
        arguments(query=value).required_text("query")


def test_an_unknown_argument_is_named_with_those_that_exist() -> None:
    with pytest.raises(InvalidInput, match=r"'limt'.*limit"):
        arguments(limt=3)


@pytest.mark.parametrize(("value", "expected"), [(True, True), ("false", False), ("TRUE", True), (None, False)])
def test_flags(value: object, expected: bool) -> None:
    assert arguments(flag=value).boolean("flag") is expected


def test_a_number_is_no_flag() -> None:
    with pytest.raises(InvalidInput, match="flag"):
        arguments(flag=1).boolean("flag")


@pytest.mark.parametrize(
    ("value", "expected"), [({"a": 1}, {"a": 1}), ('{"a": [1]}', {"a": [1]}), ({}, {}), (None, {}), ("{}", {})]
)
def test_objects_are_read_also_from_json_text(value: object, expected: dict[str, object]) -> None:
    assert arguments(tags=value).mapping("tags") == expected


@pytest.mark.parametrize("value", [5, [1], "a", '["a"]', "", {str(n): n for n in range(101)}])
def test_what_is_no_object_is_refused(value: object) -> None:
    with pytest.raises(InvalidInput, match="tags"):
        arguments(tags=value).mapping("tags")
