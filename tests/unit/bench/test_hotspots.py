from __future__ import annotations

import pytest

from hotspots import ASKING, BESIDE, WAITING, Frame, counted, part_of, stacks

SEARCH = Frame("search", "/src/trilith/search/searcher.py", "fulltext, semantic = self.engines.ask(query)")


@pytest.mark.parametrize(
    ("frames", "part"),
    [
        ([Frame("run", "/src/trilith/embedding/network.py", "")], "embedding the query: the network"),
        ([Frame("best_hits", "/src/trilith/index/lexical/fed.py", "found = searcher.search(query)")], "full text: queries run by Tantivy"),
        ([Frame("word", "/src/trilith/index/lexical/scoring.py", "x"), Frame("stem", "/src/trilith/language/stems.py", "y")], "full text: queries made, hits ordered"),
        ([Frame("check", "/src/trilith/index/lexical/damage.py", "")], "full text: is the index whole and the latest"),
        ([Frame("snippet", "/src/trilith/search/dress.py", ""), Frame("fetch", "/src/trilith/index/catalog/reading.py", "")], "catalog: entries, names, chunks, states"),
        ([Frame("snippet", "/src/trilith/search/dress.py", ""), Frame("words", "/src/trilith/language/words.py", "")], "snippets"),
        ([], "everything else"),
    ],
)  # fmt: skip
def test_a_look_goes_to_the_first_part_that_fits(frames: list[Frame], part: str) -> None:
    assert part_of([SEARCH, *frames]) == part


def test_looks_are_counted_by_thread_and_only_those_at_searches() -> None:
    raw = [
        "main (/src/bench/latency.py:9);search (/src/trilith/search/searcher.py:2);Shelf.run (/src/trilith/embedding/network.py:3) 4",
        "main (/src/bench/latency.py:9);search (/src/trilith/search/searcher.py:2);Future.result (/lib/concurrent/futures/_base.py:3) 3",
        "main (/src/bench/latency.py:9);load (/src/trilith/embedding/network.py:3) 7",
        "run (threading.py:1);Engines._semantic (/src/trilith/search/retrieve.py:2);<frozen> 2",
    ]
    assert counted(stacks(raw)) == {
        (ASKING, "embedding the query: the network"): 4,
        (ASKING, WAITING): 3,
        (BESIDE, "everything else"): 2,
    }
