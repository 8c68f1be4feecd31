from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.index.catalog.metadata import decode, encode
from trilith.index.catalog.terms import Term, author, equals, tag, terms_of
from trilith.model.note import Metadata

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3), max_leaves=8
)


@given(st.dictionaries(st.text(min_size=1), values, max_size=4))
def test_every_property_of_a_note_is_found_by_its_value(extra: dict[str, Any]) -> None:
    extra.pop("collaborator_notes", None)
    terms = terms_of(Metadata(title="t", extra=extra))
    for key, value in extra.items():
        assert equals(key, value) in terms or key == "source_url"
        if isinstance(value, list):
            assert all(equals(key, member) in terms for member in value) or key == "source_url"


@given(st.dictionaries(st.text(), values, max_size=4))
def test_metadata_comes_back_exactly(extra: dict[str, Any]) -> None:
    metadata = Metadata(title="t", extra=extra)
    again = decode(encode(metadata))
    assert again == metadata
    assert repr(again.extra) == repr(metadata.extra)


@pytest.mark.parametrize(
    ("one", "other"), [(0, "0"), (0, False), (1, True), (None, "null"), ("a", ["a"]), (1.5, "1.5")]
)
def test_values_of_different_types_differ(one: object, other: object) -> None:
    assert equals("k", one) != equals("k", other)


def test_numbers_and_maps_are_compared_by_value() -> None:
    assert equals("k", 1) == equals("k", 1.0)
    assert equals("k", {"a": 1, "b": 2.0}) == equals("k", {"b": 2, "a": 1})
    assert equals("k", [1, 2]) != equals("k", [2, 1])


def test_tags_are_under_their_ancestors() -> None:
    terms = terms_of(Metadata(title="t", tags=("A/b/C",)))
    assert {term for term in terms if term.field == "#"} == {Term("#", "a"), Term("#", "a/b"), Term("#", "a/b/c")}
    assert Term("#=", "A/b/C") in terms
    assert tag("#A/b/") == Term("#", "a/b")


def test_authors_fold() -> None:
    assert author("ADA") in terms_of(Metadata(title="t", author="Ada"))


def test_what_collaborators_say_among_themselves_is_no_property() -> None:
    metadata = Metadata(title="t", collaborator_notes="x", extra={"collaborator_notes": ["x"], "a": {"b": "x"}})
    assert not any(term.field.startswith(".collaborator_notes") for term in terms_of(metadata))


def test_keys_cannot_pass_for_tags_or_authors() -> None:
    terms = terms_of(Metadata(title="t", extra={"#": "x", "@": "x"}))
    assert not any(term.field in ("#", "@") for term in terms)
