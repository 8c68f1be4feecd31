"""What the engines found for a query, and the numbers that follow from it. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from trilith.language.forms import forms
from trilith.language.stems import stem
from trilith.model.explanation import Voice
from trilith.model.hits import Ranked
from trilith.model.ids import Num
from trilith.model.note import Entry
from trilith.model.query import Fusion, Mode, Query, Ranking
from trilith.search import calibrate, fuse
from trilith.search.calibrate import Features
from trilith.search.dress import Wardrobe
from trilith.search.rerank import Reranked


@dataclass(frozen=True, slots=True)
class Chosen:
    """The notes of an answer, in their order, with all that is known of them. `reranked` tells of the order, where it was to
    be bettered."""

    nums: Sequence[Num]
    entries: Mapping[Num, Entry]
    wardrobe: Wardrobe
    reranked: Reranked | None = None


COUNTS: Mapping[Voice, int] = MappingProxyType({Voice.FULLTEXT: 1, Voice.SEMANTIC: 1, Voice.SCORES: 3})
"""How often each list counts. On every judged set the third does no harm at 2 to 4, and on most it is better than the others."""


@dataclass(frozen=True, slots=True)
class Found:
    """What the engines found for a query, before anything is chosen. `wordless` are notes without a single chunk, `first`
    those that the query calls by their very name, which come first."""

    query: Query
    fulltext: Ranked
    semantic: Ranked
    wordless: frozenset[Num] = frozenset()
    first: tuple[Num, ...] = ()

    @property
    def limit(self) -> int:
        """How many notes are chosen: of a pure fusion no more than its pool holds."""
        return self.query.limit if self.query.ranking is Ranking.CALIBRATED else min(self.query.limit, self.query.pool)

    @property
    def is_calibrated(self) -> bool:
        return self.query.mode is Mode.HYBRID and self.query.ranking is Ranking.CALIBRATED

    def lists(self) -> dict[Voice, list[Num]]:
        """The lists that a hybrid answer is fused from by ranks; none where it is fused by scores."""
        if self._is_weighted:
            return {}
        engines = {Voice.FULLTEXT: self.fulltext, Voice.SEMANTIC: self.semantic}
        lists = {voice: [candidate.num for candidate in ranked.candidates] for voice, ranked in engines.items()}
        if self.query.ranking is Ranking.CALIBRATED:
            lists[Voice.SCORES] = fuse.third(self.fulltext.candidates, self.semantic.candidates)
        return lists

    def scores(self) -> dict[Num, float]:
        """The number that orders the notes, by mode."""
        if self.query.mode is Mode.FULLTEXT:
            return {candidate.num: candidate.raw for candidate in self.fulltext.candidates}
        if self.query.mode is Mode.SEMANTIC:
            return {candidate.num: candidate.raw for candidate in self.semantic.candidates}
        if self._is_weighted:
            return fuse.weighted(self.fulltext.candidates, self.semantic.candidates, self.wordless)
        lists = self.lists()
        times = [COUNTS[voice] for voice in lists]
        fused = fuse.reciprocal_rank(lists.values(), times)
        return fuse.imputed(fused, lists[Voice.FULLTEXT], self.wordless, sum(times))

    def times(self, num: Num) -> dict[Voice, int]:
        """How often each list that this note's place rests on counts."""
        counts = {voice: COUNTS[voice] for voice in self.lists()}
        return {Voice.FULLTEXT: sum(counts.values())} if num in self.wordless else counts

    @property
    def _is_weighted(self) -> bool:
        return self.query.ranking is Ranking.CALIBRATED and self.query.fusion is Fusion.WEIGHTED

    def shown(self, chosen: Sequence[Num], scores: Mapping[Num, float], wardrobe: Wardrobe) -> list[float]:
        """The number that the caller sees for each chosen note, by mode: 0..1 but for pure fusion."""
        if self.query.mode is Mode.FULLTEXT:
            bound = self.fulltext.bound
            return [min(scores.get(num, 0.0) / bound, 1.0) if bound else 0.0 for num in chosen]
        if self.query.mode is Mode.SEMANTIC:
            return [min(max(scores[num], 0.0), 1.0) for num in chosen]
        if self.query.ranking is Ranking.PURE:
            return [scores[num] for num in chosen]
        own = {num: calibrate.probability(evidence) for num, evidence in self.features(chosen, wardrobe).items()}
        if len(self.first) == 1:
            own |= {num: max(own[num], calibrate.CALLED_BY_NAME) for num in self.first if num in own}
        return calibrate.running_minimum([own[num] for num in chosen])

    def features(self, chosen: Sequence[Num], wardrobe: Wardrobe) -> dict[Num, Features]:
        """The evidence that the chosen notes answer the query. Full text has none where it has not found a single word."""
        evidence = calibrate.Evidence(self.fulltext if self.fulltext.weights else Ranked(), self.semantic)
        return {num: evidence.about(num, self.coverage(wardrobe.text(num))) for num in chosen}

    def coverage(self, text: str) -> float:
        """How much of the query stands in `text`, its words compared by their stems."""
        weights = self.fulltext.weights
        present = frozenset(stem(word) for _, _, word in forms(tuple(weights)).find(" ".join(text.split())))
        return calibrate.coverage(present, {stem(word): weight for word, weight in weights.items()})
