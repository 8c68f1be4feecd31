"""The lists of a pure fusion."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

from trilith.model.hits import Candidate, Ranked
from trilith.model.ids import Num, derive_id
from trilith.model.note import Entry, Metadata
from trilith.search.lists import pooled, settled

SCORES = {1: 9.0, 2: 5.0, 3: 5.0, 4: 5.0, 5: 1.0}
DAYS = {1: 1, 2: 1, 3: 3, 4: 2, 5: 1}


def entries(nums: Iterable[Num]) -> dict[Num, Entry]:
    return {num: _entry(num) for num in nums}


def _entry(num: Num) -> Entry:
    day = datetime(2026, 3, DAYS[num], tzinfo=UTC)
    return Entry(
        num=num,
        id=derive_id("lib", str(num)),
        library="lib",
        path=f"{num}.md",
        checksum="",
        size=1,
        metadata=Metadata(title=str(num)),
        created_at=day,
        updated_at=day,
    )


def order(*first: int, pool: int = 9) -> list[int]:
    ranked = Ranked(candidates=tuple(Candidate(Num(num), raw) for num, raw in SCORES.items()), total=7)
    result = pooled(settled(ranked, entries), [Num(num) for num in first], pool)
    assert result.total == 7
    return [candidate.num for candidate in result.candidates]


def test_equal_scores_are_settled_by_date() -> None:
    assert order() == [1, 3, 4, 2, 5]


def test_names_come_first_in_their_own_order() -> None:
    assert order(5, 2) == [5, 2, 1, 3, 4]


def test_a_name_that_is_no_match_is_no_member() -> None:
    assert order(77, 5) == [5, 1, 3, 4, 2]


def test_the_pool_is_cut_after_all_that() -> None:
    assert order(5, pool=3) == [5, 1, 3]


def test_entries_are_fetched_of_ties_alone() -> None:
    asked: list[set[Num]] = []

    def watched(nums: Iterable[Num]) -> dict[Num, Entry]:
        asked.append(set(nums))
        return entries(asked[-1])

    ranked = [Candidate(Num(1), 3.0), Candidate(Num(2), 2.0), Candidate(Num(3), 2.0), Candidate(Num(5), 1.0)]
    assert [c.num for c in settled(Ranked(candidates=tuple(ranked)), watched).candidates] == [1, 3, 2, 5]
    assert asked == [{2, 3}]
    settled(Ranked(candidates=tuple(ranked[:2])), watched)
    assert len(asked) == 1
