"""Writes the tables of `README.md` from `results/*.json`; the text around them is written by hand.

usage: python bench/report.py

Prints the goals that the figures of `core.py` have missed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from machine import RESULTS

END = "<!-- end -->"
README = Path(__file__).parent / "README.md"

Json = dict[str, Any]
SMALL = 5_000


@dataclass(frozen=True)
class Line:
    """A figure: `values` are p50, p95 and p99, or one number. `limit` is what the first of them can be at best, by the same
    command in the same run; `goal` is what each of them may be at most, `at_least` what the first must be. Whether a larger
    vault may make it larger: `grows`."""

    what: str
    command: str
    values: Sequence[float]
    unit: str = ""
    target: Sequence[float] = ()
    at_least: float | None = None
    limit: float | None = None
    of: str = ""
    grows: bool = False

    @property
    def figure(self) -> str:
        return f"{shown(self.values)} {self.unit}".strip()

    @property
    def best(self) -> str:
        return "" if self.limit is None else f"{shown((self.limit,))} {self.of}"

    @property
    def ratio(self) -> str:
        return f"{self.values[0] / self.limit:.2f}x" if self.limit else ""

    @property
    def is_met(self) -> bool:
        at_most = all(value <= most for value, most in zip(self.values, self.target, strict=False))
        return at_most and (self.at_least is None or self.values[0] >= self.at_least)

    @property
    def goal(self) -> str:
        sign, numbers = ("≥", (self.at_least,)) if self.at_least is not None else ("≤", self.target)
        if not numbers:
            return ""
        return f"{sign} {shown(numbers)} {self.unit}".strip() + ("" if self.is_met else ", **missed**")


def shown(numbers: Sequence[float]) -> str:
    return " / ".join(f"{number:,.0f}" if abs(number) >= 1000 else f"{number:.3g}" for number in numbers)


def write_readme() -> None:
    text = README.read_text(encoding="utf-8")
    for name, table in tables().items():
        text = put(text, name, table)
    README.write_text(text, encoding="utf-8")


def put(text: str, name: str, table: str) -> str:
    """`text` with the table in its place, if it has one for it."""
    before, mark, rest = text.partition(f"<!-- {name} -->\n")
    return f"{before}{mark}\n{table}\n\n{END}{rest.partition(END)[2]}" if mark else text


def tables() -> dict[str, str]:
    """Name of the place in `README.md` -> what belongs there."""
    sizes = sorted(
        (json.loads(path.read_text()) for path in RESULTS.glob("core-*.json")), key=lambda found: found["notes"]
    )
    made = {f"core-{found['notes']}": "\n".join(core(found)) for found in sizes}
    if len(sizes) > 1:
        made["growth"] = "\n".join(growth(sizes))
    judged = RESULTS / "quality.json"
    if judged.exists():
        made["quality"] = "\n".join(quality(json.loads(judged.read_text())))
    asked = RESULTS / "access.json"
    if asked.exists():
        made["access"] = "\n".join(access(json.loads(asked.read_text())))
    for name, lines in (("kill", kill), ("soak", soak), ("writing", writing), ("page", page), ("recall", recall)):
        found = RESULTS / f"{name}.json"
        if found.exists():
            made[name] = "\n".join(lines(json.loads(found.read_text())))
    return made


def access(found: Json) -> Iterator[str]:
    loads = f"{found['load']['before']} before, {found['load']['after']} after"
    yield f"{where(found)}, {found['when']}; load {loads}; `results/access.json`"
    yield ""
    yield from head("what", "command", "figure", "goal")
    for name, figures in found["latency"].items():
        alone = found["latency"][f"{name.partition(',')[0]}, alone"]["p50_ms"]
        more = f"{100 * (figures['p50_ms'] / alone - 1):+.0f} %"
        goal = "" if name.endswith("alone") else "≤ +20 %"
        yield row(f"{name}, p50 / p95", "`access.py`", f"{milliseconds(figures)}, {more}", goal)
    size = f"{found['libraries']} libraries of {found['notes']:,} notes, PSS"
    yield row(size, "`access.py`", f"{found['memory']['pss_mb']} MB", "< 600 MB")


def kill(found: Json) -> Iterator[str]:
    yield f"{where(found)}, {found['when']}; {load_of(found)}; `results/kill.json`"
    yield ""
    yield from head("what", "figure")
    yield row("rounds, each ended by kill -9", found["rounds"])
    for name, count in found["killed"].items():
        yield row(f"of these: {name.replace('_', ' ')}", count)
    for name, count in found["counted"].items():
        yield row(name, f"{count:,}")
    yield row("acknowledged writes lost, half files, versions or views that were wrong", found["wrong"])


def soak(found: Json) -> Iterator[str]:
    yield f"{where(found)}, {found['when']}; {load_of(found)}; `results/soak.json`"
    yield ""
    yield from head("what", "figure")
    yield row("writes by eight clients", f"{found['writes']:,} in {found['seconds']} s")
    yield row("writes a second", found["writes_per_second"])
    yield row("one write, p50 / p95", milliseconds(found["one_write"]))
    for name in ("saves by the editor", "checkouts", "seconds until every server had found everything"):
        yield row(name, f"{found[name]:,}")
    yield row("writes lost, versions or views that were wrong", found["wrong"])


def writing(found: Json) -> Iterator[str]:
    yield f"{where(found)}, {found['when']}; {load_of(found)}; `results/writing.json`"
    yield ""
    yield from head("what", "figure", "goal")
    for name, figures in found["one_client"].items():
        yield row(f"one client: {name}, acknowledged and found, p50 / p95", milliseconds(figures), "60 / 250 ms")
    yield row("eight clients, writes a second", found["eight_clients"]["writes_per_second"], "50")
    yield row("eight clients, one write, p50 / p95", milliseconds(found["eight_clients"]["one_write"]), "")
    yield row("writes lost", found["eight_clients"]["lost"], "0")
    yield row("edit by another program found by full text, p50 / p95", milliseconds(found["outside_edit"]), "< 1000 ms")
    burst = found["burst"]
    yield row(f"{burst['files']:,} files changed at once: until all are found", f"{burst['seconds']} s", "")
    yield row("searches meanwhile, p50 / p95", milliseconds(burst["searches"]), "p95 < 300 ms")
    for idle in found["idle"]:
        yield row(f"CPU of an idle server, {idle['notes']:,} notes", f"{idle['percent']} %", "near 0")


def page(found: Json) -> Iterator[str]:
    yield f"{where(found)}, {found['when']}; {load_of(found)}; `results/page.json`"
    yield ""
    yield from head("what", "figure", "goal")
    first, typed, drawn = found["first_page"], found["typing"], found["graph"]
    yield row("search page with all that it loads", f"{first['bytes'] / 1000:.1f} kB", "< 60 kB")
    yield row("first paint", f"{first['painted_ms']} ms", "< 300 ms")
    keys = f"from a key to its results, painted, p50 / p95 of {typed['keys']} keys"
    yield row(keys, f"{typed['p50_ms']} / {typed['p95_ms']} ms", "80 ms")
    yield row("of that the server's work, p50", f"{typed['of_that_the_server_p50_ms']:g} ms", "")
    yield row("whole graph: until it is shown / at rest", f"{drawn['shown_s']} / {drawn['at_rest_s']} s", "")
    yield row("whole graph: one drawing, p50 / p95", f"{drawn['frame_p50_ms']} / {drawn['frame_p95_ms']} ms", "smooth")


def recall(found: Json) -> Iterator[str]:
    yield f"{where(found)}, {found['when']}; {load_of(found)}; `results/recall.json`"
    yield ""
    yield from head(
        "what passes",
        "queries",
        "recall@10",
        "recall@100",
        "CPU of a search",
        "p50 / p95",
        "the scan: CPU",
        "p50 / p95",
    )
    for name, kinds in found["selections"].items():
        for kind, figures in kinds.items():
            found_too = (f"{figures[which]:.3f}" for which in ("recall10", "recall100"))
            costs = [cell for way in ("lists", "scan") for cell in cost(figures[way])]
            yield row(name, kind, *found_too, *costs)
    built, kept = found["build"], found["memory"]
    yield ""
    yield (
        f"{found['rows']:,} rows of {found['notes']:,} notes. The lists ({built['lists_mb']} MB) took {built['cpu_seconds']} s of CPU; "
        f"the first search after a start took {found['first_search_ms']} ms, loading FAISS included. A process that searches keeps {kept['lists_pss_mb']} MB for all of it "
        f"(PSS, FAISS itself included), and for the scan {kept['scan_pss_mb']} MB."
    )


def cost(figures: Json) -> tuple[str, str]:
    return f"{figures['cpu_ms']} ms", milliseconds(figures)


def load_of(found: Json) -> str:
    return f"load {found['load']['before']} before, {found['load']['after']} after"


def core(found: Json) -> Iterator[str]:
    yield f"{where(found)}, {found['when']}; {load_of(found)}; `results/core-{found['notes']}.json`"
    if found["first_index"]["commit"] != found["latency"]["commit"]:
        yield f"The index was made at commit {found['first_index']['commit']}."
    yield ""
    yield from head("what", "command", "figure", "limit", "ratio", "goal")
    for line in core_lines(found):
        yield row(line.what, f"`{line.command}`", line.figure, line.best, line.ratio, line.goal)


def core_lines(found: Json) -> Iterator[Line]:
    yield from indexed(found)
    yield from searched(found)
    if "serving" in found:
        yield from served(found)
        yield from started(found)
        yield from installed(found)


def growth(sizes: Sequence[Json]) -> Iterator[str]:
    """What the smallest and the largest have in common, and those between as far as they have it, side by side."""
    measured = {found["notes"]: {line.what: line for line in core_lines(found)} for found in sizes}
    smallest, largest = min(measured), max(measured)
    yield from head("what", *(f"{notes:,} notes" for notes in measured), "growth", "of linear")
    for what, line in measured[smallest].items():
        if line.grows and what in measured[largest]:
            cells = [
                f"{shown(lines[what].values[:2])} {line.unit}" if what in lines else "" for lines in measured.values()
            ]
            times = measured[largest][what].values[0] / max(line.values[0], 0.001)
            share = f"{100 * times / (largest / smallest):.0f} %"
            yield row(what.removesuffix(" / p99"), *cells, f"{times:.1f}x", share)


def by_size(found: Json, small: Sequence[float], large: Sequence[float]) -> Sequence[float]:
    """The goal for up to 5,000 notes, or the one for 100,000."""
    return small if found["notes"] <= SMALL else large


def indexed(found: Json) -> Iterator[Line]:
    first, vectors, second = found["first_index"], found["vectors"], found["second_start"]
    make = "indexing.py first"
    yield Line("first index: full text, notes a second", make, (first["notes_per_second"],), at_least=2000)
    yield Line(
        "first index: full text, notes for a second of CPU", make, (first["notes"] / first["fulltext_cpu_seconds"],)
    )
    yield Line("first index: texts of passages beside that", make, (first["passages_seconds"],), "s", grows=True)
    yield Line("first index: peak memory", make, (first["peak_mb"],), "MB", grows=True)
    rate = "embedding: chunks for a second of CPU"
    yield Line(rate, "indexing.py vectors", (vectors["chunks_per_cpu_second"],), at_least=40)
    yield Line("embedding: peak memory", "indexing.py vectors", (vectors["peak_mb"],), "MB", grows=True)
    if "lists_seconds" in vectors:
        made = "inverted lists, made beside other work: CPU time"
        yield Line(made, "indexing.py vectors", (vectors["lists_cpu_seconds"],), "s")
        yield Line("inverted lists: peak memory", "indexing.py vectors", (vectors["lists_peak_mb"],), "MB")
    chunks = vectors["embedded_chunks"] + vectors["filled_chunks"]
    yield Line(f"vault on disk ({first['notes']:,} notes)", "core.py", (found["vault"]["mb"],), "MB")
    disk = f"index on disk ({chunks:,} chunks, {vectors['embedded_chunks']:,} embedded, the others blurred copies)"
    yield Line(disk, "core.py", (second["index_mb"],), "MB", limit=found["vault"]["mb"], of="MB, the vault")
    goal = by_size(found, (1.0,), (8.0,))
    yield Line(
        "second start: open, look over the files", "indexing.py again", (second["seconds"],), "s", goal, grows=True
    )
    yield Line("second start: embedding calls", "indexing.py again", (second["embedding_calls"],), target=(0,))


def searched(found: Json) -> Iterator[Line]:
    modes = found["latency"]["modes"]
    goals = {
        "hybrid": by_size(found, (8, 15), (15, 35)),
        "fulltext": by_size(found, (1.5,), (3,)),
        "hybrid, tag of 1 %": by_size(found, (8,), (15,)),
    }
    bare = {mode: sum(modes[part]["p50_ms"] for part in parts) for mode, parts in PARTS.items()}
    for name, figures in modes.items():
        limit = bare.get(name)
        what = f"in process: {name}, p50 / p95 / p99"
        of = f"ms, {len(PARTS[name])} bare part{'s' * (len(PARTS[name]) > 1)}" if limit else ""
        yield Line(what, "latency.py", spread(figures), "ms", goals.get(name, ()), limit=limit, of=of, grows=True)
    share = "our share: hybrid in process, over the bare parts"
    yield Line(share, "latency.py", (modes["hybrid"]["p50_ms"] / bare["hybrid"],), "x", (1.5,))


PARTS = {
    "fulltext": ("bare tantivy, the same queries",),
    "semantic": ("bare scan", "bare embedding"),
    "hybrid": ("bare tantivy, the same queries", "bare scan", "bare embedding"),
}
"""The bare parts that a search is made of."""


def served(found: Json) -> Iterator[Line]:
    serving = found["serving"]
    asked, rates = serving["one_client"], serving["requests_per_second_8_clients"]
    empty = {"MCP": "MCP empty tool, bare server", "REST": "REST empty route, bare server"}
    for name, figures in asked.items():
        limit, of = (
            (asked[empty[name[:4].strip()]]["p50_ms"], "ms, empty") if name not in empty.values() else (None, "")
        )
        yield Line(
            f"one client: {name}, p50 / p95 / p99", "serving.py", spread(figures), "ms", limit=limit, of=of, grows=True
        )
    for name, more in serving["added_ms"].items():
        what = f"what the door adds: {name}, beyond an empty call and the search itself"
        yield Line(what, "serving.py", (more,), "ms", (2,) if name.startswith("MCP") else (1,))
    for name, rate in rates.items():
        limit, of = (rates[empty[name[:4].strip()]], "empty") if name not in empty.values() else (None, "")
        least = by_size(found, (120,), (60,))[0] if name.endswith("hybrid") else None
        yield Line(
            f"eight clients: {name}, requests a second", "serving.py", (rate,), at_least=least, limit=limit, of=of
        )
    written = "one client writes while seven search: a note, p50 / p95 / p99"
    yield Line(written, "serving.py", spread(serving["write_under_load"]), "ms", grows=True)
    weight, goal = serving["memory"], by_size(found, (250,), (900,))
    yield Line("memory of the server at rest, PSS", "serving.py", (weight["pss_mb"],), "MB", goal, grows=True)
    yield Line("memory of the server, peak RSS", "serving.py", (weight["peak_mb"],), "MB", grows=True)
    yield Line("CPU of the server when nothing happens", "serving.py", (serving["idle"]["percent"],), "%", (1,))
    yield Line("`trilith search` alone", "serving.py", (serving["cli_search_alone_seconds"],), "s", (2,), grows=True)
    beside = serving["cli_search_beside_server_seconds"]
    yield Line("`trilith search` beside a server", "serving.py", (beside,), "s", (0.7,), grows=True)


def started(found: Json) -> Iterator[Line]:
    goal = by_size(found, (0.3,), (0.8,))
    for door in ("stdio", "http"):
        waited = found["handshake"][door]
        tools = waited["handshake"]
        what = f"spawn to handshake, {door}"
        yield Line(what, "handshake.py", (tools["trilith"],), "s", limit=tools["bare"], of="s, a bare server")
        yield Line(f"{what}: later than a bare server", "handshake.py", (tools["later"],), "s", (0.3,))
        first = f"from there to the first full-text answer, {door}"
        yield Line(first, "handshake.py", (waited["from_handshake_to_answer"],), "s", goal, grows=True)


def installed(found: Json) -> Iterator[Line]:
    footprint = found["footprint"]
    what = f"installed: {footprint['packages']} packages, {footprint['own_mb']} MB of it ours"
    yield Line(what, "footprint.py", (footprint["install_mb"],), "MB")
    for name in ("import_trilith", "trilith_version"):
        of, limit = "s, a bare Python", footprint["python_seconds"]
        yield Line(
            f"`{name.replace('_', ' ')}`", "footprint.py", (footprint[f"{name}_seconds"],), "s", limit=limit, of=of
        )


def spread(figures: Json) -> tuple[float, ...]:
    return figures["p50_ms"], figures["p95_ms"], figures["p99_ms"]


def quality(found: Json) -> Iterator[str]:
    yield f"{where(found)}, {found['when']}; `results/quality.json`"
    yield ""
    yield from head("set", "mode", "nDCG@10", "recall@10", "MRR", "success@1")
    for judged in found["sets"]:
        size = f"{judged['set']} ({judged['notes']:,} notes, {judged['queries']:,} queries)"
        for mode, figures in judged["modes"].items():
            named = size if mode == next(iter(judged["modes"])) else ""
            yield row(named, mode, *(f"{figures[name]:.3f}" for name in ("ndcg10", "recall10", "mrr", "success1")))


def where(found: Json) -> str:
    around = found["surroundings"]
    machine = f"{around['processor']}, {around['cores']} cores, {around['memory_mb'] / 1024:.0f} GB, Python {around['python']}"
    return f"{machine}; commit {around['commit']}"


def milliseconds(figures: Json) -> str:
    return f"{figures['p50_ms']} / {figures['p95_ms']} ms"


def head(*names: str) -> Iterator[str]:
    yield row(*names)
    yield "|" + "---|" * len(names)


def row(*cells: object) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def missed() -> Iterator[str]:
    for path in sorted(RESULTS.glob("core-*.json")):
        for line in core_lines(json.loads(path.read_text())):
            if not line.is_met:
                yield f"{path.stem}: {line.what}: {line.figure}; {line.goal}".replace(", **missed**", "")


if __name__ == "__main__":
    write_readme()
    print("\n".join(missed()))
