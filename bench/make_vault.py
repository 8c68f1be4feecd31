"""Writes a vault of Markdown notes to measure on: the same notes for the same seed.

usage: python bench/make_vault.py FOLDER [--notes 5000] [--seed 1]

Words come from the sample vault, most frequent first, and behind them rarer ones made of those with prefixes and suffixes:
20,000, and more in a vault of more than 5,000 notes, by Heaps' law. They are drawn by Zipf's law, two of five from the words
of the note's topic. Notes are about 3 kB long, one in a thousand up to 200 kB; they have headings, lists, code, tags and
folders, and wiki links that mostly stay within the topic and lead to few notes often, to most hardly ever. One note in five
declares an id, one in ten has aliases, one in twenty no frontmatter.
"""

from __future__ import annotations

import argparse
import re
import uuid
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from random import Random

SAMPLE = Path(__file__).parent.parent / "sample" / "vault"
TOPICS = 60
WORDS_OF_A_TOPIC, RARE_OF_A_TOPIC = 32, 8
RARE_WORDS = 20_000
"""Of a vault of up to"""
SMALL = 5_000
"""notes; the vocabulary of a larger one grows with the power"""
HEAPS = 0.6
"""of its size."""
ZIPF_OFFSET = 2.7
"""Mandelbrot's correction for the most frequent words."""
FREQUENT = 120
"""So many words of the vocabulary belong to no topic."""
SIZE = 2_600
"""Median of the characters at which a note is long enough; the last block and the frontmatter bring it to 3 kB."""
LONG = (20_000.0, 200_000.0)
"""Characters of one note in a thousand."""
HUBS = 3.0
"""The n-th of the notes that may be linked to gets links in proportion to n to the power of 1 / HUBS - 1."""

ONE_IN_A_HUNDRED, ONE_IN_FIVE = "share/hundredth", "share/fifth"
"""Tags that so many notes have."""

PREFIXES = ("un", "re", "over", "under", "pre", "non", "out", "mis")
SUFFIXES = ("ing", "er", "ness", "less", "able", "ful", "like", "ly", "ist", "age")
AUTHORS = ("ada", "bo", "cleo", "dimitri", "else", "farid", "grace", "hiro")


class Zipf:
    """Draws words, the n-th of them with a weight of 1 / (n + 2.7)."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._weights = list(accumulate(1.0 / (rank + ZIPF_OFFSET) for rank in range(1, len(words) + 1)))

    def draw(self, random: Random, count: int) -> list[str]:
        return random.choices(self._words, cum_weights=self._weights, k=count)


@dataclass(frozen=True)
class Language:
    """All words, and those of each topic."""

    common: Zipf
    topics: tuple[tuple[str, Zipf], ...]

    def words(self, random: Random, topic: int, count: int, share: float = 0.4) -> list[str]:
        """`count` words, `share` of them the topic's own."""
        owned = [random.random() < share for _ in range(count)]
        own = iter(self.topics[topic][1].draw(random, sum(owned)))
        others = iter(self.common.draw(random, count - sum(owned)))
        return [next(own if is_own else others) for is_own in owned]


def language(seed: int, notes: int = SMALL) -> Language:
    """That of a vault of so many notes. The topics are the same in every size."""
    random = Random(f"words {seed}")
    known = sample_words()
    rare = rare_words(random, known)
    topics = []
    for _ in range(TOPICS):
        own = random.sample(known[FREQUENT:], WORDS_OF_A_TOPIC) + random.sample(rare, RARE_OF_A_TOPIC)
        random.shuffle(own)
        topics.append((own[0], Zipf(own)))
    more = rarer_words(seed, known, round(RARE_WORDS * max(notes / SMALL, 1.0) ** HEAPS) - RARE_WORDS, {*known, *rare})
    return Language(Zipf(known + rare + more), tuple(topics))


def sample_words() -> list[str]:
    """The words of the sample vault, most frequent first."""
    text = " ".join(path.read_text("utf-8") for path in sorted(SAMPLE.rglob("*.md"))).lower()
    counted = Counter(re.findall(r"[a-z]{2,}", text))
    return sorted(counted, key=lambda word: (-counted[word], word))


def rare_words(random: Random, known: Sequence[str]) -> list[str]:
    roots = [word for word in known if len(word) > 3]
    made = [prefix + root for root in roots for prefix in PREFIXES] + [root + end for root in roots for end in SUFFIXES]
    fresh = sorted(set(made) - set(known))
    return random.sample(fresh, min(RARE_WORDS, len(fresh)))


def rarer_words(seed: int, known: Sequence[str], count: int, taken: Collection[str]) -> list[str]:
    """Words with a prefix and a suffix."""
    if not count:
        return []
    roots = [word for word in known if len(word) > 3]
    made = {f"{prefix}{root}{end}" for prefix in PREFIXES for root in roots for end in SUFFIXES}
    fresh = sorted(made - set(taken))
    return Random(f"rarer words {seed}").sample(fresh, min(count, len(fresh)))


@dataclass(frozen=True)
class Outline:
    """What is decided of a note before any text is written, so that others can link to it."""

    topic: int
    title: str
    path: str


