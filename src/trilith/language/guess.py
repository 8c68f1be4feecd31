"""Is a text in English? A cheap guess, by its script and its commonest words; pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType

ENGLISH = "en"

_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_OTHER = re.compile(r"[\u0370-\u1dff\u2e80-\ud7ff\uf900-\ufdff\U00020000-\U0003ffff]")
_WORD = re.compile(r"[^\W\d_]+")
_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`|https?://\S+", re.DOTALL | re.MULTILINE)

_COMMON: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        language: frozenset(words.split())
        for language, words in {
            ENGLISH: "the and of to is that for with was are this have from not be it in on as at by an or you we can",
            "cs": "v se na je že to s z do jako si ale jsem být které pro už by",
            "da, nb": "og at det som en er på for ikke af til med den de har jeg fra et av",
            "de": "der die das und nicht ist ein eine mit für von auf den im zu sich auch wird dem es ich wir als",
            "es": "el la los las de que y en un una para con por se del no es su como más",
            "fi": "ja on ei se että oli mutta kun ovat niin hän olen myös tai",
            "fr": "le la les et des est une pour dans que qui pas sur avec du au ce de il je",
            "hu": "a az és hogy nem egy is van meg de ez csak volt már",
            "id, ms": "yang dan di untuk dengan ini itu dari pada adalah tidak akan dalam",
            "it": "il lo la gli di che e un una per con non del della è sono si le i",
            "nl": "de het een en van is niet dat op met voor zijn ook te aan door er",
            "pl": "i w z na nie się to jest że do jak o ale po co za od przez",
            "pt": "o a os as de que e do da em um uma para com não por se mais é",
            "ro": "și de la în cu pe nu este care un o din mai sunt să",
            "sv": "och att det som en är på för inte av till med den har jag om ett",
            "tr": "ve bir bu için ile de da çok olarak gibi daha ne var olan",
            "vi": "và của là có các được cho không một trong những với này người",
        }.items()
    }
)
FEWEST = 5
"""Common words, or letters of other scripts by the dozen, below which nothing can be said."""


@lru_cache(maxsize=256)
def is_english(text: str) -> bool | None:
    """None where there is too little to tell."""
    prose = _CODE.sub(" ", text)
    latin, other = len(_LATIN.findall(prose)), len(_OTHER.findall(prose))
    if other * 3 > latin:  # a character of Chinese says what three letters do
        return False if other >= FEWEST * 4 else None
    words = Counter(_WORD.findall(prose.lower()))
    known = {language: sum(words[word] for word in common) for language, common in _COMMON.items()}
    best = max(known.values())
    return None if best < FEWEST else known[ENGLISH] >= best


def share_of_others(texts: Iterable[str]) -> float:
    """The share of texts that are not in English among those that can be told, 0..1; 0 where none can."""
    told = [guess for text in texts if (guess := is_english(text)) is not None]
    return told.count(False) / len(told) if told else 0.0
