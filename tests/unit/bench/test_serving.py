from __future__ import annotations

import pytest

from serving import mean_between


def test_the_time_of_a_search_is_that_of_the_searches_between_two_looks() -> None:
    before = {"hybrid": (10.0, 1.0)}
    after = {"hybrid": (14.0, 1.2), "fulltext": (2.0, 0.01), "semantic": (0.0, 0.0)}
    assert mean_between(before, after) == pytest.approx({"hybrid": 0.05, "fulltext": 0.005})