def outlines(words: Language, count: int, seed: int) -> list[Outline]:
    random = Random(f"outlines {seed}")
    taken: set[str] = set()
    made: list[Outline] = []
    for _ in range(count):
        topic = random.randrange(TOPICS)
        title = " ".join(words.words(random, topic, random.randint(2, 4), share=0.8)).capitalize()
        if title in taken:
            title = f"{title} {len(made)}"
        taken.add(title)
        folder = f"{words.topics[topic][0]}/{random.choice(('notes', 'log', 'plans'))}"
        made.append(Outline(topic, title, f"{folder}/{title.lower().replace(' ', '-')}.md"))
    return made


def write_vault(folder: Path, count: int, seed: int) -> None:
    words = language(seed, count)
    plan = outlines(words, count, seed)
    near: dict[int, list[Outline]] = {}
    for outline in plan:
        near.setdefault(outline.topic, []).append(outline)
    for parent in {(folder / outline.path).parent for outline in plan}:
        parent.mkdir(parents=True, exist_ok=True)
    for number, outline in enumerate(plan):
        random = Random(f"note {seed} {number}")
        others = near[outline.topic] if random.random() < 0.8 else plan
        (folder / outline.path).write_text(note(words, random, number, outline, others), encoding="utf-8")


def note(words: Language, random: Random, number: int, outline: Outline, others: Sequence[Outline]) -> str:
    size = min(max(SIZE * random.lognormvariate(0.0, 0.5), 300.0), 20_000.0)
    if number % 1000 == 500:
        size = LONG[0] * (LONG[1] / LONG[0]) ** random.random()
    head = "".join(f"{line}\n" for line in frontmatter(words, random, number, outline))
    body = "\n\n".join(blocks(words, random, outline, others, size)) + "\n"
    return body if number % 20 == 11 else f"---\n{head}---\n{body}"


def frontmatter(words: Language, random: Random, number: int, outline: Outline) -> Iterator[str]:
    if number % 5 == 0:
        yield f"id: {uuid.UUID(int=random.getrandbits(128), version=4)}"
    if number % 2 == 0:
        yield f"title: {outline.title}"
    yield f"author: {random.choice(AUTHORS)}"
    tags = [f"{words.topics[outline.topic][0]}/{word}" for word in words.words(random, outline.topic, 2, share=1.0)]
    tags += [ONE_IN_A_HUNDRED] * (number % 100 == 7) + [ONE_IN_FIVE] * (number % 5 == 3)
    if number % 4 == 2:
        yield from ("tags:", *(f"  - {tag}" for tag in dict.fromkeys(tags)))
    else:
        yield f"tags: [{', '.join(dict.fromkeys(tags))}]"
    if number % 10 == 4:
        yield f"aliases: [{' '.join(words.words(random, outline.topic, 3, share=0.8))}, {words.topics[outline.topic][0]} {number}]"
    if number % 10 == 9:
        yield f"source: https://example.org/{random.getrandbits(32):08x}"
        yield f"rating: {random.randint(1, 5)}"
    yield f"created: {random.randint(2022, 2026)}-{random.randint(1, 12):02d}-{random.randint(1, 28):02d}"


def blocks(words: Language, random: Random, outline: Outline, others: Sequence[Outline], size: float) -> Iterator[str]:
    """The title as a heading, then paragraphs, lists and code below headings, until there is enough."""
    yield f"# {outline.title}"
    written = 0
    while written < size:
        kind = random.random()
        if kind < 0.2:
            block = f"## {' '.join(words.words(random, outline.topic, random.randint(1, 4), share=0.7)).capitalize()}"
        elif kind < 0.3:
            block = "\n".join(f"- {sentence(words, random, outline.topic)}" for _ in range(random.randint(3, 6)))
        elif kind < 0.34:
            block = "```python\n" + "\n".join(code(words, random, outline.topic) for _ in range(4)) + "\n```"
        else:
            block = " ".join(sentence(words, random, outline.topic) for _ in range(random.randint(2, 6)))
            if random.random() < 0.25:
                block += f" See [[{linked(random, others).title}]]."
        written += len(block)
        yield block


def linked(random: Random, others: Sequence[Outline]) -> Outline:
    return others[int(len(others) * random.random() ** HUBS)]


def sentence(words: Language, random: Random, topic: int) -> str:
    chosen = words.words(random, topic, random.randint(6, 20))
    if len(chosen) > 12:
        chosen[len(chosen) // 2] += ","
    return f"{' '.join(chosen).capitalize()}."


def code(words: Language, random: Random, topic: int) -> str:
    name, value, other = words.words(random, topic, 3, share=0.7)
    return f"{name}_{value} = read_{other}({random.randint(1, 999)})"


def queries(count: int, seed: int) -> list[str]:
    """Distinct queries about the topics: two of three are a few words, the others whole questions."""
    random, words = Random(f"queries {seed}"), language(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        topic = random.randrange(TOPICS)
        if random.random() < 0.67:
            text = " ".join(words.words(random, topic, random.randint(2, 5), share=0.8))
        else:
            text = f"what is the {' '.join(words.words(random, topic, random.randint(5, 9)))}?"
        found[text] = None
    return list(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--notes", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    write_vault(asked.folder, asked.notes, asked.seed)


if __name__ == "__main__":
    main()
