from __future__ import annotations

import pytest

from trilith.markdown.values import number_of, text_of, texts_of, to_json
from trilith.markdown.yamltree import Mapping, Node, Scalar, YamlFailure, read_tree


def mapping(source: str) -> Mapping:
    root = read_tree(source).root
    assert isinstance(root, Mapping)
    return root


def value(source: str) -> Node:
    return mapping(f"key: {source}").items["key"]


@pytest.mark.parametrize("written", ["2026-03-01", "yes", "1458", "1.10", "0x1F", "12:30:45", "~/notes", "=", "1_000"])
def test_plain_scalars_are_kept_as_written(written: str) -> None:
    assert text_of(value(written)) == written


def test_quoted_and_block_scalars_give_what_they_mean() -> None:
    assert text_of(value(r'"a\tb"')) == "a\tb"
    assert text_of(value("'it''s'")) == "it's"
    assert value("|\n  a\n  b").text == "a\nb"  # type: ignore[union-attr]


def test_nothing_is_built_from_a_tag() -> None:
    assert to_json(value("!!python/object/apply:os.system ['true']")) == ["true"]


def test_keys_keep_their_order_and_the_last_of_two_counts() -> None:
    tree = read_tree("b: 1\na: 2\nb: 3")
    assert isinstance(tree.root, Mapping)
    assert to_json(tree.root) == {"b": 3, "a": 2}
    assert tree.duplicates == (("b", 2),)


def test_keys_that_are_no_text_are_named_by_their_source() -> None:
    assert list(mapping("? [a, b]\n: c\n2024: d").items) == ["[a, b]", "2024"]


def test_an_alias_stands_for_its_anchor() -> None:
    assert to_json(mapping("a: &x [1]\nb: *x")) == {"a": [1], "b": [1]}


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ('a: 1\nb: "x', 1),
        ("a: 1\nb: [x\nc: d\n", 2),
        ("a: *none", 0),
        ("a: b: c", 0),
        ("a: `b`", 0),
        ("ok: 1\na: b\x00c", 1),
        ("a: &x [*x]", 0),
        ("a: 1\n--- \nb: 2", 1),
    ],
)
def test_a_failure_names_the_line_to_look_at(source: str, line: int) -> None:
    with pytest.raises(YamlFailure) as caught:
        read_tree(source)
    assert caught.value.line == line


def test_a_malformed_escape_is_a_failure_like_any_other() -> None:
    with pytest.raises(YamlFailure):
        read_tree('a: "\\U00ffffff"')


@pytest.mark.parametrize("directive", ["%YAML 1.1", "%TAG ! x", "%OTHER thing"])
def test_directives_change_nothing(directive: str) -> None:
    assert to_json(mapping(f"{directive}\n---\na: yes")) == {"a": "yes"}


def test_halves_of_characters_in_escapes_are_mended() -> None:
    assert text_of(value(r'"\ud83d\ude00"')) == "😀"
    text_of(value(r'"\ud83d"')).encode()  # type: ignore[union-attr]


def test_few_lines_cannot_stand_for_billions_of_values() -> None:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x, x]"]
    lines += [
        f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    with pytest.raises(YamlFailure, match="aliases"):
        read_tree("\n".join(lines))


@pytest.mark.parametrize("source", ["a: " + "[" * 5000, "a: " + "{" * 5000, "- " * 5000])
def test_deep_nesting_is_refused_early(source: str) -> None:
    with pytest.raises(YamlFailure, match="deep"):
        read_tree(source)


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("0", 0),
        ('"0"', "0"),
        ("-12", -12),
        ("1.5", 1.5),
        ("true", True),
        ("false", False),
        ("'true'", "true"),
        ("", None),
        ("~", None),
        ("null", None),
        ('""', ""),
        ("yes", "yes"),
        ("True", "True"),
        ("2026-03-01", "2026-03-01"),
        ("[a, {b: 1}]", ["a", {"b": 1}]),
    ],
)
def test_unknown_values_become_json(written: str, plain: object) -> None:
    got = to_json(value(written))
    assert (got, type(got)) == (plain, type(plain))


@pytest.mark.parametrize(
    "written", ["1.10", "007", "+5", "1e3", "-0", "0x10", ".5", "12345678901234567890", "1.0000000000000000001"]
)
def test_a_number_that_would_not_print_as_written_stays_text(written: str) -> None:
    assert to_json(value(written)) == written


def test_lists_of_texts_are_scalars_only() -> None:
    assert texts_of(value("[a, 1, '', ~, ' b ']")) == ("a", "1", "b")
    assert texts_of(value("solo")) == ("solo",)
    assert texts_of(value("[[a]]")) is None
    assert texts_of(value("{a: b}")) is None


@pytest.mark.parametrize(
    ("written", "number"),
    [
        ("0.5", 0.5),
        ('"0.5"', 0.5),
        ("1", 1.0),
        ("nan", None),
        (".inf", None),
        ("1e999", None),
        ("high", None),
        ("[1]", None),
        ("", None),
    ],
)
def test_numbers_are_finite(written: str, number: float | None) -> None:
    assert number_of(value(written)) == number


def test_scalars_know_their_place() -> None:
    node = mapping("a: 1\nbb: two").items["bb"]
    assert isinstance(node, Scalar)
    assert (node.line, node.start, node.end) == (1, 9, 12)
