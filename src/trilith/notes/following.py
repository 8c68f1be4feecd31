"""The links of one file follow a move: planned, and carried out again and again with the same end. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from trilith.errors import Refused
from trilith.markdown.frontmatter import read_frontmatter
from trilith.markdown.relinking import links_of, relink
from trilith.markdown.spelling import Moved, Unique
from trilith.markdown.text import BOM
from trilith.model.note import Link
from trilith.ports.ledger import Following, MoveUnderWay, Rewriting

UNREADABLE = ("broken_frontmatter", "unclosed_frontmatter")
"""Problems of a file that is not rewritten."""


@dataclass(frozen=True, slots=True)
class Followed:
    """A file's new text, how many of its links are written otherwise, and those that nothing could be written for; `now`
    are all links as they are then, each with the path that it is to lead to where it is one of those that follow."""

    text: str
    links: int = 0
    left: tuple[Link, ...] = ()
    now: tuple[tuple[Link, str | None], ...] = ()


def plan(text: str, path: Moved, links: Sequence[Following], unique: Unique) -> tuple[Rewriting | None, Followed]:
    """What is to be done to a file, None where it can stay as it is.

    Raises `Refused` for a file that cannot be rewritten.
    """
    followed = _followed(text, path, links, unique)
    if followed.text == text:
        return None, followed
    after = {(link.kind, link.target) for link, _ in followed.now}
    sure = tuple(replace(each, certain=(each.kind, each.target) not in after) for each in links)
    return Rewriting(path=path.now, before=_checksum(text), after=_checksum(followed.text), links=sure), followed


def carry_out(text: str, checksum: str, rewriting: Rewriting, move: MoveUnderWay) -> Followed:
    """The file as it is to be, whether it is as planned, done already, or has been changed by others since: then only
    those links are taken that surely have not been rewritten. Raises `Refused`."""
    if checksum == rewriting.after:
        return Followed(text)
    planned = checksum == rewriting.before
    links = [each for each in rewriting.links if planned or each.certain]
    note = Moved(move.was if rewriting.path == move.now else rewriting.path, rewriting.path)
    return _followed(text, note, links, lambda name: name not in move.shared)


def careful(move: MoveUnderWay) -> MoveUnderWay:
    """The same move, for when there is a file at its old place again, to which links written since may lead: files that
    somebody has edited are left alone."""
    rewritings = (
        replace(each, links=tuple(replace(link, certain=False) for link in each.links)) for each in move.rewritings
    )
    return replace(move, rewritings=tuple(rewritings))


def why_left(link: Link) -> str:
    return f"nothing that leads there can be written in place of its link to '{link.target}'"


def why_astray(written: str) -> str:
    return f"its link to '{written}' leads elsewhere now: another note or file has that name"


def _followed(text: str, note: Moved, links: Sequence[Following], unique: Unique) -> Followed:
    problems = read_frontmatter(text.removeprefix(BOM)).problems
    if any(problem.code in UNREADABLE for problem in problems):
        raise Refused(f"'{note.now}' is not rewritten: {problems[0].message}.")
    leads = {(each.kind, each.target): Moved(each.was, each.now) for each in links}
    before = links_of(text)
    changes = {link: leads[link.kind, link.target] for link in before if (link.kind, link.target) in leads}
    done = relink(text, note, changes, unique)
    now = before if done.text == text else links_of(done.text)
    pairs = list(zip(before, now, strict=False))
    changed = sum((old.kind, old.target) != (new.kind, new.target) for old, new in pairs)
    leading = tuple((new, changes[old].now if old in changes and old not in done.left else None) for old, new in pairs)
    return Followed(done.text, changed, done.left, leading)


def _checksum(text: str) -> str:
    return sha256(text.encode()).hexdigest()
