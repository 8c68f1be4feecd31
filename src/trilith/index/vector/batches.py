"""What is written at a time: rows, and the records that name them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from trilith.index.vector.table import CHECKSUM_BYTES, RECORD, Ints, NoteTable, Records, make_records
from trilith.ports.items import Changes, VectorItem

VECTOR: np.dtype[np.float16] = np.dtype("<f2")
ORDINAL: np.dtype[np.int32] = np.dtype("<i4")


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    vectors: NDArray[np.float16]
    ordinals: NDArray[np.int32]
    records: Records
    """Their `first` counts from the first row of this batch."""


def batch_of(changes: Changes[VectorItem], width: int) -> Batch:
    """Raises `ValueError` when an item does not have the shape that it should have."""
    for item in changes.put:
        _check(item, width)
    vectors = [np.empty((0, width), VECTOR), *(item.vectors for item in changes.put if len(item.ordinals))]
    ordinals = [np.empty(0, ORDINAL), *(item.ordinals for item in changes.put)]
    return Batch(
        vectors=np.concatenate(vectors, dtype=VECTOR),
        ordinals=np.concatenate(ordinals, dtype=ORDINAL),
        records=make_records(changes.put, changes.drop),
    )


def live_batches(
    notes: NoteTable, vectors: NDArray[np.float16], ordinals: NDArray[np.int32], size: int
) -> Iterator[Batch]:
    """The live notes with their rows, `size` notes at a time."""
    for start in range(0, len(notes.nums), size):
        part = slice(start, start + size)
        rows = row_indices(notes.first[part], notes.count[part])
        records = np.zeros(len(notes.nums[part]), RECORD)
        records["num"], records["count"] = notes.nums[part], notes.count[part]
        records["first"] = np.cumsum(notes.count[part]) - notes.count[part]
        records["checksum"] = notes.checksums[part]
        yield Batch(vectors=vectors[rows], ordinals=ordinals[rows], records=records)


def row_indices(first: Ints, count: Ints) -> Ints:
    """The row numbers of the ranges `first` to `first + count`, one range after the other."""
    starts = np.cumsum(count) - count
    return np.repeat(first - starts, count) + np.arange(int(count.sum()))


def _check(item: VectorItem, width: int) -> None:
    # A note without vectors may bring an array of any width.
    if max(len(item.vectors), len(item.ordinals)) and item.vectors.shape != (len(item.ordinals), width):
        raise ValueError(f"note {item.num}: vectors {item.vectors.shape}, not ({len(item.ordinals)}, {width})")
    if len(item.checksum.encode()) > CHECKSUM_BYTES:
        raise ValueError(f"note {item.num}: a checksum of more than {CHECKSUM_BYTES} bytes")
