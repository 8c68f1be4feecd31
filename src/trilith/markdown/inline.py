"""What stands within running text: links, tags, code spans, comments; with exact offsets.

One pass over the source decides what is code, markup or text, and every reader of links uses it: index, lint, rename.
The rules are CommonMark's (0.31: code spans and HTML bind closer than links, links do not nest) and Obsidian's wiki
links and tags. Text between `%%` marks counts as any other, since people hide links there to have them in the graph.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from trilith.markdown.structure import Kind, Region
from trilith.markdown.tags import TAG, inline_tag

_WIKI = r"""!?\[\[(?P<target>[^\[\]\r\n|]++)(?:\|(?P<alias>(?:[^\[\]\r\n]++|\[[^\[\]\r\n]*+\])*+))?\]\]"""
WIKI_LINK = re.compile(_WIKI)
"""`[[target]]` or `[[target|alias]]`, `!` before it for an embed. In a table the `|` is written `\\|`."""

_ATTRIBUTE = r"""\s++[A-Za-z_:][\w:.-]*+(?:\s*+=\s*+(?:[^\s"'=<>`]++|'[^']{0,1000}'|"[^"]{0,1000}"))?+"""
_HTML_TAG = rf"<(?:/[A-Za-z][A-Za-z0-9-]*+\s*+|[A-Za-z][A-Za-z0-9-]*+(?:{_ATTRIBUTE})*+\s*+/?)>"
_AUTOLINK = r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*+>"

_TOKEN = re.compile(
    r"(?=[\\`<!\[\]#])(?:"  # what each begins with: five times as fast as trying them all at every character
    + "|".join(
        (
            r"\\[!-/:-@\[-`{-~]",
            r"(?P<ticks>`++)",
            r"(?P<comment><!--)",
            _HTML_TAG,
            _AUTOLINK,
            rf"(?P<wiki>{_WIKI})",
            r"(?P<open>!?\[)",
            r"(?P<close>\])",
            rf"(?P<tag>{TAG})",
        )
    )
    + ")"
)
"""What is not a named group is passed over whole: nothing in it can begin something else."""

_TICKS = re.compile(r"`+")

_ESCAPED = r"\\[^\r\n]"
_DESTINATION = re.compile(
    rf"""\(\s*+
    (?: <(?P<angle>(?:[^<>\\\r\n]|{_ESCAPED}){{0,2000}})>
      | (?P<bare>(?:[^\s()\\<]|{_ESCAPED}|\((?:[^\s()\\]|{_ESCAPED}|\((?:[^\s()\\]|{_ESCAPED}){{0,500}}\)){{0,500}}\)){{1,2000}})
    )
    (?: \s++ (?: "(?:[^"\\]|\\.){{0,1000}}" | '(?:[^'\\]|\\.){{0,1000}}' | \((?:[^()\\]|\\.){{0,1000}}\) ) )?
    \s*+\)""",
    re.VERBOSE | re.DOTALL,
)

_DEFINITION = re.compile(
    rf"""(?:[ \t>]|[-*+][ \t]|[0-9]{{1,9}}[.)][ \t])*+
    (?P<whole>
      \[(?!\^)(?P<label>(?:[^\[\]\\\r\n]|{_ESCAPED}){{1,999}})\]:
      [ \t]*+(?:(?>\r\n?|\n)[ \t>]*+)?
      (?: <(?P<angle>(?:[^<>\\\r\n]|{_ESCAPED}){{0,2000}})> | (?P<bare>(?!<|\[\[)\S{{1,2000}}) )
      (?: \s++ (?: "(?:[^"\\]|\\.){{0,1000}}" | '(?:[^'\\]|\\.){{0,1000}}' | \((?:[^()\\]|\\.){{0,1000}}\) ) )?
    )
    [ \t]*+(?:\r\n?|\n|\Z)""",
    re.VERBOSE | re.DOTALL,
)

_FOOTNOTE = re.compile(r"\[\^[^\]\r\n]+\]:[^\r\n]*(?:\r\n?|\n|\Z)")


@dataclass(frozen=True, slots=True)
class WikiSpan:
    """`text[start:end]` is a wiki link; `target` and `alias` are the parts around its `|`, as written."""

    start: int
    end: int
    embed: bool
    target: str
    alias: str | None


@dataclass(frozen=True, slots=True)
class MarkdownSpan:
    """`text[start:end]` is `[label](destination)`, an image, or a definition `[label]: destination`.

    `destination` is as written, without angle brackets and title, and begins at `text[at]`. A link by reference is its
    definition: that is where its destination stands, once, however often it is used.
    """

    start: int
    end: int
    image: bool
    label: str
    destination: str
    at: int


@dataclass(frozen=True, slots=True)
class Inline:
    """Each in order of appearance. `code` and `comments` are (start, end)."""

    wiki: tuple[WikiSpan, ...]
    markdown: tuple[MarkdownSpan, ...]
    tags: tuple[str, ...]
    code: tuple[tuple[int, int], ...]
    comments: tuple[tuple[int, int], ...]


def read_inline(text: str, regions: Iterable[Region]) -> Inline:
    """What stands in the regions of `text`. Tags are read in running text only, not in headings and HTML."""
    scan = _Scan(text)
    for region in regions:
        scan.region(region)
    return Inline(
        tuple(scan.wiki),
        tuple(sorted(scan.markdown, key=lambda span: span.start)),
        tuple(scan.tags),
        tuple(scan.code),
        tuple(scan.comments),
    )


def wiki_span(match: re.Match[str]) -> WikiSpan:
    """A match of `WIKI_LINK` as the span that it is."""
    return WikiSpan(*match.span(), match[0][0] == "!", match["target"], match["alias"])


class _Scan:
    """The pass itself, over one region at a time.

    `_openers` are the brackets `[` and `![` still open; those below `_dead` can open no link any more, because a link
    has been found inside them. `_runs` are the starts of the region's backtick runs by length. Both, and
    `_no_comment_end`, are there so that no text is looked through twice.
    """

    def __init__(self, text: str) -> None:
        self.wiki: list[WikiSpan] = []
        self.markdown: list[MarkdownSpan] = []
        self.tags: list[str] = []
        self.code: list[tuple[int, int]] = []
        self.comments: list[tuple[int, int]] = []
        self._text = text
        self._openers: list[int] = []
        self._dead = 0
        self._runs: dict[int, list[int]] = {}
        self._no_comment_end = False

    def region(self, region: Region) -> None:
        self._openers, self._dead, self._runs, self._no_comment_end = [], 0, {}, False
        at = self._definitions(region) if region.kind is Kind.TEXT else region.start
        self._tokens(at, region.end, region)

    def _definitions(self, region: Region) -> int:
        """Takes the definitions that a paragraph begins with, footnotes between them; the offset after them."""
        at = region.start
        while at < region.end:
            if match := _DEFINITION.match(self._text, at, region.end):
                start, end = match.span("whole")
                self.markdown.append(MarkdownSpan(start, end, False, match["label"], *_written(match)))
            elif match := _FOOTNOTE.match(self._text, at, region.end):
                self._tokens(at, match.end(), region)
            else:
                break
            at = match.end()
        return at

    def _tokens(self, at: int, end: int, region: Region) -> None:
        while match := _TOKEN.search(self._text, at, end):
            at = self._token(match, region)

    def _token(self, match: re.Match[str], region: Region) -> int:
        """Takes one token; the offset where the next may begin."""
        kind = match.lastgroup
        if kind == "ticks":
            return self._code_span(match, region)
        if kind == "comment":
            return self._comment(match.start(), region)
        if kind == "open":
            self._openers.append(match.start())
        elif kind == "close":
            return self._close(match.start(), region.end)
        elif kind == "tag":
            if region.kind is Kind.TEXT and (tag := inline_tag(match["tag"])):
                self.tags.append(tag)
        elif kind == "wiki":
            return self._wiki(match, region.end)
        return match.end()

    def _code_span(self, match: re.Match[str], region: Region) -> int:
        """A run of backticks opens a code span if one of the same length follows."""
        if not self._runs:
            for run in _TICKS.finditer(self._text, region.start, region.end):
                self._runs.setdefault(len(run[0]), []).append(run.start())
        length = len(match[0])
        starts = self._runs.get(length, [])
        number = bisect_right(starts, match.start())
        if number == len(starts):
            return match.end()
        end = starts[number] + length
        self.code.append((match.start(), end))
        return end

    def _comment(self, start: int, region: Region) -> int:
        end = -1 if self._no_comment_end else self._text.find("-->", start + 2, region.end)
        if end >= 0:
            end += 3
        elif region.kind is Kind.HTML:
            end = region.end
        else:
            self._no_comment_end = True
            return start + 4
        self.comments.append((start, end))
        return end

    def _wiki(self, match: re.Match[str], limit: int) -> int:
        start, end = match.span()
        destination = _DESTINATION.match(self._text, end, limit)
        if destination is not None and _is_elsewhere(destination):
            # `[[1]](https://...)`: a Markdown link whose text is in brackets
            return self._link(start, destination, self._text[start + 1 + (match[0][0] == "!") : end - 1])
        self.wiki.append(wiki_span(match))
        return end

    def _close(self, at: int, limit: int) -> int:
        if not self._openers:
            return at + 1
        start = self._openers.pop()
        alive = len(self._openers) >= self._dead or self._text[start] == "!"
        self._dead = min(self._dead, len(self._openers))
        destination = _DESTINATION.match(self._text, at + 1, limit) if alive else None
        if destination is None:
            return at + 1
        return self._link(start, destination, self._text[start + 1 + (self._text[start] == "!") : at])

    def _link(self, start: int, destination: re.Match[str], label: str) -> int:
        image = self._text[start] == "!"
        self.markdown.append(MarkdownSpan(start, destination.end(), image, label, *_written(destination)))
        if not image:
            self._dead = len(self._openers)
        return destination.end()


def _written(destination: re.Match[str]) -> tuple[str, int]:
    """A destination as it is written, and where."""
    group = "bare" if destination["angle"] is None else "angle"
    return destination[group], destination.start(group)


def _is_elsewhere(destination: re.Match[str]) -> bool:
    """Whether parentheses after a wiki link hold a destination, and not a remark: `[[Note]](draft)`."""
    written = destination["bare"] or destination["angle"]
    return any(mark in written for mark in ":/.#")
