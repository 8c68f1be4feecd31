"""Which words are forms of one word? English: `running` and `runs` are `run`; and what a script tells the language of."""

from __future__ import annotations

from functools import cache, lru_cache

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer


def stemmer() -> TextAnalyzer:
    """Stems each of the space-separated words of a text (Snowball's English stemmer, also called Porter2)."""
    return TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.stemmer("english")).build()


_STEMMER = stemmer()
_OF_SCRIPTS = (
    ("\u0370", "\u03ff", "greek"),
    ("\u0400", "\u052f", "russian"),
    ("\u0600", "\u06ff", "arabic"),
    ("\u0b80", "\u0bff", "tamil"),
)
"""First and last letter, and the language whose stemmer is taken for all that are written in them."""


@lru_cache(maxsize=1 << 13)
def stem(word: str) -> str:
    """The stem of a word in normal form; a stem is not always its own stem."""
    return " ".join(_STEMMER.analyze(word if word.isascii() else script_stem(word)))


@lru_cache(maxsize=1 << 15)
def script_stem(word: str) -> str:
    """The stem of a word that is not written in Latin letters; of others, the word."""
    language = next((language for first, last, language in _OF_SCRIPTS if first <= word[:1] <= last), None)
    return word if language is None else " ".join(_of(language).analyze(word))


@cache
def _of(language: str) -> TextAnalyzer:
    return TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.stemmer(language)).build()
