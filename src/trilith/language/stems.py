"""Which words are forms of one word? English: `running` and `runs` are `run`."""

from __future__ import annotations

from functools import lru_cache

from tantivy import Filter, TextAnalyzer, TextAnalyzerBuilder, Tokenizer


def stemmer() -> TextAnalyzer:
    """Stems each of the space-separated words of a text (Snowball's English stemmer, also called Porter2)."""
    return TextAnalyzerBuilder(Tokenizer.whitespace()).filter(Filter.stemmer("english")).build()


_STEMMER = stemmer()


@lru_cache(maxsize=1 << 13)
def stem(word: str) -> str:
    """The stem of a word in normal form; a stem is not always its own stem."""
    return " ".join(_STEMMER.analyze(word))
