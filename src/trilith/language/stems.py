"""Which words are forms of one word? `running` and `runs` are `run`. By Snowball's stemmers.

What a script tells the language of is stemmed so everywhere; of Latin letters a text tells the language (`tongues`).
"""

from __future__ import annotations

from functools import cache, lru_cache

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer

from trilith.language.tongues import ENGLISH, LATIN

_OF_SCRIPTS = (
    ("\u0370", "\u03ff", "greek"),
    ("\u0400", "\u052f", "russian"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0b80", "\u0bff", "tamil"),
)
"""First and last letter, and the language whose stemmer is taken for all that are written in them."""


def stemmer(language: str = ENGLISH) -> TextAnalyzer:
    """Stems each of the space-separated words of a text (English: Snowball's second stemmer, also called Porter2)."""
    return TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.stemmer(language)).build()


@cache
def _stemmer(language: str) -> TextAnalyzer:
    return stemmer(language)


@lru_cache(maxsize=1 << 13)
def stem(word: str) -> str:
    """The stem of a word in normal form, English if it is in Latin letters; a stem is not always its own stem."""
    return " ".join(_stemmer(ENGLISH).analyze(word if word.isascii() else script_stem(word)))


@lru_cache(maxsize=1 << 15)
def script_stem(word: str) -> str:
    """The stem of a word that is not written in Latin letters; of others, the word."""
    language = next((language for first, last, language in _OF_SCRIPTS if first <= word[:1] <= last), None)
    return word if language is None else " ".join(_stemmer(language).analyze(word))


@lru_cache(maxsize=1 << 13)
def stem_in(language: str, word: str) -> str:
    """The stem that the full-text index holds of a word in a note of this language: the English stem of its stem, for the
    index takes English stems of whatever it is given."""
    return stem(" ".join(_stemmer(language).analyze(word)))


def stemmed(language: str, text: str) -> str:
    """Space-separated words, ready for an index that takes English stems."""
    own = " ".join(_stemmer(language).analyze(text)) if language in LATIN else text
    return own if own.isascii() else " ".join(map(script_stem, own.split()))
