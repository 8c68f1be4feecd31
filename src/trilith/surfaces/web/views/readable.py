"""Markdown as it is read, for a line or two of it: what was written for the machine is left out. Pure."""

from __future__ import annotations

import re

_EMBED = re.compile(r"!\[\[[^\[\]]*\]\]|!\[([^\[\]]*)\]\([^()\s]*\)")
_WIKI = re.compile(r"\[\[(?:[^\[\]|]*\|)?([^\[\]|]*)\]\]")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*\)")
_HEADING = re.compile(r"(?:(?<=\s)|^)#{1,6} +")
_BULLET = re.compile(r"^[-*+] (?:\[[ xX]\] )?")
_STRONG = re.compile(r"(\*\*|__|==|~~)(?=\S)((?:(?!\1).)++)(?<=\S)\1")
"""To the next of its kind and no further, so that no text is looked through twice."""
_SOFT = re.compile(r"(?<![\w*])\*(?=\S)([^*]++)(?<=\S)\*(?![\w*])")
_CODE = re.compile(r"(?<!`)(`+)(?!`)(.{1,300}?)(?<!`)\1(?!`)")


def readable(text: str, title: str = "") -> str:
    """One line of text, of Markdown whose line ends are gone. A `title` that it begins with is left out: it stands above
    already."""
    for pattern, kept in (
        (_EMBED, r"\1"),
        (_WIKI, r"\1"),
        (_LINK, r"\1"),
        (_CODE, r"\2"),
        (_STRONG, r"\2"),
        (_SOFT, r"\1"),
    ):
        text = pattern.sub(kept, text)
    text = _BULLET.sub("", _HEADING.sub("", text)).strip()
    return text.removeprefix(title).strip() if title else text
