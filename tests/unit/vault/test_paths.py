from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trilith.access.paths import check, is_askable
from trilith.errors import PathForbidden
from trilith.vault.paths import is_within


@pytest.mark.parametrize(
    ("path", "normal"),
    [
        ("a.md", "a.md"),
        ("a/b/c.md", "a/b/c.md"),
        ("a\\b\\c.md", "a/b/c.md"),
        ("./a//b/./c.md", "a/b/c.md"),
        ("a/", "a"),
        ("a..b/..c/d...md", "a..b/..c/d...md"),
        ("50% off.md", "50% off.md"),
        ("a%20b.md", "a%20b.md"),
        ("%25.md", "%25.md"),
        ("知识/ü.md", "知识/ü.md"),
        ("time 10:30.md", "time 10:30.md"),
        (" lead and trail ", " lead and trail "),
        ("~$x.md", "~$x.md"),
    ],
)
def test_ordinary_paths_are_normalised_and_keep_their_spelling(path: str, normal: str) -> None:
    assert check(path, windows=False) == normal
    assert check(normal, windows=False) == normal


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("", "names no file"),
        (".", "names no file"),
        ("./", "names no file"),
        ("/", "absolute"),
        ("..", "upwards"),
        ("a/..", "upwards"),
        ("a/../b.md", "upwards"),
        ("..\\..\\b.md", "upwards"),
        ("a/ ../b.md", "upwards"),
        ("a/.. /b.md", "upwards"),
        ("a/. ./b.md", "upwards"),
        ("a/.../b.md", "upwards"),
        ("a\0.md", "NUL"),
        ("a%00.md", "NUL"),
        ("/etc/passwd", "absolute"),
        ("%2fetc/passwd", "absolute"),
        ("\\etc", "absolute"),
        ("\\\\server\\share\\x.md", "absolute"),
        ("//server/share/x.md", "absolute"),
        ("\\\\?\\C:\\x.md", "absolute"),
        ("C:\\x.md", "drive"),
        ("c:/x.md", "drive"),
        ("C:x.md", "drive"),
        ("c%3a/x.md", "drive"),
        ("%63:/x.md", "drive"),
        ("~/x.md", "home"),
        ("%2e%2e/x.md", "upwards"),
        ("%2E%2e%2fx.md", "upwards"),
        ("a/%2e./x.md", "upwards"),
        ("..%2fx.md", "upwards"),
        ("..%5cx.md", "upwards"),
        ("%252e%252e%252fx.md", "upwards"),
        ("%25252e%25252e/x.md", "upwards"),
        ("%2525252525252e.md", "too many times"),
    ],
)
def test_whatever_could_lead_out_is_refused_with_its_reason(path: str, why: str) -> None:
    with pytest.raises(PathForbidden, match=why):
        check(path, windows=False)


@pytest.mark.parametrize("path", ["NUL", "con.md", "a/COM1", "a/lpt9.txt", "x.md:stream", "x.md::$DATA", "aux .md"])
def test_devices_and_streams_are_refused_where_they_exist(path: str) -> None:
    assert check(path, windows=False) == path
    with pytest.raises(PathForbidden, match="device"):
        check(path, windows=True)


def test_names_that_only_look_like_devices_are_taken_there() -> None:
    assert check("console/nulls/com10.md", windows=True) == "console/nulls/com10.md"


climbs = st.sampled_from(["..", ".. ", " ..", "..."])
steps = st.lists(st.sampled_from(["a", "b c", ".", "é", "x.md"]), max_size=3)


@given(steps, climbs, steps, st.sampled_from(["/", "\\", "//"]), st.integers(0, 3))
def test_no_spelling_of_an_upward_step_passes(
    before: list[str], climb: str, after: list[str], separator: str, layers: int
) -> None:
    path = separator.join([*before, climb, *after])
    for _ in range(layers):
        path = quote(path, safe="").replace(".", "%2E")
    with pytest.raises(PathForbidden):
        check(path)


@given(st.text(max_size=30))
def test_what_passes_is_relative_and_passes_again(path: str) -> None:
    try:
        normal = check(path)
    except PathForbidden:
        return
    assert check(normal) == normal
    assert not normal.startswith("/")
    assert ".." not in normal.split("/")
    assert "\\" not in normal
    assert "\0" not in normal


def test_names_on_disk_that_cannot_be_asked_for() -> None:
    assert is_askable("a/100%.md")
    assert not is_askable("a\\b.md")
    assert not is_askable("%2e%2e")
    assert not is_askable("c:x.md")


def test_within_is_by_whole_segments() -> None:
    assert is_within(b"/v", b"/v")
    assert is_within(b"/v/a", b"/v")
    assert not is_within(b"/vault2/a", b"/vault")
    assert is_within(b"/a", b"/")
