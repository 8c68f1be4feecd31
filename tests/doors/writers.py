"""The doors through which notes are written, as one test can use them all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import httpx
from tests.dialects.lithos_client import Lithos
from tests.doors.command_line import CommandLine, indexed, process, serving

Json = dict[str, Any]


class Door(Protocol):
    """Each answers with its JSON, an error's too. `note` is an id."""

    def create(self, title: str, content: str) -> Json: ...

    def found(self, query: str) -> list[str]:
        """The ids that a full-text search finds."""
        ...

    def read(self, note: str) -> Json: ...

    def append(self, note: str, content: str, expected_version: int) -> Json: ...

    def rewrite(self, note: str, content: str, expected_version: int) -> Json: ...

    def move(self, note: str, to: str) -> Json: ...

    def delete(self, note: str) -> Json: ...

    def restore(self) -> Json:
        """The note that was deleted last."""
        ...


@dataclass(frozen=True)
class McpDoor:
    """Tools; restoring is the owner's, in a terminal beside it."""

    lithos: Lithos
    home: Path

    def create(self, title: str, content: str) -> Json:
        return dict(self.lithos.write(title=title, content=content, agent="ann"))

    def found(self, query: str) -> list[str]:
        return self.lithos.ids(query=query, mode="fulltext")

    def read(self, note: str) -> Json:
        return dict(self.lithos.read(id=note))

    def append(self, note: str, content: str, expected_version: int) -> Json:
        asked = {"operation": "append", "content": content, "expected_version": expected_version}
        return dict(self.lithos.edit(id=note, agent="ann", **asked))

    def rewrite(self, note: str, content: str, expected_version: int) -> Json:
        asked = {"title": self.read(note)["title"], "content": content, "expected_version": expected_version}
        return dict(self.lithos.write(id=note, agent="ann", **asked))

    def move(self, note: str, to: str) -> Json:
        return dict(self.lithos.move(id=note, to=to, agent="ann"))

    def delete(self, note: str) -> Json:
        return dict(self.lithos.delete(id=note, agent="ann"))

    def restore(self) -> Json:
        kept = process("restore", "--json", home=self.home).json["items"]
        return dict(process("restore", kept[0]["key"], "--json", home=self.home).json)


@dataclass(frozen=True)
class RestDoor:
    client: httpx.Client

    def create(self, title: str, content: str) -> Json:
        return self._sent("POST", "/notes", {"title": title, "content": content, "agent": "ann"})

    def found(self, query: str) -> list[str]:
        results = self.client.get("/search", params={"q": query, "mode": "fulltext"}).json()["results"]
        return [hit["id"] for hit in results]

    def read(self, note: str) -> Json:
        return dict(self.client.get(f"/notes/{note}").json())

    def append(self, note: str, content: str, expected_version: int) -> Json:
        asked = {"operation": "append", "content": content, "expected_version": expected_version, "agent": "ann"}
        return self._sent("POST", f"/notes/{note}/edit", asked)

    def rewrite(self, note: str, content: str, expected_version: int) -> Json:
        asked = {"content": content, "expected_version": expected_version, "agent": "ann"}
        return self._sent("PATCH", f"/notes/{note}", asked)

    def move(self, note: str, to: str) -> Json:
        return self._sent("POST", f"/notes/{note}/move", {"to": to, "agent": "ann"})

    def delete(self, note: str) -> Json:
        return dict(self.client.delete(f"/notes/{note}", params={"agent": "ann"}).json())

    def restore(self) -> Json:
        key = self.client.get("/trash").json()["items"][0]["key"]
        return dict(self.client.post(f"/trash/{key}/restore").json())

    def _sent(self, method: str, path: str, body: Json) -> Json:
        return dict(self.client.request(method, path, json=body).json())


@dataclass(frozen=True)
class TerminalDoor:
    trilith: CommandLine

    def create(self, title: str, content: str) -> Json:
        return self._said("write", title, "--content", content)

    def found(self, query: str) -> list[str]:
        return [hit["id"] for hit in self._said("search", query, "--mode", "fulltext")["results"]]

    def read(self, note: str) -> Json:
        return self._said("read", note)

    def append(self, note: str, content: str, expected_version: int) -> Json:
        return self._said("edit", note, "--append", content, "--expected-version", expected_version)

    def rewrite(self, note: str, content: str, expected_version: int) -> Json:
        title = self.read(note)["title"]
        return self._said("write", title, "--id", note, "--content", content, "--expected-version", expected_version)

    def move(self, note: str, to: str) -> Json:
        return self._said("move", note, to)

    def delete(self, note: str) -> Json:
        return self._said("delete", note)

    def restore(self) -> Json:
        return self._said("restore", self._said("restore")["items"][0]["key"])

    def _said(self, command: str, *arguments: object) -> Json:
        agent = ("--agent", "ann") if command in ("write", "edit", "move", "delete") else ()
        return dict(self.trilith(command, *arguments, *agent, "--json").json)


@contextmanager
def rest_server(vault: Path, home: Path, *flags: str) -> Iterator[RestDoor]:
    """`trilith serve`, once everything is indexed."""
    with (
        serving(vault, *flags, home=home, ready=indexed, TRILITH_SEMANTIC="off") as url,
        httpx.Client(base_url=f"{url}/api/v1", timeout=60) as client,
    ):
        yield RestDoor(client)
