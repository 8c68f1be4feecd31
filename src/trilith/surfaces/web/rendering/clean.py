"""What of HTML may reach a reader: an allow-list. Whatever a note holds, and whatever we made of it, goes through here last.

Sources: OWASP, Cross Site Scripting Prevention; the ammonia library, which takes a page apart as browsers do.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import unquote

import nh3

TAGS = frozenset(
    [
        "a",
        "abbr",
        "aside",
        "b",
        "bdi",
        "bdo",
        "blockquote",
        "br",
        "caption",
        "cite",
        "code",
        "col",
        "colgroup",
        "dd",
        "del",
        "details",
        "dfn",
        "div",
        "dl",
        "dt",
        "em",
        "figcaption",
        "figure",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "i",
        "img",
        "ins",
        "kbd",
        "li",
        "mark",
        "ol",
        "p",
        "pre",
        "q",
        "rp",
        "rt",
        "ruby",
        "s",
        "samp",
        "section",
        "small",
        "span",
        "strong",
        "sub",
        "summary",
        "sup",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "u",
        "ul",
        "var",
        "wbr",
    ]
)
GONE = frozenset(
    {"script", "style", "template", "iframe", "object", "embed", "svg", "math", "noscript", "title", "textarea"}
)
"""What goes with all that it holds, should any come this far: `rawhtml` shows the tags of a note as text."""
ATTRIBUTES = {
    "*": {"class", "dir", "id", "lang", "title"},
    "a": {"href"},
    "img": {"src", "alt", "width", "height", "loading"},
    "col": {"span"},
    "colgroup": {"span"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "ol": {"start", "reversed"},
    "li": {"value"},
    "details": {"open"},
    "span": {"role", "aria-label"},
    "div": {"role", "tabindex"},
    "pre": {"tabindex"},
}
OURS = re.compile(
    r"(?:hl-[a-z0-9]{0,4}|callout|callout-(?:title|[a-z]{1,20})|wiki|missing|external|file|embed|todo|done|open|task|math|inline"
    r"|block|tag|footnotes?|footnote-(?:item|ref|backref|anchor|list)|footnotes-(?:list|sep)|left|right|center|scroll)"
)
"""Classes that mean something in a note; a note cannot dress up as the page around it."""
IDS = re.compile(r"(?:h-|fn)[^\s\"'<>]{0,200}")
SCHEMES = {"http", "https", "mailto", "obsidian"}


def cleaned(html: str, files: str) -> str:
    """The same without anything that could run, load from elsewhere, or pass for a part of the page.

    Args:
        files: the address below which images may come from.
    """
    return _cleaner(files).clean(html)


@lru_cache(maxsize=8)
def _cleaner(files: str) -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=set(TAGS),
        clean_content_tags=set(GONE),
        attributes={tag: set(names) for tag, names in ATTRIBUTES.items()},
        attribute_filter=_judge(files),
        url_schemes=SCHEMES,
        link_rel=None,
        strip_comments=True,
    )


def _climbs(address: str) -> bool:
    """Whether a browser would go up from it: it skips line ends and tabs, and reads `%2e` as a dot."""
    return ".." in re.split(r"[/\\]", unquote(re.sub(r"[\t\r\n]", "", address)))


def _judge(files: str) -> Callable[[str, str, str], str | None]:
    def judge(tag: str, name: str, value: str) -> str | None:
        if name == "class":
            return " ".join(each for each in value.split() if OURS.fullmatch(each)) or None
        if name == "id":
            return value if IDS.fullmatch(value) else None
        if tag == "img" and name == "src":
            return value if value.startswith(files) and not _climbs(value) else None
        if name in ("width", "height"):
            return value if value.isdecimal() and len(value) < 5 else None
        if name == "tabindex":
            return value if value == "0" else None
        if name == "role":
            return value if value in ("note", "img") else None
        return value

    return judge
