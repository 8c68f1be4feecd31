"""Links in frontmatter that follow what has moved. Pure.

A name is put into its value as it is written, if the block then says what it should; else the value is written anew, in
double quotes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from trilith.errors import Refused
from trilith.markdown.frontmatter import Frontmatter, find_block, read_frontmatter
from trilith.markdown.inline import WIKI_LINK, wiki_span
from trilith.markdown.links import frontmatter_links, typed_field, typed_target, value_link, wiki_path, wiki_texts
from trilith.markdown.patching import Patch, Patched
from trilith.markdown.spelling import Form, Moved, Unique, is_wiki_target, respelled
from trilith.markdown.yamltext import quoted
from trilith.markdown.yamltree import Mapping as Fields
from trilith.markdown.yamltree import Node, Scalar, Sequence
from trilith.model.note import Link, LinkKind

_QUOTE = re.compile(r"""(?:[&!]\S*\s+)*(['"])""")


@dataclass(frozen=True, slots=True)
class _Mention:
    """A link in a value: `text[start:end]` of the value is the whole of it, `path` where in the value its target is."""

    link: Link
    start: int
    end: int
    path: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Value:
    """A text in which links are, and the node that it stands for."""

    node: Node
    text: str
    mentions: tuple[_Mention, ...]

    def renamed(self, names: Mapping[Link, str]) -> str:
        return Patched(self.text, [Patch(*each.path, names[each.link]) for each in self.changed(names)]).text

    def changed(self, names: Mapping[Link, str]) -> list[_Mention]:
        return [mention for mention in self.mentions if mention.link in names]


def relink_fields(
    block: str, note: Moved, changes: Mapping[Link, Moved], unique: Unique
) -> tuple[str, tuple[Link, ...]]:
    """As `relinking.relink`, for a frontmatter with its marker lines: the new one, and the links that were left."""
    if not changes:
        return block, ()
    front = read_frontmatter(block)
    present = frontmatter_links(front.fields, front.source)
    for link in changes:
        if link not in present:
            raise Refused(f"The note has changed: its frontmatter has no link to '{link.target}' any more.")
    written = {link: respelled(link.target, note, target, unique, Form.WIKI) for link, target in changes.items()}
    names = {link: name for link, name in written.items() if is_wiki_target(name) and name != link.target}
    left = tuple(link for link, name in written.items() if not is_wiki_target(name))
    return _renamed(block, front, names) if names else block, left


def _renamed(block: str, front: Frontmatter, names: Mapping[Link, str]) -> str:
    """Raises `Refused` when the names can be written in neither way."""
    at = find_block(block)
    assert at is not None, "links were found in it"
    values = {value.node.start: value for value in _values(front)}
    changed = [value for value in values.values() if value.changed(names)]
    expected = _said(front.fields, {start: value.renamed(names) for start, value in values.items()})
    for write in (_in_place, _anew):
        patches = [patch for value in changed for patch in write(value, front.source, names)]
        edited = block[: at.start] + Patched(front.source, patches).text + block[at.end :]
        after = read_frontmatter(edited)
        said = _said(after.fields, {value.node.start: value.text for value in _values(after)})
        if said == expected and after.body == len(edited) and after.problems == front.problems:
            return edited
    raise Refused("The links in this note's frontmatter cannot be rewritten safely; it is left alone.")


def _values(front: Frontmatter) -> Iterator[_Value]:
    """The values that hold links, wherever they lead."""
    for node, text in wiki_texts(front.fields, front.source):
        if mentions := tuple(_mentions(text)):
            yield _Value(node, text, mentions)
    if typed_field(front.fields):
        links = front.fields.items["links"]
        assert isinstance(links, Fields), "typed links are a map"
        for relation, node in links.items.items():
            for entry in node.items if isinstance(node, Sequence) else (node,):
                if isinstance(entry, Scalar) and not entry.is_null:
                    yield _Value(entry, entry.text, (_typed(entry.text, relation),))


def _mentions(text: str) -> Iterator[_Mention]:
    for match in WIKI_LINK.finditer(text):
        span = wiki_span(match)
        if link := value_link(span):
            yield _Mention(link, *match.span(), wiki_path(span))


def _typed(text: str, relation: str) -> _Mention:
    """An entry of the `links` field: a name, or a wiki link."""
    entry = text.strip()
    start = text.find(entry)
    match = WIKI_LINK.fullmatch(text, start, start + len(entry))
    link = Link(LinkKind.TYPED, typed_target(entry), relation=relation)
    span = (start, start + len(entry))
    return _Mention(link, *span, wiki_path(wiki_span(match)) if match else span)


def _in_place(value: _Value, source: str, names: Mapping[Link, str]) -> Iterator[Patch]:
    """The names alone, where each link stands in the source; none for a link that is written with escapes or breaks."""
    quote = _QUOTE.match(source, value.node.start, value.node.end)
    past = value.node.start
    for mention in value.mentions:
        at = source.find(value.text[mention.start : mention.end], past, value.node.end)
        if at < 0:
            continue
        past = at + mention.end - mention.start
        if mention.link in names:
            start, end = (at + place - mention.start for place in mention.path)
            yield Patch(start, end, _within(quote[1] if quote else "", names[mention.link]))


def _within(quote: str, name: str) -> str:
    if quote == "'":
        return name.replace("'", "''")
    return quoted(name)[1:-1] if quote else name


def _anew(value: _Value, source: str, names: Mapping[Link, str]) -> Iterator[Patch]:
    """The whole value; what follows a block scalar stays on its own line."""
    node = value.node
    end = node.start + len(source[node.start : node.end].rstrip())
    yield Patch(node.start, end, quoted(value.renamed(names)))


def _said(node: Node, texts: Mapping[int, str]) -> object:
    """What a frontmatter says, comparable: `texts` are those of values with links, by where their nodes begin."""
    if node.start in texts and not isinstance(node, Fields):
        return texts[node.start]
    if isinstance(node, Scalar):
        return None if node.is_null else node.text
    if isinstance(node, Fields):
        return [(key, _said(value, texts)) for key, value in node.items.items()]
    return tuple(_said(item, texts) for item in node.items)
