"""What is a note's file called? Pure."""

from __future__ import annotations

import hashlib
import unicodedata

from trilith.access.gate import NO_PREFIX
from trilith.access.paths import check
from trilith.errors import PathForbidden
from trilith.markdown.spelling import NOTE_ENDING

ENDING = ".md"
MAX_BYTES = 120
"""Of UTF-8, with the ending; most disks take 255, and sync programs add to names."""

_VARIATIONS = frozenset((*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
"""Variation selectors: marks that only choose how the character before them is drawn."""


def file_name(title: str) -> str:
    """A file name for a note of this title, such as `rate-limits.md`: the same on every disk, system and day.

    Lower case, composed (NFC); letters, digits and their marks stay, each run of anything else becomes one `-`. A title
    without letters and digits gets a name made of its hash.
    """
    stem = _shortened(_kept(unicodedata.normalize("NFC", title)), MAX_BYTES - len(ENDING))
    if not stem:
        stem = f"note-{hashlib.sha256(title.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    elif _is_device(stem):
        stem = f"{stem}-note"
    return f"{stem}{ENDING}"


def placed(place: str, name: str) -> str:
    """The path of a file: `place` when that ends like a note's, else `name` in the folder `place`; `.` and `/` are the
    vault itself. Raises `PathForbidden`."""
    if NOTE_ENDING.search(place):
        return check(place)
    folder = "" if place in NO_PREFIX else place.rstrip("/")
    return check(f"{folder}/{name}" if folder else name)


def _kept(title: str) -> str:
    """Letters, digits and marks that belong to one, the rest as single hyphens between them."""
    parts: list[str] = []
    in_word = False
    for character in unicodedata.normalize("NFC", title.lower()):
        kind = unicodedata.category(character)[0]
        if kind in "LN" or (kind == "M" and in_word):
            if not in_word and parts:
                parts.append("-")
            in_word = True
            if ord(character) not in _VARIATIONS:
                parts.append(character)
        else:
            in_word = False
    return "".join(parts)


def _shortened(stem: str, limit: int) -> str:
    """The start that fits into `limit` bytes; no character is parted from its marks, no hyphen left at the end."""
    if len(stem.encode()) <= limit:
        return stem
    end = len(stem.encode()[:limit].decode("utf-8", "ignore"))
    while end and unicodedata.category(stem[end])[0] == "M":
        end -= 1
    return stem[:end].rstrip("-")


def _is_device(stem: str) -> bool:
    """Whether Windows takes the name for a device, such as `con.md`."""
    try:
        check(f"{stem}{ENDING}", windows=True)
    except PathForbidden:
        return True
    return False
