"""How an explanation is shown as JSON, by Lithos, REST and the command line alike; `record`s of it for their schemas."""

from __future__ import annotations

from typing import Any

from trilith.dialects.schema import BOOLEAN, INTEGER, NUMBER, STRING, STRINGS, listing, record
from trilith.model.explanation import BestChunk, Calibration, Explanation, Share, Term

Json = dict[str, Any]


def explanation(found: Explanation, *, chunk_text: bool) -> Json:
    """Parts that do not apply are left out; `chunk_text`: whether the best chunk comes with its whole text."""
    shown: Json = {"terms": [_term(term) for term in found.terms], "missing": list(found.missing)}
    if found.chunk is not None:
        shown["chunk"] = _chunk(found.chunk, text=chunk_text)
    if found.fused is not None:
        shown["fused"] = {"sum": round(found.fused, 6), "lists": [_share(share) for share in found.shares]}
    if found.reranked is not None:
        shown["reranked"] = {"from": found.reranked.rank, "score": round(found.reranked.score, 4)}
    if found.calibration is not None:
        shown["calibration"] = _calibration(found.calibration)
    if found.named is not None:
        shown["named"] = {"by": found.named, "raised": found.raised}
    if found.lowered:
        shown["lowered"] = True
    return shown


def _term(term: Term) -> Json:
    weight: Json = {} if term.weight is None else {"weight": round(term.weight, 4)}
    return {"text": term.text, "fields": list(term.fields), **weight}


def _chunk(chunk: BestChunk, *, text: bool) -> Json:
    shown: Json = {"position": chunk.position, "headings": list(chunk.headings), "section": chunk.section}
    return {**shown, "text": chunk.text} if text else shown


def _share(share: Share) -> Json:
    return {"list": share.voice.value, "rank": share.rank, "times": share.times, "value": round(share.value, 6)}


def _calibration(found: Calibration) -> Json:
    features = {
        each.feature: {"value": round(each.value, 4), "logit": round(each.logit, 4)} for each in found.contributions
    }
    return {
        "intercept": round(found.intercept, 4),
        "features": features,
        "probability": round(found.probability, 4),
    }


_FEATURE = record({"value": NUMBER, "logit": NUMBER})

EXPLANATION = record(
    {
        "terms": {
            **listing(
                record(
                    {"text": STRING, "fields": STRINGS},
                    {
                        "weight": {
                            **NUMBER,
                            "description": "Inverse document frequency; not told to who sees a part only.",
                        }
                    },
                )
            ),
            "description": "Words of the query that the note has, and where.",
        },
        "missing": {**STRINGS, "description": "Words of the query that it has not."},
    },
    {
        "chunk": {
            **record(
                {
                    "position": {**INTEGER, "description": "Among the note's chunks, from 0."},
                    "headings": STRINGS,
                    "section": STRING,
                },
                {"text": STRING},
            ),
            "description": "The piece of the note that is nearest to the query.",
        },
        "fused": {
            **record(
                {
                    "sum": NUMBER,
                    "lists": listing(
                        record(
                            {
                                "list": {**STRING, "description": "fulltext, semantic or scores."},
                                "rank": INTEGER,
                                "times": INTEGER,
                                "value": {**NUMBER, "description": "times / (60 + rank)."},
                            }
                        )
                    ),
                }
            ),
            "description": "The sum that hybrid orders by, and what each list adds to it.",
        },
        "reranked": {
            **record({"from": INTEGER, "score": NUMBER}),
            "description": "The rank before the reranker, and what it gave the note.",
        },
        "calibration": {
            **record(
                {
                    "intercept": NUMBER,
                    "features": {"type": "object", "additionalProperties": _FEATURE},
                    "probability": NUMBER,
                }
            ),
            "description": "How the hybrid score came about: the logistic function of intercept and logits.",
        },
        "named": {
            **record({"by": STRING, "raised": BOOLEAN}),
            "description": "The query is the note's title, alias, stem or id: it stands first, and that may raise its score.",
        },
        "lowered": {**BOOLEAN, "description": "The score is that of a hit above, for a list never rises."},
    },
)
