"""What REST and the command line ask."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from trilith.dialects.arguments import MOST_ITEMS, MOST_OFFSET
from trilith.dialects.moments import moment
from trilith.errors import InvalidInput, InvalidMode
from trilith.model.principal import Principal
from trilith.model.query import Filter, Membership, Mode, Sort

if TYPE_CHECKING:
    from trilith.access.gate import Gate

MAX_LIMIT = 200
MOST_PROPERTIES = 50
MODES = "hybrid, fulltext, semantic, graph"


@dataclass(frozen=True, slots=True, kw_only=True)
class Narrowing:
    """Which notes are meant, as text. Times are ISO 8601, a date alone is that day's start in UTC; `where` is a JSON
    object of frontmatter properties."""

    library: str | None = None
    tags: tuple[str, ...] = ()
    author: str | None = None
    path_prefix: str | None = None
    para: str | None = None
    modified_after: str | None = None
    modified_before: str | None = None
    created_after: str | None = None
    created_before: str | None = None
    where: str | None = None

    def ignored_by_graph(self) -> list[str]:
        """The fields given that a walk over links does not apply."""
        walked = ("library", "author")
        return [each.name for each in fields(self) if each.name not in walked and getattr(self, each.name)]

    def filter(self, gate: Gate, caller: Principal) -> Filter:
        """Raises `InvalidInput` naming the field, `NotFound` for an unknown library."""
        if len(self.tags) > MOST_ITEMS:
            raise InvalidInput(f"'tags' may have {MOST_ITEMS} items, not {len(self.tags)}.", field="tags")
        return gate.filter(
            caller,
            self.library,
            tags=self.tags,
            author=self.author,
            path_prefix=self.path_prefix,
            para=Membership(self.para) if self.para is not None else None,
            updated_after=moment("modified_after", self.modified_after),
            updated_before=moment("modified_before", self.modified_before),
            created_after=moment("created_after", self.created_after),
            created_before=moment("created_before", self.created_before),
            where=_properties(self.where),
        )


def mode(text: str) -> Mode:
    try:
        return Mode(text)
    except ValueError:
        raise InvalidMode(
            f"Unknown search mode '{text}'. Valid modes: {', '.join(Mode)}, graph", field="mode"
        ) from None


def sort(text: str) -> Sort:
    try:
        return Sort(text)
    except ValueError:
        raise InvalidInput(f"'sort' must be one of {', '.join(Sort)}, not '{text}'.", field="sort") from None


def limit(number: int) -> int:
    """Above `MAX_LIMIT` is cut to it. Raises `InvalidInput` below 1."""
    if number < 1:
        raise InvalidInput(f"'limit' must be a whole number from 1, not {number}.", field="limit")
    return min(number, MAX_LIMIT)


def offset(number: int) -> int:
    if number < 0:
        raise InvalidInput(f"'offset' must be a whole number from 0, not {number}.", field="offset")
    return min(number, MOST_OFFSET)


def max_length(number: int | None) -> int | None:
    if number is not None and number < 0:
        raise InvalidInput(f"'max_length' must be a whole number from 0, not {number}.", field="max_length")
    return number


def _properties(text: str | None) -> dict[str, Any]:
    if text is None:
        return {}
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        parsed = None
    if isinstance(parsed, dict) and len(parsed) > MOST_PROPERTIES:
        raise InvalidInput(f"'where' may name {MOST_PROPERTIES} properties, not {len(parsed)}.", field="where")
    if not isinstance(parsed, dict):
        raise InvalidInput('\'where\' must be a JSON object, such as {"status": "doing"}.', field="where")
    return parsed
