"""A server that speaks the OpenAI embeddings API, in this process, and does what a test wants of it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.fakes import HashEmbedder

KEY = "sk-good"


@dataclass
class Upstream:
    """`answer` is a status to refuse with, a body to answer with, or None for vectors as they should be."""

    url: str = ""
    answer: int | dict[str, Any] | bytes | None = None
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    width: int = 64
    asked: list[dict[str, Any]] = field(default_factory=list)

    def respond(self, key: str, body: dict[str, Any]) -> tuple[int, bytes]:
        self.asked.append(body)
        time.sleep(self.delay)
        if key != f"Bearer {KEY}":
            return 401, b'{"error": {"message": "Incorrect API key provided"}}'
        if isinstance(self.answer, int):
            return self.answer, b"{}"
        if isinstance(self.answer, bytes):
            return 200, self.answer
        if self.answer is not None:
            return 200, json.dumps(self.answer).encode()
        made = HashEmbedder(width=self.width)
        vectors = [3.0 * made.embed_query(text) for text in body["input"]]
        data = [{"index": number, "embedding": vector.tolist()} for number, vector in enumerate(vectors)]
        return 200, json.dumps({"data": data[::-1], "model": body["model"]}).encode()


@contextmanager
def upstream() -> Iterator[Upstream]:
    state = Upstream()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            known = self.path == "/v1/embeddings"
            status, answer = state.respond(self.headers["Authorization"], body) if known else (404, b"{}")
            self.send_response(status)
            for name, value in state.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: Any) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield state
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
