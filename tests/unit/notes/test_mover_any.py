"""Whatever is moved wherever: every link leads where it led, or its note is named; and nothing but links has changed."""

from __future__ import annotations

import posixpath
import random
import re
from pathlib import Path

import pytest
from tests.fakes import ListedVault
from tests.unit.notes.test_mover import ALL, Desk, opened

from trilith.errors import SlugCollision
from trilith.index.catalog.catalog import SqliteCatalog
from trilith.index.graph.graph import SqlGraph

FOLDERS = ("", "a", "b", "a/b", "A b")
NAMES = ("x", "y", "X y", "über", "a", "v1.2", "n#m", "q[r]", "100%", "x.js")
FILES = ("pic.png", "a/pic.png", "b/x", "x.js")
LINK = re.compile(r"!?\[\[[^]\n]*\]\]|!?\[(?:\\.|[^\]\n])*\]\((?:<[^>\n]*>|[^)\n]*)\)")


def path(dice: random.Random) -> str:
    folder, name = dice.choice(FOLDERS), dice.choice(NAMES)
    return f"{folder}/{name}.md" if folder else f"{name}.md"


def target(dice: random.Random, source: str, paths: list[str]) -> str:
    """A way to write a path, from anywhere."""
    wanted = dice.choice(paths)
    short = wanted.removesuffix(".md")
    relative = posixpath.relpath(f"/{wanted}", f"/{posixpath.dirname(source)}")
    return dice.choice(
        [wanted, short, short.rpartition("/")[2], f"/{wanted}", f"/{short}", relative, f"./{relative}", short.upper()]
    )


def link(dice: random.Random, source: str, paths: list[str]) -> str:
    written = target(dice, source, paths)
    wiki = written.replace("#", "").replace("[", "").replace("]", "")
    encoded = written.replace("%", "%25").replace(" ", "%20").replace("#", "%23")
    return dice.choice(
        [
            f"[[{wiki}]]",
            f"[[{wiki}|text]]",
            f"[[{wiki}#h]]",
            f"![[{wiki}]]",
            f"[t]({encoded}) .",
            f"[t](<{encoded}>) .",
            f"![t]({encoded}) .",
        ]
    )


def vault(dice: random.Random) -> ListedVault:
    taken: dict[str, str] = {}
    for each in [path(dice) for _ in range(7)]:
        taken.setdefault(each.casefold(), each)
    paths = sorted(taken.values())
    files = dict.fromkeys(FILES, b"\x00")
    for each in paths:
        links = [link(dice, each, [*paths, *FILES, "no/where.md"]) for _ in range(5)]
        head = (
            f"---\nup: '[[{dice.choice(paths).removesuffix('.md').partition('#')[0].partition('[')[0] or 'z'}]]'\n---\n"
        )
        title = dice.choice(["", "", "# y\n\n", "# x\n\n"])
        files[each] = f"{dice.choice(['', head])}{title}{' and '.join(links)}\n\nend `[[x]]`\n".encode()
    return ListedVault(files)


def led(desk: Desk) -> dict[str, list[str | None]]:
    """What each note's links lead to: the id of a note, the path of a file, or nothing."""
    catalog = desk.records.catalog
    assert isinstance(catalog, SqliteCatalog)
    found: dict[str, list[str | None]] = {}
    for known in catalog.known_files("notes").values():
        targets = []
        for each in SqlGraph(catalog).outgoing(known.num, ALL):
            targets.append(each.attachment if each.target is None else catalog.entries([each.target])[each.target].id)
        found[known.id] = targets
    return found


@pytest.mark.parametrize("seed", range(12))
def test_links_lead_where_they_led(tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    files = vault(dice)
    with opened(tmp_path, files) as desk:
        desk.refresh()
        for _ in range(4):
            before, texts = led(desk), dict(files.files)
            entry = desk.entry(dice.choice(sorted(name for name in files.files if name.endswith(".md"))))
            to = path(dice)
            try:
                result = desk.move(entry, to)
            except SlugCollision:
                assert files.files == texts
                continue
            failed = {each.id for each in result.failed}
            desk.refresh()
            for note, targets in led(desk).items():
                if note not in failed:
                    kept = [(old, new) for old, new in zip(before[note], targets, strict=True) if old is not None]
                    assert all(old == new for old, new in kept), (entry.path, to, note, before[note], targets)
            changed = 0
            for name, data in texts.items():
                now = files.files[to if name == entry.path else name]
                changed += data != now
                assert LINK.sub("", data.decode("latin-1")) == LINK.sub("", now.decode("latin-1")), name
            assert changed == result.notes
