"""Code in colours: classes for the style sheet, nothing else. Source: Pygments, Available Formatters."""

from __future__ import annotations

from functools import lru_cache

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

PREFIX = "hl-"
LONGEST = 30_000
"""Characters of a block that is coloured; taking longer ones apart would keep a reader waiting."""


def coloured(code: str, language: str) -> str:
    """HTML of the code's inside; "" where nobody knows the language, for the caller to escape the code itself."""
    lexer = _lexer(language.lower()) if language and len(code) <= LONGEST else None
    return highlight(code, lexer, _formatter()) if lexer is not None else ""


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    try:
        lexer: Lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return None
    return lexer


@lru_cache(maxsize=1)
def _formatter() -> HtmlFormatter[str]:
    return HtmlFormatter(nowrap=True, classprefix=PREFIX)
