"""How well a test set is found, as people read it. Pure, as `show`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from trilith.surfaces.cli.show import counted

Json = dict[str, Any]


def evaluation(answer: Json) -> Iterator[str]:
    """For each set a table, a line for each mode; then the mean of several sets."""
    for number, each in enumerate(answer["sets"]):
        if number:
            yield ""
        yield f"{each['set']}: {counted(each['notes'], 'note')}, {counted(each['queries'], 'query', 'queries')}"
        yield from _figures(each["modes"])
        for mode, differences in each.get("differences", {}).items():
            yield f"{mode:<10}" + "".join(f"  {name} {_difference(found)}" for name, found in differences.items())
    if len(answer["sets"]) > 1:
        yield ""
        yield f"mean of {len(answer['sets'])} sets"
        modes = [each["modes"] for each in answer["sets"]]
        yield from _figures({mode: _means([each[mode] for each in modes]) for mode in modes[0]})


def _figures(modes: Json) -> Iterator[str]:
    columns = ("ndcg10", "recall10", "mrr", "success1", "p50_ms", "p95_ms")
    yield f"{'mode':<10}" + "".join(f"{column:>10}" for column in columns)
    for mode, measured in modes.items():
        cells = (f"{measured[c]:>10.2f}" if c.endswith("_ms") else f"{measured[c]:>10.4f}" for c in columns)
        yield f"{mode:<10}" + "".join(cells)


def _means(measured: Sequence[Json]) -> Json:
    return {name: sum(each[name] for each in measured) / len(measured) for name in measured[0]}


def _difference(found: Json) -> str:
    return f"{found['difference']:+.4f} [{found['low']:+.4f}, {found['high']:+.4f}]"
