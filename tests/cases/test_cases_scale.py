"""Cases from the field about large vaults: what one batch needs, the whole vault needs."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

from trilith.app import App
from trilith.dialects.lithos import LITHOS
from trilith.model.principal import Principal
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


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """A note that 600 others link to, each with a tag of its own and one that all have."""
    folder = tmp_path_factory.mktemp("hub")
    vault = folder / "notes"
    vault.mkdir()
    (vault / "Hub.md").write_text("In the middle.\n", "utf-8")
    for number in range(600):
        tags = f"tags: [dump/{number:03}, all]"
        (vault / f"{number}.md").write_text(f"---\n{tags}\n---\nSee [[Hub]].\n", "utf-8")
    with open_app(load(folder / "home", semantic="off", watch="off"), [vault]) as app:
        for library in app.gate.libraries():
            app.indexer.complete(library)
        yield app


def lithos(app: App, tool: str, **arguments: Any) -> dict[str, Any]:
    return LITHOS.call(app, Principal(), LITHOS.tool(tool), arguments)


def test_z08_tags_are_counted_and_can_be_narrowed_by_their_beginning(hub: App) -> None:
    """Tag dumps: prefix, limit, counts; an answer that was cut says so."""
    most = lithos(hub, "lithos_tags")
    assert most["truncated"]
    assert next(iter(most["tags"].items())) == ("all", 600)
    assert len(most["tags"]) == 500
    assert lithos(hub, "lithos_tags", prefix="dump/59") == {"tags": {f"dump/{number}": 1 for number in range(590, 600)}}


def test_z08_answers_around_a_hub_are_capped_and_say_so(hub: App) -> None:
    """Hub notes: graph answers are capped with `truncated`, in every tool that walks links."""
    walked = lithos(hub, "lithos_search", query="Hub", mode="graph", limit=10)
    assert len(walked["results"]) == 10
    assert walked["truncated"]
    assert "truncated" not in lithos(hub, "lithos_search", query="7", mode="graph", limit=1, author="nobody")
    read = lithos(hub, "lithos_read", path="Hub.md")
    assert (len(read["links"]["incoming"]), read["links_truncated"]) == (200, True)
    near = lithos(hub, "lithos_related", id=read["id"])
    assert (len(near["links"]["incoming"]), len(near["related_ids"]), near["truncated"]) == (200, 200, True)
    leaf = lithos(hub, "lithos_read", path="7.md")
    assert "links_truncated" not in leaf
    assert "truncated" not in lithos(hub, "lithos_related", id=leaf["id"])
