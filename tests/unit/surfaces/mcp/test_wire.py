"""The wire: ours alone, at the level of file descriptors."""

from __future__ import annotations

import os
import subprocess
import sys


def spoken(code: str, given: bytes = b"") -> tuple[bytes, bytes]:
    """Stdout and stderr of a process that has claimed the wire before it runs `code`."""
    claim = "from trilith.surfaces.mcp.wire import claim\nwire = claim()\n"
    done = subprocess.run(
        [sys.executable, "-c", claim + code], input=given, capture_output=True, check=True, timeout=60
    )
    return done.stdout, done.stderr


def test_only_what_is_sent_reaches_stdout() -> None:
    code = """
import ctypes, os, subprocess, sys
print("printed", flush=True)
sys.__stdout__.write("written\\n")
sys.__stdout__.flush()
os.write(1, b"raw\\n")
libc = ctypes.CDLL(None)
libc.puts(b"native")
libc.fflush(None)
subprocess.run(["echo", "a child"], check=True)
wire.send(b"{}")
"""
    out, err = spoken(code)
    assert out == b"{}\n"
    for noise in (b"printed", b"written", b"raw", b"native", b"a child"):
        assert noise in err


def test_stray_output_has_somewhere_to_go_without_stderr() -> None:
    code = "from trilith.surfaces.mcp.wire import claim\nwire = claim()\nprint('stray', flush=True)\nwire.send(b'{}')"
    command = ["sh", "-c", 'exec "$0" -c "$1" 2>&-', sys.executable, code]
    assert subprocess.run(command, stdout=subprocess.PIPE, check=True, timeout=60).stdout == b"{}\n"


def test_only_the_wire_hears_stdin() -> None:
    code = """
import sys, threading
heard, ended = [], threading.Event()
wire.listen(lambda line: heard.append(line) if line is not None else ended.set())
ended.wait()
wire.send(repr((heard, sys.stdin.read())).encode())
"""
    out, _ = spoken(code, b"one\ntwo\r\nthree")
    assert out == b"([b'one\\n', b'two\\r\\n', b'three'], '')\n"


def test_long_messages_arrive_whole() -> None:
    out, _ = spoken("wire.send(b'x' * 3_000_000)")
    assert out == b"x" * 3_000_000 + b"\n"


def test_a_wire_that_nobody_reads_says_so() -> None:
    reader, writer = os.pipe()
    code = """
import sys
from trilith.surfaces.mcp.wire import claim
wire = claim()
sys.stderr.write("ready\\n")
sys.stderr.flush()
try:
    while True:
        wire.send(b"x" * 100_000)
except BrokenPipeError:
    sys.stderr.write("nobody reads")
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert process.stderr is not None
    assert process.stderr.readline() == b"ready\n"
    os.close(reader)
    assert process.stderr.read() == b"nobody reads"
    process.wait()
