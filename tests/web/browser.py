"""A real Chromium and a real server for it. The browser is the system's own: nothing is downloaded for it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import httpx
from playwright.sync_api import Browser, Dialog, Page, sync_playwright
from tests.doors.command_line import PATIENCE, environment, until

from trilith.surfaces.http.presence import Presence, read

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
DESK, PHONE = 1280, 390


@contextmanager
def chromium() -> Iterator[Browser]:
    assert Path(CHROMIUM).exists(), "These tests need Chromium: apt-get install chromium, or name one in CHROMIUM."
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@contextmanager
def server(vault: Path, home: Path, **env: str) -> Iterator[str]:
    """The address of a server whose notes are all indexed."""
    command = [sys.executable, "-m", "trilith", "serve", str(vault), "--port", "0"]
    serving = subprocess.Popen(
        command, env=environment(home, **env), stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
    )
    try:
        until(lambda: read(home) is not None, serving)
        presence = read(home)
        assert presence is not None
        until(lambda: _is_ready(presence), serving)
        yield f"http://127.0.0.1:{presence.port}"
    finally:
        serving.terminate()
        serving.communicate()


def _is_ready(presence: Presence) -> bool:
    import json
    from http.client import HTTPConnection

    connection = HTTPConnection(presence.host, presence.port, timeout=30)
    connection.request("GET", "/api/v1/status", headers=presence.headers)
    return bool(json.loads(connection.getresponse().read())["state"] == "ready")


@dataclass
class Visit:
    """A page that is open, with what went wrong on it and what it asked for elsewhere."""

    page: Page
    base: str
    wrong: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)

    def go_once_known(self, path: str) -> Visit:
        """To the page of a note that has just been written beside the server."""
        deadline = time.monotonic() + PATIENCE
        while httpx.get(f"{self.base}{path}", follow_redirects=True).status_code == 404:
            assert time.monotonic() < deadline, path
            time.sleep(0.05)
        return self.go(path)

    def go(self, path: str) -> Visit:
        self.page.goto(f"{self.base}{path}", wait_until="networkidle")
        return self

    @property
    def overflow(self) -> int:
        """Pixels that the page is wider than its window."""
        root = "document.documentElement"
        return int(self.page.evaluate(f"{root}.scrollWidth - {root}.clientWidth"))


@contextmanager
def visit(browser: Browser, base: str, width: int = DESK, scheme: str = "light", **given: object) -> Iterator[Visit]:
    """A window of its own."""
    height = 844 if width == PHONE else 900
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, **given)  # type: ignore[arg-type]
    seen = Visit(context.new_page(), base)
    seen.page.on("pageerror", lambda error: seen.wrong.append(str(error)))
    seen.page.on("dialog", lambda dialog: _answered(dialog, seen.wrong))
    seen.page.on("console", lambda said: seen.wrong.append(said.text) if said.type == "error" else None)
    host = urlsplit(base).netloc
    seen.page.on(
        "request",
        lambda asked: None if urlsplit(asked.url).netloc == host else seen.elsewhere.append(asked.url),
    )
    yield seen
    context.close()


def _answered(dialog: Dialog, wrong: list[str]) -> None:
    """No to every question, but that a page may be left."""
    wrong.append(f"dialog {dialog.message}")
    if dialog.type == "beforeunload":
        dialog.accept()
    else:
        dialog.dismiss()
