"""A note's Markdown as HTML, and its headings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin

from trilith.markdown.structure import MAX_NESTING
from trilith.surfaces.web.rendering.bounds import bounded_inline
from trilith.surfaces.web.rendering.clean import cleaned
from trilith.surfaces.web.rendering.code import coloured
from trilith.surfaces.web.rendering.linking import Linking
from trilith.surfaces.web.rendering.rawhtml import safe_html
from trilith.surfaces.web.rendering.rules import LINKING, MADE, install, text_of

LONGEST = 400_000
"""Characters of a note that are rendered; who wants to read on takes the raw text."""
TAGS = "tags"
"""Where the environment of a rendering counts the tags of raw HTML."""
MOST_TAGS = 20_000
"""Further ones are text: taking elements apart that stand in each other takes the square of their number."""


@dataclass(frozen=True, slots=True)
class Heading:
    """`name` is its address within the page."""

    level: int
    text: str
    name: str


@dataclass(frozen=True, slots=True)
class Rendered:
    """`html` is clean; `cut` tells that it is not all of the note."""

    html: str
    outline: tuple[Heading, ...]
    cut: bool = False


def render(body: str, linking: Linking, *, title: str = "") -> Rendered:
    """The note as it is read. A first heading that says just its `title` is left out: that stands above already."""
    environment: dict[str, Any] = {LINKING: linking}
    markdown = _markdown()
    tokens = markdown.parse(body[:LONGEST], environment)
    if title and _opens_with(tokens, title):
        del tokens[:3]
    html = markdown.renderer.render(tokens, markdown.options, environment)
    return Rendered(cleaned(html, f"{linking.base}/file/"), tuple(_outline(tokens)), len(body) > LONGEST)


def _opens_with(tokens: Sequence[Token], title: str) -> bool:
    first = tokens[0] if tokens else None
    return first is not None and first.type == "heading_open" and text_of(tokens[1].children or ()) == title.strip()


def _outline(tokens: Sequence[Token]) -> list[Heading]:
    return [
        Heading(int(token.tag[1:]), text_of(tokens[place + 1].children or ()), str(token.attrGet("id")))
        for place, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0 and token.attrGet("id")
    ]


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    """Built once: it holds rules, and nothing of the texts that it reads."""
    options = {"html": True, "maxNesting": MAX_NESTING, "highlight": _highlighted}
    markdown = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    markdown.use(footnote_plugin).use(dollarmath_plugin, allow_space=False, allow_digits=False)
    install(markdown)
    markdown.core.ruler.at("inline", bounded_inline)
    markdown.add_render_rule(MADE, _made)
    markdown.add_render_rule("html_inline", _html)
    markdown.add_render_rule("html_block", _html)
    markdown.add_render_rule("link_open", _link_open)
    markdown.add_render_rule("image", _image)
    markdown.add_render_rule("table_open", _table_open)
    markdown.add_render_rule("table_close", _table_close)
    markdown.add_render_rule("math_inline", _math)
    markdown.add_render_rule("math_block", _math_block)
    return markdown


def _highlighted(code: str, language: str, _attributes: str) -> str:
    inner = coloured(code, language) or escapeHtml(code)
    return f'<pre tabindex="0"><code>{inner}</code></pre>'


def _made(_renderer: RendererHTML, tokens: Sequence[Token], place: int, *_: Any) -> str:
    return tokens[place].content


def _html(_renderer: RendererHTML, tokens: Sequence[Token], place: int, _options: Any, environment: Any) -> str:
    written = tokens[place].content
    environment[TAGS] = environment.get(TAGS, 0) + written.count("<")
    return safe_html(written) if environment[TAGS] <= MOST_TAGS else escapeHtml(written)


def _link_open(_renderer: RendererHTML, tokens: Sequence[Token], place: int, _options: Any, environment: Any) -> str:
    linking: Linking = environment[LINKING]
    address, kind, title = linking.opening(str(tokens[place].attrGet("href") or ""))
    title = str(tokens[place].attrGet("title") or title)
    said = f' title="{escapeHtml(title)}"' if title else ""
    target = f' href="{escapeHtml(address)}"' if address is not None else ""
    return f'<a class="{kind}"{target}{said}>'


def _image(_renderer: RendererHTML, tokens: Sequence[Token], place: int, _options: Any, environment: Any) -> str:
    linking: Linking = environment[LINKING]
    token = tokens[place]
    return linking.image(str(token.attrGet("src") or ""), text_of(token.children or ()))


def _table_open(*_: Any) -> str:
    return '<div class="scroll" tabindex="0"><table>\n'


def _table_close(*_: Any) -> str:
    return "</table></div>\n"


def _math(_renderer: RendererHTML, tokens: Sequence[Token], place: int, *_: Any) -> str:
    return f'<span class="math inline">{escapeHtml(tokens[place].content)}</span>'


def _math_block(_renderer: RendererHTML, tokens: Sequence[Token], place: int, *_: Any) -> str:
    return f'<div class="math block">{escapeHtml(tokens[place].content.strip())}</div>\n'
