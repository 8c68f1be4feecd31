"""Makes inverted lists from rows.

usage: python -m trilith.index.vector.building FOLDER LARGE THREADS

Runs in a process of its own (see `tending`): training holds the interpreter and the memory of nobody else, and ends with the
standard input. Rows are read and codes written list by list, so that neither all rows nor all codes are ever in memory.
"""

from __future__ import annotations

import os
import secrets
import struct
import sys
import threading
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from trilith.index.vector.batches import row_indices
from trilith.index.vector.header import Header, parse_header
from trilith.index.vector.lists import Label, Lists, ListStore
from trilith.index.vector.plan import SAMPLE_PER_LIST, Work, list_count, outgrown, work
from trilith.index.vector.rows import RowStore, Snapshot
from trilith.index.vector.table import Ints
from trilith.ports.embedding import Floats

AT_A_TIME = 4_096
"""Rows in float32."""
ROUNDS = 10
"""Of k-means; more change nothing that a search would notice."""


def build(folder: Path, large: int, threads: int) -> bool:
    """Make the lists of the cache in `folder` if it is time for new ones; whether it was. `threads` of OpenMP take part."""
    header = _header(folder)
    if header is None or header.width == 0:
        return False
    store = RowStore(folder, header.library, header.model, header.width)
    lists, snapshot = ListStore(folder, header.width), store.snapshot()
    if snapshot is None:
        return False
    present = lists.usable(snapshot.header)
    covered = None if present is None else present.label.rows
    if work(snapshot.notes.rows, snapshot.header.rows, covered, large) is not Work.BUILD:
        return False
    label = _make(snapshot, lists, threads)
    now = store.snapshot()
    if now is None or now.header.generation != label.generation:
        lists.path(label.name).unlink(missing_ok=True)
        return False
    lists.publish(label)
    return True


def _header(folder: Path) -> Header | None:
    try:
        return parse_header((folder / "header.json").read_bytes())
    except FileNotFoundError:
        return None


def _make(snapshot: Snapshot, lists: ListStore, threads: int) -> Label:
    import faiss

    faiss.omp_set_num_threads(threads)
    live = row_indices(snapshot.ranges.first, snapshot.ranges.count)
    centroids, trained = _centroids(snapshot, live, lists.latest())
    index = _empty_index(centroids, _sample(snapshot, live, len(centroids)))
    rows, sizes = _sorted_by_list(snapshot, live, index)
    name = secrets.token_hex(4)
    with lists.path(name).open("xb") as file:
        size, sum_ = _write(file, snapshot, index, rows, sizes)
        os.fsync(file.fileno())
    return Label(
        generation=snapshot.header.generation,
        rows=snapshot.header.rows,
        trained=trained,
        name=name,
        size=size,
        sum=sum_,
    )


def _centroids(snapshot: Snapshot, live: Ints, former: Lists | None) -> tuple[Floats, int]:
    """float32 [lists, width], L2-normalised, and how many live rows they were trained for: those of former lists, until the
    library has outgrown them."""
    if former is not None and not outgrown(len(live), former.label.trained):
        return former.centroids(), former.label.trained
    import faiss

    count = list_count(len(live), snapshot.header.width)
    training = faiss.Kmeans(
        snapshot.header.width,
        count,
        niter=ROUNDS,
        spherical=True,
        seed=1,
        min_points_per_centroid=1,
        max_points_per_centroid=SAMPLE_PER_LIST,
    )
    training.train(_sample(snapshot, live, count))
    return training.centroids, len(live)


def _sample(snapshot: Snapshot, live: Ints, lists: int) -> Floats:
    """Rows to train so many lists with, always the same ones of the same rows."""
    wanted = min(len(live), SAMPLE_PER_LIST * lists)
    chosen = np.sort(np.random.default_rng(1).choice(live, wanted, replace=False))
    sample = np.empty((wanted, snapshot.header.width), np.float32)
    for place, rows in _parts(chosen):
        sample[place : place + len(rows)] = _rows(snapshot, rows)
    return sample


def _empty_index(centroids: Floats, sample: Floats) -> Any:
    """A `faiss.IndexIVFScalarQuantizer` that has learned the range of each number, and holds nothing."""
    import faiss

    lists, width = centroids.shape
    coarse = faiss.IndexFlatIP(width)
    coarse.add(centroids)
    kind, metric = faiss.ScalarQuantizer.QT_8bit, faiss.METRIC_INNER_PRODUCT
    # Codes of the rows themselves: codes of what is left beside the centroid would be no nearer to them, and slower.
    index = faiss.IndexIVFScalarQuantizer(coarse, width, lists, kind, metric, False)
    index.train(sample)
    return index


def _sorted_by_list(snapshot: Snapshot, live: Ints, index: Any) -> tuple[Ints, Ints]:
    """The live rows, list by list, and how many each list has."""
    assigned = np.empty(len(live), np.int64)
    for place, rows in _parts(live):
        assigned[place : place + len(rows)] = index.quantizer.assign(_rows(snapshot, rows), 1)[:, 0]
    return live[np.argsort(assigned, kind="stable")], np.bincount(assigned, minlength=index.nlist)


def _write(file: BinaryIO, snapshot: Snapshot, index: Any, rows: Ints, sizes: Ints) -> tuple[int, int]:
    """The file as `faiss.write_index` writes it, but never all of it in memory; its size and CRC-32.

    The format: `write_InvertedLists` in faiss/impl/index_write.cpp. `ilar`, number of lists, bytes of a code, `full`, the
    sizes with their number before them, then the codes and the ids (int64) of each list.
    """
    size = sum_ = 0
    for data in _file(snapshot, index, rows, sizes):
        file.write(data)
        size, sum_ = size + len(data), zlib.crc32(data, sum_)
    file.flush()
    return size, sum_


def _file(snapshot: Snapshot, index: Any, rows: Ints, sizes: Ints) -> Iterator[bytes]:
    import faiss

    index.ntotal = len(rows)
    empty: bytes = faiss.serialize_index(index).tobytes()
    no_lists = b"ilar" + struct.pack("<QQ", index.nlist, index.code_size) + b"sprs" + struct.pack("<Q", 0)
    if not empty.endswith(no_lists):
        raise RuntimeError(f"faiss {faiss.__version__} writes its lists in another way")
    yield empty[: -len(no_lists)]
    yield b"ilar" + struct.pack("<QQ", index.nlist, index.code_size) + b"full"
    yield struct.pack("<Q", index.nlist) + sizes.astype("<u8").tobytes()
    for members in np.split(rows, np.cumsum(sizes)[:-1]):
        for _, part in _parts(members):
            codes: NDArray[np.uint8] = index.sq.compute_codes(_rows(snapshot, part))
            yield codes.tobytes()
        yield members.astype("<i8").tobytes()


def _rows(snapshot: Snapshot, rows: Ints) -> Floats:
    found = snapshot.vectors[rows].astype(np.float32)
    snapshot.release()
    return found


def _parts(rows: Ints) -> Iterator[tuple[int, Ints]]:
    for place in range(0, len(rows), AT_A_TIME):
        yield place, rows[place : place + AT_A_TIME]


def _end_with_the_parent() -> None:
    os.read(0, 1)
    os._exit(1)


def main() -> None:
    folder, large, threads = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    threading.Thread(target=_end_with_the_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(19)
    build(folder, large, threads)


if __name__ == "__main__":
    main()
