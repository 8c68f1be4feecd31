"""Links follow a move; each keeps its style, and nothing else changes."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from trilith.errors import Refused
from trilith.index.catalog.names import KINDS, folder_of, names_of, path_key, wanted
from trilith.index.catalog.resolution import Place, World, resolve
from trilith.markdown.parse import parse_note
from trilith.markdown.relinking import Relinked, relink
from trilith.markdown.spelling import Moved
from trilith.model.ids import NoteId
from trilith.model.note import Link, Metadata
from trilith.ports.catalog import NameKind

SEGMENTS = {KINDS.index(kind) for kind in (NameKind.PATH, NameKind.SUFFIX, NameKind.STEM)}


def links_of(text: str, path: str) -> tuple[Link, ...]:
    return parse_note(path, text.encode(), count_tokens=lambda texts: [1] * len(texts), window=256).links


class Notes:
    """The notes of a vault by number, and where links lead among them by the rules of the catalog."""

    def __init__(self, paths: Mapping[int, str]) -> None:
        self.paths = paths
        self._notes: dict[str, dict[int, list[Place]]] = {}
        for num, path in paths.items():
            whole = Place(path.count("/") + 1, path, folder_of(path_key(path)), num)
            for name in names_of(path, NoteId(f"id-{num}"), Metadata(title=f"Title {num}")):
                self._notes.setdefault(name.key, {}).setdefault(name.kind, []).append(whole)
        for kinds in self._notes.values():
            for places in kinds.values():
                places.sort()

    def led(self, link: Link, path: str) -> tuple[int | None, bool]:
        """The number of the note that a link leads to, and whether by its path or a part of it."""
        folder = folder_of(path_key(path))
        found = resolve(link.kind, wanted(link, folder), folder, World(notes=self._notes))
        return found.dest, found.via in SEGMENTS

    def unique(self, name: str) -> bool:
        kinds = self._notes.get(path_key(name), {})
        return len({place.num for kind in SEGMENTS for place in kinds.get(kind, ())}) == 1


def move(text: str, note: Moved, target: Moved, *, unique: bool = True) -> Relinked:
    """Every link of `text` whose target has `old` in it follows."""
    changes = {link: target for link in links_of(text, note.was) if "old" in link.target.lower()}
    assert changes, "the test has a link to rewrite"
    return relink(text, note, changes, lambda name: unique)


def moved(text: str, was: str, now: str, *, note: str = "d/n.md", to: str | None = None, unique: bool = True) -> str:
    result = move(text, Moved(note, to or note), Moved(was, now), unique=unique)
    assert result.left == ()
    return result.text


RENAMED = [
    ("[[old]]", "[[new name]]"),
    ("[[ old ]]", "[[ new name ]]"),
    ("[[OLD]]", "[[new name]]"),
    ("[[old|x]]", "[[new name|x]]"),
    ("[[old#h]]", "[[new name#h]]"),
    ("[[old#h#sub|x]]", "[[new name#h#sub|x]]"),
    ("[[old^b]]", "[[new name^b]]"),
    ("[[old#^b]]", "[[new name#^b]]"),
    ("![[old]]", "![[new name]]"),
    ("[[old.md]]", "[[new name.md]]"),
    ("[[d/old]]", "[[d/new name]]"),
    ("[[D/old]]", "[[D/new name]]"),
    ("[[/d/old.md]]", "[[/d/new name.md]]"),
    ("[[./old]]", "[[./new name]]"),
    ("[[../d/old]]", "[[../d/new name]]"),
    ("| [[old\\|x]] | y |\n|---|---|\n", "| [[new name\\|x]] | y |\n|---|---|\n"),
    ("[[[old]]]", "[[[new name]]]"),
    ("[t](/d/old.md)", "[t](/d/new%20name.md)"),
    ("[t](old.md)", "[t](new%20name.md)"),
    ("[t](./old.md#h)", "[t](./new%20name.md#h)"),
    ("[t](../d/old.md)", "[t](../d/new%20name.md)"),
    ("[t](d/old.md)", "[t](d/new%20name.md)"),
    ("[t](old)", "[t](new%20name)"),
    ("[t](<old.md>)", "[t](<new name.md>)"),
    ("[t](< old.md >)", "[t](< new name.md >)"),
    ("[t]( old.md\n 'T' )", "[t]( new%20name.md\n 'T' )"),
    ("[t](o&#108;d.md&#35;h)", "[t](new%20name.md&#35;h)"),
    ("[t](\\./old.md\\#h)", "[t](\\./new%20name.md\\#h)"),
    ("[a\\]b](old.md)", "[a\\]b](new%20name.md)"),
    ("![t](old.md 'T')", "![t](new%20name.md 'T')"),
    ("[r]: old.md", "[r]: new%20name.md"),
    ('> [r]:\n>   <old.md#h> "title"\n', '> [r]:\n>   <new name.md#h> "title"\n'),
    ("[![[old]]](x.png)", "[![[new name]]](x.png)"),
    ("[see [[old]] there](old.md)", "[see [[new name]] there](new%20name.md)"),
]


@pytest.mark.parametrize(("text", "expected"), RENAMED)
def test_a_renamed_target(text: str, expected: str) -> None:
    assert moved(text, "d/old.md", "d/new name.md") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[old]]", "[[new]]"),
        ("[[d/old]]", "[[e/f/new]]"),
        ("[[/d/old.md|x]]", "[[/e/f/new.md|x]]"),
        ("[[./old]]", "[[../e/f/new]]"),
        ("[t](/d/old.md)", "[t](/e/f/new.md)"),
        ("[t](old.md#h)", "[t](../e/f/new.md#h)"),
        ("[t](<./old.md>)", "[t](<../e/f/new.md>)"),
        ("[t](../d/old)", "[t](../e/f/new)"),
        ("[t](d/old.md)", "[t](e/f/new.md)"),
        ("[r]: old.md", "[r]: ../e/f/new.md"),
    ],
)
def test_a_target_in_another_folder(text: str, expected: str) -> None:
    assert moved(text, "d/old.md", "e/f/new.md") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[old]]", "[[a/b/new]]"),
        ("[[old.md#h]]", "[[a/b/new.md#h]]"),
        ("[[b/old]]", "[[a/b/new]]"),
        ("[t](old.md)", "[t](../a/b/new.md)"),
        ("[t](b/old.md)", "[t](../a/b/new.md)"),
        ("[t](a/b/old.md)", "[t](../a/b/new.md)"),
        ("[[/old]]", "[[a/b/new]]"),
        ("[[A/B/old]]", "[[a/b/new]]"),
        ("![t](../a/b/old.md)", "![t](../a/b/new.md)"),
    ],
)
def test_a_name_that_others_have_too_becomes_a_path(text: str, expected: str) -> None:
    assert moved(text, "a/b/old.md", "a/b/new.md", unique=False) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("[[old]]", "[[new]]"), ("[[b/old]]", "[[c/new]]"), ("[[a/b/old]]", "[[a/c/new]]"), ("[t](b/old)", "[t](c/new)")],
)
def test_as_many_segments_as_were_written(text: str, expected: str) -> None:
    assert moved(text, "a/b/old.md", "a/c/new.md") == expected


def test_a_title_becomes_the_stem() -> None:
    assert moved("[[My old/Title]]", "d/x.md", "d/new.md") == "[[new]]"


def test_a_bare_name_from_the_root_stays_bare_in_a_folder() -> None:
    assert moved("[[old]] ![t](../old.md)", "old.md", "d/new.md") == "[[new]] ![t](new.md)"
    assert moved("[[old]]", "old.md", "d/new.md", unique=False) == "[[d/new]]"


def test_a_backtick_would_close_code_that_was_open() -> None:
    assert moved("` [[old]]", "d/old.md", "d/a`b.md") == "` [a&#96;b](a%60b.md)"


def test_an_image_is_not_looked_for_in_its_folder_first_but_for_a_dot() -> None:
    assert moved("![t](old.md) [t](old.md)", "d/old.md", "d/new.md") == "![t](new.md) [t](new.md)"
    assert moved("![t](old.md) [t](old.md)", "d/old.md", "d/new.md", unique=False) == "![t](./new.md) [t](new.md)"


def test_at_the_root_the_name_is_the_whole_path() -> None:
    assert moved("[[old]] [t](../old.md)", "old.md", "new.md", unique=False) == "[[new]] [t](../new.md)"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[old]]", "[a)b\\#c](a%29b%23c.md)"),
        ("[[old|x]]", "[x](a%29b%23c.md)"),
        ("[[old|a #b [c]]]", "[a \\#b \\[c\\]](a%29b%23c.md)"),
        ("[[d/old#h#sub]]", "[a)b\\#c > h > sub](a%29b%23c.md#h%23sub)"),
        ("[[old#^b]]", "[a)b\\#c > ^b](a%29b%23c.md#%5Eb)"),
        ("![[old]]", "![a)b\\#c](./a%29b%23c.md)"),
        ("| [[old\\|x\\|y]] | z |\n|---|---|\n", "| [x\\|y](a%29b%23c.md) | z |\n|---|---|\n"),
        ("[![[old]]](x.png)", "[![a)b\\#c](./a%29b%23c.md)](x.png)"),
        ("[t](old.md)", "[t](a%29b%23c.md)"),
        ("[t](<old.md>)", "[t](<a)b%23c.md>)"),
        ("[r]: /d/old.md", "[r]: /d/a%29b%23c.md"),
    ],
)
def test_a_name_that_wiki_links_cannot_hold(text: str, expected: str) -> None:
    assert moved(text, "d/old.md", "d/a)b#c.md") == expected


@pytest.mark.parametrize(
    "text", ["[see [[old]] there](x.md)", "---\nup: '[[old]]'\n---\n", "---\nlinks: {a: [old]}\n---\n"]
)
def test_what_no_link_can_express_there_is_left_and_told(text: str) -> None:
    result = move(text, Moved("d/n.md", "d/n.md"), Moved("d/old.md", "d/a|b.md"))
    assert (result.text, [link.target for link in result.left]) == (text, ["old"])


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[t](старое/old.md)", "[t](новое/имя.md)"),
        (
            "[t](%D1%81%D1%82%D0%B0%D1%80%D0%BE%D0%B5/old.md)",
            "[t](%D0%BD%D0%BE%D0%B2%D0%BE%D0%B5/%D0%B8%D0%BC%D1%8F.md)",
        ),
    ],
)
def test_letters_are_percent_encoded_where_they_were(written: str, expected: str) -> None:
    assert moved(written, "старое/old.md", "новое/имя.md", note="n.md") == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("50%25.md", "[t](50%2525.md)"),
        ("10:30.md", "[t](10%3A30.md)"),
        ("R&copy;D.md", "[t](R%26copy;D.md)"),
        ("R&D.md", "[t](R&D.md)"),
        ("why?.md", "[t](why%3F.md)"),
        (" x.md", "[t](./%20x.md)"),
        ("a\\b`c.md", "[t](a%5Cb%60c.md)"),
        ("a\u00a0b.md", "[t](a%C2%A0b.md)"),
    ],
)
def test_what_means_something_in_a_destination_is_encoded(name: str, expected: str) -> None:
    assert moved("[t](old.md)", "old.md", name, note="n.md") == expected


def test_a_name_without_its_ending_takes_it_where_it_would_be_another() -> None:
    assert moved("[[old]]", "d/old.md", "d/new.md.md") == "[[new.md.md]]"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[t](old.md#h)", "[t](../../d/old.md#h)"),
        ("[t](./old.md)", "[t](../../d/old.md)"),
        ("[t](<../d/old.md>)", "[t](<../../d/old.md>)"),
        ("[t](/D/Old.md)", "[t](/D/Old.md)"),
        ("[t](D/Old.md)", "[t](D/Old.md)"),
        ("[[./old]]", "[[../../d/old]]"),
        ("[[Old]]", "[[Old]]"),
        ("[r]: old.md", "[r]: ../../d/old.md"),
    ],
)
def test_links_of_a_note_that_has_itself_moved(text: str, expected: str) -> None:
    assert moved(text, "d/old.md", "d/old.md", to="x/y/n.md") == expected


def test_a_moved_note_and_its_attachments() -> None:
    note, old = Moved("d/n.md", "x/n.md"), Moved("d/media/old.png", "d/media/old.png")
    text = "![a](media/old.png) ![[old.png]] ![[media/old.png|300]]"
    assert move(text, note, old).text == "![a](../d/media/old.png) ![[old.png]] ![[media/old.png|300]]"
    assert move(text, note, old, unique=False).text.endswith("![[d/media/old.png]] ![[d/media/old.png|300]]")


def test_a_note_that_links_to_itself() -> None:
    itself = Moved("d/old.md", "x/new.md")
    assert move("[t](old.md#h) [[old]] [[#here]]", itself, itself).text == "[t](new.md#h) [[new]] [[#here]]"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("up: [[old]]  # mine", "up: [[it's]]  # mine"),
        ("up: '[[old]]'", "up: '[[it''s]]'"),
        ('up: "\\u2192 [[old]]"', 'up: "\\u2192 [[it\'s]]"'),
        ("up:\n- [[B]]\n- see [[old|x]] and [[old#h]]", "up:\n- [[B]]\n- see [[it's|x]] and [[it's#h]]"),
        ("up: >- # [[old]]\n  a\n  [[old]]\nz: 1", 'up: "a [[it\'s]]"\nz: 1'),
        ("up: |\n  a [[old]]\n  b", "up: |\n  a [[it's]]\n  b"),
        ("a: {b: [{c: '![[d/old]]'}]}", "a: {b: [{c: '![[d/it''s]]'}]}"),
        ("a: &x [[old]]\nb: *x", "a: &x [[it's]]\nb: *x"),
        (
            "links:\n  next: [old, '[[old]]']\n  up: \"d/old.md\"",
            "links:\n  next: [it's, '[[it''s]]']\n  up: \"d/it's.md\"",
        ),
        ("a: see [[A\n  b]] and [[old]]", "a: see [[A\n  b]] and [[it's]]"),
    ],
)
def test_links_in_frontmatter(written: str, expected: str) -> None:
    edited = moved(f"---\n{written}\n---\n# B [[x]]\n", "d/old.md", "d/it's.md")
    assert edited == f"---\n{expected}\n---\n# B [[x]]\n"


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("up: [[old]]", 'up: "[[a: \'b, c]]"'),
        ("up: see [[old]] # mine", 'up: "see [[a: \'b, c]]" # mine'),
        ("links: {next: old}", 'links: {next: "a: \'b, c"}'),
    ],
)
def test_a_value_that_must_be_quoted_for_its_new_name(written: str, expected: str) -> None:
    assert moved(f"---\n{written}\n---\n", "d/old.md", "d/a: 'b, c.md") == f"---\n{expected}\n---\n"


def test_marks_are_escaped_in_quotes_and_a_link_may_stand_twice() -> None:
    assert moved('---\nup: "\\u2192 [[old]]"\n---\n', "old.md", 'a"b.md') == '---\nup: "\\u2192 [[a\\"b]]"\n---\n'
    assert moved("---\nup: see [[old]] [[old]]\n---\n", "old.md", "new.md") == "---\nup: see [[new]] [[new]]\n---\n"


def test_collaborator_notes_are_not_looked_into() -> None:
    text = "---\nup: '[[old]]'\ncollaborator_notes: '[[old]]'\n---\n"
    assert moved(text, "d/old.md", "d/new.md") == text.replace("up: '[[old]]'", "up: '[[new]]'")


def test_line_ends_and_the_byte_order_mark_stay() -> None:
    text = "\ufeff---\r\nup: '[[old]]'\r\n---\r\n# H\r\n\r\n[[old]]\r\n[r]\r\n\r\n[r]:\r\n old.md\r\n"
    assert moved(text, "d/old.md", "d/new.md") == text.replace("old", "new")


def test_code_and_links_that_were_not_named_stay() -> None:
    text = "`[[old]]` [[old]] [[other]] <!-- [[old]] -->\n\n```\n[[old]]\n```\n"
    assert moved(text, "d/old.md", "d/new.md") == text.replace(" [[old]] [", " [[new]] [")


def test_only_the_links_that_are_named_are_rewritten() -> None:
    text = "[[old]] [[old]]"
    second = {links_of(text, "n.md")[1]: Moved("old.md", "new.md")}
    assert relink(text, Moved("n.md", "n.md"), second, lambda name: True).text == "[[old]] [[new]]"


@pytest.mark.parametrize("former", ["x [[old]]", "[[old|x]]", "---\nup: '[[old]]'\n---\n", "[[other]]"])
def test_a_link_that_is_not_there_is_refused(former: str) -> None:
    changes = {link: Moved("old.md", "new.md") for link in links_of(former, "n.md")}
    with pytest.raises(Refused):
        relink("[[old]]", Moved("n.md", "n.md"), changes, lambda name: True)


@pytest.mark.parametrize("text", ["x <!-- open [[old]]", '<b title="[[old]]'])
def test_a_name_that_would_close_something_opened_before_is_refused(text: str) -> None:
    with pytest.raises(Refused):
        move(text, Moved("n.md", "n.md"), Moved("old.md", 'x"> -->.md'))


# --- whatever the notes say ------------------------------------------------------------------------------------------

ODD_STEM = (
    st.text(alphabet=st.sampled_from("aB1 _-.,'\"()#^|[]&;%:?*~<>\\`!$éä知\u00a0\u0301"), min_size=1, max_size=8)
    .map(lambda text: text.rstrip(". ").lstrip("."))
    .filter(lambda text: text.strip() not in ("", ".."))
)
STEM = st.one_of(st.sampled_from(["a", "b", "b c"]), ODD_STEM)
FOLDER = st.lists(st.sampled_from(["d", "e", "d e", "é", "c#"]), max_size=2).map("/".join)
PATH = st.builds(lambda folder, stem: posixpath.join(folder, f"{stem}.md"), FOLDER, STEM)


def spellings(path: str, folder: str) -> list[str]:
    """Links to a path from a note in a folder, in every style that can express it."""
    near = posixpath.relpath(f"/{path}", f"/{folder}")
    short = path.removesuffix(".md")
    wiki = [short.rpartition("/")[2], short, path, f"/{short}", f"{near if near.startswith('../') else './' + near}"]
    markdown = [near, f"./{near}", f"/{path}", path]
    encoded = ["".join(f"%{byte:02X}" for byte in target.encode()).replace("%2F", "/") for target in markdown]
    return [
        *(f"[t](<{target}>)" for target in markdown),
        *(form.format(target) for target in wiki for form in ("[[{}]]", "[[{}#h|x]]", "![[{}^b]]")),
        *(form.format(target) for target in encoded for form in ("[t]({})", "![t](<{}#h> 'T')", "\n\n[r]: {}\n\n")),
    ]


FILLER = [
    "text ",
    "#tag ",
    "`code [[d/a]]` ",
    "\n\n# Head\n\n",
    "\n- item ",
    "\n\n```\n[[a]]\n```\n\n",
    "知识 ",
    "**b** ",
    "\\[ ",
]


@st.composite
def vaults(draw: st.DrawFn) -> tuple[dict[int, str], int, str, str]:
    """Paths by number, the number of the note that moves, where to, and the body of note 0."""
    paths = draw(st.lists(PATH, min_size=2, max_size=4, unique_by=path_key))
    number = draw(st.integers(0, len(paths) - 1))
    to = draw(PATH)
    assume(path_key(to) not in {path_key(path) for path in paths})
    links = [link for path in paths for link in spellings(path, posixpath.dirname(paths[0]))]
    parts = draw(st.lists(st.one_of(st.sampled_from(links), st.sampled_from(FILLER)), min_size=1, max_size=8))
    return dict(enumerate(paths)), number, to, "".join(part + " " for part in parts)


def between(text: str, links: tuple[Link, ...]) -> list[str]:
    """The text outside of links."""
    ends = [0, *(link.end for link in links)]
    return [text[end : link.start] for end, link in zip(ends, links, strict=False)] + [text[ends[-1] :]]


@settings(max_examples=200, deadline=None)
@given(vaults())
def test_links_lead_where_they_led_and_no_other_text_changes(vault: tuple[dict[int, str], int, str, str]) -> None:
    paths, number, to, body = vault
    before, after = Notes(paths), Notes(paths | {number: to})
    note = Moved(paths[0], to if number == 0 else paths[0])
    links = links_of(body, note.was)
    led = [before.led(link, note.was) for link in links]
    changes = {
        link: Moved(paths[num], after.paths[num])
        for link, (num, by_path) in zip(links, led, strict=True)
        if num is not None and by_path and link.target and number in (num, 0)
    }
    result = relink(body, note, changes, after.unique)
    renewed = links_of(result.text, note.now)
    assert [link for link in links if link.start >= 0 and link not in changes] == [
        Link(new.kind, new.target, new.fragment, new.text, old.start, old.end)
        for old, new in zip(links, renewed, strict=True)
        if old not in changes
    ]
    for old, new, (num, _) in zip(links, renewed, led, strict=True):
        if old in changes and old not in result.left:
            assert after.led(new, note.now)[0] == num
            assert new.fragment == old.fragment
    assert between(result.text, renewed) == between(body, links)


FIELDS = [
    "up: [[old]]",
    "up: '[[old#h]]'",
    'up: "a \\u2192 [[old|x]] ![[old]]"',
    "up: see [[old]]  # mine",
    "up:\n- [[old]]\n-   - '[[old]]'\n",
    "up: |2-\n   a [[old]]\n\n  b",
    "up: >\n  a\n  [[old]]\n",
    "up: {a: '[[old]]', b: [[old]], c: x}",
    "links: {next: [old, '[[old]]'], last: d/old.md}",
]


@settings(deadline=None)
@given(st.sampled_from(FIELDS), ODD_STEM.map(str.strip))
def test_any_name_is_written_into_frontmatter_or_left(field: str, stem: str) -> None:
    text = f"---\n# first\n{field}\nother: [1, 'x']\n---\nbody\n"
    result = move(text, Moved("d/n.md", "d/n.md"), Moved("d/old.md", f"d/{stem}.md"))
    links = links_of(result.text, "d/n.md")
    assert result.text.endswith("\nother: [1, 'x']\n---\nbody\n")
    after = Notes({0: f"d/{stem}.md", 1: "d/n.md"})
    led = [after.led(link, "d/n.md")[0] for link in links if link not in result.left]
    assert set(led) <= {0}
    assert len(links) == len(links_of(text, "d/n.md"))
    if result.left:
        assert any(mark in stem for mark in "#^|[]`\\")
    else:
        assert len(led) == len(links)
