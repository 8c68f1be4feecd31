from __future__ import annotations

from trilith.markdown.patching import Patch, Patched


def test_patches_in_any_order_and_where_the_rest_is_afterwards() -> None:
    text = "one two three"
    patched = Patched(text, [Patch(8, 13, "3"), Patch(0, 3, "first"), Patch(4, 7, "")])
    assert patched.text == "first  3"
    assert [patched.after(offset) for offset in (0, 3, 4, 7, 8, 13)] == [0, 5, 6, 6, 7, 8]


def test_without_patches_nothing_moves() -> None:
    patched = Patched("one", [])
    assert (patched.text, patched.after(0), patched.after(3)) == ("one", 0, 3)
