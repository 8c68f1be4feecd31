from __future__ import annotations

import pytest

from trilith.index.vector.plan import (
    FEWEST_PROBES,
    LARGE,
    MOST_LISTS,
    SAMPLE_BYTES,
    SAMPLE_PER_LIST,
    Work,
    first_look,
    list_count,
    next_look,
    outgrown,
    reach,
    work,
    worthwhile,
)


@pytest.mark.parametrize(
    ("live", "rows", "covered", "due"),
    [
        (0, 0, None, Work.NOTHING),
        (LARGE - 1, LARGE - 1, None, Work.NOTHING),
        (LARGE, LARGE, None, Work.BUILD),
        (LARGE, LARGE, LARGE, Work.NOTHING),
        (LARGE, LARGE + 1, LARGE, Work.NOTHING),  # a small change
        (LARGE, LARGE * 9 // 8, LARGE, Work.NOTHING),
        (LARGE, LARGE * 9 // 8 + 1, LARGE, Work.BUILD),
        (LARGE - 1, LARGE, LARGE, Work.DISCARD),
        (0, LARGE, LARGE, Work.DISCARD),
    ],
)
def test_what_is_due(live: int, rows: int, covered: int | None, due: Work) -> None:
    assert work(live, rows, covered, LARGE) is due


def test_no_lists_for_nothing_at_all() -> None:
    assert work(0, 0, None, 0) is Work.NOTHING


@pytest.mark.parametrize(("live", "anew"), [(500, True), (501, False), (1_000, False), (1_999, False), (2_000, True)])
def test_centroids_are_trained_anew_at_twice_the_rows_and_at_half(live: int, anew: bool) -> None:
    assert outgrown(live, 1_000) is anew


@pytest.mark.parametrize("width", [1, 384, 3_072, 1_000_000])
@pytest.mark.parametrize("live", [1, 2, 3, 1_000, 200_000, 600_000, 10**9])
def test_there_are_never_more_lists_than_rows_or_than_the_sample_can_train(live: int, width: int) -> None:
    count = list_count(live, width)
    assert 1 <= count <= min(live, MOST_LISTS)
    assert count == 1 or count * SAMPLE_PER_LIST * width * 4 <= SAMPLE_BYTES


def test_a_library_of_600_000_rows_has_1_548_lists() -> None:
    assert list_count(600_000, 384) == 1_548


@pytest.mark.parametrize(("wanted", "lists"), [(0, False), (60, False), (61, True), (1_000, True)])
def test_small_selections_are_gathered(wanted: int, lists: bool) -> None:
    assert worthwhile(wanted, 1_000) is lists


def test_the_fewer_may_be_found_the_more_lists_are_looked_into() -> None:
    assert [first_look(10, 2_400, share)[1] for share in (1.0, 0.5, 0.2, 0.06)] == [75, 150, 375, 1_250]
    assert first_look(10, 2_400, 1e-9)[1] == 2_400
    assert first_look(10, 100, 1.0)[1] == FEWEST_PROBES
    assert first_look(10, 3, 1.0)[1] == 3


def test_more_rows_are_fetched_than_are_wanted() -> None:
    assert [first_look(depth, 1_548, 1.0)[0] for depth in (1, 85, 86, 200)] == [256, 256, 258, 600]


def test_a_question_far_from_everything_looks_farther_but_not_everywhere() -> None:
    assert [reach(within, 64, 1_600) for within in (3, 95, 96, 1_600)] == [64, 64, 96, 200]
    assert reach(1_600, 900, 1_600) == 900  # a filter has sent it there


def test_a_look_that_found_too_little_is_followed_by_a_wider_one() -> None:
    assert next_look(256, 64, cut=False) == (256, 256)
    assert next_look(256, 64, cut=True) == (1_024, 64)
