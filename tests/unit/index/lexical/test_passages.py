"""Full text by notes and passages."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from tests.unit.index.lexical.notes import EVERYTHING, LIBRARY, ask, note

from trilith.index.lexical.chunks import ChunkIndex
from trilith.index.lexical.index import LexicalIndex
from trilith.index.lexical.passages import NotesAndPassages
from trilith.model.ids import Num
from trilith.model.note import Chunk, Section, Visibility
from trilith.model.principal import Scope
from trilith.model.query import Filter
from trilith.ports.items import Changes, ChunkedItem

FILLER = "about something else entirely, and then some more of it. "


def item(num: int, *parts: str, secret: str = "", **fields: object) -> ChunkedItem:
    starts = [sum(map(len, parts[:place])) for place in range(len(parts))]
    chunks = [
        Chunk(place, start, start + len(part)) for place, (start, part) in enumerate(zip(starts, parts, strict=True))
    ]
    if secret:
        chunks.append(Chunk(len(parts), 0, len(secret), section=Section.NOTES))
    return ChunkedItem(
        note=note(num, "".join(parts), collaborator_notes=secret or None, **fields), chunks=tuple(chunks)
    )


def both(folder: Path, *items: ChunkedItem) -> NotesAndPassages:
    notes = LexicalIndex(folder / "notes", lambda filter: np.empty(0, np.int64))
    chunks = ChunkIndex(folder / "chunks", lambda filter: np.empty(0, np.int64))
    notes.apply(LIBRARY, Changes(upto=1, put=tuple(each.note for each in items)))
    chunks.apply(LIBRARY, Changes(upto=1, put=items))
    return NotesAndPassages(notes, chunks)


SCATTERED = item(1, f"a harbour {FILLER}", f"the crane {FILLER}", f"of winter {FILLER}")
GATHERED = item(2, FILLER, "a harbour crane of winter. ", *(4 * [FILLER]))


def test_words_that_stand_together_in_one_passage_count_more_than_scattered_ones(tmp_path: Path) -> None:
    engine = both(tmp_path, SCATTERED, GATHERED)
    assert [each.num for each in ask(engine.notes, "harbour crane winter").candidates] == [1, 2]
    assert [each.num for each in ask(engine, "harbour crane winter").candidates] == [2, 1]


def test_no_note_exceeds_what_the_query_can_score(tmp_path: Path) -> None:
    ranked = ask(both(tmp_path, SCATTERED, GATHERED), "harbour crane nowhere")
    assert ranked.bound is not None
    assert 0 < ranked.candidates[0].raw < ranked.bound
    assert ranked.total == 2


@pytest.mark.parametrize("query", ["created:>2000-01-01", "harb*", "zzz"])
def test_what_asks_for_no_whole_word_is_answered_by_notes_alone(tmp_path: Path, query: str) -> None:
    engine = both(tmp_path, SCATTERED, GATHERED)
    assert ask(engine, query) == ask(engine.notes, query)


def test_a_passage_that_the_reader_may_not_see_counts_for_nothing(tmp_path: Path) -> None:
    secret = item(3, "a lantern hangs here", secret="lantern lantern lantern", visibility=Visibility.PUBLIC)
    plain = item(4, "a lantern hangs here", visibility=Visibility.PUBLIC)
    ranked = ask(
        both(tmp_path, secret, plain), "lantern", filter=Filter(scopes=(Scope(library=LIBRARY, reader="bob"),))
    )
    assert [each.num for each in ranked.candidates] == [4, 3]
    assert ranked.candidates[0].raw == ranked.candidates[1].raw


def test_without_the_index_of_chunks_notes_are_answer_enough(tmp_path: Path) -> None:
    engine = both(tmp_path, SCATTERED, GATHERED)
    for meta in (tmp_path / "chunks").rglob("meta.json"):
        meta.write_text(json.dumps({"broken": True}))
    unread = NotesAndPassages(engine.notes, ChunkIndex(tmp_path / "chunks", lambda filter: np.empty(0, np.int64)))
    assert ask(unread, "harbour crane", filter=EVERYTHING) == ask(engine.notes, "harbour crane")


def test_best_is_that_of_each_note(tmp_path: Path) -> None:
    chunks = both(tmp_path, SCATTERED, GATHERED).chunks
    best, bound = chunks.best(["crane"], EVERYTHING)
    assert set(best) == {1, 2}
    assert 0 < best[Num(2)] <= bound
    assert chunks.best(["unheard"], EVERYTHING)[0] == {}
