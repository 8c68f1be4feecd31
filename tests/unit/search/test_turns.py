"""As many searches at once as there are processors."""

from __future__ import annotations

import pytest

from trilith.search import turns
from trilith.search.turns import Turns


def test_only_the_first_is_alone() -> None:
    both = Turns(2)
    with both.taken() as first, both.taken() as second:
        assert (first, second) == (True, False)
    with both.taken() as again:
        assert again


def test_who_has_waited_long_enough_begins_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "PATIENCE", 0.01)
    one = Turns(1)
    with one.taken(), one.taken() as late:
        assert not late
    with one.taken() as again:
        assert again, "every turn was given back"
