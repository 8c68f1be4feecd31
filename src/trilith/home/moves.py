"""Moves that are under way, as text in the ledger. Pure."""

from __future__ import annotations

import dataclasses
import json

from trilith.model.note import LinkKind
from trilith.ports.ledger import Following, MoveUnderWay, Rewriting


def encoded(move: MoveUnderWay) -> str:
    """ASCII, so that also half characters in the names of links outlast it."""
    return json.dumps(dataclasses.asdict(move))


def decoded(text: str) -> MoveUnderWay:
    plan = json.loads(text)
    rewritings = (
        Rewriting(
            **{**each, "links": tuple(Following(**{**link, "kind": LinkKind(link["kind"])}) for link in each["links"])}
        )
        for each in plan["rewritings"]
    )
    return MoveUnderWay(**{**plan, "shared": tuple(plan["shared"]), "rewritings": tuple(rewritings)})
