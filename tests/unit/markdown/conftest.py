from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from trilith.markdown.parse import parse_note
from trilith.model.note import Note


def count_words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) + 2 for text in texts]


@pytest.fixture
def parse() -> Callable[..., Note]:
    """Parse a text, or bytes, as the note `folder/A note.md`."""

    def parse_text(content: str | bytes, path: str = "folder/A note.md", *, truncated: bool = False) -> Note:
        data = content.encode() if isinstance(content, str) else content
        return parse_note(path, data, count_tokens=count_words, window=256, truncated=truncated)

    return parse_text
