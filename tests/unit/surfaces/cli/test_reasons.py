from __future__ import annotations

from typing import Any

from trilith.surfaces.cli.reasons import reasons

EXPLAINED: dict[str, Any] = {
    "match": {"fulltext": {"rank": 1, "raw": 7.3}, "semantic": {"rank": 2, "cosine": 0.5}},
    "explanation": {
        "terms": [{"text": "dough", "fields": ["title", "body"], "weight": 1.5}],
        "missing": ["\x1b[2Jzebra"],
        "chunk": {"position": 2, "headings": ["A", "B"], "section": "body", "text": "long " * 100},
        "fused": {"sum": 0.0325, "lists": [{"list": "fulltext", "rank": 1, "times": 1, "value": 0.0164}]},
        "calibration": {
            "intercept": -7.0,
            "features": {"cosine": {"value": 0.5, "logit": 3.6}, "cosine_lead": {"value": 0.1, "logit": 0.0}},
            "probability": 0.4,
        },
        "named": {"by": "alias", "raised": True},
        "lowered": True,
    },
}


def told(hit: dict[str, Any]) -> str:
    return "\n".join(reasons(hit, "  "))


def test_every_part_is_told() -> None:
    text = " ".join(told(EXPLAINED).replace("│", " ").split())
    for part in (
        "full text rank 1 (7.30), meaning rank 2 (0.50)",
        "first, for the query is its alias, which alone raises its score",
        "words: dough 1.50 (title, body)",
        "best chunk: number 3 under A > B: long long",
        "order: 1/(60+1) full text = 0.0325",
        "score: 0.40 by itself, shown as that of the hit above",
        "-7.00 to begin with",
        "+3.60 for cosine of its best chunk (0.50)",
    ):
        assert part in text, part
    assert "lead by cosine" not in text, "what moves nothing is left out"
    assert "long " * 60 not in text, "a chunk is shown in part"


def test_a_note_cannot_drive_the_terminal() -> None:
    assert "\x1b[2J" not in told(EXPLAINED)


def test_a_hit_of_a_walk_and_one_by_name_alone() -> None:
    assert "2 links away" in told({"match": {}, "depth": 2})
    assert "by name" in told({"match": {}})
