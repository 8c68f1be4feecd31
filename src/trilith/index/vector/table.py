"""Which rows belong to which note: the note records of a cache, and the table of live notes they amount to.

The records are a log. Each says that from now on a note has these rows, or none; the last one of a note holds. Rows that
no last record names are dead. So nothing is ever changed in place, and a header decides what is seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trilith.index.vector.header import Damaged
from trilith.model.ids import Num
from trilith.ports.items import VectorItem

CHECKSUM_BYTES = 64
RECORD = np.dtype([("num", "<i8"), ("first", "<i8"), ("count", "<i8"), ("checksum", f"S{CHECKSUM_BYTES}")])
"""A note's rows are `first` to `first + count`; `count` is `DROPPED` when the note is gone."""
DROPPED = -1

Records = NDArray[np.void]
Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteTable:
    """The live notes, by rising number. Their rows are `first[i]` to `first[i] + count[i]`; a note may have none."""

    nums: Ints
    first: Ints
    count: Ints
    checksums: NDArray[np.bytes_]

    @property
    def rows(self) -> int:
        return int(self.count.sum())

    def fingerprints(self) -> dict[Num, str]:
        return {Num(int(num)): bytes(sum_).decode() for num, sum_ in zip(self.nums, self.checksums, strict=True)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranges:
    """Where the notes that have vectors lie, in the order of their rows."""

    nums: Ints
    first: Ints
    count: Ints

    @property
    def rows(self) -> int:
        return int(self.count.sum())

    def __getitem__(self, chosen: NDArray[np.bool_] | slice) -> Ranges:
        return Ranges(nums=self.nums[chosen], first=self.first[chosen], count=self.count[chosen])

    def split(self, row: int) -> tuple[Ranges, Ranges]:
        """Those before a row, and those from it on; none lies on both sides."""
        place = int(np.searchsorted(self.first, row))
        return self[:place], self[place:]

    def places(self, rows: Ints) -> Ints:
        """In which of the ranges each of these rows lies."""
        return np.searchsorted(self.first, rows, side="right") - 1

    def flags(self, rows: int) -> NDArray[np.bool_]:
        """For each of so many rows, whether it lies in one of the ranges."""
        steps = np.zeros(rows + 1, np.int8)
        steps[self.first] += 1
        steps[self.first + self.count] -= 1
        return np.cumsum(steps[:-1], dtype=np.int8).view(np.bool_)


def make_records(put: Sequence[VectorItem], drop: Sequence[Num]) -> Records:
    """The records of a batch whose rows stand in the order of `put`; `first` counts from the batch's first row."""
    first = 0
    records = np.zeros(len(put) + len(drop), RECORD)
    for record, item in zip(records, put, strict=False):
        record["num"], record["first"], record["count"] = item.num, first, len(item.vectors)
        record["checksum"] = item.checksum.encode()
        first += len(item.vectors)
    records["num"][len(put) :] = drop
    records["count"][len(put) :] = DROPPED
    return records


def fold(records: Records, rows: int) -> NoteTable:
    """What the log amounts to. Raises `Damaged` when it names rows beyond `rows`."""
    nums, from_end = np.unique(records["num"][::-1], return_index=True)
    last = records[len(records) - 1 - from_end]
    live = last["count"] != DROPPED
    table = NoteTable(
        nums=nums[live].astype(np.int64),
        first=last["first"][live].astype(np.int64),
        count=last["count"][live].astype(np.int64),
        checksums=last["checksum"][live],
    )
    # Each bound by itself, because the sum of two absurd numbers may wrap round to a good one.
    within = (table.first >= 0) & (table.count >= 0) & (table.count <= rows) & (table.first <= rows - table.count)
    if not within.all():
        raise Damaged("its records name rows that are not there")
    return table


def ranges(table: NoteTable) -> Ranges:
    order = np.argsort(table.first, kind="stable")
    order = order[table.count[order] > 0]
    return Ranges(nums=table.nums[order], first=table.first[order], count=table.count[order])


def wasteful(table: NoteTable, rows: int, records: int) -> bool:
    """Whether more than 30 % of the rows, or of the records, are dead; small caches never are."""
    dead_rows, dead_records = rows - table.rows, records - len(table.nums)
    return dead_rows > max(1_000, 0.3 * rows) or dead_records > max(1_000, 0.3 * records)
