"""Writes the tables of `README.md` from `results/*.json`; the text around them is written by hand.

usage: python bench/report.py
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from machine import RESULTS

END = "<!-- end -->"
README = Path(__file__).parent / "README.md"

Json = dict[str, Any]
Line = tuple[str, str, object, str]
"""What, command, figure, goal."""


def write_readme() -> None:
    text = README.read_text(encoding="utf-8")
    for name, table in tables().items():
        before, mark, rest = text.partition(f"<!-- {name} -->\n")
        if mark:
            text = f"{before}{mark}\n{table}\n\n{END}{rest.partition(END)[2]}"
    README.write_text(text, encoding="utf-8")


def tables() -> dict[str, str]:
    """Name of the place in `README.md` -> what belongs there."""
    made = {path.stem: "\n".join(core(json.loads(path.read_text()))) for path in sorted(RESULTS.glob("core-*.json"))}
    judged = RESULTS / "quality.json"
    if judged.exists():
        made["quality"] = "\n".join(quality(json.loads(judged.read_text())))
    asked = RESULTS / "access.json"
    if asked.exists():
        made["access"] = "\n".join(access(json.loads(asked.read_text())))
    for name, lines in (("kill", kill), ("soak", soak), ("writing", writing), ("page", page)):
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


def load_of(found: Json) -> str:
    return f"load {found['load']['before']} before, {found['load']['after']} after"


def core(found: Json) -> Iterator[str]:
    loads = f"{found['load']['before']} before, {found['load']['after']} after"
    yield f"{where(found)}, {found['when']}; load {loads}; `results/core-{found['notes']}.json`"
    yield ""
    yield from head("what", "command", "figure", "goal")
    for what, command, figure, goal in (*indexed(found), *searched(found), *served(found)):
        yield row(what, f"`{command}`", figure, goal)


def indexed(found: Json) -> Iterator[Line]:
    first, second = found["first_index"], found["second_start"]
    make = "indexing.py first"
    yield f"first index: full text of {first['notes']:,} notes", make, f"{first['fulltext_seconds']} s", "< 30 s"
    yield "notes a second", make, first["notes_per_second"], ""
    yield "chunks embedded for a second of CPU", make, first["chunks_per_cpu_second"], ""
    chunks = first["embedded_chunks"] + first["filled_chunks"]
    yield f"index on disk ({chunks:,} chunks)", "core.py", f"{found['index_mb']} MB", ""
    again = f"{second['seconds']} s, {second['embedding_calls']} embedding calls"
    yield "second start: open, look over the files", "indexing.py again", again, "< 2 s, 0"


def searched(found: Json) -> Iterator[Line]:
    goals = {"fulltext": "< 3 ms", "hybrid": "< 12 ms"}
    for name, figures in found["latency"]["modes"].items():
        yield f"in process: {name}, p50 / p95", "latency.py", milliseconds(figures), goals.get(name, "")


def served(found: Json) -> Iterator[Line]:
    serving = found["serving"]
    for name, figures in serving["one_client"].items():
        yield f"one client: {name}, p50 / p95", "serving.py", milliseconds(figures), ""
    for mode in ("fulltext", "hybrid"):
        yield (
            f"what MCP adds to a {mode} search, beyond an empty call",
            "core.py",
            f"{added(found, mode):+.2f} ms",
            "≤ +3 ms",
        )
    for name, rate in serving["requests_per_second_8_clients"].items():
        yield f"eight clients: {name}", "serving.py", f"{rate} requests/s", ""
    yield "memory of the server at rest, PSS", "serving.py", f"{serving['memory']['pss_mb']} MB", "< 350 MB"
    yield "`trilith search` alone", "serving.py", f"{serving['cli_search_alone_seconds']} s", "< 2 s"
    yield (
        "`trilith search` beside a server",
        "serving.py",
        f"{serving['cli_search_beside_server_seconds']} s",
        "< 0.7 s",
    )
    for door in ("stdio", "http"):
        tools = found["handshake"][door]["tools"]
        later = f"{tools['trilith']} s, {tools['later']:+.2f} s to a bare server"
        yield f"spawn to tool list, {door}", "handshake.py --settle", later, "≤ +0.5 s"


def added(found: Json, mode: str) -> float:
    """Milliseconds of a call over MCP that are neither the search itself nor what any call costs: p50s of one run."""
    asked = found["serving"]["one_client"]
    call, empty = asked[f"MCP lithos_search {mode}"]["p50_ms"], asked["MCP empty tool, bare server"]["p50_ms"]
    return float(call - empty - found["latency"]["modes"][mode]["p50_ms"])


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


if __name__ == "__main__":
    write_readme()
