from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from trilith.embedding.local import BUILT_IN, LocalEmbedder
from trilith.embedding.recent import Recent
from trilith.errors import Unavailable
from trilith.model.hits import EngineState

NETWORK, TOKENIZER = "all-minilm-l6-v2-int8.onnx", "tokenizer.json"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return shutil.copytree(BUILT_IN, tmp_path / "model")


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-X", "dev", "-c", code], capture_output=True, text=True, check=False)


def test_it_is_loading_until_it_is_ready_and_says_so() -> None:
    embedder = LocalEmbedder()
    assert embedder.status().state is EngineState.LOADING
    with pytest.raises(Unavailable, match="still loading"):
        embedder.embed(["text"])
    with pytest.raises(Unavailable, match="still loading"):
        embedder.embed_query("text")
    before = time.perf_counter()
    embedder.prepare()
    assert time.perf_counter() - before < 0.1
    assert embedder.wait(30).state is EngineState.OK
    assert embedder.embed_query("text").shape == (embedder.width,)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)


@pytest.mark.parametrize("name", [NETWORK, TOKENIZER, "manifest.json"])
@pytest.mark.parametrize("spoil", [Path.unlink, cut, flip])
def test_i02_a_missing_or_damaged_file_fails_fast_and_says_what_to_do(
    folder: Path, name: str, spoil: Callable[[Path], None]
) -> None:
    """`model pull`/path option, checksum, time-outs, fail fast with the command to run."""
    spoil(folder / name)
    embedder = LocalEmbedder(folder)
    before = time.perf_counter()
    status = embedder.wait(30)
    assert time.perf_counter() - before < 5
    assert status.state is EngineState.DEGRADED
    assert status.reason is not None
    assert str(folder) in status.reason
    assert "Install Trilith again" in status.reason
    with pytest.raises(Unavailable, match="Install Trilith again"):
        embedder.embed_query("text")
    assert embedder.width == 384
    assert embedder.tokens.count(["some words"])[0] >= 4


@pytest.mark.parametrize("package", ["onnxruntime", "tokenizers"])
def test_i01_a_missing_package_is_told_and_texts_can_still_be_cut(
    monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    """Works with no embedding backend."""
    monkeypatch.setitem(sys.modules, package, None)
    embedder = LocalEmbedder()
    status = embedder.wait(30)
    assert status.state is EngineState.DEGRADED
    assert package in str(status.reason)
    assert embedder.tokens.count(["some words"])[0] >= 4


def test_a_network_that_is_not_one_is_told(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    manifest["network"] = manifest["tokenizer"]
    (folder / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    status = LocalEmbedder(folder).wait(30)
    assert status.state is EngineState.DEGRADED
    assert "cannot be loaded" in str(status.reason)


def test_s17_the_identity_follows_the_files_and_the_window(folder: Path) -> None:
    """Detect by stored model id + width + chunker version."""
    assert LocalEmbedder(folder).model == LocalEmbedder().model
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    models = {LocalEmbedder().model}
    for change in ({"window": 128}, {"width": 768}, {"network": {**manifest["network"], "sha256": "0" * 64}}):
        (folder / "manifest.json").write_text(json.dumps({**manifest, **change}), "utf-8")
        models.add(LocalEmbedder(folder).model)
    assert len(models) == 4


def test_the_manifest_fits_the_files_that_are_shipped() -> None:
    assert LocalEmbedder().wait(30).state is EngineState.OK
    assert {path.name for path in BUILT_IN.iterdir()} == {NETWORK, TOKENIZER, "manifest.json", "LICENSE", "NOTICE"}
    notice = (BUILT_IN / "NOTICE").read_text("utf-8")
    manifest = json.loads((BUILT_IN / "manifest.json").read_text("utf-8"))
    assert manifest["network"]["sha256"] in notice
    assert manifest["tokenizer"]["sha256"] in notice


def test_many_threads_may_ask_at_once() -> None:
    embedder = LocalEmbedder(threads=2)
    embedder.wait(30)
    texts = [f"note {i} " + "words " * (i % 40) for i in range(60)]
    expected = embedder.embed(texts)
    answers: list[bool] = []

    def ask(place: int) -> None:
        vector = embedder.embed_query(texts[place]) if place % 2 else embedder.embed(texts[place : place + 3])[0]
        answers.append(bool((vector == expected[place]).all()))

    threads = [threading.Thread(target=ask, args=(place,)) for place in range(0, 57, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * len(threads)


def test_the_last_queries_are_remembered_and_no_more() -> None:
    embedder = LocalEmbedder()
    embedder.wait(30)
    vector = embedder.embed_query("again")
    assert embedder.embed_query("again") is vector
    with pytest.raises(ValueError, match="read-only"):
        vector[0] = 1
    recent = Recent(2)
    for text in ("a", "b", "a", "c"):
        recent.put(text, vector)
    assert recent.get("a") is vector
    assert recent.get("b") is None


def test_nothing_heavy_is_imported_before_it_is_needed() -> None:
    code = """
import sys
from trilith.embedding.local import LocalEmbedder
embedder = LocalEmbedder()
embedder.model, embedder.width, embedder.tokens.window, embedder.status()
assert not {"onnxruntime", "tokenizers"} & set(sys.modules), "at construction"
embedder.tokens.count(["text"])
assert "onnxruntime" not in sys.modules, "to count tokens"
"""
    result = run(code)
    assert result.returncode == 0, result.stderr


def test_x14_it_works_with_sockets_blocked_and_says_nothing() -> None:
    """No network calls; a test with sockets blocked passes."""
    code = """
import socket
def blocked(*args, **options):
    raise AssertionError("a socket was asked for")
socket.socket.__init__ = socket.socket.connect = blocked
socket.create_connection = socket.getaddrinfo = blocked
from trilith.embedding.local import LocalEmbedder
embedder = LocalEmbedder()
assert embedder.wait(30).state == "ok", embedder.status()
assert embedder.embed_query("text").shape == (384,)
assert embedder.embed(["one", "two words"]).shape == (2, 384)
"""
    result = run(code)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


@pytest.mark.parametrize("pause", [0.0, 0.02, 0.05, 0.08, 0.11, 0.15])
def test_a_process_that_ends_while_loading_ends_well_and_soon(pause: float) -> None:
    code = f"""
import time
from trilith.embedding.local import LocalEmbedder
LocalEmbedder().prepare()
time.sleep({pause})
"""
    before = time.perf_counter()
    result = run(code)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
    assert time.perf_counter() - before < 10


def test_loading_stops_at_the_next_step_once_the_process_ends() -> None:
    code = """
import atexit, sys, threading
from trilith.embedding import local
reached = threading.Event()
def slow_step(*args):
    reached.set()
    threading.main_thread().join()
local.verified = slow_step
local.LocalEmbedder().prepare()
reached.wait()
atexit.register(lambda: print("loaded further" if "tokenizers" in sys.modules else "stopped"))
"""
    result = run(code)
    assert (result.returncode, result.stdout.strip()) == (0, "stopped"), result.stderr
