"""Cases from the field about large vaults: what one batch needs, the whole vault needs."""

from __future__ import annotations

import tracemalloc
from itertools import accumulate
from pathlib import Path

import pytest

from trilith.ports.vault import SeenFile, Stamp
from trilith.settings import load
from trilith.sync import feed, scan
from trilith.sync.scan import BATCH, BATCH_BYTES, FIRST_BATCH, batches
from trilith.wiring import open_app

SENTENCE = "The quick brown fox jumps over the lazy dog while the bee looks on. "


def peak(folder: Path, notes: int) -> int:
    """Bytes of Python's memory that a first index takes at most."""
    vault = folder / f"vault-{notes}"
    vault.mkdir()
    for number in range(notes):
        (vault / f"{number}.md").write_text(f"# Note {number}\n\n" + f"{SENTENCE * 6}\n\n" * 50, "utf-8")
    with open_app(load(folder / f"home-{notes}", semantic="off"), [vault]) as app:
        (library,) = app.gate.libraries()
        tracemalloc.start()
        assert app.indexer.refresh(library).put == notes
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    return most


def test_z05_memory_does_not_grow_with_the_number_of_notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Streaming pipeline: the peak is that of a batch."""
    for module, name in ((scan, "BATCH"), (scan, "FIRST_BATCH"), (feed, "VIEW_BATCH")):
        monkeypatch.setattr(module, name, 8)
    peak(tmp_path, 9)  # what is loaded once
    assert peak(tmp_path, 96) < 1.5 * peak(tmp_path, 24)


def seen(*sizes: int) -> list[SeenFile]:
    return [SeenFile(f"{number}.md", Stamp(size, number, 0, number)) for number, size in enumerate(sizes)]


@pytest.mark.parametrize("most", [1, 2, BATCH, FIRST_BATCH])
def test_z05_batches_are_bounded_in_number_and_in_bytes(most: int) -> None:
    """Streaming pipeline: neither many small notes nor a few large ones make a large batch."""
    files = seen(*[3_000] * 2_000, *[BATCH_BYTES // 3] * 9, 100_000_000, 100_000_000, 0)
    found = list(batches(files, most))
    assert [file for _, batch in found for file in batch] == files
    assert [done for done, _ in found] == list(accumulate(len(batch) for _, batch in found))
    assert max(len(batch) for _, batch in found) <= most
    assert all(sum(file.stamp.size for file in batch[:-1]) < BATCH_BYTES for _, batch in found)
    assert len(found[0][1]) <= BATCH, "the first notes are there soon"
