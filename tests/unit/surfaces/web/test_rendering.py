"""Markdown as a reader sees it, and what of it never reaches one."""

from __future__ import annotations

import re

import pytest

from trilith.surfaces.web.rendering.destinations import Destination, Destinations, Embedded, State
from trilith.surfaces.web.rendering.document import LONGEST, Rendered, render
from trilith.surfaces.web.rendering.headings import anchor, anchor_of
from trilith.surfaces.web.rendering.linking import Linking

KNOWN = {
    "A": Destination(state=State.NOTE, href="/note/1", title="A/x.md"),
    "a b.md": Destination(state=State.NOTE, href="/note/2", title="a b.md"),
    "p.png": Destination(state=State.FILE, href="/file/1/p.png", title="p.png"),
    "doc.pdf": Destination(state=State.FILE, href="/file/1/doc.pdf", title="doc.pdf"),
}


def rendered(body: str, **given: str) -> Rendered:
    embeds = Destinations(KNOWN, lambda link: Embedded("A", "/note/1", "<p>inner</p>") if link.target == "A" else None)
    return render(body, Linking(embeds, ""), **given)


def html(body: str) -> str:
    return rendered(body).html.strip()


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("[[A]]", '<p><a class="wiki" href="/note/1" title="A/x.md">A</a></p>'),
        ("[[A|al & b]]", '<p><a class="wiki" href="/note/1" title="A/x.md">al &amp; b</a></p>'),
        ("[[A#One#Two, 3]]", '<p><a class="wiki" href="/note/1#h-two-3" title="A/x.md">A &gt; One &gt; Two, 3</a></p>'),
        ("[[A^b1]]", '<p><a class="wiki" href="/note/1" title="A/x.md">A &gt; ^b1</a></p>'),
        ("[[#Über uns]]", '<p><a class="wiki" href="#h-über-uns">Über uns</a></p>'),
        ("[[None]]", '<p><span class="missing" title="No note answers to this">None</span></p>'),
        ("[m](<a b.md>)", '<p><a class="wiki" href="/note/2" title="a b.md">m</a></p>'),
        ("[m](a%20b.md#X)", '<p><a class="wiki" href="/note/2#h-x" title="a b.md">m</a></p>'),
        ("[m](gone.md)", '<p><a class="missing" title="No note answers to this">m</a></p>'),
        ("[e](https://x.example/?a=1&b=2)", '<p><a class="external" href="https://x.example/?a=1&amp;b=2">e</a></p>'),
        ("![[p.png|300]]", '<p><img src="/file/1/p.png" alt="p.png" loading="lazy" width="300"></p>'),
        ("![[p.png|300x200]]", '<p><img src="/file/1/p.png" alt="p.png" loading="lazy" width="300"></p>'),
        ("![a picture](p.png)", '<p><img src="/file/1/p.png" alt="a picture" loading="lazy"></p>'),
        ("![r](https://x.example/p.png)", '<p><a class="external" href="https://x.example/p.png">r</a></p>'),
        ("![[doc.pdf]]", '<p><a class="file" href="/file/1/doc.pdf" title="doc.pdf">doc.pdf</a></p>'),
        ("`[[A]]`", "<p><code>[[A]]</code></p>"),
        ("a #tag/x b#no #1", '<p>a <a class="tag" href="/?tags=tag%2Fx">#tag/x</a> b#no #1</p>'),
        ("a block ^b-1", "<p>a block </p>"),
        ("==hi== ~~no~~", "<p><mark>hi</mark> <s>no</s></p>"),
        ("so $a_b*c$ costs $5 and $6", '<p>so <span class="math inline">a_b*c</span> costs $5 and $6</p>'),
    ],
)
def test_inline(written: str, shown: str) -> None:
    assert html(written) == shown


def test_tables_keep_their_sides_and_links_with_bars() -> None:
    table = html("| a | b |\n|---|--:|\n| [[A\\|q]] | 2 |")
    assert '<td><a class="wiki" href="/note/1" title="A/x.md">q</a></td>' in table
    assert '<td class="right">2</td>' in table
    assert table.startswith('<div class="scroll" tabindex="0"><table>')


