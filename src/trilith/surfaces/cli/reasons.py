"""Why a hit is where it is, as people read it. Pure: a hit's JSON becomes lines."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from itertools import chain
from typing import Any

from trilith.surfaces.cli.terminal import columns, one_line

Json = dict[str, Any]

ENGINES = {"fulltext": "full text", "semantic": "meaning", "scores": "scores"}
FEATURES = {
    "cosine": "cosine of its best chunk",
    "coverage": "share of the query in it",
    "cosine_lead": "lead by cosine",
    "bm25_lead": "lead by BM25",
    "firsts": "engines with it first",
}
LONGEST = 240
"""Characters of the best chunk."""


def reasons(hit: Json, indent: str) -> Iterator[str]:
    """A tree: what the engines said, the words, the best chunk, the sum and the score."""
    branches = [_engines(hit)]
    if "explanation" in hit:
        found = hit["explanation"]
        branches += chain(_named(found), _words(found), _chunk(found), _fused(found), _reranked(found))
    tree = list(_score(hit["explanation"])) if "explanation" in hit else []
    yield from _drawn(branches, tree, indent)


def _drawn(branches: list[str], score: list[str], indent: str) -> Iterator[str]:
    from rich.console import Console
    from rich.text import Text
    from rich.tree import Tree

    tree = Tree(Text("why"), style="dim", guide_style="dim")
    for branch in branches:
        tree.add(Text(branch))
    if score:
        under = tree.add(Text(score[0]))
        for part in score[1:]:
            under.add(Text(part))
    drawing = StringIO()
    Console(file=drawing, width=columns() - len(indent), force_terminal=True, color_system="standard").print(tree)
    yield from (f"{indent}{line.rstrip()}" for line in drawing.getvalue().splitlines())


def _engines(hit: Json) -> str:
    match = hit.get("match", {})
    raw = {"fulltext": "raw", "semantic": "cosine"}
    parts = [f"{ENGINES[engine]} rank {match[engine]['rank']} ({match[engine][raw[engine]]:.2f})" for engine in match]
    if "depth" in hit:
        parts.append(f"{hit['depth']} {'link' if hit['depth'] == 1 else 'links'} away")
    return ", ".join(parts) or "by name"


def _named(found: Json) -> Iterator[str]:
    if "named" in found:
        raised = ", which alone raises its score" if found["named"]["raised"] else ""
        yield f"first, for the query is its {found['named']['by']}{raised}"


def _words(found: Json) -> Iterator[str]:
    words = [_word(term) for term in found["terms"]]
    if words:
        yield f"words: {'; '.join(words)}"
    if found["missing"]:
        yield f"words that it has not: {one_line(', '.join(found['missing']))}"


def _word(term: Json) -> str:
    weight = f" {term['weight']:.2f}" if "weight" in term else ""
    return f"{one_line(term['text'])}{weight} ({', '.join(term['fields'])})"


def _chunk(found: Json) -> Iterator[str]:
    if "chunk" in found:
        chunk = found["chunk"]
        under = f" under {one_line(' > '.join(chunk['headings']))}" if chunk["headings"] else ""
        notes = " of its collaborator notes" if chunk["section"] == "notes" else ""
        text = one_line(chunk.get("text", ""))
        cut = f"{text[:LONGEST]}…" if len(text) > LONGEST else text
        yield f"best chunk{notes}: number {chunk['position'] + 1}{under}: {cut}"


def _fused(found: Json) -> Iterator[str]:
    if "fused" in found:
        terms = [f"{share['times']}/(60+{share['rank']}) {ENGINES[share['list']]}" for share in found["fused"]["lists"]]
        otherwise = "by scores alone" if found["fused"]["sum"] else "in no list"
        yield f"order: {' + '.join(terms) or otherwise} = {found['fused']['sum']:.4f}"


def _reranked(found: Json) -> Iterator[str]:
    if "reranked" in found:
        yield f"reranked: from place {found['reranked']['from']}, by a score of {found['reranked']['score']:.2f}"


def _score(found: Json) -> Iterator[str]:
    if "calibration" not in found:
        return
    model = found["calibration"]
    lowered = ", shown as that of the hit above" if found.get("lowered") else ""
    yield f"score: {model['probability']:.2f} by itself{lowered}; its log-odds are"
    yield f"{model['intercept']:+.2f} to begin with"
    for name, each in model["features"].items():
        if each["logit"]:
            yield f"{each['logit']:+.2f} for {FEATURES.get(name, name)} ({each['value']:.2f})"
