"""Names of headings, for addresses within a page. Pure."""

from __future__ import annotations

import re
import unicodedata

PREFIX = "h-"
"""Before every name, so that none can be that of a part of the page."""
LONGEST = 100
_OTHER = re.compile(r"[^\w]+")


def anchor(text: str) -> str:
    """The address of the heading with this text: of `A, b & C` it is `h-a-b-c`."""
    plain = unicodedata.normalize("NFC", text).casefold()
    return PREFIX + _OTHER.sub("-", plain).strip("-")[:LONGEST]


def anchor_of(fragment: str) -> str:
    """That of the heading which the fragment of a link names: the last of `A#B`; a block's name leads nowhere."""
    return anchor(fragment.rpartition("#")[2])
