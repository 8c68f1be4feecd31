"""References of a note to others, as values."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator
from collections.abc import Mapping as AbcMapping
from urllib.parse import unquote

from trilith.markdown.inline import WIKI_LINK, Inline, MarkdownSpan, WikiSpan
from trilith.markdown.values import text_of, texts_of
from trilith.markdown.yamltree import Mapping, Node, Scalar, Sequence
from trilith.model.note import Link, LinkKind

_EXTERNAL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
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
    found = [*map(_from_wiki, inline.wiki), *map(_from_markdown, inline.markdown)]
    return tuple(sorted((link for link in found if link is not None), key=lambda link: link.start))


def frontmatter_links(root: Mapping, source: str, *, without: Iterable[str] = ()) -> tuple[Link, ...]:
    """The wiki links in values at any depth, in order.

    Args:
        root: the frontmatter.
        source: its text, in which an unquoted `[[Note]]` (to YAML a list in a list) is still a link.
        without: keys whose values are not looked into.
    """
    skipped = frozenset(without)
    texts = (text for key, node in root.items.items() if key not in skipped for text in _texts(node, source))
    return tuple(link for text in texts for match in WIKI_LINK.finditer(text) if (link := _from_value(match)))


def typed_links(links: AbcMapping[str, tuple[str, ...]]) -> tuple[Link, ...]:
    """The edges of a `links` field, one for each target."""
    return tuple(
        Link(LinkKind.TYPED, target, relation=relation) for relation, targets in links.items() for target in targets
    )


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
        links[relation] = tuple(dict.fromkeys(map(_unbracketed, targets)))
    return links


def is_attachment(target: str) -> bool:
    """Whether a link target names a file that is no note, by its ending: `pic.png`, but not `v1.2 notes` or `Node.js`.

    Only where neither a note nor a file of that name is there does this decide: what is missing then is a file.
    """
    return _ATTACHMENT.fullmatch(target) is not None


def _from_wiki(span: WikiSpan) -> Link | None:
    written = span.target.removesuffix("\\") if span.alias is not None else span.target
    if "://" in written:
        return None
    target, fragment = _parted(written)
    if not target and not fragment:
        return None
    kind = LinkKind.EMBED if span.embed else LinkKind.WIKI
    return Link(kind, target, fragment, (span.alias or "").strip() or None, span.start, span.end)


def _from_value(match: re.Match[str]) -> Link | None:
    return _from_wiki(WikiSpan(-1, -1, match[0].startswith("!"), match["target"], match["alias"]))


def _from_markdown(span: MarkdownSpan) -> Link | None:
    written = html.unescape(_ESCAPE.sub(r"\1", span.destination)).strip()
    path, _, fragment = written.partition("#")
    if not path or _EXTERNAL.match(path):
        return None
    kind = LinkKind.EMBED if span.image else LinkKind.MARKDOWN
    return Link(kind, unquote(path), unquote(fragment) or None, span.label.strip() or None, span.start, span.end)


def _parted(written: str) -> tuple[str, str | None]:
    """Target and fragment: `A#Part#Sub`, `A^block` and `A#^block` (which keeps its `^`)."""
    mark = _FRAGMENT.search(written)
    if mark is None:
        return written.strip(), None
    fragment = written[mark.start() :].lstrip("#").strip()
    return written[: mark.start()].strip(), fragment or None


def _unbracketed(text: str) -> str:
    match = WIKI_LINK.fullmatch(text)
    return _parted(match["target"])[0] if match else text


def _texts(node: Node, source: str) -> Iterator[str]:
    if isinstance(node, Scalar):
        yield text_of(node) or ""
    elif isinstance(node, Mapping):
        for value in node.items.values():
            yield from _texts(value, source)
    elif _is_bare_wiki_link(node):
        yield source[node.start : node.end]
    else:
        for item in node.items:
            yield from _texts(item, source)


def _is_bare_wiki_link(node: Sequence) -> bool:
    return node.flow and len(node.items) == 1 and isinstance(node.items[0], Sequence) and node.items[0].flow
