"""Takes the pictures of `docs/images/` from the sample vault. Needs Chromium; look at what comes out.

usage: python -m tools.take_pictures
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import httpx
from playwright.sync_api import Browser
from tests.web.browser import DESK, PHONE, chromium, server, visit

ROOT = Path(__file__).parent.parent
IMAGES = ROOT / "docs" / "images"
SEARCH = "/?q=why+were+the+loaves+dense"
NOTE = "/note/equipment/Deck%20oven"
PICTURES = (
    ("search", SEARCH, DESK, "light"),
    ("search-phone", SEARCH, PHONE, "dark"),
    ("note", NOTE, DESK, "light"),
    ("note-phone", NOTE, PHONE, "light"),
    ("graph", "/graph", DESK, "dark"),
    ("health", "/status", DESK, "light"),
)
ASKED = ("oven fault", "rye starter", "allergens in the shop", "who repairs the cold room")


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as passing, chromium() as browser:
        vault = Path(shutil.copytree(ROOT / "sample" / "vault", Path(passing) / "bakery"))
        with server(vault, Path(passing) / "home") as base:
            for text in ASKED:
                httpx.get(f"{base}/api/v1/search", params={"q": text})
            note = {
                "title": "Oven log",
                "content": "Descaled today. See [[Deck oven]].",
                "path": "journal",
                "agent": "ada",
            }
            httpx.post(f"{base}/api/v1/notes", json=note)
            for picture in PICTURES:
                take(browser, base, *picture)


def take(browser: Browser, base: str, name: str, path: str, width: int, scheme: str) -> None:  # noqa: PLR0917
    with visit(browser, base, width, scheme) as seen:
        seen.go(path)
        if path.startswith("/graph"):
            seen.page.wait_for_selector("#graph[data-done]")
        seen.page.evaluate("document.activeElement.blur()")
        seen.page.screenshot(path=IMAGES / f"{name}.png")


if __name__ == "__main__":
    main()
