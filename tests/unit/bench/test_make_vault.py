from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import make_vault
from make_vault import ONE_IN_A_HUNDRED, ONE_IN_FIVE, language, queries, write_vault
from trilith.markdown.parse import parse_note

NOTES = 1_000


def texts(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in folder.rglob("*.md")}


def test_a_vault_has_what_real_ones_have(tmp_path: Path) -> None:
    write_vault(tmp_path, NOTES, 1)
    found = texts(tmp_path)
    notes = [
        parse_note(
            path,
            text.encode(),
            count_tokens=lambda texts: [len(text) // 5 for text in texts],
            window=256,
            truncated=False,
        )
        for path, text in found.items()
    ]
    tags = Counter(tag for note in notes for tag in note.metadata.tags)
    links = Counter(target for text in found.values() for target in re.findall(r"\[\[(.+?)\]\]", text))
    assert len(found) == NOTES
    assert 2_500 < sum(map(len, found.values())) / NOTES < 4_500
    assert max(map(len, found.values())) > 20_000
    assert tags[ONE_IN_A_HUNDRED] == NOTES / 100
    assert tags[ONE_IN_FIVE] == NOTES / 5
    assert sum(bool(note.metadata.aliases) for note in notes) == NOTES / 10
    assert sum(not text.startswith("---\n") for text in found.values()) == NOTES / 20
    assert not [problem for note in notes for problem in note.problems]
    assert max(links.values()) > 10 * sum(links.values()) / NOTES, "no hubs"


def test_a_seed_always_gives_the_same_notes(tmp_path: Path) -> None:
    for name, seed in (("one", 1), ("same", 1), ("other", 2)):
        write_vault(tmp_path / name, 30, seed)
    assert texts(tmp_path / "one") == texts(tmp_path / "same")
    assert texts(tmp_path / "one") != texts(tmp_path / "other")


def test_a_larger_vault_has_rarer_words_and_the_same_topics() -> None:
    small, large = language(1), language(1, 100_000)
    common, more = small.common._words, large.common._words
    assert more[: len(common)] == common
    assert len(set(more)) == len(more)
    assert 4 * len(common) < len(more) < 8 * len(common)
    assert [topic[0] for topic in small.topics] == [topic[0] for topic in large.topics]


def test_a_vault_of_up_to_five_thousand_notes_has_one_vocabulary() -> None:
    assert language(1, 10).common._words == language(1, make_vault.SMALL).common._words


def test_queries_are_distinct() -> None:
    assert len(set(queries(500, 1))) == 500
