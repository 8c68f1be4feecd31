from __future__ import annotations

import pytest

from trilith.index.vector.plan import (
    FEWEST_PROBES,
    LARGE,
    MOST_CANDIDATES,
    MOST_LISTS,
    SAMPLE_BYTES,
    SAMPLE_PER_LIST,
    Work,
    list_count,
    looks,
    outgrown,
    probes,
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


@pytest.mark.parametrize(("wanted", "lists"), [(0, False), (50, False), (51, True), (1_000, True)])
def test_up_to_a_twentieth_of_the_rows_is_gathered(wanted: int, lists: bool) -> None:
    assert worthwhile(wanted, 1_000) is lists


def test_the_fewer_may_be_found_the_more_lists_are_looked_into() -> None:
    found = [probes(2_048, share) for share in (1.0, 0.5, 0.2, 0.06)]
    assert found == [64, 128, 320, 1_067]
    assert probes(2_048, 1e-9) == 2_048
    assert probes(100, 1.0) == FEWEST_PROBES
    assert probes(3, 1.0) == 3


@pytest.mark.parametrize("depth", [1, 10, 200, 5_000, 10**6])
def test_each_look_goes_further_and_none_becomes_a_scan(depth: int) -> None:
    made = list(looks(depth, 1_548, 1.0))
    assert all(depth <= candidates <= MOST_CANDIDATES and 1 <= probed <= 1_548 for candidates, probed in made)
    assert made == sorted(made)
    assert len(set(made)) == len(made)
    assert bool(made) == (3 * depth <= MOST_CANDIDATES)
