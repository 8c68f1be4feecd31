"""Walks over links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import given
from hypothesis import strategies as st

from trilith.model.ids import Num
from trilith.search.neighbourhood import depths


def walker(links: Mapping[int, set[int]]):
    both: dict[int, set[int]] = {}
    for source, targets in links.items():
        for target in targets:
            both.setdefault(source, set()).add(target)
            both.setdefault(target, set()).add(source)

    def neighbours(nums: Sequence[Num]) -> dict[Num, tuple[Num, ...]]:
        return {num: tuple(Num(near) for near in sorted(both.get(num, set())) if near != num) for num in nums}

    return neighbours


def test_a_cycle_ends_and_each_note_has_its_least_depth() -> None:
    assert depths(Num(1), walker({1: {2}, 2: {3}, 3: {1, 4}})) == {2: 1, 3: 1, 4: 2}


def test_the_depth_is_capped() -> None:
    chain = {n: {n + 1} for n in range(1, 9)}
    assert depths(Num(1), walker(chain), 2) == {2: 1, 3: 2}


@given(st.dictionaries(st.integers(1, 8), st.sets(st.integers(1, 8)), max_size=8), st.integers(1, 8))
def test_the_start_is_never_its_own_neighbour(links: dict[int, set[int]], start: int) -> None:
    found = depths(Num(start), walker(links))
    assert start not in found
    assert all(1 <= depth <= 3 for depth in found.values())
