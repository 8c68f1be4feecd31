"""Why is each hit where it is? What the engines, the fusion and the calibration said, put together for people to read.

Nothing of it is worked out unless it is asked for. It tells of nothing but the notes that are shown: a word's weight, and
what follows from it, is left out for a caller who may not see all of the libraries that it was counted over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from trilith.access import policy
from trilith.language.forms import forms
from trilith.language.query import parse
from trilith.language.wanted import asked_words
from trilith.markdown.structure import read_blocks
from trilith.model.explanation import BestChunk, Calibration, Comparison, Contribution, Explanation, Share, Term, Voice
from trilith.model.ids import Num
from trilith.model.note import Entry
from trilith.model.query import Filter, Mode
from trilith.ports.catalog import Catalog, NameKind
from trilith.search import calibrate, order
from trilith.search.calibrate import COEFFICIENTS, Coefficients, Features
from trilith.search.dress import Wardrobe
from trilith.search.found import Chosen, Found
from trilith.search.fuse import RRF_K
from trilith.search.rerank import Reranked

Fields = Mapping[str, str]


def explanations(found: Found, chosen: Chosen, scores: Mapping[Num, float], catalog: Catalog) -> dict[Num, Explanation]:
    """The explanation of every hit, given the `scores` that are shown, in the order in which they are."""
    entries, wardrobe = chosen.entries, chosen.wardrobe
    asked, bodies = _asked(found), catalog.bodies(scores)
    whole = all(scope.is_whole for scope in found.query.filter.scopes)
    weights = found.fulltext.weights if whole else {}
    hybrid = found.query.mode is Mode.HYBRID
    lists, fused = (found.lists(), found.scores()) if hybrid else ({}, {})
    evidence = found.features(list(scores), wardrobe) if found.is_calibrated else {}
    names = _names(found, catalog)
    explained = {}
    for num, score in scores.items():
        terms = tuple(matched(asked, weights, _fields(entries[num], bodies.get(num, ""), found.query.filter)))
        own = calibrate.probability(evidence[num]) if num in evidence else None
        raised = own is not None and found.first == (num,) and own < calibrate.CALLED_BY_NAME
        before = calibrate.CALLED_BY_NAME if raised else own
        explained[num] = Explanation(
            terms=terms,
            missing=tuple(word for word in asked if word not in {term.text for term in terms}),
            chunk=_chunk(wardrobe, num),
            shares=tuple(shares(lists, num, found.times(num))),
            fused=fused.get(num),
            calibration=calibration(evidence[num]) if num in evidence and whole else None,
            reranked=_comparison(chosen.reranked, num),
            named=names.get(num),
            raised=raised,
            lowered=whole and before is not None and score < before,
        )
    return explained


def matched(asked: tuple[str, ...], weights: Mapping[str, float], places: Fields) -> Iterator[Term]:
    """The asked words that stand in any of the places, each with its weight where that is known."""
    standing = {name: {word for _, _, word in forms(asked).find(text)} for name, text in places.items()}
    for word in asked:
        where = tuple(name for name, words in standing.items() if word in words)
        if where:
            yield Term(text=word, fields=where, weight=weights.get(word))


def shares(lists: Mapping[Voice, list[Num]], num: Num, counts: Mapping[Voice, int]) -> Iterator[Share]:
    """What each list that counts adds to the fused sum of a note."""
    for voice, times in counts.items():
        ranking = lists.get(voice, [])
        if num in ranking:
            rank = ranking.index(num) + 1
            yield Share(voice=voice, rank=rank, times=times, value=times / (RRF_K + rank))


def calibration(evidence: Features, model: Coefficients = COEFFICIENTS) -> Calibration:
    """How much each feature moved the log-odds."""
    contributions = (
        Contribution(feature=name, value=value, logit=getattr(model, name) * value)
        for name, value in ((each.name, float(getattr(evidence, each.name))) for each in fields(evidence))
    )
    return Calibration(
        intercept=model.intercept,
        contributions=tuple(contributions),
        probability=calibrate.probability(evidence, model),
    )


def _asked(found: Found) -> tuple[str, ...]:
    return tuple(found.fulltext.weights) or tuple(asked_words(parse(found.query.text).root))


def _names(found: Found, catalog: Catalog) -> dict[Num, str]:
    """By which name the query calls the notes that stand first for it."""
    if not found.first:
        return {}
    kinds: dict[Num, NameKind] = {}
    for name in catalog.named(found.query.text.strip(), found.query.filter):
        if name.kind in order.NAME_ORDER:
            kinds[name.num] = min(kinds.get(name.num, name.kind), name.kind, key=order.NAME_ORDER.index)
    return {num: kinds[num].value for num in found.first if num in kinds}


def _fields(entry: Entry, body: str, filter: Filter) -> Fields:
    """The texts of a note that full text looks in, as far as the caller may read them."""
    known = entry.metadata
    scope = next(scope for scope in filter.scopes if scope.library == entry.library)
    confided = policy.reads_collaborator_notes(policy.reason(scope, known))
    texts = {
        "title": known.title,
        "aliases": "\n".join(known.aliases),
        "tags": "\n".join(known.tags),
        "summary": known.summary or "",
        "headings": "\n".join(heading.text for heading in read_blocks(body).headings),
        "body": body,
        "notes": (known.collaborator_notes or "") if confided else "",
    }
    return {name: text for name, text in texts.items() if text}


def _comparison(reranked: Reranked | None, num: Num) -> Comparison | None:
    if reranked is None or num not in reranked.scores:
        return None
    return Comparison(rank=reranked.before.index(num) + 1, score=reranked.scores[num])


def _chunk(wardrobe: Wardrobe, num: Num) -> BestChunk | None:
    text, position = wardrobe.chunks.get(num), wardrobe.best.get(num)
    if text is None or position is None:
        return None
    return BestChunk(position=position, headings=text.headings, section=text.section, text=text.text)
