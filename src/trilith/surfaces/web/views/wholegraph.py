"""All notes and their links: as numbers for the drawing, and as lists of those that stand out. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from trilith.model.ids import Num
from trilith.model.note import Entry

COLOURS = 9
"""Folders or tags that have a colour of their own."""
MOST_LISTED = 25
NOWHERE = ""
"""The folder of notes at the top of their vault."""


@dataclass(frozen=True, slots=True)
class Listed:
    href: str
    title: str
    links: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """`nodes` are [id, title, group by folder, group by tag, links], edges pairs of places among them. Groups count from 0
    by size; -1 is none of those named."""

    nodes: tuple[tuple[str, str, int, int, int], ...]
    edges: tuple[tuple[int, int], ...]
    folders: tuple[str, ...]
    tags: tuple[str, ...]


def whole(entries: Sequence[Entry], near: Mapping[Num, Sequence[Num]], *, several: bool) -> Whole:
    """`near`: for each note those one link away; `several` libraries are a folder each."""
    places = {entry.num: place for place, entry in enumerate(entries)}
    edges = {
        (min(place, places[other]), max(place, places[other]))
        for num, place in places.items()
        for other in near.get(num, ())
        if other in places and other != num
    }
    links = Counter(place for edge in edges for place in edge)
    folders = _largest(folder_of(entry, several=several) for entry in entries)
    tags = _largest(tag.partition("/")[0].casefold() for entry in entries for tag in entry.metadata.tags)
    by_folder, by_tag = _numbers(folders), _numbers(tags)
    return Whole(
        nodes=tuple(
            (
                entry.id,
                entry.metadata.title,
                by_folder.get(folder_of(entry, several=several), -1),
                _first([tag.partition("/")[0].casefold() for tag in entry.metadata.tags], by_tag),
                links[place],
            )
            for place, entry in enumerate(entries)
        ),
        edges=tuple(sorted(edges)),
        folders=folders,
        tags=tags,
    )


def hubs(graph: Whole) -> tuple[Listed, ...]:
    """The notes with the most links, most first."""
    most = sorted((node for node in graph.nodes if node[4]), key=lambda node: (-node[4], node[1].casefold()))
    return tuple(_listed(node) for node in most[:MOST_LISTED])


def orphans(graph: Whole) -> tuple[Listed, ...]:
    """The notes without a link, by title."""
    return tuple(_listed(node) for node in sorted(graph.nodes, key=lambda node: node[1].casefold()) if not node[4])


def folder_of(entry: Entry, *, several: bool) -> str:
    if several:
        return entry.library
    first, slash, _ = entry.path.partition("/")
    return first if slash else NOWHERE


def _listed(node: tuple[str, str, int, int, int]) -> Listed:
    return Listed(f"/note/{node[0]}", node[1], node[4])


def _largest(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(name for name, _ in Counter(names).most_common(COLOURS))


def _numbers(names: Sequence[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


def _first(names: Sequence[str], numbers: Mapping[str, int]) -> int:
    return min((numbers[name] for name in names if name in numbers), default=-1)
