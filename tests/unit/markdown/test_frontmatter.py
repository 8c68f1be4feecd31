from __future__ import annotations

import pytest

from trilith.markdown.frontmatter import MAX_BLOCK, find_block, read_frontmatter
from trilith.markdown.values import to_json


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("---\na: b\n---\nrest\n", "rest\n"),
        ("---\na: b\n...\nrest", "rest"),
        ("---\r\na: b\r\n---\r\n\r\nrest", "\r\nrest"),
        ("---\ra: b\r---\rrest", "rest"),
        ("--- \t\na: b\n---  \nrest", "rest"),
        ("---\na: b\n---", ""),
        ("---\n---\nrest", "rest"),
        ("---\n# only a comment\n---\nrest", "rest"),
        ("---\n\ntitle: T\n---\nrest", "rest"),
        ("---\nx: |\n  ---\n---\nrest", "rest"),
    ],
)
def test_content_is_everything_after_the_closing_line(text: str, body: str) -> None:
    front = read_frontmatter(text)
    assert text[front.body :] == body
    assert front.problems == ()


@pytest.mark.parametrize(
    "text",
    [
        "no block at all",
        "",
        "---",
        "----\na: b\n----\n",
        " ---\na: b\n---\n",
        "\n---\na: b\n---\n",
        "---\n\nA text between two rules.\n\n---\nmore",
        "---\nProse right below the rule\n---\nmore",
        "---\n- a\n- b\n---\nmore",
        "---\nno closing line",
    ],
)
def test_a_rule_is_no_frontmatter(text: str) -> None:
    front = read_frontmatter(text)
    assert (front.fields.items, front.body) == ({}, 0)
    assert front.problems == ()


def test_what_is_hard_to_tell_apart_stays_text_and_is_reported() -> None:
    front = read_frontmatter('---\n\nA text: "with a colon" and more\n\n---\nmore')
    assert (front.fields.items, front.body) == ({}, 0)
    assert [p.code for p in front.problems] == ["broken_frontmatter"]


def test_an_unclosed_block_is_text_and_reported() -> None:
    front = read_frontmatter("---\ntitle: x\ntext")
    assert (front.body, [(p.code, p.line) for p in front.problems]) == (0, [("unclosed_frontmatter", 1)])


def test_a_broken_block_is_left_out_and_reported_with_its_line() -> None:
    text = '---\nok: 1\nsummary: "a" (b #1)\n---\nbody'
    front = read_frontmatter(text)
    assert front.fields.items == {}
    assert text[front.body :] == "body"
    assert [(p.code, p.line) for p in front.problems] == [("broken_frontmatter", 3)]


def test_a_block_that_swallows_prose_was_never_closed() -> None:
    text = '---\ntitle: "x\n\nA paragraph that must be found.\n\n---\nmore'
    front = read_frontmatter(text)
    assert (front.body, [p.code for p in front.problems]) == (0, ["unclosed_frontmatter"])


def test_the_same_with_windows_line_ends_is_told_apart_from_a_broken_block() -> None:
    broken = read_frontmatter('---\r\ntitle: "x\r\nother: y\r\n---\r\nmore')
    assert [p.code for p in broken.problems] == ["broken_frontmatter"]
    unclosed = read_frontmatter('---\r\ntitle: "x\r\n\r\nA paragraph.\r\n---\r\nmore')
    assert [p.code for p in unclosed.problems] == ["unclosed_frontmatter"]


def test_collaborator_notes_never_turn_into_text() -> None:
    text = '---\ntitle: "x\ncollaborator_notes: secret\n\nA paragraph.\n---\nmore'
    assert "secret" not in text[read_frontmatter(text).body :]


def test_a_list_that_is_not_yaml_stays_in_the_text_and_is_reported() -> None:
    front = read_frontmatter("---\n- [[Note]]s\n---\nbody")
    assert (front.body, [(p.code, p.line) for p in front.problems]) == (0, [("broken_frontmatter", 2)])


def test_a_key_written_twice_is_reported() -> None:
    front = read_frontmatter("---\na: 1\nb: 2\na: 3\n---\n")
    assert to_json(front.fields) == {"a": 3, "b": 2}
    assert [(p.code, p.line) for p in front.problems] == [("duplicate_key", 4)]


def test_a_block_that_is_too_long_is_not_read() -> None:
    text = "---\na: " + "b" * MAX_BLOCK + "\n---\nbody"
    front = read_frontmatter(text)
    assert text[front.body :] == "body"
    assert [p.code for p in front.problems] == ["broken_frontmatter"]


@pytest.mark.parametrize(
    ("yaml", "tags"),
    [
        ("tags: [#one, two]", ["#one", "two"]),
        ('x: "\ntags: a, b', ["a", "b"]),
        ('x: "\ntags: a b', ["a", "b"]),
        ('tags:\n  - one\n  - "#two"\nx: "', ["one", "#two"]),
        ("tag: 'one'\nx: [", ["one"]),
        ('x: "', []),
    ],
)
def test_tags_are_saved_from_a_broken_block(yaml: str, tags: list[str]) -> None:
    front = read_frontmatter(f"---\n{yaml}\n---\n")
    assert front.problems
    assert [tag for tag in front.tags if tag] == tags


def test_the_block_is_found_by_offsets() -> None:
    text = "---\na: b\n---\nrest"
    block = find_block(text)
    assert block is not None
    assert (text[: block.start], text[block.start : block.end], text[block.body :]) == ("---\n", "a: b\n", "rest")
    assert find_block("rest") is None
