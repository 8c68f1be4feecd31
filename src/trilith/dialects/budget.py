"""Keeps answers within what an agent's context can bear. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

DEFAULT_CHARACTERS = 14_000
"""About 4,000 tokens of JSON."""


def fit(items: Sequence[dict[str, Any]], characters: int = DEFAULT_CHARACTERS) -> tuple[list[dict[str, Any]], bool]:
    """The items that fit, at least one, and whether some had to be left out."""
    kept: list[dict[str, Any]] = []
    used = 0
    for item in items:
        used += len(json.dumps(item, ensure_ascii=False)) + 1
        if kept and used > characters:
            return kept, True
        kept.append(item)
    return kept, False
