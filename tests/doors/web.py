"""The web page in this process, on libraries of two users, as a browser asks for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient
from tests.doors.doorkeepers import OWN, doorkeeper

from trilith.access.libraries import register
from trilith.access.office import Office
from trilith.clock import SystemClock
from trilith.home.accounts import SqliteAccounts
from trilith.home.ledger import SqliteLedger
from trilith.home.ledgerfile import LedgerFile
from trilith.model.principal import Principal, Right
from trilith.settings import load
from trilith.surfaces.http.application import application
from trilith.surfaces.http.meter import Meter
from trilith.surfaces.mcp.starting import opened
from trilith.surfaces.opening import Opening

OWNER = Principal()
HERE = "http://127.0.0.1:8765"
TOKEN = re.compile(r'name="token" value="([^"]+)"')


@dataclass(frozen=True)
class Site:
    client: TestClient
    office: Office
    opening: Opening

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(path, headers=headers)

    def post(self, path: str, fields: dict[str, str], origin: str | None = HERE) -> Any:
        return self.client.post(path, data=fields, headers={} if origin is None else {"Origin": origin})

    def token(self, path: str = "/sign-in") -> str:
        found = TOKEN.search(self.get(path).text)
        assert found is not None
        return found[1]

    def key(self, user: str, *rights: Right) -> str:
        return self.office.create_key(user, rights or (Right.READ, Right.WRITE), (), None)[0]

    def sign_in(self, key: str, target: str = "/") -> Any:
        return self.post("/sign-in", {"token": self.token(), "key": key, "next": target})

    def id_of(self, path: str) -> str:
        entry = self.opening.app().catalog.by_path(path, self.opening.app().gate.filter(OWNER))
        assert entry is not None
        return entry.id


def write(folder: Path, notes: dict[str, str | bytes]) -> Path:
    for name, text in notes.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


@contextmanager
def site(home: Path, folders: dict[str, Path], **rules: Any) -> Iterator[Site]:
    """`folders` by the user who owns them."""
    settings = load(home, semantic="off", watch="off")
    home.mkdir()
    file = LedgerFile(home / "ledger.db")
    office = Office(SqliteLedger(file), SqliteAccounts(file), SystemClock())
    for user, folder in folders.items():
        if user != "owner":
            office.add_user(user)
        register(office.ledger, folder, owner=user)
    opening = Opening(opened(settings, [], None))
    app = application(opening, ["lithos", "mythos"], "127.0.0.1", doorkeeper(office.accounts.keys, **rules), Meter())
    with TestClient(app, base_url=HERE, follow_redirects=False) as client:
        while client.get("/api/v1/status", headers={"Authorization": f"Bearer {OWN}"}).json()["state"] != "ready":
            pass
        yield Site(client, office, opening)
    file.close()


def fields(page: str) -> dict[str, str]:
    """What the form of a page would send, but for the text."""
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page))
