"""What notes have beyond CommonMark: wiki links, embeds, tags, marks, tasks and callouts (help.obsidian.md, Basic syntax)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from trilith.markdown.inline import WIKI_LINK, wiki_span
from trilith.markdown.links import wiki_link
from trilith.markdown.tags import TAG, inline_tag
from trilith.surfaces.web.rendering.headings import anchor
from trilith.surfaces.web.rendering.linking import Linking

LINKING = "linking"
"""Where the environment of a rendering holds its `Linking`."""
MADE = "made"
"""The type of tokens whose HTML is ours."""
_HTML = "html_inline"
_CALLOUT = re.compile(r"\[!([A-Za-z]{1,20})[^\]]*\]([+-]?)[ \t]*([^\n]*)(?:\n|$)")
_TASK = re.compile(r"\[([ xX/-])\][ \t]+")
_BLOCK_NAME = re.compile(r"(?:(?<=\s)|^)\^[A-Za-z0-9-]+\s*$")
_WITHIN = re.compile(rf"(?P<tag>{TAG})|==(?=\S)(?P<mark>(?:(?!==).)++)(?<=\S)==")


def install(markdown: MarkdownIt) -> None:
    markdown.inline.ruler.before("link", "wiki", _wiki)
    markdown.core.ruler.before("inline", "callouts", _callouts)
    markdown.core.ruler.after("inline", "extras", _extras)


def _wiki(state: StateInline, silent: bool) -> bool:
    if state.src[state.pos] not in "[!":
        return False
    match = WIKI_LINK.match(state.src, state.pos, state.posMax)
    link = wiki_link(wiki_span(match)) if match else None
    if match is None or link is None:
        return False
    if not silent:
        token = state.push(MADE, "", 0)
        token.content, token.meta = state.env[LINKING].wiki(link), {"said": link.text or link.target}
    state.pos = match.end()
    return True


def _callouts(state: StateCore) -> None:
    """Quotes that begin with `[!kind] Title`; with `[!kind]-` they are folded, with `[!kind]+` they can be."""
    tokens: list[Token] = []
    open_ones: list[str | None] = []
    waiting: Token | None = None
    for token in state.tokens:
        if token.type == "blockquote_open":
            waiting = token
            open_ones.append(None)
        elif token.type == "blockquote_close":
            token.tag = open_ones.pop() or token.tag
        elif waiting is not None and token.type == "inline":
            match = _CALLOUT.match(token.content)
            if match:
                open_ones[-1] = _dress(waiting, match[1].lower(), match[2])
                rest = token.content[match.end() :]
                opening = tokens.pop()
                tokens += _title(match[3].strip() or match[1].capitalize(), opening, "summary" if match[2] else "p")
                tokens.append(opening)
                opening.hidden = not rest.strip()
                token.content = rest
            waiting = None
        elif waiting is not None and token.type != "paragraph_open":
            waiting = None
        tokens.append(token)
    state.tokens[:] = tokens


def _dress(quote: Token, kind: str, fold: str) -> str:
    """The tag that the quote has now. `fold`: "" for one that is always open."""
    quote.tag = "details" if fold else "div"
    quote.attrSet("class", f"callout callout-{kind}")
    if fold == "+":
        quote.attrSet("open", "")
    elif not fold:
        quote.attrSet("role", "note")
    return quote.tag


def _title(text: str, near: Token, tag: str) -> list[Token]:
    opening = Token("paragraph_open", tag, 1, level=near.level, block=True, attrs={"class": "callout-title"})
    inline = Token("inline", "", 0, level=near.level + 1, content=text, children=[], block=True, map=near.map)
    return [opening, inline, Token("paragraph_close", tag, -1, level=near.level, block=True)]


def _extras(state: StateCore) -> None:
    """Names for headings; in running text tags, marks and the boxes of tasks."""
    linking: Linking = state.env[LINKING]
    seen: dict[str, int] = {}
    for place, token in enumerate(state.tokens):
        if token.type in ("td_open", "th_open"):
            _align(token)
        if token.type != "inline" or token.children is None:
            continue
        before = state.tokens[place - 1] if place else None
        if before is not None and before.type == "heading_open":
            if not linking.is_embedded:
                _name(before, text_of(token.children), seen)
            continue
        _unmark(token.children)
        if _is_item(state.tokens, place):
            _box(state.tokens[place - 2], token.children)
        token.children = list(_enriched(token.children, linking))


def text_of(children: Sequence[Token]) -> str:
    """What a line says, without its markup."""
    parts = (child.meta.get("said", "") if child.type in (MADE, _HTML) else child.content for child in children)
    return "".join(parts).strip()


def _name(heading: Token, text: str, seen: dict[str, int]) -> None:
    name = anchor(text)
    seen[name] = seen.get(name, 0) + 1
    heading.attrSet("id", name if seen[name] == 1 else f"{name}-{seen[name]}")


def _unmark(children: list[Token]) -> None:
    """The name of a block, `^name` at its end, is for links alone."""
    if children and children[-1].type == "text":
        children[-1].content = _BLOCK_NAME.sub("", children[-1].content)


def _align(cell: Token) -> None:
    """By a class: no page of ours lets a style stand within it."""
    side = str(cell.attrs.pop("style", "")).removeprefix("text-align:")
    if side:
        cell.attrSet("class", side)


def _is_item(tokens: Sequence[Token], place: int) -> bool:
    return place > 1 and tokens[place - 1].type == "paragraph_open" and tokens[place - 2].type == "list_item_open"


def _box(item: Token, children: list[Token]) -> None:
    match = _TASK.match(children[0].content) if children and children[0].type == "text" else None
    if match is None:
        return
    done = match[1] in "xX"
    children[0].content = children[0].content[match.end() :]
    state = "done" if done else "open"
    said = "Done" if done else "To do"
    children.insert(0, Token(MADE, "", 0, content=f'<span class="task {state}" role="img" aria-label="{said}"></span>'))
    item.attrSet("class", "todo")


def _enriched(children: Sequence[Token], linking: Linking) -> Iterator[Token]:
    depth = 0
    for child in children:
        depth += child.nesting if child.type.startswith("link") else 0
        if child.type == "text" and not depth and _WITHIN.search(child.content):
            yield from _parted(child.content, linking)
        else:
            yield child


def _parted(text: str, linking: Linking) -> Iterator[Token]:
    at = 0
    for match in _WITHIN.finditer(text):
        html = _inner(match, linking.tag)
        if html is not None:
            yield Token("text", "", 0, content=text[at : match.start()])
            yield Token(MADE, "", 0, content=html, meta={"said": match[0]})
            at = match.end()
    yield Token("text", "", 0, content=text[at:])


def _inner(match: re.Match[str], tag_html: Callable[[str], str]) -> str | None:
    if match["mark"]:
        return f"<mark>{escapeHtml(match['mark'])}</mark>"
    tag = inline_tag(match["tag"])
    return None if tag is None else tag_html(tag)
