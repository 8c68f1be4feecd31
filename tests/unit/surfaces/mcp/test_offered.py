"""Dialects by name."""

from __future__ import annotations

import pytest

from trilith.errors import InvalidInput
from trilith.settings import DIALECTS as SETTING
from trilith.surfaces.mcp.offered import DIALECTS, dialects


def test_the_setting_offers_exactly_what_there_is() -> None:
    assert tuple(DIALECTS) == SETTING


def test_each_once() -> None:
    assert [dialect.name for dialect in dialects(["lithos", "lithos"])] == ["lithos"]


@pytest.mark.parametrize("names", [[], ["klingon"], ["lithos", "klingon"]])
def test_others_are_refused_by_name(names: list[str]) -> None:
    with pytest.raises(InvalidInput, match=r"Dialects: lithos"):
        dialects(names)
