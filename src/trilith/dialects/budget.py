"""Keeps answers within what an agent's context can bear. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from trilith.markdown.text import whole_characters

DEFAULT_CHARACTERS = 14_000
"""About 4,000 tokens of JSON."""


BODY_CHARACTERS = 12_000
"""Of a text that is a part of an answer."""


def part(text: str, start: int, most: int = BODY_CHARACTERS) -> tuple[str, int | None]:
    """The piece of a text from `start` that fits, ended at a line end where there is one in its second half, and where the
    next begins; None after the last. The pieces joined are the text."""
    end = start + most
    if end >= len(text):
        return text[start:], None
    line_end = text.rfind("\n", start + most // 2, end) + 1
    end = line_end or whole_characters(text, end, floor=start + 1)
    return text[start:end], end


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
