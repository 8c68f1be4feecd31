"""Answers about notes, as people read them. Pure: each function turns an answer's JSON into lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import typer

from trilith.surfaces.cli.reasons import reasons
from trilith.surfaces.cli.terminal import one_line, wrapped

Json = dict[str, Any]

NO_MATCH = "No match."
SIGN = re.compile(r'["()\[\]{}:*~^+]|(?<!\S)-|\b(?:AND|OR|NOT)\b')
"""What may have been meant as query syntax: only then is it news that a query was searched as it stands."""
NOT_YET = "No match so far: still indexing."
LISTED = 20
"""Files and problems that are listed before the rest is only counted."""


def hits(answer: Json, *, explain: bool) -> Iterator[str]:
    """Each hit: score and title, path, why it is there if that is asked for, snippet."""
    for hit in answer["results"]:
        score = typer.style(f"{hit['score']:.2f}", fg=typer.colors.GREEN)
        stale = typer.style("  (stale)", fg=typer.colors.YELLOW) if hit["is_stale"] else ""
        yield f"{score}  {typer.style(one_line(hit['title']), bold=True)}{stale}"
        yield f"      {typer.style(place(hit, name_library='library' in hit), fg=typer.colors.CYAN)}"
        if explain:
            yield from reasons(hit, "      ")
        yield wrapped(hit["snippet"], "      ")
        yield ""


def nothing(answer: Json) -> str:
    """What is said when there are no hits: that nothing matches, or that it cannot be told yet."""
    return NOT_YET if answer.get("diagnostics", {}).get("fulltext") == "loading" else NO_MATCH


def place(note: Json, *, name_library: bool) -> str:
    """Where a note is: its path, after the name of its library where several are shown."""
    path = one_line(note["path"])
    return f"{note['library']}: {path}" if name_library else path


def search_remarks(query: str, answer: Json) -> Iterator[str]:
    """How the answer came about, where that is not what the reader would expect."""
    if answer.get("query_interpretation_reason") and SIGN.search(query):
        yield f"Searched as it stands: {_sentence(answer['query_interpretation_reason'])}"
    state = answer.get("diagnostics", {})
    if state.get("fulltext") == "loading":
        yield "Still indexing: notes that have not been read yet are missing here."
    elif "fulltext" in state:
        yield f"Full text is {state['fulltext']}: {_sentence(state['reason'])}"
    if state.get("similar_words"):
        yield "No note has these words; similar ones were taken."
    if state.get("reranker", "ok") != "ok":
        yield f"Not reranked, {state['reranker']}: {_sentence(state['reranker_reason'])}"
    if state.get("semantic", "ok") not in ("ok", "off"):
        yield f"Search by meaning is {state['semantic']}: {_sentence(state['reason'])}"
    elif state.get("pending") and state["semantic"] == "ok":
        yield f"{counted(state['pending'], 'chunk')} without a vector yet, found by words alone; `trilith index` makes them."


def document_head(document: Json) -> Iterator[str]:
    """What stands above the text of a note."""
    known = document["metadata"]
    yield typer.style(one_line(document["title"]), bold=True)
    yield typer.style(one_line(document["path"]), fg=typer.colors.CYAN)
    links = document["links"]
    facts = [
        document["id"],
        f"updated {known['updated_at']}",
        *([f"by {one_line(known['author'])}"] if known["author"] else []),
        *([f"tags {one_line(', '.join(known['tags']))}"] if known["tags"] else []),
        f"{counted(len(links['outgoing']), 'link')} out, {len(links['incoming'])} in",
    ]
    yield typer.style("; ".join(facts), dim=True)


def listing(answer: Json, offset: int) -> Iterator[str]:
    """A line for each note, and how to go on."""
    several = len({item["library"] for item in answer["items"]}) > 1
    for item in answer["items"]:
        day = typer.style(item["updated"][:10], dim=True)
        yield f"{day}  {one_line(item['title'])}  {typer.style(place(item, name_library=several), fg=typer.colors.CYAN)}"
    shown = len(answer["items"])
    if answer["has_more"]:
        yield typer.style(f"{shown} of {answer['total']} notes; go on with --offset {offset + shown}", dim=True)
    elif not shown:
        yield NO_MATCH


def related(answer: Json) -> Iterator[str]:
    """The notes around a note, by what joins them."""
    groups = {
        "Links to": answer["links"]["outgoing"],
        "Linked from": answer["links"]["incoming"],
        "Derived from": answer["provenance"]["sources"],
        "Source of": answer["provenance"]["derived"],
    }
    for heading, notes in groups.items():
        if notes:
            yield typer.style(heading, bold=True)
            yield from (
                f"  {one_line(note['title'])}  {typer.style(one_line(note['path']), fg=typer.colors.CYAN)}"
                for note in notes
            )
    missing = [*answer["unresolved_links"], *answer["provenance"]["unresolved_sources"]]
    if missing:
        yield typer.style("Nothing answers to", bold=True)
        yield from (f"  {one_line(target)}" for target in missing)
    if not missing and not any(groups.values()):
        yield "No links."


def written(answer: Json) -> Iterator[str]:
    """What came of a write."""
    place_ = typer.style(place(answer, name_library=False), fg=typer.colors.CYAN)
    replaced = f", replaced {counted(answer['replaced'], 'time')}" if "replaced" in answer else ""
    yield f"{answer['status']}  {place_}  version {answer['version']}{replaced}"
    yield typer.style(f"{answer['id']}; library {answer['library']}", dim=True)


def moved(answer: Json) -> Iterator[str]:
    """What came of a move."""
    old, new = (typer.style(one_line(answer[name]), fg=typer.colors.CYAN) for name in ("old_path", "path"))
    if answer["status"] == "unchanged":
        yield f"unchanged  {new}"
        return
    links, notes = counted(answer["links_updated"], "link"), counted(answer["notes_changed"], "note")
    yield f"moved  {old}  to  {new}  version {answer['version']}"
    yield f"{links} rewritten in {notes}"
    yield typer.style(f"{answer['id']}; library {answer['library']}", dim=True)


def unfollowed(answer: Json) -> Iterator[str]:
    """The links that did not follow a move, and what else is to be known of it."""
    yield from capped([f"{one_line(each['path'])}: {one_line(each['reason'])}" for each in answer["failed"]], "")
    yield from answer["warnings"]


def deleted(answer: Json) -> str:
    """What was deleted, and how it comes back."""
    path = typer.style(one_line(answer["path"]), fg=typer.colors.CYAN)
    return f"deleted  {path}  (trilith restore {answer['key']})"


def trash(answer: Json) -> Iterator[str]:
    """A line for each deleted note that can be restored."""
    several = len({item["library"] for item in answer["items"]}) > 1
    for item in answer["items"]:
        path = typer.style(place(item, name_library=several), fg=typer.colors.CYAN)
        yield f"{item['key']}  {item['deleted_at']}  {one_line(item['title'])}  {path}"
    if not answer["items"]:
        yield "The trash is empty."


def _sentence(reason: str | None) -> str:
    return f"{(reason or 'no reason is known').rstrip('.')}."


def counted(number: int, one: str, several: str | None = None) -> str:
    """`1 note`, `2 notes`"""
    return f"{number} {one if number == 1 else several or one + 's'}"


def capped(lines: list[str], indent: str) -> Iterator[str]:
    """The first `LISTED` lines, and how many there are beyond."""
    yield from lines[:LISTED]
    if len(lines) > LISTED:
        yield f"{indent}and {len(lines) - LISTED} more, all with --json"
