"""HTML of links and of what is embedded."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import quote

from markdown_it.common.utils import escapeHtml

from trilith.markdown.inline import MarkdownSpan
from trilith.markdown.links import markdown_link
from trilith.model.note import Link, LinkKind
from trilith.surfaces.web.rendering.destinations import Destination, Destinations, State
from trilith.surfaces.web.rendering.headings import anchor_of

IMAGES = (".avif", ".bmp", ".gif", ".ico", ".jpeg", ".jpg", ".png", ".svg", ".webp")


@dataclass(frozen=True, slots=True)
class Linking:
    """The links of one note. `base` is what a proxy puts before our paths."""

    destinations: Destinations
    base: str
    is_embedded: bool = False
    """Whether the note is shown within another: nothing is embedded further down, and headings have no names."""

    def wiki(self, link: Link) -> str:
        if link.kind is LinkKind.EMBED:
            return self._embed(link, _alias(link))
        return self._anchor(link, escapeHtml(link.text or _shown(link)))

    def tag(self, tag: str) -> str:
        return f'<a class="tag" href="{self.base}/?tags={quote(tag, safe="")}">#{escapeHtml(tag)}</a>'

    def image(self, source: str, alt: str) -> str:
        """A Markdown image. One from elsewhere is not loaded: it is a link there."""
        link = markdown_link(MarkdownSpan(0, 0, True, alt, source, 0))
        if link is not None:
            return self._embed(link, alt)
        return f'<a class="external" href="{escapeHtml(source)}">{escapeHtml(alt or source)}</a>'

    def opening(self, source: str) -> tuple[str | None, str, str]:
        """Address, class and title of a Markdown link; no address where nothing is there."""
        if source.startswith("#"):
            return f"#{anchor_of(source[1:])}", "wiki", ""
        link = markdown_link(MarkdownSpan(0, 0, False, "", source, 0))
        if link is None:
            return source, "external", ""
        found = self.destinations.of(link)
        return self._address(link, found), _kind(found), found.title

    def _anchor(self, link: Link, html: str) -> str:
        if not link.target:
            return f'<a class="wiki" href="#{anchor_of(link.fragment or "")}">{html}</a>'
        found = self.destinations.of(link)
        address, title = self._address(link, found), escapeHtml(found.title)
        if address is None:
            return f'<span class="missing" title="{title}">{html}</span>'
        return f'<a class="{_kind(found)}" href="{escapeHtml(address)}" title="{title}">{html}</a>'

    def _address(self, link: Link, found: Destination) -> str | None:
        if found.href is None:
            return None
        is_heading = found.state is State.NOTE and link.fragment and not link.fragment.startswith("^")
        return f"{found.href}#{anchor_of(link.fragment or '')}" if is_heading else found.href

    def _embed(self, link: Link, alt: str) -> str:
        found = self.destinations.of(link)
        if found.state is State.FILE and found.href and link.target.lower().endswith(IMAGES):
            width = f' width="{alt}"' if alt.isdecimal() else ""
            said = escapeHtml("" if alt.isdecimal() else alt) or escapeHtml(_shown(link))
            return f'<img src="{escapeHtml(found.href)}" alt="{said}" loading="lazy"{width}>'
        embedded = None if self.is_embedded or found.state is not State.NOTE else self.destinations.embeds(link)
        if embedded is None:
            return self._anchor(link, escapeHtml(alt if alt and not alt.isdecimal() else _shown(link)))
        source = f'<a class="wiki" href="{escapeHtml(embedded.href)}">{escapeHtml(embedded.title)}</a>'
        return f'<div class="embed"><p>{source}</p>{embedded.html}</div>'


def _alias(link: Link) -> str:
    """`300x200` is a size, of which the width is kept."""
    text = link.text or ""
    width, _, height = text.partition("x")
    return width if width.isdecimal() and (not height or height.isdecimal()) else text


def _shown(link: Link) -> str:
    """A link as it is read when it has no text of its own: `Note > Heading`."""
    name = link.target.removesuffix(".md")
    return " > ".join(part for part in (name, *(link.fragment or "").split("#")) if part)


def _kind(found: Destination) -> str:
    return {State.NOTE: "wiki", State.FILE: "file", State.MISSING: "missing"}[found.state]