def test_tasks_say_whether_they_are_done() -> None:
    tasks = html("- [ ] a\n- [x] b #t\n- c")
    assert '<li class="todo"><span class="task open" role="img" aria-label="To do"></span>a</li>' in tasks
    assert '<span class="task done" role="img" aria-label="Done"></span>b <a class="tag"' in tasks
    assert "<li>c</li>" in tasks


def test_callouts() -> None:
    shown = html("> [!warning] Look **out**\n> body [[A]]\n\n> [!tip]\n\n> plain")
    assert '<div class="callout callout-warning" role="note">' in shown
    assert '<p class="callout-title">Look <strong>out</strong></p>\n<p>body <a class="wiki"' in shown
    assert '<p class="callout-title">Tip</p>' in shown
    assert "<blockquote>\n<p>plain</p>\n</blockquote>" in shown
    assert shown.count("<div") == shown.count("</div>") == 2


def test_folded_callouts_are_folded() -> None:
    shown = html("> [!tip]- Secret\n> body\n\n> [!note]+\n> seen\n> > inner")
    assert '<details class="callout callout-tip">' in shown
    assert '<summary class="callout-title">Secret</summary>' in shown
    assert '<details class="callout callout-note" open="">' in shown
    assert "<blockquote>\n<p>inner</p>\n</blockquote>" in shown
    assert shown.count("</details>") == 2


def test_code_is_coloured_where_its_language_is_known() -> None:
    assert '<span class="hl-k">return</span>' in html("```python\nreturn 1\n```")
    assert html("```nothing\n<b>\n```") == '<pre tabindex="0"><code>&lt;b&gt;\n</code></pre>'


def test_embedded_notes_stand_in_a_frame() -> None:
    assert html("![[A]]") == (
        '<p></p><div class="embed"><p><a class="wiki" href="/note/1">A</a></p><p>inner</p></div><p></p>'
    )


def test_the_outline_names_headings_and_the_title_is_not_said_twice() -> None:
    shown = rendered("# The *Title*\n\n## One [[A|a]]\n\n## One a\n\n> ## Quoted", title="The Title")
    assert "Title" not in shown.html
    assert [(h.level, h.text, h.name) for h in shown.outline] == [
        (2, "One a", "h-one-a"),
        (2, "One a", "h-one-a-2"),
    ]
    assert 'id="h-one-a-2"' in shown.html
    assert anchor_of("X#One a") == anchor("one A!") == "h-one-a"


def test_a_note_without_an_end_is_cut() -> None:
    assert rendered("word " * (LONGEST // 5 + 1)).cut
    assert not rendered("word").cut


@pytest.mark.parametrize("tag", ["<title>", "<svg>", "<script>", "<textarea>", "<select>", "<date>", "<plaintext>"])
@pytest.mark.parametrize("start", ["File name: ", ""])
def test_a_tag_that_is_not_shown_is_text_and_swallows_nothing(start: str, tag: str) -> None:
    shown = html(f"{start}{tag} - then\n\nafter **it**")
    assert f"&lt;{tag[1:-1]}&gt; - then" in shown
    assert "after" in shown


@pytest.mark.parametrize("opening", ['<div class="a>', "<!--", "<!--> <title>", "<?php", "<![CDATA[", "<p a='b"])
def test_html_without_its_end_swallows_nothing(opening: str) -> None:
    assert "after it" in html(f"{opening}\nbefore\n\nafter it")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("a <b>c</b> <!-- d --> e", "<p>a <b>c</b>  e</p>"),
        ("a <font color='red'>c</font>", "<p>a c</p>"),
        ('<p title="A">a < b</p>', '<p title="A">a &lt; b</p>'),
    ],
)
def test_html_that_may_be_shown_is(written: str, shown: str) -> None:
    assert html(written) == shown


@pytest.mark.parametrize(
    "part", ["==a ", "[[a#", "^[", "[^a", "![", "![[", "[[a|", "[", "[`]`", "[a](", "a <!--", "a <?", "<a b='"]
)
def test_a_line_that_closes_nothing_is_text(part: str) -> None:
    line = part * 40_000
    assert html(f"{line}\n\n[[A]]").endswith("A</a></p>")


def test_elements_without_end_are_text() -> None:
    assert html("<div>" * 79_000 + "\n\nlast").endswith("<p>last</p>")


