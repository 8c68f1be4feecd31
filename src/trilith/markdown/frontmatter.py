"""The block at the top of a file: where it ends, and what it holds."""

from __future__ import annotations

import re
from dataclasses import dataclass

from trilith.markdown.yamllines import read_lines
from trilith.markdown.yamltree import Mapping, Sequence, Tree, YamlFailure, read_tree
from trilith.model.note import Problem

MAX_BLOCK = 64 * 1024
"""Characters of YAML that are read. A longer block is left unread, and reported."""

_OPENER = re.compile(r"---[ \t]*(?:\r\n?|\n)")
_CLOSER = re.compile(r"(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n?|\n|\Z)")

_KEY = re.compile(r"""[ \t]*(?:"[^"\r\n]*"|'[^'\r\n]*'|[^\s#\-\[\]{}&*!|>%@`"',:][^\r\n:]*)[ \t]*:(?=[\s]|\Z)""")
_FIRST_LINE = re.compile(r"(?:[ \t]*(?:#[^\r\n]*)?(?:\r\n?|\n))*([^\r\n]*)")
_BLANK_LINE = re.compile(r"[ \t]*[\r\n]")
_PROSE = re.compile(r"(?>\r\n?|\n)[ \t]*(?>\r\n?|\n)(?=[^\s#\-\]}\"'])(?![^\r\n:]*:(?:\s|\Z))")

_TAGS = re.compile(r"(?:\A|(?<=[\r\n]))tags?[ \t]*:[ \t]*([^\r\n]*)((?:(?:\r\n?|\n)[ \t]*-[ \t]+[^\r\n]*)*)")


@dataclass(frozen=True, slots=True)
class Block:
    """`text[start:end]` is the YAML between the two marker lines, `text[body:]` everything after the closing line and
    its line end: the note's content, byte for byte."""

    start: int
    end: int
    body: int


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """`fields` and `source` (the YAML) are empty when there is no block, or when it cannot be read; `tags` are then what
    could be saved from it."""

    fields: Mapping
    source: str = ""
    body: int = 0
    tags: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


_NOTHING = Mapping({}, flow=False, line=0, start=0, end=0, size=1)


def find_block(text: str) -> Block | None:
    """The block that `text` may open with: a first line `---`, and a later line `---` or `...`.

    Whether it is frontmatter, or text between two thematic breaks, only its content tells.
    """
    opener = _OPENER.match(text)
    if opener is None:
        return None
    closer = _CLOSER.search(text, opener.end())
    return None if closer is None else Block(opener.end(), closer.start(), closer.end())


def read_frontmatter(text: str) -> Frontmatter:
    """What the block at the top of `text` says; never raises. Lines of problems are lines of the file, from 1."""
    block = find_block(text)
    if block is None:
        return _without(_unclosed(text))
    source = text[block.start : block.end]
    if _is_thematic_break(source):
        return _without()
    try:
        if len(source) > MAX_BLOCK:
            raise YamlFailure(f"longer than {MAX_BLOCK} characters", 0)
        simple = read_lines(source)
        return _read(Tree(simple) if simple else read_tree(source), source, block)
    except YamlFailure as failure:
        return _broken(failure, source, block)


def _without(*problems: Problem | None) -> Frontmatter:
    return Frontmatter(_NOTHING, problems=tuple(problem for problem in problems if problem))


def _unclosed(text: str) -> Problem | None:
    opener = _OPENER.match(text)
    if opener is None or not _KEY.match(text, opener.end()):
        return None
    return Problem("unclosed_frontmatter", "the frontmatter has no closing ---; it is read as text", 1)


def _is_thematic_break(source: str) -> bool:
    """A blank line after `---` and no key below it is how a rule stands above text (pandoc draws the same line)."""
    return bool(source.strip()) and _BLANK_LINE.match(source) is not None and not _opens_with_key(source)


def _opens_with_key(source: str) -> bool:
    first = _FIRST_LINE.match(source)
    return first is not None and _KEY.match(first[1]) is not None


def _read(tree: Tree, source: str, block: Block) -> Frontmatter:
    root = tree.root
    if root is None or (not isinstance(root, (Mapping, Sequence)) and root.is_null):
        return Frontmatter(_NOTHING, body=block.body)
    if not isinstance(root, Mapping):
        return _without()
    problems = tuple(
        Problem("duplicate_key", f"the key {key!r} stands here again; the last one counts", line + 2)
        for key, line in tree.duplicates
    )
    return Frontmatter(root, source, block.body, problems=problems)


def _broken(failure: YamlFailure, source: str, block: Block) -> Frontmatter:
    """A block that cannot be read. Its text is kept out of the body only where it was surely meant as frontmatter."""
    problem = Problem("broken_frontmatter", f"the frontmatter cannot be read: {failure.reason}", failure.line + 2)
    if not _opens_with_key(source) or _BLANK_LINE.match(source):
        return _without(problem)
    if _PROSE.search(source) and "collaborator_notes" not in source:
        return _without(Problem("unclosed_frontmatter", "the frontmatter has no closing ---; it is read as text", 1))
    return Frontmatter(_NOTHING, body=block.body, tags=_saved_tags(source), problems=(problem,))


def _saved_tags(source: str) -> tuple[str, ...]:
    """The tags of a block that as a whole is not YAML (`tags: [#one, two]`): the list in brackets, after the colon, or
    with dashes below it."""
    match = _TAGS.search(source)
    if match is None:
        return ()
    after, below = match[1].strip(), match[2].split("\n")
    listed = after.split(",") if "," in after or after.startswith("[") else after.split()
    dashed = [line.strip().removeprefix("-") for line in below]
    return tuple(item.strip(" \t\r[]\"'") for item in (*listed, *dashed))
