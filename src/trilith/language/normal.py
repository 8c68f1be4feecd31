"""The normal form of text: what counts as the same word, the same tag, the same path."""

from __future__ import annotations

import re
import unicodedata

# Accents and points that readers leave out: Latin, Greek and Cyrillic diacritics, Hebrew and Arabic points, nukta.
# Other scripts' marks carry the word itself (Devanagari vowels, Thai tones, the voicing of kana) and stay.
_ACCENTS = (
    "\u0300-\u0305\u0307-\u036f\u0483-\u0487\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff"
    "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
    "\u093c"
)
# The breve makes a letter of its own of Cyrillic i and u.
_ACCENT = re.compile(f"[{_ACCENTS}]|(?<![\u0438\u0443])\u0306")
_LETTERS = str.maketrans(
    {
        "ø": "o",
        "ł": "l",
        "đ": "d",
        "ħ": "h",
        "ŧ": "t",
        "ı": "i",
        "æ": "ae",
        "œ": "oe",
        "ð": "d",
        "þ": "th",
        "\u0640": "",
        # What writers of Arabic and Persian use for each other.
        "\u0629": "\u0647",  # teh marbuta, heh
        "\u0649": "\u064a",  # alef maksura, yeh
        "\u06cc": "\u064a",  # Persian yeh
        "\u06a9": "\u0643",  # Persian kaf
        "\u0901": "\u0902",  # candrabindu, anusvara
    }
)
# A nasal before another consonant, which Devanagari also writes as a dot: `हिन्दी`, `हिंदी`.
_NASAL = re.compile("[\u0919\u091e\u0923\u0928\u092e]\u094d(?=[\u0915-\u0939])")


def fold(word: str) -> str:
    """A word's normal form: compatibility forms unified (NFKC), lower case, accents off (`Café` → `cafe`).

    The result is composed, so that NFC and NFD spellings are equal.
    """
    if word.isascii():
        return word.lower()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", word).casefold())
    bare = _ACCENT.sub("", decomposed).translate(_LETTERS)
    return unicodedata.normalize("NFC", _NASAL.sub("\u0902", bare))


def fold_case(text: str) -> str:
    """What is equal but for case and Unicode form, accents kept: the rule for tags and paths."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", text).casefold())
