"""Links and headings as they stand in a text; where they lead is decided elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from trilith.markdown.links import is_attachment
from trilith.markdown.parse import parse_note
from trilith.markdown.sections import find_sections, near_headings
from trilith.model.note import LinkKind, Note


def count_words(texts: Sequence[str]) -> list[int]:
    return [len(text.split()) + 2 for text in texts]


def read(content: str) -> Note:
    return parse_note("a/Note.md", content.encode(), count_tokens=count_words, window=256)


def written(note: Note) -> list[str]:
    return [note.body[link.start : link.end] for link in note.links]


CODE = """Before [[First]].

```
if [[ -n $x ]]
```

~~~sh
[[:space:]]
~~~

Inline `[[slug]]` and ``a ` [[slug]]``.

    [[indented]]

<!-- [[commented]] -->

A type: Future[Option[User]], then [[Last]].
"""


def test_l01_wiki_links_in_code() -> None:
    """No links from any; offsets of real links on the same page unchanged."""
    note = read(CODE)
    assert [link.target for link in note.links] == ["First", "Last"]
    assert written(note) == ["[[First]]", "[[Last]]"]
    assert [link.start for link in note.links] == [CODE.index("[[First"), CODE.index("[[Last")]


def test_l02_heading_and_block_fragments() -> None:
    """An edge to A with the fragment stored separately; `[[#Here]]` is a self reference."""
    note = read("[[A#Part]] [[A#Part#Sub]] [[A##Sub]] [[A#^b1]] [[#Here]] [t](A.md#part)")
    assert [(link.target, link.fragment) for link in note.links] == [
        ("A", "Part"),
        ("A", "Part#Sub"),
        ("A", "Sub"),
        ("A", "^b1"),
        ("", "Here"),
        ("A.md", "part"),
    ]


def test_l03_alias_pipe_escaped_in_tables() -> None:
    """Target `B`, alias `Bee`; the escape stays in the span that a rename rewrites."""
    note = read("| [[B\\|Bee]] | x |\n|---|---|\n| [[C\\|See]] | `[[D\\|no]]` |\n")
    assert [(link.target, link.text) for link in note.links] == [("B", "Bee"), ("C", "See")]
    assert written(note) == ["[[B\\|Bee]]", "[[C\\|See]]"]


def test_l09_attachments() -> None:
    """Attachment references, not missing notes."""
    note = read("![[pic.png]] [[Doc.pdf#page=3]] [p](papers/x.pdf)")
    assert [link.target for link in note.links] == ["pic.png", "Doc.pdf", "papers/x.pdf"]
    assert all(is_attachment(link.target) for link in note.links)


def test_l11_embeds_are_edges() -> None:
    """Edge kind `embed`."""
    note = read("![[B]] ![[B#Part]]")
    assert [(link.kind, link.target) for link in note.links] == [(LinkKind.EMBED, "B"), (LinkKind.EMBED, "B")]


@pytest.mark.parametrize("target", ["知识库", "2026-03-18", "Über", "1984", "1"])
def test_l13_non_ascii_and_numeric_targets(target: str) -> None:
    """All links."""
    assert [link.target for link in read(f"see [[{target}]]").links] == [target]


def test_l16_each_spelling_is_found_whole() -> None:
    """What a rename rewrites: every style of link, with exact offsets."""
    links = ["[[old]]", "[[old|x]]", "[[old#h]]", "![[old]]", "[t](/d/old.md)", "[t](old.md#h)", "[a\\]b](old.md)"]
    note = read("\n\n".join([*links, "[r]: old.md"]))
    assert written(note) == [*links, "[r]: old.md"]
    assert [link.target for link in note.links] == ["old"] * 4 + ["/d/old.md"] + ["old.md"] * 3


def test_l21_link_text_in_prose_bullets() -> None:
    """Two plain links; no invented relation types or categories."""
    note = read("- Added [[T]] and [[U]] today\n- [x] done\n\n> [!note] Callout\n")
    assert [(link.kind, link.target, link.relation) for link in note.links] == [
        (LinkKind.WIKI, "T", None),
        (LinkKind.WIKI, "U", None),
    ]
    assert note.metadata.tags == ()


def test_e01_a_wrong_heading_is_not_found_but_offered() -> None:
    """`## Open items` is not `## Open items #work`; near headings are listed."""
    note = read("## Open items #work\n\n- one\n")
    assert find_sections(note.body, note.headings, "## Open items") == ()
    assert near_headings(note.headings, "## Open items") == ("## Open items #work",)


@pytest.mark.parametrize("heading", ["## Détails — 知识", "## Closed ##", "## Tagged #a #b", "## C#"])
def test_e04_headings_of_all_kinds_are_addressable(heading: str) -> None:
    """Non-ASCII, with trailing `#` or tags; fenced `# x` is not a heading."""
    note = read(f"# Top\n\n{heading}\n\n```\n# x\n```\n\n# Next\n")
    (span,) = find_sections(note.body, note.headings, heading)
    assert note.body[span.start : span.end] == f"{heading}\n\n```\n# x\n```\n\n"
    assert find_sections(note.body, note.headings, "# x") == ()
