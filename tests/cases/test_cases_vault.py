from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tracemalloc
from pathlib import Path

import pytest

from trilith.errors import PathForbidden
from trilith.vault.folder import FolderVault
from trilith.vault.reading import HEAD_LIMIT


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "vault").mkdir()
    return tmp_path / "vault"


def put(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(path, "utf-8")


def notes(root: Path) -> list[str]:
    return [note.path for note in FolderVault(str(root)).walk().notes]


def state(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    """Everything about a tree that writing to it would change."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): (path.read_bytes(), path.stat().st_mtime_ns, path.stat().st_ctime_ns) for path in files}


def test_w06_temp_hidden_and_conflict_files(root: Path) -> None:
    """`.obsidian/`, `.git/`, `~$x.md`, `.#x.md`, `x.md.tmp`, conflict copies: ignored by default."""
    put(root, "x.md", ".obsidian/x.md", ".trash/x.md", ".git/x.md", "~$x.md", ".#x.md", "x.md.tmp", ".x.md.icloud")
    put(root, "x (conflicted copy).md", "x.sync-conflict-20260101.md", ".n.tmp", "sub/~$y.md", "sub/.DS_Store")
    walk = FolderVault(str(root)).walk()
    assert [note.path for note in walk.notes] == ["x.md"]
    assert walk.attachments == frozenset()
    reasons = {file.path: file.reason for file in walk.skipped}
    assert "conflict copy" in reasons["x (conflicted copy).md"]
    assert "conflict copy" in reasons["x.sync-conflict-20260101.md"]
    assert "iCloud" in reasons[".x.md.icloud"]
    assert reasons[".obsidian"] == "hidden"
    assert "sub/.DS_Store" not in reasons


def test_w01_a_file_in_the_middle_of_an_atomic_save_is_no_note(root: Path) -> None:
    """Write `.n.tmp`, rename over `n.md`: no ghost."""
    put(root, "n.md", ".n.tmp")
    assert notes(root) == ["n.md"]
    (root / ".n.tmp").rename(root / "n.md")
    assert notes(root) == ["n.md"]
    assert FolderVault(str(root)).read("n.md").data == b".n.tmp"


@pytest.mark.parametrize(
    "path",
    [
        "../secret.md",
        "a/../../secret.md",
        "..\\secret.md",
        "%2e%2e/secret.md",
        "%2e%2e%2fsecret.md",
        "..%2fsecret.md",
        "..%5csecret.md",
        "%252e%252e%252fsecret.md",
        "C:\\secret.md",
        "c:secret.md",
        "\\\\server\\share\\secret.md",
        "//server/share/secret.md",
        "/secret.md",
        "secret.md\0.md",
        ".. /secret.md",
    ],
)
def test_x01_paths_that_leave_the_vault_are_forbidden(root: Path, tmp_path: Path, path: str) -> None:
    """`..`, absolute, encoded, Windows and UNC paths: `path_forbidden`, nothing read or created."""
    put(tmp_path, "secret.md")
    put(root, "a/x.md")
    before = state(tmp_path)
    for asked in (path, str(tmp_path / "secret.md")):
        with pytest.raises(PathForbidden) as refusal:
            FolderVault(str(root)).read(asked)
        assert refusal.value.code == "path_forbidden"
    assert state(tmp_path) == before


def test_x01_a_link_that_leads_out_is_forbidden(root: Path, tmp_path: Path) -> None:
    """A path that leaves the vault by a symlink is refused."""
    put(tmp_path, "secret.md")
    (root / "x.md").symlink_to(tmp_path / "secret.md")
    (root / "up").symlink_to("..")
    for path in ("x.md", "up/secret.md"):
        with pytest.raises(PathForbidden):
            FolderVault(str(root)).read(path)


def test_w17_a_symlink_loop_ends_and_nothing_comes_twice(root: Path) -> None:
    """Symlink loop: handled, no duplicate, no endless walk."""
    put(root, "a/b/c.md")
    (root / "a" / "b" / "up").symlink_to(root / "a")
    (root / "a" / "round").symlink_to(root)
    (root / "a" / "here").symlink_to(".")
    assert notes(root) == ["a/b/c.md"]


def test_w17_case_only_rename_and_file_to_folder_swap(root: Path) -> None:
    """Case-only rename; file→dir swap: handled, no duplicate."""
    put(root, "note.md", "topic.md")
    (root / "note.md").rename(root / "Note.md")
    (root / "topic.md").unlink()
    put(root, "topic.md/inside.md")
    assert notes(root) == ["Note.md", "topic.md/inside.md"]


def test_l14_names_stay_spelled_as_on_disk(root: Path) -> None:
    """File name in NFD: the on-disk name is not changed."""
    put(root, "cafe\u0301.md")
    assert notes(root) == ["cafe\u0301.md"]
    assert FolderVault(str(root)).read("cafe\u0301.md").data.decode() == "cafe\u0301.md"


CODE = """
import sys
from pathlib import Path
import numpy as np
from trilith.embedding.local import LocalEmbedder
from trilith.index.vector.index import VectorIndex
from trilith.ports.items import Changes
from trilith.ports.items import VectorItem
from trilith.vault.folder import FolderVault
root, home = sys.argv[1:]
vault = FolderVault(root)
walk = vault.walk()
names = [note.path for note in walk.notes]
assert names == ["caf\\u00e9.md", "\\u77e5\\u8bc6/\\u6574\\u7406.md"], ascii(names)
assert [file.path for file in walk.skipped] == ["\\u00fc.md"], ascii(walk.skipped)
for name in names:
    assert vault.read(name).data.decode("utf-8") == name
embedder = LocalEmbedder()
embedder.tokens.count(["\\u77e5\\u8bc6"])
item = VectorItem(num=1, checksum="c", ordinals=np.zeros(1, np.int32), vectors=np.ones((1, 4), np.float16))
vectors = VectorIndex(Path(home), "mod\\u00e8le", 4, None)
vectors.apply("biblioth\\u00e8que", Changes(upto=1, put=(item,)))
assert vectors.applied("biblioth\\u00e8que") == 1
"""


@pytest.mark.parametrize("locale", ["C", "POSIX", "en_US.CP1252"])
def test_p10_the_platforms_encoding_does_not_matter(root: Path, tmp_path: Path, locale: str) -> None:
    """Every open names `utf-8`; under `LC_ALL=C` and a cp1252 locale."""
    put(root, "caf\u00e9.md", "知识/整理.md", "ü.md")
    (root / ".trilithignore").write_text("ü.md\n", "utf-8")
    environment = {**os.environ, "LC_ALL": locale, "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-X", "warn_default_encoding", "-W", "error::EncodingWarning", "-c", CODE]
    arguments = [str(root), str(tmp_path / "home")]
    result = subprocess.run([*command, *arguments], env=environment, capture_output=True, check=False)
    assert result.returncode == 0, result.stderr.decode("utf-8", "replace")


def test_z02_a_huge_note_is_read_by_its_head_in_bounded_memory(root: Path) -> None:
    """100 MB note: no crash, memory bounded, over-limit file indexed by head with a flag."""
    digest = hashlib.sha256()
    with (root / "huge.md").open("wb") as file:
        for _ in range(100):
            piece = "知".encode() * 333_333 + b"\n"
            file.write(piece)
            digest.update(piece)
    vault = FolderVault(str(root))
    tracemalloc.start()
    raw = vault.read("huge.md")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * HEAD_LIMIT
    assert raw.truncated
    assert HEAD_LIMIT - 4 < len(raw.data) <= HEAD_LIMIT
    raw.data.decode("utf-8")
    assert raw.checksum == digest.hexdigest()
    assert raw.stamp == vault.walk().notes[0].stamp


def test_i07_exclusions_are_applied_before_reading_and_say_why(root: Path) -> None:
    """Own ignore file, applied before reading; `status` lists what was skipped and why."""
    put(root, "a.md", "secret/b.md", "secret/deep/c.md", "draft-x.md")
    assert notes(root) == ["a.md", "draft-x.md", "secret/b.md", "secret/deep/c.md"]
    (root / ".trilithignore").write_text("# mine\nsecret/\ndraft-*\n", "utf-8")
    os.mkfifo(root / "secret" / "blocks whoever opens it.md")
    walk = FolderVault(str(root)).walk()
    assert [note.path for note in walk.notes] == ["a.md"]
    reason = "left out by .trilithignore"
    assert [(file.path, file.reason) for file in walk.skipped] == [("draft-x.md", reason), ("secret", reason)]


def test_i04_stored_paths_have_slashes_and_both_are_taken(root: Path) -> None:
    """`/` in all stored paths and answers, both accepted as input."""
    put(root, "a/b/c.md")
    assert notes(root) == ["a/b/c.md"]
    assert FolderVault(str(root)).read("a\\b\\c.md").data == b"a/b/c.md"


def test_i08_looking_and_reading_write_nothing(root: Path) -> None:
    """Zero-write first index."""
    put(root, "a.md", "b/c.md", "pic.png")
    before = state(root), root.stat().st_mtime_ns
    root.chmod(0o555)
    vault = FolderVault(str(root))
    for note in vault.walk().notes:
        vault.read(note.path)
    root.chmod(0o755)
    assert (state(root), root.stat().st_mtime_ns) == before
