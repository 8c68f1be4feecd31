"""HTML in Markdown: what is not shown as HTML is shown as the text that it is, so that nothing a person wrote disappears.

A browser lets `<title>` or an attribute without its closing quote swallow the rest of the page; hence only whole tags pass.
Source: CommonMark 0.31, 6.6 Raw HTML.
"""

from __future__ import annotations

import re

from trilith.surfaces.web.rendering.clean import TAGS

FRAMES = frozenset({"address", "article", "big", "center", "font", "footer", "header", "label", "main", "nav", "tt"})
"""Tags that mean nothing here: they go, and what they hold stays."""
_ATTRIBUTE = r"""\s++[A-Za-z_:][\w:.-]*+(?:\s*+=\s*+(?:[^\s"'=<>`]++|'[^'<]*+'|"[^"<]*+"))?+"""
_TAG = rf"</?(?P<name>[A-Za-z][A-Za-z0-9-]*+)(?:{_ATTRIBUTE})*+\s*+/?>"
_COMMENT = "<!--(?!-?>).*?--!?>"
_PIECE = re.compile(rf"{_COMMENT}|{_TAG}|<", re.DOTALL)
_WITHOUT_COMMENTS = re.compile(rf"{_TAG}|<")


def safe_html(written: str) -> str:
    """The same, with every `<` escaped that begins neither a comment nor a tag which may be shown."""
    head, end, tail = written.rpartition("-->")  # what opens after the last end would be looked for in vain, each time
    return _PIECE.sub(_piece, head + end) + _WITHOUT_COMMENTS.sub(_piece, tail)


def _piece(match: re.Match[str]) -> str:
    name = match["name"]
    is_shown = match[0] != "<" if name is None else name.lower() in TAGS | FRAMES
    return match[0] if is_shown else "&lt;" + match[0][1:]
