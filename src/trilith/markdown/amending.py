"""Changes to a note's body, each of which leaves the rest as it is. Pure.

Text that is put in takes on the line ends of the body, or `line_end` where the body has none. Positions are found by the
same extractor as links and headings.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from trilith.errors import Ambiguous, InvalidInput, NotInNote
from trilith.markdown.sections import SectionSpan, find_sections, near_headings, section_spans, without_heading
from trilith.markdown.structure import read_blocks
from trilith.markdown.text import LINE_END
from trilith.model.note import Heading

_ANY_LINE_END = r"(?:\r\n|\r(?!\n)|\n)"
_BLANK_LINES = re.compile(r"(?:[ \t]*(?:\r\n?|\n))*")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*(?:[\r\n]|\Z)")


def append(body: str, addition: str, line_end: str = "\n") -> str:
    """The addition below everything, on a line of its own; below a blank one where it would underline the last."""
    end = _line_end(body, line_end)
    joint = "" if not body or body.endswith(("\n", "\r")) else end
    if _UNDERLINE.match(addition) and LINE_END.split(body.removesuffix(end))[-1].strip():
        joint += end
    return f"{body}{joint}{_fitted(addition, end)}"


def prepend(body: str, addition: str, line_end: str = "\n") -> str:
    """The addition above everything, on lines of its own."""
    return f"{_fitted(addition, _line_end(body, line_end))}{body}"


def replace_section(
    body: str, headings: Sequence[Heading], path: Sequence[str], replacement: str, line_end: str = "\n"
) -> str:
    """What stands under a heading, sub-sections included, gives way to `replacement`; the heading stays.

    `path` names the heading, with those above it in front where the name alone is not enough. A replacement that opens
    with the heading itself does not double it. Raises `NotInNote` (with `near` headings) when there is no such
    section, `Ambiguous` when there are several.
    """
    section = _section(body, headings, path)
    end = _line_end(body, line_end)
    heading, old, below = body[: section.content], body[section.content : section.end], body[section.end :]
    text = _with_line_ends(without_heading(replacement, section.heading), end)
    if text.strip() and not heading.endswith(("\n", "\r")):
        heading += end
    for blank in ("", end):
        new = _spaced(text, old, end, last=not below) + blank
        edited = f"{heading}{new}{below}"
        if _others(headings, section.content, section.end) == _others(
            read_blocks(edited).headings, len(heading), len(heading) + len(new)
        ):
            return edited
    raise InvalidInput(
        "The replacement leaves something open (a code fence, a comment) that would take in what stands below;"
        " nothing was changed.",
        field="content",
    )


def find_and_replace(body: str, find: str, replacement: str, *, every: bool, line_end: str = "\n") -> tuple[str, int]:
    """The body with `find` replaced, and how often. Letters count as they stand, no pattern is meant.

    Raises `NotInNote` when it is not there, `Ambiguous` when it is there more than once and `every` is not set.
    """
    if not find:
        raise InvalidInput("'find' must not be empty.", field="find")
    pattern = re.compile(_ANY_LINE_END.join(map(re.escape, LINE_END.split(find))))
    count = sum(1 for _ in pattern.finditer(body))
    if count == 0:
        raise NotInNote("'find' does not occur in the body of this note; nothing was changed.", field="find")
    if count > 1 and not every:
        raise Ambiguous(f"'find' occurs {count} times; give more of the text around it, or set 'all'.", count=count)
    new = _with_line_ends(replacement, _line_end(body, line_end))
    return pattern.sub(lambda _: new, body), count


def _section(body: str, headings: Sequence[Heading], path: Sequence[str]) -> SectionSpan:
    if not path:
        raise InvalidInput("'section' must name a heading.", field="section")
    spans = section_spans(body, headings)
    found = find_sections(body, headings, path[-1])
    for above in reversed(path[:-1]):
        parents = find_sections(body, headings, above)
        found = tuple(span for span in found if any(p.start < span.start and span.end <= p.end for p in parents))
    if not found:
        near = list(near_headings(headings, path[-1]))
        hint = f" Near: {', '.join(near)}." if near else ""
        raise NotInNote(
            f"There is no section '{' > '.join(path)}'; nothing was changed.{hint}", field="section", near=near
        )
    if len(found) > 1:
        lines = [span.heading.line for span in found]
        raise Ambiguous(
            f"{len(found)} sections are called '{path[-1]}' (lines {', '.join(map(str, lines))}); name the heading above.",
            lines=lines,
        )
    return next(span for span in spans if span.start == found[0].start)


def _spaced(text: str, old: str, end: str, *, last: bool) -> str:
    """The new text of a section, with blank lines above and below it as the old one had them.

    `last`: no other section follows.
    """
    above, below = _blank_opening(old), old[len(old.rstrip()) :]
    if not old.strip():
        above, below = old, end if last else end + end
    if not text.strip():
        return above if not old.strip() else LINE_END.sub("", below, count=1)
    return f"{'' if _blank_opening(text) else above}{text.rstrip()}{below}"


def _blank_opening(text: str) -> str:
    match = _BLANK_LINES.match(text)
    return match[0] if match else ""


def _others(headings: Sequence[Heading], start: int, end: int) -> list[tuple[int, str, int]]:
    """The headings above `start`, and those from `end` on as seen from there."""
    return [
        (heading.level, heading.text, heading.start - (end if heading.start >= end else 0))
        for heading in headings
        if not start <= heading.start < end
    ]


def _fitted(text: str, end: str) -> str:
    """`text` with these line ends, the last line ended."""
    fitted = _with_line_ends(text, end)
    return fitted if not fitted or fitted.endswith(end) else fitted + end


def _with_line_ends(text: str, end: str) -> str:
    return LINE_END.sub(lambda _: end, text)


def _line_end(body: str, default: str) -> str:
    first = LINE_END.search(body)
    return first.group() if first else default