def test_a_long_paragraph_is_read_line_by_line() -> None:
    shown = html("\n".join(["[[A]] **b**"] * 2_000))
    assert shown.count('<a class="wiki"') == shown.count("<strong>b</strong>") == 2_000


@pytest.mark.parametrize(
    "href",
    [
        "//x.example",
        "\\\\x.example",
        "/\\x.example",
        "http://x.example",
        " HTTPS://x.example",
        "/&#9;/x.example",
        "mailto:a@b",
    ],
)
def test_links_in_html_that_lead_away_are_marked(href: str) -> None:
    assert 'class="external"' in html(f'<a class="wiki" href="{href}">x</a>')


@pytest.mark.parametrize("href", ["/note/1", "#part", "?q=a", "a/b.md", ""])
def test_links_in_html_that_stay_are_not(href: str) -> None:
    assert "external" not in html(f"<a href='{href}'>x</a>")


@pytest.mark.parametrize(
    ("address", "is_shown"),
    [
        ("/file/1/a..b.png", True),
        ("/file/1/../../sign-out", False),
        ("/file/1/%2e%2E/%2e./sign-out", False),
        ("/file/1/.&#9;./x", False),
        ("/file/1/..\\x", False),
    ],
)
def test_pictures_come_from_files_alone(address: str, is_shown: bool) -> None:
    assert ("src=" in html(f"<img src='{address}'>")) is is_shown


HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<img src=https://x.example/pixel.png>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](data:text/html,<script>alert(1)</script>)",
    "![x](data:image/svg+xml,<svg/onload=alert(1)>)",
    "<a href='java\tscript:alert(1)'>x</a>",
    "[[javascript:alert(1)]]",
    "[[A|<img src=x onerror=alert(1)>]]",
    "![[p.png|<script>alert(1)</script>]]",
    '![[A"onmouseover="alert(1)]]',
    "<svg onload=alert(1)><script>alert(1)</script></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<iframe srcdoc='<script>alert(1)</script>'></iframe>",
    "<form action=/sign-out method=post><button>x</button></form>",
    "<style>body{display:none}</style>",
    "<div style='position:fixed;inset:0' class='top hit' id='main' onclick=alert(1)>x</div>",
    "<base href='https://x.example/'>",
    "<meta http-equiv=refresh content='0;url=https://x.example'>",
    "<link rel=stylesheet href=https://x.example/x.css>",
    "<img src='/file/../sign-out'>",
    '> [!"><script>alert(1)</script>] x',
    "> [!note] <script>alert(1)</script>",
    '```"><script>alert(1)</script>\nx\n```',
    "```html\n<script>alert(1)</script>\n```",
    "$<script>alert(1)</script>$",
    "$$\n<script>alert(1)</script>\n$$",
    "#<script>alert(1)</script>",
    "==<script>alert(1)</script>==",
    "# <script>alert(1)</script>\n\n## b",
    "- [x] <script>alert(1)</script>",
    "x[^1]\n\n[^1]: <script>alert(1)</script>",
    "<details ontoggle=alert(1) open>x</details>",
    "<a href='//x.example/y' target=_top>x</a>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
]
TAG = re.compile(r"<[^>]*>")
FORBIDDEN = re.compile(
    r"<(?:script|iframe|style|svg|math|form|button|input|base|meta|link|object|embed|template)\b"
    r"|\son\w+\s*=|\sstyle\s*=|(?:href|src)=[\"']?\s*(?:javascript|data|vbscript):|srcdoc|target=",
    re.IGNORECASE,
)


@pytest.mark.parametrize("written", HOSTILE)
def test_x09_nothing_that_a_note_holds_can_run(written: str) -> None:
    """Scripts, handlers, styles, forms, frames, addresses that run: none of them is in the page."""
    shown = html(written)
    for tag in TAG.findall(shown):
        assert FORBIDDEN.search(tag) is None, shown
        assert "x.example" not in tag or tag.startswith("<a "), shown
    assert 'id="main"' not in shown
    assert "..%2f" not in shown.lower()
    assert 'src="/file/..' not in shown
    assert not re.search(r'class="[^"]*\b(?:top|hit)\b', shown)
