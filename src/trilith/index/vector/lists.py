"""The inverted lists of a large cache: FAISS IVF over 8-bit codes, made from the rows and disposable.

    lists.json       which file counts, and of which rows it is (`Label`)
    <name>.lists     the index as FAISS writes it

Both are replaced by rename and never changed. Lists belong to one generation of rows, and hold those below a mark; what has
been added since is scanned, what has gone is masked. Whatever does not fit counts as not there: the scan answers.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import threading
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from trilith.index.vector.header import Header
from trilith.index.vector.table import Ints
from trilith.ports.embedding import Floats

log = logging.getLogger(__name__)

FORMAT = 1
"""Raised whenever the files change their meaning; lists of another format are made anew."""
READ_AT_A_TIME = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """The lists cover the first `rows` rows of a generation; `trained` live ones were there when their centroids were made.
    `sum` is the CRC-32 of the file of `size` bytes."""

    generation: str
    rows: int
    trained: int
    name: str
    size: int
    sum: int
    format: int = FORMAT


def parse_label(data: bytes) -> Label | None:
    """None when it is of another format, or none."""
    try:
        fields = json.loads(data)
        label = Label(**fields) if fields["format"] == FORMAT else None
    except (ValueError, TypeError, KeyError):
        return None
    if label is None or not all(isinstance(text, str) for text in (label.generation, label.name)):
        return None
    numbers = (label.rows, label.trained, label.size, label.sum)
    return label if all(isinstance(number, int) and number >= 0 for number in numbers) else None


@dataclass(frozen=True, slots=True)
class Lists:
    """Opened lists. `index` is a `faiss.IndexIVFScalarQuantizer` whose file is mapped."""

    label: Label
    index: Any

    @property
    def count(self) -> int:
        return int(self.index.nlist)

    def centroids(self) -> Floats:
        """float32 [count, width]."""
        found: Floats = self.index.quantizer.reconstruct_n(0, self.count)
        return found

    def within(self, query: Floats, cosine: float) -> int:
        """How many lists have a centroid at least that near."""
        cosines, _ = self.index.quantizer.search(query[np.newaxis], self.count)
        return int((cosines[0] >= cosine).sum())

    def nearest(self, query: Floats, passing: NDArray[np.uint8], probes: int, most: int) -> tuple[Floats, Ints]:
        """Approximate cosines and numbers of the best `most` rows in the `probes` nearest lists, best first, among those
        whose bit is set in `passing` (of row i, bit i % 8 of byte i // 8)."""
        import faiss

        # Each thread has a number of its own.
        faiss.omp_set_num_threads(1)
        parameters = faiss.SearchParametersIVF(nprobe=probes, sel=faiss.IDSelectorBitmap(passing))
        scores, rows = self.index.search(query[np.newaxis], most, params=parameters)
        found = rows[0] >= 0
        return scores[0][found], rows[0][found]


class ListStore:
    """Finds the lists that lie in the folder of a cache. `usable` may be called from any thread at any time."""

    def __init__(self, folder: Path, width: int) -> None:
        self._folder = folder
        self._width = width
        self._seen: tuple[bytes, Lists | None] | None = None
        self._opening = threading.Lock()

    def usable(self, header: Header) -> Lists | None:
        """The lists of these rows, if there are any that are whole."""
        lists = self.latest()
        if lists is None or lists.label.generation != header.generation or lists.label.rows > header.rows:
            return None
        return lists

    def latest(self) -> Lists | None:
        """The lists of whichever rows, if they are whole."""
        stamp = self._read_label()
        if stamp is None:
            return None
        seen = self._seen
        if seen is None or seen[0] != stamp:
            with self._opening:
                seen = self._seen
                if seen is None or seen[0] != stamp:
                    seen = self._seen = (stamp, self._open(stamp))
        lists = seen[1]
        return lists if lists is not None and self._has_its_size(lists.label) else None

    def check(self) -> bool:
        """Whether the lists, if there are any, are what was written. If not, they are forgotten."""
        stamp = self._read_label()
        label = None if stamp is None else parse_label(stamp)
        if stamp is None or (label is not None and self._has_its_size(label) and self._has_its_sum(label)):
            return True
        discard_lists(self._folder)
        return False

    def publish(self, label: Label) -> None:
        """From now on these lists count; their file is on disk."""
        temporary = self._folder / "lists.tmp"
        with temporary.open("wb") as file:
            file.write(json.dumps(asdict(label), indent=1).encode())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(self._folder / "lists.json")
        _sweep(self._folder, keep=label.name)

    def path(self, name: str) -> Path:
        return self._folder / f"{name}.lists"

    def _read_label(self) -> bytes | None:
        try:
            return (self._folder / "lists.json").read_bytes()
        except FileNotFoundError:
            return None

    def _open(self, stamp: bytes) -> Lists | None:
        # Loaded here, because only a large library pays for it, and first, so that nothing takes time after the look at the file.
        import faiss

        label = parse_label(stamp)
        if label is None or not self._has_its_size(label):
            return None
        if self._is_suspect(label) and not self._has_its_sum(label):
            return None
        try:
            index = faiss.read_index(str(self.path(label.name)), faiss.IO_FLAG_MMAP_IFC)
        except RuntimeError as error:
            log.warning("inverted lists cannot be read: %s", error)
            return None
        if not isinstance(index, faiss.IndexIVFScalarQuantizer) or index.d != self._width:
            return None
        return Lists(label, index)

    def _has_its_size(self, label: Label) -> bool:
        """Whether the file is as long as it should be: to read a map beyond the end of its file would end the process."""
        try:
            return self.path(label.name).stat().st_size == label.size
        except FileNotFoundError:
            return False

    def _is_suspect(self, label: Label) -> bool:
        """Whether the file has been written to after the label that it has."""
        try:
            said = (self._folder / "lists.json").stat().st_mtime_ns
            return self.path(label.name).stat().st_mtime_ns > said
        except FileNotFoundError:
            return True

    def _has_its_sum(self, label: Label) -> bool:
        sum_ = 0
        try:
            with self.path(label.name).open("rb") as file:
                while part := file.read(READ_AT_A_TIME):
                    sum_ = zlib.crc32(part, sum_)
        except FileNotFoundError:
            return False
        return sum_ == label.sum


def discard_lists(folder: Path) -> None:
    """Remove the lists of a cache; nothing happens when there are none."""
    (folder / "lists.json").unlink(missing_ok=True)
    _sweep(folder, keep=None)


def _sweep(folder: Path, keep: str | None) -> None:
    for path in folder.glob("*.lists"):
        if path.stem != keep:
            # Windows does not let go of a file that a reader still maps: a later sweep takes it.
            with contextlib.suppress(PermissionError):
                path.unlink(missing_ok=True)
