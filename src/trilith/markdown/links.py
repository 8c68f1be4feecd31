"""References of a note to others, as values."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from collections.abc import Mapping as AbcMapping
from dataclasses import replace
from urllib.parse import unquote

from trilith.markdown.inline import WIKI_LINK, Inline, MarkdownSpan, WikiSpan, wiki_span
from trilith.markdown.values import texts_of
from trilith.markdown.yamltree import Mapping, Node, Scalar, Sequence
from trilith.model.note import Link, LinkKind

_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])|&#?[0-9A-Za-z]{1,40};")
_FRAGMENT = re.compile(r"[#^]")

_ATTACHMENT = re.compile(
    r".+\.(?:avif|bmp|gif|heic|ico|jpe?g|png|svg|tiff?|webp"
    r"|3gp|aac|flac|m4a|mp3|og[ag]|opus|wav|avi|m4v|mkv|mov|mp4|ogv|webm"
    r"|base|canvas|drawio|epub|excalidraw|pdf"
    r"|csv|docx?|html?|ipynb|json|key|log|numbers|od[pst]|pages|pptx?|rtf|tex|toml|tsv|txt|xlsx?|xml|ya?ml"
    r"|bib|c|cpp|css|go|h|hpp|java|kt|lua|php|py|r|rb|rs|sh|sql|swift"
    r"|7z|bz2|gz|rar|tar|tgz|xz|zip)",
    re.IGNORECASE | re.DOTALL,
)


def body_links(inline: Inline) -> tuple[Link, ...]:
    """The links of a body in order of appearance. External URLs, mail addresses and bare anchors are none."""
    found = [*map(wiki_link, inline.wiki), *map(markdown_link, inline.markdown)]
    return tuple(sorted((link for link in found if link is not None), key=lambda link: link.start))


def frontmatter_links(root: Mapping, source: str) -> tuple[Link, ...]:
    """The wiki links in values at any depth, then the edges of the `links` field; each in order.

    Args:
        root: the frontmatter.
        source: its text, in which an unquoted `[[Note]]` (to YAML a list in a list) is still a link.
    """
    spans = (wiki_span(match) for _, text in wiki_texts(root, source) for match in WIKI_LINK.finditer(text))
    typed = (Link(LinkKind.TYPED, target, relation=relation) for relation, target in _edges(typed_field(root)))
    return (*filter(None, map(value_link, spans)), *typed)


def wiki_texts(root: Mapping, source: str) -> Iterator[tuple[Node, str]]:
    """The texts of a frontmatter in which wiki links are looked for, each with the node that it stands for.

    Typed links are edges already. Collaborator notes are not for every reader's eyes, and neither are their links.
    """
    skipped = {"collaborator_notes", "links"} if typed_field(root) else {"collaborator_notes"}
    for key, node in root.items.items():
        if key not in skipped:
            yield from _texts(node, source)


def typed_field(root: Mapping) -> dict[str, tuple[str, ...]]:
    """The `links` field as in `typed_targets`; empty when it is not there, or something else."""
    node = root.items.get("links")
    return (typed_targets(node) if node is not None else None) or {}


def typed_targets(node: Node) -> dict[str, tuple[str, ...]] | None:
    """A `links` field: type -> note ids or names, wiki brackets removed. None when it is something else, a map of URLs
    for instance."""
    if not isinstance(node, Mapping):
        return None
    links: dict[str, tuple[str, ...]] = {}
    for relation, value in node.items.items():
        targets = texts_of(value)
        if targets is None or any("://" in target for target in targets):
            return None
        links[relation] = tuple(dict.fromkeys(map(typed_target, targets)))
    return links


def typed_target(written: str) -> str:
    """What an entry of the `links` field names: its text, or the target of the wiki link that it is."""
    match = WIKI_LINK.fullmatch(written)
    return _parted(match["target"])[0] if match else written


def is_attachment(target: str) -> bool:
    """Whether a link target names a file that is no note, by its ending: `pic.png`, but not `v1.2 notes` or `Node.js`.

    Only where neither a note nor a file of that name is there does this decide: what is missing then is a file.
    """
    return _ATTACHMENT.fullmatch(target) is not None


def wiki_link(span: WikiSpan) -> Link | None:
    """The link that a wiki span of a body is; None for a URL in brackets."""
    written = _named(span)
    if "://" in written:
        return None
    target, fragment = _parted(written)
    if not target and not fragment:
        return None
    kind = LinkKind.EMBED if span.embed else LinkKind.WIKI
    return Link(kind, target, fragment, (span.alias or "").strip() or None, span.start, span.end)


def value_link(span: WikiSpan) -> Link | None:
    """The link that a wiki span of a frontmatter value is: one without offsets."""
    link = wiki_link(span)
    return None if link is None else replace(link, start=-1, end=-1)


def wiki_path(span: WikiSpan) -> tuple[int, int]:
    """Where the target of a wiki link stands, as start and end in the text that the span is of."""
    written = _FRAGMENT.split(_named(span), maxsplit=1)[0]
    start = span.start + len("![[" if span.embed else "[[") + len(written) - len(written.lstrip())
    return start, start + len(written.strip())


def markdown_link(span: MarkdownSpan) -> Link | None:
    """The link that a Markdown span is; None for one that leads out of the vault, or nowhere."""
    written = unescaped(span.destination).strip()
    path, _, fragment = written.partition("#")
    if not path or _EXTERNAL.match(path):
        return None
    kind = LinkKind.EMBED if span.image else LinkKind.MARKDOWN
    return Link(kind, unquote(path), unquote(fragment) or None, span.label.strip() or None, span.start, span.end)


def unescaped(written: str) -> str:
    """A destination as it is meant: backslash escapes and entities read (CommonMark 0.31, sections 2.4 and 2.5)."""
    return _ESCAPE.sub(lambda match: match[1] or html.unescape(match[0]), written)


def _named(span: WikiSpan) -> str:
    """What stands before the `|`, which in a table is written `\\|`."""
    return span.target.removesuffix("\\") if span.alias is not None else span.target


def _parted(written: str) -> tuple[str, str | None]:
    """Target and fragment: `A#Part#Sub`, `A^block` and `A#^block` (which keeps its `^`)."""
    mark = _FRAGMENT.search(written)
    if mark is None:
        return written.strip(), None
    fragment = written[mark.start() :].lstrip("#").strip()
    return written[: mark.start()].strip(), fragment or None


def _edges(links: AbcMapping[str, tuple[str, ...]]) -> Iterator[tuple[str, str]]:
    return ((relation, target) for relation, targets in links.items() for target in targets)


def _texts(node: Node, source: str) -> Iterator[tuple[Node, str]]:
    if isinstance(node, Scalar):
        yield node, "" if node.is_null else node.text
    elif isinstance(node, Mapping):
        for value in node.items.values():
            yield from _texts(value, source)
    elif _is_bare_wiki_link(node):
        yield node, source[node.start : node.end]
    else:
        for item in node.items:
            yield from _texts(item, source)


def _is_bare_wiki_link(node: Sequence) -> bool:
    return node.flow and len(node.items) == 1 and isinstance(node.items[0], Sequence) and node.items[0].flow
