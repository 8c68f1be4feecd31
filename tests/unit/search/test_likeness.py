from __future__ import annotations

import pytest

from trilith.embedding.local import LocalEmbedder
from trilith.embedding.probes import measured
from trilith.model.hits import Candidate, EngineState, Ranked
from trilith.model.ids import Num
from trilith.ports.embedding import Likeness
from trilith.search.calibrate import Evidence
from trilith.search.likeness import USUAL, comparable, on_usual_scale
from trilith.search.retrieve import Answer, joined

CROWDED = Likeness(unrelated=0.75, related=0.88)
"""As E5 models have it."""


def test_the_usual_scale_is_that_of_the_model_that_is_shipped() -> None:
    embedder = LocalEmbedder()
    assert embedder.wait(30).state is EngineState.OK
    found = measured(embedder._encoder())
    assert (found.unrelated, found.related) == pytest.approx((USUAL.unrelated, USUAL.related), abs=0.005)
    assert embedder.likeness is None


def test_what_is_unrelated_and_related_stays_so() -> None:
    assert on_usual_scale(0.75, CROWDED) == pytest.approx(USUAL.unrelated)
    assert on_usual_scale(0.88, CROWDED) == pytest.approx(USUAL.related)
    assert on_usual_scale(0.3, USUAL) == pytest.approx(0.3)
    assert 0.7 < on_usual_scale(1.0, CROWDED) <= 1.0


def test_a_model_that_tells_nothing_apart_gives_no_evidence() -> None:
    assert on_usual_scale(0.98, Likeness(unrelated=0.97, related=0.971)) == USUAL.unrelated


def ranked(*cosines: float) -> Ranked:
    return Ranked(candidates=tuple(Candidate(Num(num), cosine) for num, cosine in enumerate(cosines, start=1)))


def test_the_order_and_the_cosines_shown_are_those_of_the_model() -> None:
    plain, scaled = ranked(0.9, 0.8, 0.7), comparable(ranked(0.9, 0.8, 0.7), CROWDED)
    assert [(c.num, c.raw) for c in scaled.candidates] == [(c.num, c.raw) for c in plain.candidates]
    assert comparable(plain, None) is plain


def test_scores_rest_on_the_usual_scale() -> None:
    evidence = Evidence(Ranked(), comparable(ranked(0.88, 0.75), CROWDED)).about(Num(1), 0.0)
    assert evidence.cosine == pytest.approx(USUAL.related)
    assert evidence.cosine_lead == pytest.approx(USUAL.related - USUAL.unrelated)


def test_libraries_of_several_models_are_joined_on_one_scale() -> None:
    near = Ranked(candidates=(Candidate(Num(1), 0.5),))
    far = comparable(Ranked(candidates=(Candidate(Num(2), 0.78),)), CROWDED)
    assert [c.num for c in joined([Answer(ranked=near), Answer(ranked=far)], 9).ranked.candidates] == [1, 2]
