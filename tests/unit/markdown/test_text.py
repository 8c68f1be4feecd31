from __future__ import annotations

import pytest

from trilith.markdown.text import decode, line_starts, whole_characters


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert decode(b"\xef\xbb\xbf---\n").text == "---\n"


def test_line_ends_stay_as_they_are() -> None:
    assert decode(b"a\r\nb\rc\n").text == "a\r\nb\rc\n"


def test_what_is_not_utf8_is_replaced_and_named_with_its_line() -> None:
    decoded = decode(b"one\ntwo \xff three\n\xfe")
    assert decoded.text == "one\ntwo � three\n�"
    assert decoded.problem is not None
    assert (decoded.problem.code, decoded.problem.line) == ("not_utf8", 2)


def test_a_character_cut_off_by_the_size_limit_is_no_fault_of_the_file() -> None:
    head = "naïve é".encode()[:-1]
    assert decode(head, truncated=True).text == "naïve "
    assert decode(head, truncated=True).problem is None
    assert decode(head).problem is not None


def test_a_wrong_byte_in_a_cut_file_is_still_reported() -> None:
    assert decode(b"a\xffb", truncated=True).problem is not None


@pytest.mark.parametrize(
    ("text", "starts"),
    [("", [0, 0]), ("a", [0, 1]), ("a\n", [0, 2, 2]), ("a\r\nb\rc\nd", [0, 3, 5, 7, 8]), ("a\u2028b\x85c", [0, 5])],
)
def test_lines_end_where_an_editor_ends_them(text: str, starts: list[int]) -> None:
    assert line_starts(text) == starts


@pytest.mark.parametrize(
    ("text", "at", "cut"),
    [
        ("abc", 2, 2),
        ("e\u0301x", 1, 0),
        ("xe\u0301\u0323y", 3, 1),
        ("a👍🏽b", 2, 1),
        ("a👩\u200d🚀b", 2, 1),
        ("a👩\u200d🚀b", 3, 1),
        ("🇩🇪🇫🇷", 2, 2),
        ("🇩🇪🇫🇷", 3, 2),
        ("a\r\nb", 2, 1),
        ("\u1112\u1161\u11ab", 2, 0),
        ("각\u11a8", 1, 0),
        ("abc", 3, 3),
    ],
)
def test_no_character_is_parted(text: str, at: int, cut: int) -> None:
    assert whole_characters(text, at) == cut


def test_the_search_for_a_whole_character_stops_at_its_floor() -> None:
    assert whole_characters("e" + "\u0301" * 100, 80, floor=50) == 50
