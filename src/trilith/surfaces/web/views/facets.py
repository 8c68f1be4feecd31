"""What the search can be narrowed by, with how many notes there are of each. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from trilith.surfaces.web.views.asked import Asked

MOST = 30


@dataclass(frozen=True, slots=True)
class Tag:
    name: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Facets:
    """`tags`: those chosen first, then the most frequent; `hidden` is how many more there are."""

    tags: tuple[Tag, ...]
    hidden: int
    folders: tuple[str, ...]
    libraries: tuple[str, ...]


def facets(asked: Asked, counts: Mapping[str, int], folders: Sequence[str], libraries: Sequence[str]) -> Facets:
    """`counts` are notes by tag."""
    by_key = {name.casefold(): (name, number) for name, number in counts.items()}
    chosen = [by_key.get(tag.casefold(), (tag, 0)) for tag in asked.tags]
    wanted = {tag.casefold() for tag in asked.tags}
    others = sorted((item for item in counts.items() if item[0].casefold() not in wanted), key=_frequent_first)
    shown = [Tag(name, number, True) for name, number in chosen]
    shown += [Tag(name, number, False) for name, number in others[:MOST]]
    return Facets(
        tags=tuple(shown),
        hidden=max(len(others) - MOST, 0),
        folders=tuple(folders),
        libraries=tuple(libraries) if len(libraries) > 1 else (),
    )


def _frequent_first(item: tuple[str, int]) -> tuple[int, str]:
    return -item[1], item[0].casefold()
