"""How long does a person wait at the web page? In a real Chromium, at a server of a vault that is indexed.

usage: python -m bench.page VAULT HOME [--letters 150]

Measures what the search page loads and when it is painted; from a key to the results that it leads to, painted; and the
whole graph: until it can be looked at, until it has come to rest, and how long one drawing of it takes. Writes
`results/page.json`. Needs Chromium.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser
from tests.web.browser import chromium, server, visit

sys.path.insert(0, str(Path(__file__).parent))

from machine import RESULTS, load, surroundings
from make_vault import queries

LOADS = 7
BETWEEN_KEYS_MS = 160
"""A quick typist; each key then gets an answer of its own."""
DRAWINGS = 60

LISTEN = """() => {
  window.waits = [];
  window.server = [];
  let begun = 0;
  addEventListener("keydown", () => (begun = performance.now()), true);
  new MutationObserver(() => {
    const pressed = begun;
    begun = 0;
    const told = document.querySelector(".count")?.textContent.match(/in (\\d+) ms/);
    if (pressed && told) window.server.push(Number(told[1]));
    if (pressed) requestAnimationFrame(() => setTimeout(() => window.waits.push(performance.now() - pressed)));
  }).observe(document.getElementById("results"), { childList: true });
}"""
PAINTED = "() => performance.getEntriesByName('first-contentful-paint')[0].startTime"
LOADED = """() => performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
  .reduce((sum, entry) => sum + entry.decodedBodySize, 0)"""
DRAWING = """(count) => new Promise((resolve) => {
  const frames = [];
  const zoom = document.querySelector("[data-zoom='1.4']"), back = document.querySelector("[data-zoom='0.7']");
  let former = performance.now();
  const next = (now) => {
    frames.push(now - former);
    former = now;
    if (frames.length > count) return resolve(frames.slice(1));
    (frames.length % 2 ? zoom : back).click();
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vault", type=Path)
    parser.add_argument("home", type=Path)
    parser.add_argument("--letters", type=int, default=150)
    asked = parser.parse_args()
    before = load()
    with chromium() as browser, server(asked.vault, asked.home) as base:
        figures: dict[str, Any] = {
            "when": time.strftime("%Y-%m-%d %H:%M", time.gmtime()),
            "surroundings": surroundings(),
            "first_page": first_page(browser, base),
            "typing": typing(browser, base, asked.letters),
            "graph": graph(browser, base),
            "load": {"before": before, "after": load()},
        }
    (RESULTS / "page.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    print(json.dumps(figures, indent=1))


def first_page(browser: Browser, base: str) -> dict[str, Any]:
    """Of several visits, each with nothing kept: bytes of the page and all that it loads, and milliseconds to its first
    paint with anything on it."""
    painted, size = [], 0
    for _ in range(LOADS):
        with visit(browser, base) as seen:
            seen.go("/")
            painted.append(seen.page.evaluate(PAINTED))
            size = seen.page.evaluate(LOADED)
    return {"bytes": size, "painted_ms": round(median(painted)), "slowest_ms": round(max(painted))}


def typing(browser: Browser, base: str, letters: int) -> dict[str, Any]:
    """Milliseconds from a key to its results, painted: some words, letter by letter."""
    words = " ".join(queries(letters // 10, 1))[:letters]
    with visit(browser, base) as seen:
        page = seen.go("/").page
        page.focus("#q")
        page.keyboard.type("oven fault", delay=BETWEEN_KEYS_MS)  # the model is loaded
        page.evaluate(LISTEN)
        for start in range(0, len(words), 24):
            page.fill("#q", "")
            page.wait_for_timeout(BETWEEN_KEYS_MS)
            page.keyboard.type(words[start : start + 24], delay=BETWEEN_KEYS_MS)
        waits, server_ms = sorted(page.evaluate("window.waits")), page.evaluate("window.server")
    return {
        "keys": len(waits),
        "p50_ms": round(median(waits), 1),
        "p95_ms": round(waits[int(0.95 * len(waits))], 1),
    } | {"of_that_the_server_p50_ms": median(server_ms)}


def graph(browser: Browser, base: str) -> dict[str, Any]:
    with visit(browser, base) as seen:
        begun = time.perf_counter()
        page = seen.go("/graph").page
        shown = time.perf_counter() - begun
        page.wait_for_selector("#graph[data-done]", timeout=120_000)
        rested = time.perf_counter() - begun
        frames = sorted(page.evaluate(DRAWING, DRAWINGS))
        size = page.evaluate(LOADED)
    return {
        "bytes": size,
        "shown_s": round(shown, 2),
        "at_rest_s": round(rested, 2),
        "frame_p50_ms": round(median(frames), 1),
        "frame_p95_ms": round(frames[int(0.95 * len(frames))], 1),
    }


if __name__ == "__main__":
    main()
