"""Statements of the catalog in PostgreSQL's words."""

from __future__ import annotations

import pytest

from trilith.index.postgres.spelling import copied, spelled


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT 1 WHERE a = ? AND b IN (?, ?)", "SELECT 1 WHERE a = %s AND b IN (%s, %s)"),
        ("a CROSS JOIN b ON b.x = a.x LEFT JOIN c ON true", "a JOIN b ON b.x = a.x LEFT JOIN c ON true"),
        ("+n.lib = ? AND (+l.num = 1 + 1)", "n.lib = %s AND (l.num = 1 + 1)"),
        ("value LIKE '\"%'", "value LIKE '\"%%'"),
        ("n.lib IN () OR x", "n.lib IN (NULL) OR x"),
        (
            "IN (SELECT value FROM json_each(?) j)",
            "IN (SELECT value FROM unnest(%s::bigint[]) WITH ORDINALITY AS j (value, key))",
        ),
    ],
)
def test_idioms(sql: str, said: str) -> None:
    assert spelled(sql).sql == said


def test_lists_are_handed_over_as_arrays() -> None:
    two = spelled("json_each(?) p, x = ?, json_each(?) k, json_each(?) j, json_extract(p.value, '$[1]') = ?")
    assert two.sql.count("%s") == 6
    assert two.sql.endswith("p.second = %s")
    values = ["[[1,2],[3,4]]", 5, '["a\\n","\\u0000"]', "[6,7]", None]
    assert two.params(values) == [[1, 3], [2, 4], 5, ["a\n", "\0"], "{6,7}", None]
    assert spelled("json_each(?) j").params(["[]"]) == ["{}"]
    assert spelled("json_each(?) q").params(["[]"]) == [[], []]


def test_other_lists_are_left_alone_and_fail_there() -> None:
    assert "json_each" in spelled("json_each(?) x").sql


def test_plain_rows_are_copied() -> None:
    assert copied("INSERT INTO names VALUES (?, ?, ?)") == "COPY names FROM STDIN"
    assert copied("INSERT INTO links (num, ord) VALUES (?, ?)") == "COPY links (num, ord) FROM STDIN"
    assert copied("INSERT INTO links VALUES (?, -1)") is None
    assert copied("INSERT INTO a VALUES (?) ON CONFLICT DO NOTHING") is None
    assert copied("DELETE FROM names WHERE num = ?") is None
