"""Tags: what counts as one, and how lists of them are written."""

from __future__ import annotations

from collections.abc import Iterable

from trilith.markdown.values import text_of, texts_of
from trilith.markdown.yamltree import Node, Scalar

TAG = r"(?<!\S)#[^\s!-,.:-@\[-^`{-~\u2000-\u200c\u200e-\u206f\u2e00-\u2e7f\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]+"
"""A `#` at the start of a line or after a space, then anything but spaces and punctuation; `_`, `-` and `/` belong to
the tag. These are Obsidian's rules (help.obsidian.md, Tags), CJK punctuation added."""


MAX_TAG = 200
"""Characters of an inline tag; what goes on longer is some other kind of text."""


def inline_tag(written: str) -> str | None:
    """The tag in a match of `TAG`, without `#`; None for `#80` and other numbers, which are no tags."""
    tag = written[1:].strip("/")
    return tag if len(tag) <= MAX_TAG and any(not (char.isdigit() or char in "_-/") for char in tag) else None


def tags_of(node: Node) -> tuple[str, ...] | None:
    """The tags of a frontmatter value: a list; or one text, parted at its commas, else at its spaces. None when it is
    neither."""
    if not isinstance(node, Scalar):
        return texts_of(node)
    text = text_of(node) or ""
    parts = text.split(",") if "," in text else text.split()
    return tuple(part.strip() for part in parts)


def distinct_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Tags without `#`, empty ones left out, each once whatever its case; the first spelling stays."""
    found: dict[str, str] = {}
    for tag in tags:
        clean = tag.strip().lstrip("#").strip("/").strip()
        if clean:
            found.setdefault(clean.casefold(), clean)
    return tuple(found.values())
