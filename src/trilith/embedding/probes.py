"""How alike does a model find texts that belong together, and texts that do not?

Some models give any two texts a cosine of 0.8, others of 0.05; what a cosine is evidence of hangs on that.
"""

from __future__ import annotations

import numpy as np

from trilith.embedding.loaded import Encoder
from trilith.ports.embedding import Likeness

PAIRS = (
    (
        "how do I bake sourdough bread",
        "Mix flour, water and starter, let the dough rise overnight and bake it in a hot oven.",
    ),
    ("backing up a database", "Dump the tables every night, copy the file to another machine and try to restore it."),
    ("why do cats sleep so much", "A cat rests for most of the day, saving its strength for short bursts of hunting."),
    (
        "rent and deposit of the flat",
        "The lease costs 900 a month; three months are held back until the tenant moves out.",
    ),
    (
        "asyncio gather exceptions",
        "When one of the awaited tasks raises an error, the others go on unless they are cancelled.",
    ),
    (
        "causes of the French Revolution",
        "Debt, hunger and the privileges of the nobility brought Paris to revolt in 1789.",
    ),
    ("knee pain after running", "Rest the joint, shorten your stride and strengthen the thigh before you jog again."),
    ("minutes of the budget meeting", "We agreed to spend less on travel and to hire a second accountant in spring."),
)
"""Queries, and what answers each."""


def measured(encoder: Encoder) -> Likeness:
    """The mean cosines of queries with their answers, and with those of the others."""
    queries = encoder.queries([query for query, _ in PAIRS])
    answers = encoder.passages([answer for _, answer in PAIRS])
    cosines = queries @ answers.T
    others = cosines[~np.eye(len(PAIRS), dtype=bool)]
    return Likeness(unrelated=float(others.mean()), related=float(np.diag(cosines).mean()))
