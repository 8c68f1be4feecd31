"""Changes to a note's body, each of which leaves the rest as it is. Pure.

Text that is put in takes on the line ends of the body, or `line_end` where the body has none. Positions are found by the
same extractor as links and headings.
"""

from __future__ import annotations

from collections.abc import Sequence

from trilith.errors import Ambiguous, InvalidInput
from trilith.markdown.sections import SectionSpan, find_sections, is_heading, near_headings, section_spans
from trilith.markdown.text import LINE_END
from trilith.model.note import Heading


def append(body: str, addition: str, line_end: str = "\n") -> str:
    """The addition below everything, on a line of its own."""
    end = _line_end(body, line_end)
    joint = "" if not body or body.endswith(("\n", "\r")) else end
    return f"{body}{joint}{_fitted(addition, end)}"


def prepend(body: str, addition: str, line_end: str = "\n") -> str:
    """The addition above everything, on lines of its own."""
    return f"{_fitted(addition, _line_end(body, line_end))}{body}"


def replace_section(
    body: str, headings: Sequence[Heading], path: Sequence[str], replacement: str, line_end: str = "\n"
) -> str:
    """What stands under a heading, sub-sections included, gives way to `replacement`; the heading stays.

    `path` names the heading, with those above it in front where the name alone is not enough. A replacement that opens
    with the heading itself does not double it. Raises `InvalidInput` (with `near` headings) when there is no such
    section, `Ambiguous` when there are several.
    """
    section = _section(body, headings, path)
    end = _line_end(body, line_end)
    text = _without_heading(replacement, section.heading)
    if text.strip():
        text = _fitted(text, end)
        blank = "" if section.end == len(body) else end
        gap = end if _opens_with_blank(body[section.content : section.end]) and not _opens_with_blank(text) else ""
        text = f"{gap}{text.rstrip()}{end}{blank}"
    joint = "" if section.content == 0 or body[: section.content].endswith(("\n", "\r")) else end
    return f"{body[: section.content]}{joint}{text}{body[section.end :]}"


def find_and_replace(
    body: str, find: str, replacement: str, *, every: bool, line_end: str = "\n"
) -> tuple[str, int]:
    """The body with `find` replaced, and how often. Letters count as they stand, no pattern is meant.

    Raises `InvalidInput` when it is not there, `Ambiguous` when it is there more than once and `every` is not set.
    """
    if not find:
        raise InvalidInput("'find' must not be empty.", field="find")
    end = _line_end(body, line_end)
    sought = find if find in body else _with_line_ends(find, end)
    count = body.count(sought)
    if count == 0:
        raise InvalidInput("'find' does not occur in the body of this note; nothing was changed.", field="find")
    if count > 1 and not every:
        raise Ambiguous(f"'find' occurs {count} times; give more of the text around it, or set 'all'.", count=count)
    return body.replace(sought, _with_line_ends(replacement, end)), count


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
        raise InvalidInput(
            f"There is no section '{' > '.join(path)}'; nothing was changed.{hint}", field="section", near=near
        )
    if len(found) > 1:
        lines = [span.heading.line for span in found]
        raise Ambiguous(
            f"{len(found)} sections are called '{path[-1]}' (lines {', '.join(map(str, lines))}); name the heading above.",
            lines=lines,
        )
    return next(span for span in spans if span.start == found[0].start)


def _without_heading(replacement: str, heading: Heading) -> str:
    first, *rest = LINE_END.split(replacement.lstrip("\r\n"), maxsplit=1)
    return "".join(rest) if is_heading(first, heading) else replacement


def _opens_with_blank(text: str) -> bool:
    first = LINE_END.split(text, maxsplit=1)[0]
    return bool(text) and not first.strip()


def _fitted(text: str, end: str) -> str:
    """`text` with these line ends, the last line ended."""
    fitted = _with_line_ends(text, end)
    return fitted if not fitted or fitted.endswith(end) else fitted + end


def _with_line_ends(text: str, end: str) -> str:
    return LINE_END.sub(lambda _: end, text)


def _line_end(body: str, default: str) -> str:
    first = LINE_END.search(body)
    return first.group() if first else default
