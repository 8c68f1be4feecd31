"""Which item is a folder of somebody's work about? Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from difflib import SequenceMatcher

from trilith.model.para import ItemStatus, ParaItem

LIKE = 0.8
"""From here on two names are alike: a typo or an ending apart."""
CLEAR = 0.1
"""By how much the best must be more alike than the second, unless it is the very name."""

_SEPARATORS = re.compile(r"[-_\s]+")


def matched(working_directory: str, items: Iterable[ParaItem]) -> ParaItem | None:
    """The active item whose slug or label is clearly most like the last part of a path; None where none is."""
    name = bare(re.split(r"[/\\]+", working_directory.rstrip("/\\ "))[-1])
    active = [item for item in items if item.status is ItemStatus.ACTIVE]
    ranked = sorted(active, key=lambda item: -_likeness(name, item))
    if not name or not ranked:
        return None
    best, second = _likeness(name, ranked[0]), _likeness(name, ranked[1]) if len(ranked) > 1 else 0.0
    is_clear = best > second if best == 1.0 else best >= LIKE and best - second >= CLEAR
    return ranked[0] if is_clear else None


def bare(name: str) -> str:
    """Lower case, without what only parts words."""
    return _SEPARATORS.sub("", unicodedata.normalize("NFC", name).casefold())


def _likeness(name: str, item: ParaItem) -> float:
    """0..1: 1 for the same name."""
    return max(SequenceMatcher(None, name, bare(own), autojunk=False).ratio() for own in (item.slug, item.label))
