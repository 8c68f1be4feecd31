"""What stands around a note: sentences of backlinks, properties, the drawing of its links, its files."""

from __future__ import annotations

from datetime import UTC, datetime
from itertools import pairwise

import pytest

from trilith.model.ids import NoteId, Num
from trilith.model.note import Entry, Metadata
from trilith.surfaces.web.files import served
from trilith.surfaces.web.links import part_of
from trilith.surfaces.web.rendering.destinations import Destination, Destinations, State
from trilith.surfaces.web.views.localgraph import MOST, WIDTH, drawing
from trilith.surfaces.web.views.properties import properties
from trilith.surfaces.web.views.sentences import AROUND, sentence

THEN = datetime(2026, 3, 18, 12, 5, tzinfo=UTC)


def said(body: str, link: str) -> tuple[str, str, str]:
    start = body.index(link)
    found = sentence(body, start, start + len(link))
    return found.before, found.link, found.after


def test_the_sentence_of_a_link_is_found_without_its_markup() -> None:
    body = "# Head\n\nFirst one. The **oven** of [[Deck|the deck]] is `hot`! Third."
    assert said(body, "[[Deck|the deck]]") == ("The oven of ", "the deck", " is hot!")
    assert said("- [ ] call [[Ada]]\n- other", "[[Ada]]") == ("call ", "Ada", "")
    assert said("see [[Deck#Fault codes]]", "[[Deck#Fault codes]]")[1] == "Deck > Fault codes"
    assert said("[[Ada]]", "[[Ada]]") == ("", "Ada", "")
    assert said("one\n\n> two [[Ada]] three\n\nfour", "[[Ada]]") == ("two ", "Ada", " three")


def test_a_sentence_without_an_end_is_cut() -> None:
    before, _, after = said("word " * 200 + "[[A]]" + " word" * 200, "[[A]]")
    assert before.startswith("…")
    assert after.endswith("…")
    assert len(before) <= AROUND + 1
    assert len(after) <= AROUND + 1


@pytest.mark.parametrize("mark", ["**", "__", "==", "~~", "`", "[", "![[", "[a](", "\n", "> "])
def test_a_line_as_long_as_its_file_does_not_keep_the_reader_waiting(mark: str) -> None:
    rest = f"{mark}a " * 100_000
    before, link, after = said(f"{rest}[[A]] {rest}", "[[A]]")
    assert link == "A"
    assert max(len(before), len(after)) <= AROUND + 1
    assert len(said(f"[{'b' * 1_000_000}](A.md)", f"[{'b' * 1_000_000}](A.md)")[1]) <= AROUND + 1


def entry(**known: object) -> Entry:
    metadata = Metadata(title="T", **known)  # type: ignore[arg-type]
    return Entry(
        num=Num(1),
        id=NoteId("i"),
        library="l",
        path="t.md",
        checksum="",
        size=1,
        metadata=metadata,
        created_at=THEN,
        updated_at=datetime(2026, 3, 1, tzinfo=UTC),
    )


def test_properties_say_what_there_is_and_no_more() -> None:
    known = {"Ada": Destination(state=State.NOTE, href="/note/a", title="Ada.md")}
    extra = {"by": ["[[Ada]]", "[[Bo]]"], "web": "https://x.example/", "bad": "javascript:alert(1)", "map": {"a": 1}}
    note = entry(tags=("a/b",), collaborators=("bea",), source_url="javascript:x", extra=extra)
    shown = {each.name: each.values for each in properties(note, Destinations(known), "/p", {}, confided=False)}
    assert (shown["created"][0].text, shown["updated"][0].text) == ("2026-03-18 12:05", "2026-03-01")
    assert shown["tags"][0].href == "/p/?tags=a%2Fb"
    assert [(each.text, each.href, each.missing) for each in shown["by"]] == [
        ("Ada", "/note/a", False),
        ("Bo", None, True),
    ]
    assert shown["web"][0].href == "https://x.example/"
    assert shown["bad"][0].href is None
    assert shown["source url"][0].href is None
    assert shown["map"][0].text == "a: 1"
    assert "collaborators" not in shown
    assert "collaborators" in {p.name for p in properties(note, Destinations(), "", {}, confided=True)}


def test_a_note_without_links_is_not_drawn() -> None:
    assert drawing(Num(1), {Num(1): ()}, {Num(1): "a"}) is None


def test_the_drawing_stays_within_its_frame_and_names_do_not_touch() -> None:
    others = [Num(n) for n in range(2, 40)]
    titles = {Num(n): f"Note {n} with a rather long title" for n in range(1, 40)}
    drawn = drawing(Num(1), {Num(1): others, Num(2): [Num(3), Num(99)]}, titles)
    assert drawn is not None
    assert len(drawn.dots) == MOST
    assert drawn.left == len(others) - MOST
    assert len(drawn.lines) == MOST + 1
    assert all(0 < dot.x < WIDTH and 8 < dot.y < drawn.height - 8 for dot in drawn.dots)
    for side in ("start", "end"):
        rows = sorted(dot.y for dot in drawn.dots if dot.side == side)
        assert min(below - above for above, below in pairwise(rows)) > 12


def test_parts_of_a_note() -> None:
    body = "intro\n\n## One\n\ntext\n\nblock ^b1\n\n## Two\n\nmore"
    assert part_of(body, "One").strip() == "text\n\nblock ^b1"
    assert part_of(body, "^b1") == "block "
    assert part_of(body, "Nowhere") == part_of(body, None) == body


def test_files_are_pictures_or_downloads_and_nothing_in_them_runs() -> None:
    picture = served("a/b c.png", b"x")
    assert picture.headers["content-type"] == "image/png"
    assert picture.headers["content-disposition"] == "inline; filename*=UTF-8''b%20c.png"
    for path, kind in (
        ("x.svg", "image/svg+xml"),
        ("x.html", "application/octet-stream"),
        ("x", "application/octet-stream"),
    ):
        answer = served(path, b"<script>")
        assert answer.headers["content-type"] == kind
        assert answer.headers["content-disposition"].startswith("attachment")
        assert "sandbox" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
