from __future__ import annotations

import pytest

from report import Line, growth


def line(values: tuple[float, ...], target: tuple[float, ...] = (), at_least: float | None = None) -> Line:
    return Line("a search", "latency.py", values, "ms", target, at_least, limit=4.0, of="ms, bare")


def test_a_line_tells_its_figure_its_limit_and_by_how_much_it_is_over() -> None:
    told = line((6.0, 12.345, 1234.5))
    assert (told.figure, told.best, told.ratio) == ("6 / 12.3 / 1,234 ms", "4 ms, bare", "1.50x")


@pytest.mark.parametrize(
    ("values", "target", "at_least", "goal"),
    [
        ((6.0, 12.0), (), None, ""),
        ((6.0, 12.0), (6, 12), None, "≤ 6 / 12 ms"),
        ((6.0, 12.1), (6, 12), None, "≤ 6 / 12 ms, **missed**"),
        ((6.0, 99.0), (6,), None, "≤ 6 ms"),
        ((6.0,), (), 6.0, "≥ 6 ms"),
        ((5.9,), (), 6.0, "≥ 6 ms, **missed**"),
        ((0.0,), (0,), None, "≤ 0 ms"),
    ],
)
def test_a_goal_is_met_or_missed(
    values: tuple[float, ...], target: tuple[float, ...], at_least: float | None, goal: str
) -> None:
    assert line(values, target, at_least).goal == goal


def measured(notes: int, milliseconds: float) -> dict[str, object]:
    figures = {"p50_ms": milliseconds, "p95_ms": milliseconds, "p99_ms": milliseconds}
    parts = ("bare tantivy, the same queries", "bare scan", "bare embedding")
    return {
        "notes": notes,
        "vault": {"mb": 1.0},
        "first_index": {
            "notes": notes,
            "notes_per_second": 1.0,
            "fulltext_cpu_seconds": 1.0,
            "passages_seconds": 1.0,
            "peak_mb": 1.0,
        },
        "vectors": {"chunks_per_cpu_second": 1.0, "peak_mb": 1.0, "embedded_chunks": 1, "filled_chunks": 1},
        "second_start": {"seconds": 1.0, "index_mb": 1.0, "embedding_calls": 0},
        "latency": {"modes": dict.fromkeys(("fulltext", "semantic", "hybrid", *parts), figures)},
    }


def test_growth_is_held_against_that_of_the_vault() -> None:
    rows = list(growth([measured(5_000, 2.0), measured(100_000, 4.0)]))
    assert rows[0] == "| what | 5,000 notes | 100,000 notes | growth | of linear |"
    assert "| in process: hybrid, p50 / p95 | 2 / 2 ms | 4 / 4 ms | 2.0x | 10 % |" in rows
