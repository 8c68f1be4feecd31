"""Links that follow what has moved: exactly those are rewritten, each in its own style, every other character kept. Pure.

What is rewritten is the target alone: fragment, text, title, escapes and line ends stay as they are. Only a wiki link
to a name that no wiki link can hold becomes a Markdown link. The result is read again before it is handed out.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from trilith.errors import Refused
from trilith.markdown.destinations import encoded, repathed
from trilith.markdown.fieldlinks import relink_fields
from trilith.markdown.frontmatter import read_frontmatter
from trilith.markdown.inline import Inline, MarkdownSpan, WikiSpan, read_inline
from trilith.markdown.links import body_links, frontmatter_links, markdown_link, wiki_link, wiki_path
from trilith.markdown.patching import Patch, Patched
from trilith.markdown.spelling import Form, Moved, Unique, is_wiki_target, markdown_path, respelled, without_ending
from trilith.markdown.structure import Blocks, read_blocks
from trilith.markdown.text import BOM
from trilith.model.note import Link, LinkKind

_MARKUP = re.compile(r"[\\\[\]<*_~=#|&$]|\A\^")


@dataclass(frozen=True, slots=True)
class Relinked:
    """The new text. `left` are links that stand as they were, because nothing that may be written in their place would
    lead there: a wiki link in frontmatter cannot hold a `#`, for instance."""

    text: str
    left: tuple[Link, ...] = ()


def links_of(text: str) -> tuple[Link, ...]:
    """The links of a whole file as `relink` takes them: those of its body, then those of its frontmatter."""
    rest = text.removeprefix(BOM)
    front = read_frontmatter(rest)
    body = rest[front.body :]
    inline = read_inline(body, read_blocks(body).regions)
    return (*body_links(inline), *frontmatter_links(front.fields, front.source))


def relink(text: str, note: Moved, changes: Mapping[Link, Moved], unique: Unique) -> Relinked:
    """A note's text in which these links lead to where their targets are now.

    Args:
        text: the whole file, byte order mark and frontmatter included.
        note: the path of the note that it is. When the note itself has moved, give those of its links that its folder
            has a say in, with where they led (`Moved(path, path)` when that has stayed).
        changes: links as extracted from this text, and the path of the note or attachment that each led to, before and
            after. Links from frontmatter and typed ones, which have no offsets, stand for all that are equal.
        unique: asked before a name is written that other notes may answer to.

    Raises `Refused` when a link does not stand in the text (any more), and when the new text would not read as the old
    one with other targets.
    """
    bom, rest = (BOM, text[1:]) if text.startswith(BOM) else ("", text)
    start = read_frontmatter(rest).body
    in_body = {link: target for link, target in changes.items() if link.start >= 0}
    in_fields = {link: target for link, target in changes.items() if link.start < 0}
    fields, fields_left = relink_fields(rest[:start], note, in_fields, unique)
    body, body_left = relink_body(rest[start:], note, in_body, unique)
    return Relinked(f"{bom}{fields}{body}", (*body_left, *fields_left))


def relink_body(body: str, note: Moved, changes: Mapping[Link, Moved], unique: Unique) -> tuple[str, tuple[Link, ...]]:
    """As `relink`, for a body alone: the new body, and the links that were left."""
    if not changes:
        return body, ()
    blocks = read_blocks(body)
    inline = read_inline(body, blocks.regions)
    spans = _spans(inline)
    rewrite = _Rewrite(body, note, unique, inline)
    for link, target in changes.items():
        if link not in spans:
            raise Refused(f"The note has changed: its link to '{link.target}' is not where it was.")
        rewrite.take(link, spans[link], target)
    patched = Patched(body, rewrite.patches)
    _verify(blocks, inline, patched, rewrite.renewed)
    return patched.text, tuple(rewrite.left)


def _spans(inline: Inline) -> dict[Link, WikiSpan | MarkdownSpan]:
    spans: dict[Link, WikiSpan | MarkdownSpan] = {}
    spans |= {link: span for span in inline.wiki if (link := wiki_link(span))}
    spans |= {link: span for span in inline.markdown if (link := markdown_link(span))}
    return spans


class _Rewrite:
    """The patches for one body, and the links as they are to read then."""

    def __init__(self, body: str, note: Moved, unique: Unique, inline: Inline) -> None:
        self.patches: list[Patch] = []
        self.renewed: dict[Link, Link] = {}
        self.left: list[Link] = []
        self._body = body
        self._note = note
        self._unique = unique
        self._inline = inline

    def take(self, link: Link, span: WikiSpan | MarkdownSpan, target: Moved) -> None:
        written = link.target.strip()
        new = respelled(written, self._note, target, self._unique, _form(span))
        if new == written:
            return
        if isinstance(span, MarkdownSpan):
            self._destination(link, span, new)
        elif is_wiki_target(new):
            start, end = wiki_path(span)
            self._put(Patch(start, end, new), link, replace(link, target=new))
        elif span.embed or not self._in_label(span):
            self._as_markdown(link, span, target)
        else:
            self.left.append(link)

    def _destination(self, link: Link, span: MarkdownSpan, new: str) -> None:
        end = span.at + len(span.destination)
        written = repathed(span.destination, new, angle=self._body[span.at - 1] == "<")
        self._put(Patch(span.at, end, written), link, replace(link, target=new))

    def _as_markdown(self, link: Link, span: WikiSpan, target: Moved) -> None:
        path = markdown_path(self._note, target, Form.IMAGE if span.embed else Form.MARKDOWN)
        fragment = f"#{encoded(link.fragment)}" if link.fragment else ""
        # A backslash would not keep a backtick from closing code that was left open before.
        label = _MARKUP.sub(r"\\\g<0>", _shown(link, target)).replace("`", "&#96;")
        written = f"{'!' if span.embed else ''}[{label}]({encoded(path)}{fragment})"
        kind = LinkKind.EMBED if span.embed else LinkKind.MARKDOWN
        self._put(Patch(span.start, span.end, written), link, replace(link, kind=kind, target=path))

    def _put(self, patch: Patch, link: Link, renewed: Link) -> None:
        self.patches.append(patch)
        self.renewed[link] = renewed

    def _in_label(self, span: WikiSpan) -> bool:
        """Whether a wiki link stands in the text of a Markdown link, where no other can stand."""
        return any(not m.image and m.start < span.start and span.end <= m.end for m in self._inline.markdown)


def _form(span: WikiSpan | MarkdownSpan) -> Form:
    if isinstance(span, WikiSpan):
        return Form.WIKI
    return Form.IMAGE if span.image else Form.MARKDOWN


def _shown(link: Link, target: Moved) -> str:
    """What a wiki link shows: its text, in tables with `\\|` for a bar, else the name and the headings that it names."""
    if link.text:
        return link.text.replace("\\|", "|")
    name = posixpath.basename(without_ending(target.now))
    return " ".join(" > ".join((name, *(link.fragment or "").split("#"))).removesuffix(" > ").split())


def _verify(blocks: Blocks, inline: Inline, patched: Patched, renewed: Mapping[Link, Link]) -> None:
    """Raises `Refused` unless the patched text has the links it should, where they should be, and is otherwise laid out as
    it was."""
    new_blocks = read_blocks(patched.text)
    new_inline = read_inline(patched.text, new_blocks.regions)
    unpatched = Patched("", ())
    expected = [_place(renewed.get(link, link), patched) for link in body_links(inline)]
    found = [_place(link, unpatched) for link in body_links(new_inline)]
    if expected != found or _layout(blocks, inline, patched) != _layout(new_blocks, new_inline, unpatched):
        raise Refused("The links of this note cannot be rewritten without changing something else; it is left alone.")


def _place(link: Link, patched: Patched) -> tuple[object, ...]:
    return link.kind, link.target, link.fragment, patched.after(link.start), patched.after(link.end)


def _layout(blocks: Blocks, inline: Inline, patched: Patched) -> tuple[object, ...]:
    """All that is no link."""
    after = patched.after
    return (
        inline.tags,
        [(heading.level, after(heading.start)) for heading in blocks.headings],
        [(region.kind, after(region.start), after(region.end)) for region in blocks.regions],
        [(code.fence, after(code.start), after(code.end)) for code in blocks.code],
        [(after(start), after(end)) for start, end in (*inline.code, *inline.comments)],
    )
