from __future__ import annotations

import pytest

from trilith.index.catalog.names import KINDS, Wanted
from trilith.index.catalog.resolution import Found, Place, State, World, preferred, resolve
from trilith.model.note import LinkKind
from trilith.ports.catalog import NameKind

PATH, SUFFIX, STEM, ID, TITLE, ALIAS = (KINDS.index(kind) for kind in NameKind)


def place(num: int, path: str) -> Place:
    return Place(path.count("/") + 1, path, path.rpartition("/")[0], num)


def world(**notes: dict[int, list[Place]]) -> World:
    return World(notes=notes)


def test_the_strongest_kind_wins_whatever_the_others() -> None:
    answers = {kind: [place(kind, f"f/{kind}.md")] for kind in range(len(KINDS))}
    for kind in range(len(KINDS)):
        found = resolve(LinkKind.WIKI, Wanted(None, "x"), "f", world(x=answers))
        assert (found.dest, found.via, found.hit) == (kind, kind, None)
        del answers[kind]
    assert resolve(LinkKind.WIKI, Wanted(None, "x"), "f", world(x=answers)) == Found(state=State.UNRESOLVED)


def test_the_path_from_the_own_folder_comes_before_all_else_and_is_exact() -> None:
    there = World(
        notes={"f/x": {PATH: [place(1, "f/x.md")], TITLE: [place(3, "t.md")]}, "x": {PATH: [place(2, "x.md")]}}
    )
    assert resolve(LinkKind.MARKDOWN, Wanted("f/x", "x"), "f", there).dest == 1
    titled = World(notes={"f/x": {TITLE: [place(3, "t.md")]}, "x": {ALIAS: [place(2, "a.md")]}})
    assert resolve(LinkKind.MARKDOWN, Wanted("f/x", "x"), "f", titled).dest == 2


def test_of_several_the_same_folder_then_fewest_segments_then_path_order() -> None:
    places = sorted([place(1, "b/x.md"), place(2, "a/x.md"), place(3, "c/d/x.md"), place(4, "a/a/x.md")])
    assert [each.num for each in preferred(places, "c/d")] == [3, 2, 1, 4]
    assert [each.num for each in preferred(places, "elsewhere")] == [2, 1, 4, 3]
    for folder in ("c/d", "b", "elsewhere"):
        found = resolve(LinkKind.WIKI, Wanted(None, "x"), folder, world(x={STEM: places}))
        assert (found.dest, found.hit) == (preferred(places, folder)[0].num, "x")


def test_typed_links_hold_ids_and_are_names_else() -> None:
    answers = {PATH: [place(1, "x.md")], ID: [place(2, "i.md")], ALIAS: [place(3, "a.md")]}
    assert resolve(LinkKind.TYPED, Wanted(None, "x"), "", world(x=answers)).dest == 2
    assert resolve(LinkKind.WIKI, Wanted(None, "x"), "", world(x=answers)).dest == 1
    del answers[ID]
    assert resolve(LinkKind.TYPED, Wanted(None, "x"), "", world(x=answers)).dest == 1


def test_a_file_with_a_suffix_comes_before_a_note_without_one_after() -> None:
    files = {"p.png": [Place(1, "p.png", "")], "licence": [Place(1, "LICENCE", "")]}
    notes = {"p.png": {STEM: [place(1, "a/p.png.md")]}, "licence": {STEM: [place(2, "a/licence.md")]}}
    there = World(notes=notes, files=files)
    assert resolve(LinkKind.EMBED, Wanted(None, "p.png"), "", there).attachment == "p.png"
    assert resolve(LinkKind.WIKI, Wanted(None, "licence"), "", there).dest == 2
    assert resolve(LinkKind.WIKI, Wanted(None, "licence"), "", World(files=files)).attachment == "LICENCE"
    assert resolve(LinkKind.WIKI, Wanted(None, "p.png"), "", World(notes=notes)).dest == 1


def test_files_are_chosen_like_notes_the_whole_path_first() -> None:
    part = [Place(2, "a/p.png", "a", whole=False), Place(2, "b/p.png", "b", whole=False)]
    there = World(files={"p.png": part, "b/p.png": [Place(2, "b/p.png", "b")]})
    assert resolve(LinkKind.WIKI, Wanted(None, "p.png"), "b", there).attachment == "b/p.png"
    assert resolve(LinkKind.WIKI, Wanted(None, "p.png"), "c", there).attachment == "a/p.png"
    assert resolve(LinkKind.MARKDOWN, Wanted("b/p.png", "p.png"), "b", there).attachment == "b/p.png"
    assert resolve(LinkKind.MARKDOWN, Wanted("p.png", "q.png"), "", there).attachment is None


@pytest.mark.parametrize(
    ("kind", "key", "state"),
    [
        (LinkKind.EMBED, "a/pic.png", State.MISSING),
        (LinkKind.WIKI, "doc.pdf", State.MISSING),
        (LinkKind.WIKI, "vue.js", State.UNRESOLVED),
        (LinkKind.WIKI, "v1.2", State.UNRESOLVED),
        (LinkKind.WIKI, "dr. smith", State.UNRESOLVED),
        (LinkKind.WIKI, ".png", State.UNRESOLVED),
        (LinkKind.MARKDOWN, "app.py", State.MISSING),
        (LinkKind.MARKDOWN, "app", State.UNRESOLVED),
        (LinkKind.WIKI, None, State.UNRESOLVED),
    ],
)
def test_what_leads_nowhere(kind: LinkKind, key: str | None, state: State) -> None:
    assert resolve(kind, Wanted(None, key), "", World()) == Found(state=state)
