"""Cases from the field, as they are met at the web page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from tests.doors.web import HERE, Site, fields, site, write

HOSTILE = """---
title: '<script>alert(1)</script>'
tags: ['<img src=x onerror=alert(2)>', "x' onmouseover='alert(3)"]
author: '"><script>alert(4)</script>'
summary: '<svg onload=alert(5)>'
aliases: ['</title><script>alert(6)</script>']
source_url: 'javascript:alert(7)'
web: '[x](javascript:alert(8))'
---
hostile <script>alert(9)</script> <img src=x onerror=alert(10)> [x](javascript:alert(11)) [y](data:text/html,alert)
[[javascript:alert(12)]] [[in/bread|<b onclick=alert(13)>]]
"""
NOTES = {
    "in/Home.md": "# Home\n\nSee [[bread]]. ![[pic.png]] [s](evil.svg)\n",
    "in/bread.md": "Back [[Home]]\n\n## Part\n\ntext\n",
    "in/pic.png": b"\x89PNG",
    "evil.svg": "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    "hidden/away.png": b"\x89PNG",
    "hostile.md": HOSTILE,
}
RUNS = re.compile(r"\s*(?:javascript|data|vbscript):", re.IGNORECASE)


class Reader(HTMLParser):
    """What of a page could run that is none of ours."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        ours = tag == "script" and (given.get("src") or "").startswith("/static/")
        if tag in ("script", "iframe", "object", "embed", "base") and not ours:
            self.found.append(tag)
        self.found += [f"{tag} {name}" for name in given if name.startswith("on") or name in ("style", "srcdoc")]
        self.found += [f"{tag} {name}={value}" for name, value in given.items() if RUNS.match(value or "")]


def running(page: str) -> list[str]:
    reader = Reader()
    reader.feed(page)
    return reader.found


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path / "home", {"owner": write(tmp_path / "notes", NOTES)}) as here:
        yield here


def test_x09_markup_in_a_note_is_text_on_every_page(house: Site) -> None:
    """In title, tags, author, summary, aliases, links, text and snippets: nothing is left that could run."""
    note = house.id_of("hostile.md")
    pages = ("/", "/?q=hostile&mode=fulltext", f"/note/{note}", f"/note/{note}/edit", "/graph", "/status")
    for path in pages:
        page = house.get(path)
        assert page.status_code == 200
        assert "alert(" in page.text or path == "/status", path  # it is there, as text
        assert running(page.text) == [], path
        assert "'unsafe" not in page.headers["content-security-policy"]
    part = house.get("/results?q=%3Cscript%3Ealert(1)%3C/script%3E&mode=fulltext", **{"x-trilith-part": "results"})
    assert running(part.text) == []


def test_x09_files_of_a_vault_run_nothing_and_only_those_are_served_that_a_note_shows(house: Site) -> None:
    """SVG is sandboxed and a download; what no visible note links to, and what leads out of the vault, is not there."""
    note_id = house.id_of("in/Home.md")
    assert house.get(f"/file/{note_id}/in/pic.png").headers["content-type"] == "image/png"
    drawing = house.get(f"/file/{note_id}/evil.svg")
    assert drawing.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in drawing.headers["content-security-policy"]
    assert "script" not in drawing.headers["content-security-policy"]
    for path in ("hidden/away.png", "in/Home.md", "../home/ledger.db", "%2e%2e/home/ledger.db", "/etc/passwd", "..%2f"):
        assert house.get(f"/file/{note_id}/{path}").status_code in (403, 404), path


def test_x13_no_page_from_elsewhere_changes_anything(house: Site, tmp_path: Path) -> None:
    """A change needs the token of our own page and comes from this very address; other ports are elsewhere."""
    file = tmp_path / "notes" / "in" / "bread.md"
    before = file.read_bytes()
    address = f"/note/{house.id_of('in/bread.md')}/edit"
    good = fields(house.get(address).text) | {"body": "hacked"}
    for origin in ("https://evil.example", "http://127.0.0.1:3000", "http://localhost:8765", "null", None):
        assert house.post(address, good, origin).status_code == 403
    for token in ("", "x" * 43):
        assert house.post(address, good | {"token": token}).status_code == 403
    without = {name: value for name, value in good.items() if name != "token"}
    assert house.post(address, without).status_code == 403
    simple = {"Origin": HERE, "Content-Type": "text/plain"}
    assert house.client.post(address, content=b'{"body": "hacked"}', headers=simple).status_code == 403
    assert house.post(address, good | {"version": ""}).status_code == 400
    assert file.read_bytes() == before


def test_x13_a_session_is_worth_nothing_without_its_own_token(house: Site) -> None:
    """The cookie alone changes nothing, nor does it with the token of another session; REST does not know it."""
    house.sign_in(house.key("owner"))
    address = f"/note/{house.id_of('in/bread.md')}/edit"
    first = fields(house.get(address).text)
    house.client.cookies.clear()
    house.sign_in(house.key("owner"))
    second = fields(house.get(address).text)
    assert first["token"] != second["token"]
    assert house.post(address, second | {"token": first["token"], "body": "x"}).status_code == 403
    made = house.client.post("/api/v1/notes", json={"title": "x"}, headers={"Origin": HERE})
    assert made.status_code == 401
    assert house.post(address, second | {"body": "# Bread\n\nnew"}).status_code == 303
