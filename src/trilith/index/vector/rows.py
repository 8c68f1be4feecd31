"""The files of one library's vector cache, for one model.

    header.json            what counts (see `header`)
    <generation>.vectors   float16 [rows, width], little-endian
    <generation>.ordinals  int32 [rows], each vector's chunk
    <generation>.notes     the note records (see `table`)

The last three only grow, so that readers map them; the header has a running checksum of each. Compaction writes a new generation and swaps the header; readers
keep the old maps for as long as they hold a snapshot. One writer at a time: the caller holds `Locks.feeding`.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import secrets
import threading
import zlib
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from trilith.index.vector.batches import ORDINAL, VECTOR, Batch, batch_of, live_batches
from trilith.index.vector.header import Damaged, Header, parse_header
from trilith.index.vector.lists import discard_lists
from trilith.index.vector.table import RECORD, NoteTable, Ranges, fold, ranges, wasteful
from trilith.ports.items import Changes, VectorItem

NAMES = ("vectors", "ordinals", "notes")
COPIED_AT_A_TIME = 1_000
"""Notes, in compaction."""

Kind = TypeVar("Kind", bound=np.generic)


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """One state of a cache. Stays valid whatever writers do; `stamp` tells it from every other."""

    stamp: bytes
    header: Header
    vectors: NDArray[np.float16]
    ordinals: NDArray[np.int32]
    notes: NoteTable
    ranges: Ranges

    @cached_property
    def live_bits(self) -> NDArray[np.uint8]:
        """A bit for each row, set if a note has it; that of row i is bit i % 8 of byte i // 8."""
        return np.packbits(self.ranges.flags(self.header.rows), bitorder="little")

    def release(self) -> None:
        """Take the rows that were read out of this process; they stay in the system's cache of files, which is no copy."""
        array = self.vectors.base
        pages = array.base if isinstance(array, np.memmap) else None
        if isinstance(pages, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            pages.madvise(mmap.MADV_DONTNEED)


class RowStore:
    """Reads and extends one cache. `snapshot` may be called from any thread at any time."""

    def __init__(self, folder: Path, library: str, model: str, width: int) -> None:
        self._folder = folder
        self._library = library
        self._model = model
        self._width = width
        self._seen: Snapshot | None = None
        self._opening = threading.Lock()

    def snapshot(self) -> Snapshot | None:
        """The present state; None when there is none that this version and model can use. Raises `Damaged`."""
        stamp = self._read_header()
        if stamp is None:
            return None
        # The whole header is compared: inode and time of two swaps in a row can be the same.
        seen = self._seen
        if seen is not None and seen.stamp == stamp:
            self._check_sizes(seen.header, gone=True)
            return seen
        with self._opening:
            seen = self._seen
            if seen is None or seen.stamp != stamp:
                seen = self._seen = self._open(stamp)
            return seen

    def check(self) -> bool:
        """Whether everything that counts is what was written. A cache that is not is forgotten."""
        try:
            seen = self.snapshot()
            if seen is not None:
                self._check_sums(seen.header)
        except Damaged:
            self._seen = None
            discard(self._folder)
            return False
        return True

    def append(self, changes: Changes[VectorItem]) -> None:
        """Take over a batch, all or nothing; a cache that cannot be used is begun anew."""
        batch = batch_of(changes, self._width)
        old = self.usable()
        header = old.header if old is not None else self._begin()
        self._swap(replace(self._extend(header, batch), applied=changes.upto))
        new = self.snapshot()
        if new is not None and wasteful(new.notes, new.header.rows, new.header.records):
            self._compact(new)

    # --- reading

    def _read_header(self) -> bytes | None:
        try:
            return (self._folder / "header.json").read_bytes()
        except FileNotFoundError:
            return None

    def _open(self, stamp: bytes | None) -> Snapshot | None:
        """Map what the header names; a header that a writer has swapped in the meantime is read again."""
        while stamp is not None:
            header = parse_header(stamp)
            if header is None or (header.model, header.width) != (self._model, self._width):
                return None
            try:
                return self._map(stamp, header)
            except (FileNotFoundError, Damaged) as error:
                newer = self._read_header()
                if newer == stamp:
                    raise Damaged(str(error)) from error
                stamp = newer
        return None

    def _map(self, stamp: bytes, header: Header) -> Snapshot:
        self._check_sizes(header)
        if self._is_suspect(header):
            self._check_sums(header)
        notes = fold(self._array(header, "notes", RECORD, (header.records,)), header.rows)
        return Snapshot(
            stamp=stamp,
            header=header,
            vectors=self._array(header, "vectors", VECTOR, (header.rows, header.width)),
            ordinals=self._array(header, "ordinals", ORDINAL, (header.rows,)),
            notes=notes,
            ranges=ranges(notes),
        )

    def _array(self, header: Header, name: str, kind: np.dtype[Kind], shape: tuple[int, ...]) -> NDArray[Kind]:
        if 0 in shape:
            return np.empty(shape, kind)
        return np.memmap(self._path(header.generation, name), kind, "r", shape=shape).view(np.ndarray)

    def _check_sizes(self, header: Header, *, gone: bool = False) -> None:
        """Raises `Damaged`: to read a map beyond the end of its file would end the process. Files that are `gone`, as after
        a compaction, are whole for those who have mapped them."""
        for name, size in _sizes(header).items():
            path = self._path(header.generation, name)
            try:
                found = path.stat().st_size
            except FileNotFoundError as error:
                if gone:
                    continue
                raise Damaged(f"{path.name} is not there") from error
            if found < size:
                raise Damaged(f"{path.name} is shorter than it should be")

    def _is_suspect(self, header: Header) -> bool:
        """Whether a file has been written to after the header that says how much of it counts."""
        said = (self._folder / "header.json").stat().st_mtime_ns
        return any(self._path(header.generation, name).stat().st_mtime_ns > said for name in NAMES)

    def _check_sums(self, header: Header) -> None:
        """Raises `Damaged`. About a gigabyte a second."""
        for name, size in _sizes(header).items():
            with self._path(header.generation, name).open("rb") as file:
                if zlib.crc32(file.read(size)) != header.sums[name]:
                    raise Damaged(f"{name} are not what was written")

    def usable(self) -> Snapshot | None:
        """The present state as one that can be extended; None when it cannot be, or is just being replaced."""
        try:
            seen = self.snapshot()
            if seen is not None:
                self._check_sizes(seen.header)
        except Damaged:
            self._seen = None
            return None
        return seen

    # --- writing

    def _begin(self) -> Header:
        """The files of a new generation, empty and not yet in use."""
        # Never a former name: a reader may still map that file, and must not see it cut.
        generation = secrets.token_hex(4)
        self._folder.mkdir(parents=True, exist_ok=True)
        for name in NAMES:
            self._path(generation, name).touch(exist_ok=False)
        return Header(
            library=self._library,
            model=self._model,
            width=self._width,
            applied=0,
            generation=generation,
            rows=0,
            records=0,
            sums=dict.fromkeys(NAMES, 0),
        )

    def _extend(self, header: Header, batch: Batch) -> Header:
        """Put the batch behind what counts, over anything that a killed writer left there."""
        records = batch.records.copy()
        records["first"] += header.rows
        sums = {
            "vectors": self._put(header, "vectors", batch.vectors),
            "ordinals": self._put(header, "ordinals", batch.ordinals),
            "notes": self._put(header, "notes", records),
        }
        return replace(header, rows=header.rows + len(batch.vectors), records=header.records + len(records), sums=sums)

    def _put(self, header: Header, name: str, array: NDArray[Kind]) -> int:
        """Write an array behind what counts of its file, and see it onto the disk; the checksum with it."""
        if not array.size:
            return header.sums[name]
        data = np.ascontiguousarray(array).tobytes()
        with self._path(header.generation, name).open("r+b") as file:
            file.seek(_sizes(header)[name])
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        return zlib.crc32(data, header.sums[name])

    def _swap(self, header: Header) -> None:
        temporary = self._folder / "header.tmp"
        with temporary.open("wb") as file:
            file.write(header.to_bytes())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self._folder / "header.json")
        sweep(self._folder, keep=header.generation)

    def _compact(self, old: Snapshot) -> None:
        header = self._begin()
        for batch in live_batches(old.notes, old.vectors, old.ordinals, COPIED_AT_A_TIME):
            header = self._extend(header, batch)
        self._swap(replace(header, applied=old.header.applied))

    def _path(self, generation: str, name: str) -> Path:
        return self._folder / f"{generation}.{name}"


def _sizes(header: Header) -> dict[str, int]:
    """The bytes of each file that count."""
    return {
        "vectors": header.rows * header.width * VECTOR.itemsize,
        "ordinals": header.rows * ORDINAL.itemsize,
        "notes": header.records * RECORD.itemsize,
    }


def discard(folder: Path) -> None:
    """Remove a cache; nothing happens when there is none."""
    (folder / "header.json").unlink(missing_ok=True)
    sweep(folder, keep=None)
    discard_lists(folder)


def sweep(folder: Path, keep: str | None) -> None:
    """Remove every generation but the one in use."""
    for path in folder.glob("*.*"):
        if path.suffix[1:] in NAMES and path.stem != keep:
            # Windows does not let go of a file that a reader still maps: a later sweep takes it.
            with contextlib.suppress(PermissionError):
                path.unlink(missing_ok=True)
