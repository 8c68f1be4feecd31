"""Links of a note that follow a rename, as far as one text decides it."""

from __future__ import annotations

import pytest

from trilith.markdown.parse import parse_note
from trilith.markdown.relinking import relink
from trilith.markdown.spelling import Moved
from trilith.model.note import Link

STAYS = Moved("d/note.md", "d/note.md")


def links_of(text: str) -> tuple[Link, ...]:
    return parse_note("d/note.md", text.encode(), count_tokens=lambda texts: [1] * len(texts), window=256).links


def renamed(text: str, now: str) -> str:
    """The note `d/note.md` once `d/old.md` has been renamed."""
    changes = {link: Moved("d/old.md", now) for link in links_of(text) if "old" in link.target}
    return relink(text, STAYS, changes, unique=lambda name: True).text


L16 = ["[[old]]", "[[old|x]]", "[[old#h]]", "![[old]]", "[t](/d/old.md)", "[t](old.md#h)", "[a\\]b](old.md)"]


@pytest.mark.parametrize("link", [*L16, "\n\n[r]: old.md"])
def test_l16_rename_keeps_links(link: str) -> None:
    """Each keeps its own spelling style."""
    text = f"before {link}\nafter [[other]]"
    assert renamed(text, "d/new.md") == text.replace("old", "new")


@pytest.mark.parametrize(
    ("link", "now"),
    [
        ("[[old]]", "[a)b\\#c](a%29b%23c.md)"),
        ("[[old|x]]", "[x](a%29b%23c.md)"),
        ("[[old#h]]", "[a)b\\#c > h](a%29b%23c.md#h)"),
        ("![[old]]", "![a)b\\#c](./a%29b%23c.md)"),
        ("[t](/d/old.md)", "[t](/d/a%29b%23c.md)"),
        ("[t](old.md#h)", "[t](a%29b%23c.md#h)"),
        ("[a\\]b](old.md)", "[a\\]b](a%29b%23c.md)"),
        ("\n\n[r]: old.md", "\n\n[r]: a%29b%23c.md"),
    ],
)
def test_l16_rename_to_a_name_full_of_marks(link: str, now: str) -> None:
    """New name `a)b#c`: Markdown links are encoded, wiki links, which cannot hold it, become Markdown links."""
    edited = renamed(f"before {link}", "d/a)b#c.md")
    assert edited == f"before {now}"
    assert [each.target.rpartition("/")[2] for each in links_of(edited)] == ["a)b#c.md"]


def test_l16_the_moved_note_keeps_its_own_links() -> None:
    """Links as seen from its folder lead where they led."""
    text = "[t](old.md#h) [u](/d/old.md) ![[pic.png]] [p](media/pic.png)"
    was = {"old.md": "d/old.md", "/d/old.md": "d/old.md", "media/pic.png": "d/media/pic.png"}
    changes = {link: Moved(was[link.target], was[link.target]) for link in links_of(text) if link.target in was}
    moved = relink(text, Moved("d/note.md", "e/note.md"), changes, unique=lambda name: True).text
    assert moved == "[t](../d/old.md#h) [u](/d/old.md) ![[pic.png]] [p](../d/media/pic.png)"


def test_l03_alias_pipe_escaped_in_tables() -> None:
    """Rename must keep `\\|`."""
    table = "| [[old\\|Bee]] | x |\n|---|---|\n| ![[old#h\\|See]] | `[[old\\|no]]` |\n"
    edited = renamed(table, "d/new.md")
    assert edited == table.replace("[[old\\|Bee", "[[new\\|Bee").replace("[[old#h", "[[new#h")


def test_l02_fragments_stay_with_their_links() -> None:
    """Heading and block fragments are kept as they are written; `[[#Here]]` is nobody's name."""
    text = "[[old#Part]] [[old#Part#Sub]] [[old##Sub]] [[old#^b1]] [[#old]] [t](old.md#part%20two)"
    assert renamed(text, "d/new.md") == text.replace("[[old", "[[new").replace("(old", "(new")


def test_p07_the_byte_order_mark_is_kept() -> None:
    """On edit, the BOM is kept if it was there."""
    assert renamed("\ufeff---\nup: '[[old]]'\n---\n[[old]]", "d/new.md") == "\ufeff---\nup: '[[new]]'\n---\n[[new]]"


def test_p08_crlf_is_kept_everywhere() -> None:
    """CRLF everywhere."""
    text = "---\r\nup:\r\n- '[[old]]'\r\n---\r\n# H\r\n\r\n[[old]]\r\n\r\n[r]:\r\n  old.md\r\n"
    assert renamed(text, "d/new.md") == text.replace("old", "new")
