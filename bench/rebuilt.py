"""Is an index the same as one that is built from scratch?"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from trilith.app import App
from trilith.home.backup import back_up
from trilith.model.ids import Num
from trilith.model.principal import Principal
from trilith.model.query import Mode, Query
from trilith.settings import Settings, load
from trilith.wiring import open_app

Facts = dict[str, Any]


def differences(app: App, settings: Settings, vault: Path, words: tuple[str, ...] = ()) -> list[str]:
    """What differs between `app`, which is level with the files, and an index built now of the same vault and ledger."""
    with tempfile.TemporaryDirectory(prefix="trilith-anew-") as folder:
        home = Path(folder) / "home"
        home.mkdir()
        back_up(settings.home / "ledger.db", home / "ledger.db", overwrite=False)
        anew = load(home, semantic=settings.semantic, watch="off")
        with open_app(anew, [vault]) as other:
            for library in other.gate.libraries():
                other.indexer.complete(library)
            return list(_compared(facts(app, words), facts(other, words)))


def facts(app: App, words: tuple[str, ...] = ()) -> Facts:
    """Everything that the views hold of the one library, by path and without numbers that no other index has."""
    (library,) = app.gate.libraries()
    filter = app.gate.filter(Principal())
    known = app.catalog.known_files(library.name)
    paths = {file.num: path for path, file in known.items()}
    entries = app.catalog.entries(list(paths))
    graph = app.reader.graph
    found: Facts = {}
    for path, file in known.items():
        entry = entries[file.num]
        # Not when it was updated: a note that does not say has its file's time, which a save of the same bytes moves.
        found[f"{path}: catalog"] = (file.id, file.checksum, entry.created_at, entry.metadata)
        found[f"{path}: text"] = app.catalog.body(file.num)
        chunks = range(app.catalog.chunk_counts([file.num]).get(file.num, 0))
        found[f"{path}: chunks"] = app.catalog.chunk_texts([(file.num, each) for each in chunks]).values()
        found[f"{path}: chunks"] = [(each.text, each.section) for each in found[f"{path}: chunks"]]
        found[f"{path}: links"] = [
            (link.link, _path(paths, link.target), link.via, link.attachment)
            for link in graph.outgoing(file.num, filter)
        ]
        found[f"{path}: incoming"] = [paths.get(num) for num in graph.incoming(file.num, filter)]
    feeder = app.indexer.feeder
    for name, view in (("full text", feeder.fulltext), ("vectors", feeder.vectors)):
        held = {_path(paths, num): checksum for num, checksum in view.fingerprints(library.name).items()}
        found[name] = held
    every = app.catalog.vector_changes(library.name, feeder.embedder.model, 0, 1_000_000).put
    found["stored vectors"] = {
        paths.get(item.num): (item.ordinals.tolist(), item.vectors.tobytes()) for item in every if len(item.ordinals)
    }
    for word in words:
        for mode in Mode if app.indexer.feeder.embedder.status().state.value == "ok" else (Mode.FULLTEXT,):
            outcome = app.searcher.search(Query(text=word, filter=filter, mode=mode, limit=200))
            # Deleted notes count in BM25 until segments are merged: the notes are the same, their scores nearly so.
            found[f"search {mode} {word}"] = sorted(hit.entry.path for hit in outcome.hits)
    return found


def _path(paths: dict[Num, str], num: Num | None) -> str | None:
    return None if num is None else paths.get(num, f"unknown {num}")


def _compared(one: Facts, other: Facts) -> Iterator[str]:
    for name in sorted(one.keys() | other.keys()):
        if one.get(name) != other.get(name):
            yield f"{name}: {_short(one.get(name))} and not {_short(other.get(name))}"


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 300 else f"{text[:150]}…{text[-150:]}"
