"""Where the links of a note lead, asked of the catalog as its reader may see it; and what it embeds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import quote

from trilith.app import App
from trilith.errors import TrilithError
from trilith.markdown.inline import read_inline
from trilith.markdown.links import body_links
from trilith.markdown.sections import find_sections
from trilith.markdown.structure import read_blocks
from trilith.model.note import Entry, Link
from trilith.model.query import Filter
from trilith.ports.graph import ResolvedLink
from trilith.surfaces.web.rendering.destinations import Destination, Destinations, Embedded, State
from trilith.surfaces.web.rendering.document import LONGEST, render
from trilith.surfaces.web.rendering.linking import Linking

MOST_EMBEDS = 12
"""Notes that are shown within one; further ones are links."""
LONGEST_EMBED = 20_000
"""Characters."""


@dataclass(slots=True)
class Linked:
    """The links of one note for one page."""

    app: App
    filter: Filter
    base: str
    embedded: int = field(default=0)

    def of(self, entry: Entry, *, is_embedded: bool = False) -> Linking:
        """How the links of a note are shown."""
        return self._linking(entry, self.app.graph.outgoing(entry.num, self.filter), is_embedded)

    def within(self, entry: Entry, text: str) -> Linking:
        """How the links of a text are shown that stands with a note but not in its body, or not yet."""
        text = text[:LONGEST]
        links = body_links(read_inline(text, read_blocks(text).regions))
        return self._linking(entry, self.app.graph.resolved(entry.num, links, self.filter), is_embedded=False)

    def _linking(self, entry: Entry, resolved: Sequence[ResolvedLink], is_embedded: bool) -> Linking:
        targets = self.app.catalog.entries({each.target for each in resolved if each.target is not None})
        leading = {each.link.target: each.target for each in reversed(resolved)}
        by_target = {
            each.link.target: shown
            for each in resolved
            if (shown := self._destination(entry, each, targets.get(each.target) if each.target else None)) is not None
        }

        def embed(link: Link) -> Embedded | None:
            target = leading.get(link.target)
            return self._embedded(targets[target], link) if target in targets and target != entry.num else None

        return Linking(Destinations(by_target, embed), self.base, is_embedded)

    def _destination(self, entry: Entry, link: ResolvedLink, target: Entry | None) -> Destination | None:
        if target is not None:
            several = f" (one of {len(link.candidates)} that answer)" if link.candidates else ""
            title = f"{target.path}{several}"
            return Destination(state=State.NOTE, href=f"{self.base}/note/{target.id}", title=title)
        if link.attachment is not None:
            href = f"{self.base}/file/{entry.id}/{quote(link.attachment)}"
            return Destination(state=State.FILE, href=href, title=link.attachment)
        return None

    def _embedded(self, target: Entry, link: Link) -> Embedded | None:
        if self.embedded >= MOST_EMBEDS:
            return None
        self.embedded += 1
        try:
            body = part_of(self.app.reader.read(target, self.filter).content, link.fragment)
        except TrilithError:
            return None  # its file has gone since: a link says so when it is followed
        html = render(body[:LONGEST_EMBED], self.of(target, is_embedded=True), title=target.metadata.title).html
        title = f"{target.metadata.title} > {link.fragment}" if link.fragment else target.metadata.title
        return Embedded(title, f"{self.base}/note/{target.id}", html)


def part_of(body: str, fragment: str | None) -> str:
    """The section or the block that a fragment names; all of the body when it names none."""
    if not fragment:
        return body
    if fragment.startswith("^"):
        block = next((part for part in body.split("\n\n") if part.rstrip().endswith(fragment)), None)
        return body if block is None else block.rstrip().removesuffix(fragment)
    found = find_sections(body, read_blocks(body).headings, fragment.rpartition("#")[2])
    return body[found[0].content : found[0].end] if found else body
