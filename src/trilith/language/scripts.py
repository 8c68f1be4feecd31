"""Which characters make words? Character classes, written for use inside `[...]` of a regular expression."""

from __future__ import annotations

import unicodedata


def _combining_marks() -> str:
    """The marks of all scripts below the surrogates, as this interpreter's Unicode tables have them."""
    blocks = (range(0x300, 0x3100), range(0xA660, 0xABF0))
    return "".join(chr(code) for block in blocks for code in block if unicodedata.category(chr(code)) in {"Mn", "Mc"})


MARKS = _combining_marks()
"""Combining marks (Mn, Mc): they belong to the character before them. Python's `\\w` leaves them out."""

INNER = MARKS + "\uff9e\uff9f" + "\u00ad\u200c\u200d\u2060\ufe00-\ufe0f"
"""Marks, half-width voicing marks, then what may stand in a word without being a letter of it: soft hyphen, joiners,
variation selectors."""

LONE = (
    "\u3005\u3007\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\uff66-\uff9d"  # kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"  # Han
    "\u1100-\u11ff\u3131-\u318e\uac00-\ud7a3"  # Hangul
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ebd\u0ec0-\u0ece"  # Thai, Lao
    "\u1780-\u17d3\u1000-\u103f\u1050-\u108f\uaa60-\uaa7f"  # Khmer, Myanmar
)
"""Letters of scripts in which words are not, or not reliably, told apart by spaces."""

SYMBOL = "\u2600-\u27bf\U0001f000-\U0001faff"
"""Pictographs, each a word of its own."""
