"""How much work the reading of a text may be: for each mark that opens, its end is looked for in all that follows.

A paragraph that would take long is read line by line; a line that would take too long is shown as it is written.
"""

from __future__ import annotations

from markdown_it.rules_core import StateCore
from markdown_it.token import Token

HEAVY = 5_000_000
"""Of a paragraph that is read as a whole: such marks times characters. Ten pages with 200 links come to a fifth of it."""
MOST = 100_000_000
"""Of all lines of a note together; about a second."""


def bounded_inline(state: StateCore) -> None:
    """In place of markdown-it's own rule `inline`."""
    left = MOST
    for token in state.tokens:
        if token.type == "inline":
            token.children, left = _read(state, token.content, left)


def _read(state: StateCore, text: str, left: int) -> tuple[list[Token], int]:
    """The text's tokens, and what is left of the work."""
    children: list[Token] = []
    for place, part in enumerate([text] if _work(text) <= HEAVY else text.split("\n")):
        if place:
            children.append(Token("softbreak", "br", 0))
        work = _work(part)
        if work <= left:
            left -= work
            found: list[Token] = []
            state.md.inline.parse(part, state.md, state.env, found)
            children += found
        else:
            children.append(Token("text", "", 0, content=part))
    return children, left


def _work(text: str) -> int:
    return len(text) * sum(map(text.count, ("[", "<!", "<?")))
