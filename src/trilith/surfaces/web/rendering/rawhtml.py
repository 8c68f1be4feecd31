"""HTML in Markdown: what is not shown as HTML is shown as the text that it is, so that nothing a person wrote disappears.

A browser lets `<title>` or an attribute without its closing quote swallow the rest of the page; hence only whole tags pass.
Source: CommonMark 0.31, 6.6 Raw HTML.
"""

from __future__ import annotations

import html
import re

from trilith.surfaces.web.rendering.clean import TAGS

FRAMES = frozenset({"address", "article", "big", "center", "font", "footer", "header", "label", "main", "nav", "tt"})
"""Tags that mean nothing here: they go, and what they hold stays."""
_ATTRIBUTE = r"""\s++[A-Za-z_:][\w:.-]*+(?:\s*+=\s*+(?:[^\s"'=<>`]++|'[^'<]*+'|"[^"<]*+"))?+"""
_TAG = rf"</?(?P<name>[A-Za-z][A-Za-z0-9-]*+)(?:{_ATTRIBUTE})*+\s*+/?>"
_COMMENT = "<!--(?!-?>).*?--!?>"
_PIECE = re.compile(rf"{_COMMENT}|{_TAG}|<", re.DOTALL)
_WITHOUT_COMMENTS = re.compile(rf"{_TAG}|<")
_HREF = re.compile(r"""\shref\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)
_HERE = re.compile(r"/(?![/\\])|[#?]|(?![a-z][a-z0-9+.-]*:)[^/\\\x00-\x20\"'<>]", re.IGNORECASE)
"""How an address begins that stays on this server, once what browsers skip in it is gone (WHATWG, URL, 4.4)."""


def safe_html(written: str) -> str:
    """The same, with every `<` escaped that begins neither a comment nor a tag which may be shown; links that lead to
    other servers are marked as such."""
    head, end, tail = written.rpartition("-->")  # what opens after the last end would be looked for in vain, each time
    return _PIECE.sub(_piece, head + end) + _WITHOUT_COMMENTS.sub(_piece, tail)


def _piece(match: re.Match[str]) -> str:
    written, name = match[0], (match["name"] or "").lower()
    if written == "<" or (name and name not in TAGS | FRAMES):
        return "&lt;" + written[1:]
    if written[:2].lower() == "<a" and name == "a" and any(map(_leads_away, _HREF.findall(written))):
        return f'<a class="external"{written[2:]}'  # of two classes the first counts
    return written


def _leads_away(written: tuple[str, str, str]) -> bool:
    address = re.sub(r"[\t\r\n]", "", html.unescape("".join(written))).lstrip("".join(map(chr, range(33))))
    return bool(address) and _HERE.match(address) is None
