"""Keys at every door of HTTP: who is let in, and what for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.doors.doorkeepers import OWN, doorkeeper

from trilith.access.keys import LOOKS_LIKE_ONE, new_key, new_secret
from trilith.access.libraries import register
from trilith.access.office import Office
from trilith.clock import SystemClock
from trilith.home.accounts import SqliteAccounts
from trilith.home.ledger import SqliteLedger
from trilith.home.ledgerfile import LedgerFile
from trilith.model.principal import Right, Role
from trilith.settings import load
from trilith.surfaces.http.application import application
from trilith.surfaces.http.meter import Meter
from trilith.surfaces.mcp.starting import opened
from trilith.surfaces.opening import Opening

API = "/api/v1"
BOTH = [Right.READ, Right.WRITE]
HEADERS = {"Accept": "application/json, text/event-stream"}
PATHS = ("/health", "/metrics", f"{API}/status", f"{API}/search?q=bread", f"{API}/openapi.json", "/nowhere")


@dataclass(frozen=True)
class Town:
    """A server with the libraries of two users, `ada` and `bea`."""

    client: TestClient
    office: Office
    opening: Opening

    def key(self, user: str, *rights: Right, libraries: tuple[str, ...] = ()) -> str:
        return self.office.create_key(user, rights or BOTH, libraries, None)[0]

    def get(self, path: str, key: str | None = None, **headers: str) -> Any:
        shown = {} if key is None else {"Authorization": f"Bearer {key}"}
        return self.client.get(path, headers={**shown, **headers})

    def found(self, key: str | None) -> set[str]:
        answer = self.get(f"{API}/search?q=bread&mode=fulltext&limit=50", key)
        assert answer.status_code == 200, answer.text
        return {f"{hit.get('library', '')}/{hit['path']}" for hit in answer.json()["results"]}

    def mcp(self, key: str | None, method: str, path: str = "/mcp/lithos", **params: Any) -> Any:
        shown = {} if key is None else {"Authorization": f"Bearer {key}"}
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self.client.post(path, json=message, headers={**HEADERS, **shown})

    def call(self, key: str | None, tool: str, door: str = "/mcp/lithos", **arguments: Any) -> Any:
        answer = self.mcp(key, "tools/call", door, name=tool, arguments=arguments)
        assert answer.status_code == 200, answer.text
        return answer.json()["result"]["structuredContent"]


def write(folder: Path, **notes: str) -> Path:
    folder.mkdir(parents=True)
    for name, visibility in notes.items():
        (folder / f"{name}.md").write_text(f"---\nvisibility: {visibility}\n---\nbread of {name}\n")
    return folder


@pytest.fixture
def town(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Town]:
    rules: dict[str, Any] = getattr(request, "param", {})
    settings = load(tmp_path / "home", semantic="off", watch="off")
    (tmp_path / "home").mkdir()
    file = LedgerFile(tmp_path / "home" / "ledger.db")
    office = Office(SqliteLedger(file), SqliteAccounts(file), SystemClock())
    for user in ("ada", "bea", "cy"):
        office.add_user(user)
    mine = write(tmp_path / "ada", secret="private", open="public", linked="link", away="hidden")
    hers = write(tmp_path / "bea", diary="private", poem="public")
    for folder, owner in ((mine, "ada"), (hers, "bea")):
        register(office.ledger, folder, owner=owner)
    opening = Opening(opened(settings, [], None))
    app = application(opening, ["lithos"], "127.0.0.1", doorkeeper(office.accounts.keys, **rules), Meter())
    with TestClient(app, base_url="http://localhost") as client:
        while client.get(f"{API}/status", headers={"Authorization": f"Bearer {OWN}"}).json()["state"] != "ready":
            pass
        yield Town(client, office, opening)
    file.close()


def test_until_there_is_a_key_this_machine_is_its_owners(town: Town) -> None:
    assert town.found(None) == {
        "ada/secret.md",
        "ada/open.md",
        "ada/linked.md",
        "ada/away.md",
        "bea/diary.md",
        "bea/poem.md",
    }
    town.key("ada")
    assert town.get(f"{API}/search?q=bread").status_code == 401


def test_x05_every_door_wants_a_key_that_holds(town: Town) -> None:
    """Missing, wrong, `Bearer` without value, lower-case scheme, two headers: 401 with WWW-Authenticate; 403 on MythOS."""
    key = town.key("ada")
    wrong: list[list[tuple[str, str]]] = [
        [],
        [("Authorization", f"Bearer {new_secret()}")],
        [("Authorization", "Bearer")],
        [("Authorization", "Bearer ")],
        [("Authorization", f"bearer {key}")],
        [("Authorization", key)],
        [("Authorization", f"Basic {key}")],
        [("Authorization", f"Bearer {key}"), ("Authorization", f"Bearer {key}")],
        [("Authorization", f"Bearer {key}"), ("x-mythos-key", key)],
        [("Authorization", f"Bearer {key}, Bearer {key}")],
        [("x-mythos-key", "")],
    ]
    for headers in wrong:
        for path in PATHS:
            refusal = town.client.get(path, headers=headers)
            assert (refusal.status_code, refusal.json()["code"]) == (401, "unauthorized"), (path, headers)
            assert refusal.headers["WWW-Authenticate"].startswith('Bearer realm="trilith", resource_metadata="http://')
            assert not LOOKS_LIKE_ONE.search(refusal.text)
        mythos = town.client.get("/api/internal/memos/semantic-search?q=bread", headers=headers)
        assert mythos.status_code == 403
        assert {name: mythos.json()[name] for name in ("success", "status")} == {"success": False, "status": 403}
    assert town.mcp(None, "tools/list").status_code == 401
    for name, value in (("Authorization", f"Bearer {key}"), ("x-mythos-key", key)):
        assert town.client.get(f"{API}/search?q=bread", headers={name: value}).status_code == 200


def test_a_key_that_is_revoked_or_expired_is_as_good_as_none(town: Town) -> None:
    key = town.key("ada")
    now = town.office.clock.now()
    secret = new_secret()
    town.office.accounts.add_key(new_key(secret, "ada", now - timedelta(2), rights=BOTH, expires_at=now - timedelta(1)))
    assert town.get("/health", key).status_code == 200
    town.office.revoke_key(town.office.accounts.keys()[-1].id)
    refusals = [town.get("/health", each) for each in (key, secret, new_secret())]
    assert {(refusal.status_code, refusal.text) for refusal in refusals} == {(401, refusals[0].text)}


def test_a_key_in_an_address_is_refused(town: Town) -> None:
    key = town.key("ada")
    addresses = (
        f"{API}/search?q=bread&key={key}",
        f"/mcp?{key}",
        f"{API}/status?x={key.replace('_', '%5F')}",
        f"{API}/notes/{key}",
        f"/l/{key}/mcp",
    )
    for address in addresses:
        refusal = town.get(address, key)
        assert refusal.status_code == 400
        assert "header" in refusal.json()["message"]
        assert key not in refusal.text


def test_users_find_what_is_theirs_granted_shared_or_public(town: Town) -> None:
    ada, bea, cy = (town.key(name) for name in ("ada", "bea", "cy"))
    assert town.found(ada) == {"ada/secret.md", "ada/open.md", "ada/linked.md", "ada/away.md", "bea/poem.md"}
    assert town.found(bea) == {"ada/open.md", "bea/diary.md", "bea/poem.md"}
    assert town.found(cy) == {"ada/open.md", "bea/poem.md"}
    town.office.grant("ada", "cy", Role.READER)
    assert len(town.found(cy)) == 5
    refusal = town.call(cy, "lithos_write", title="x", content="", agent="cy", library="ada")
    assert refusal["code"] == "read_only"
    town.office.grant("ada", "cy", Role.WRITER)
    assert town.call(cy, "lithos_write", title="x", content="", agent="cy", library="ada")["status"] == "created"
    assert town.call(ada, "lithos_write", title="mine", content="", agent="ada")["library"] == "ada"


def test_a_link_note_is_read_by_its_full_id_and_in_no_other_way(town: Town) -> None:
    ada, cy = town.key("ada"), town.key("cy")
    note_id = town.get(f"{API}/notes?path=linked.md", ada).json()["id"]
    assert town.call(cy, "lithos_read", id=note_id)["path"] == "linked.md"
    for refusal in (
        town.call(cy, "lithos_read", path="linked.md"),
        town.call(cy, "lithos_search", query="linked", mode="graph"),
        town.call(cy, "lithos_read", id=note_id, library="nowhere"),
    ):
        assert refusal["code"] == "doc_not_found"
    assert town.call(cy, "lithos_stats")["documents"] == 2


def test_a_note_that_is_not_yours_is_not_there(town: Town) -> None:
    ada, bea = town.key("ada"), town.key("bea")
    note_id = town.get(f"{API}/notes?path=secret.md", ada).json()["id"]
    never = "00000000-0000-4000-8000-000000000000"
    for tool, more in (("lithos_read", {}), ("lithos_delete", {"agent": "b"}), ("lithos_related", {})):
        theirs = town.call(bea, tool, id=note_id, **more)
        assert theirs == {**town.call(bea, tool, id=never, **more), "message": theirs["message"]}
        assert theirs["message"].replace(note_id, never) == town.call(bea, tool, id=never, **more)["message"]


def test_a_key_does_what_it_has_the_right_to(town: Town) -> None:
    reading, writing, admin = town.key("ada", Right.READ), town.key("ada", Right.WRITE), town.key("ada", Right.ADMIN)
    names = {tool["name"] for tool in town.mcp(reading, "tools/list").json()["result"]["tools"]}
    assert "lithos_search" in names
    assert "lithos_write" not in names
    assert town.call(reading, "lithos_write", title="x", content="", agent="a")["code"] == "forbidden"
    assert town.call(writing, "lithos_search", query="bread", library="ada")["results"], "whoever writes may read"
    assert town.call(admin, "lithos_search", query="bread")["code"] == "forbidden"
    assert town.client.post(f"{API}/notes", json={"title": "x"}, headers=_bearer(reading)).status_code == 403
    assert town.get(f"{API}/search?q=bread", admin).status_code == 403
    assert (town.get("/metrics", reading).status_code, town.get("/metrics", admin).status_code) == (403, 200)


def test_a_key_for_one_library_knows_no_other(town: Town) -> None:
    key = town.key("ada", libraries=("ada",))
    assert town.found(key) == {"/secret.md", "/open.md", "/linked.md", "/away.md"}
    assert town.get(f"{API}/search?q=bread&library=bea", key).status_code == 404


def test_one_library_has_an_address_of_its_own(town: Town) -> None:
    ada, cy = town.key("ada"), town.key("cy")
    for door in ("/l/bea/mcp", "/l/bea/mcp/lithos", "/l/bea/mcp/"):
        answer = town.call(ada, "lithos_search", door, query="bread", mode="fulltext")
        assert [hit["path"] for hit in answer["results"]] == ["poem.md"]
        assert town.call(ada, "lithos_search", door, query="bread", library="ada")["code"] == "doc_not_found"
    for name in ("nowhere", "..%2e%2e", "%00"):
        unknown = town.call(cy, "lithos_search", f"/l/{name}/mcp", query="bread")
        assert unknown["code"] == "doc_not_found"
    assert town.mcp(ada, "tools/list", "/l/..%2f..%2fetc/mcp").status_code == 404


def test_status_tells_of_a_part_only_what_is_in_it(town: Town) -> None:
    cy = town.key("cy")
    status = town.get(f"{API}/status", cy).json()
    assert status["documents"] == 2
    assert {(each["name"], each["root"], each["documents"]) for each in status["libraries"]} == {
        ("ada", "", 1),
        ("bea", "", 1),
    }
    assert [
        each["name"] for each in town.get(f"{API}/status", town.key("cy", libraries=("bea",))).json()["libraries"]
    ] == ["bea"]
    for note in town.get(f"{API}/notes", town.key("ada")).json()["items"]:
        if note["library"] == "ada" and note["path"] == "open.md":
            town.call(town.key("ada"), "lithos_delete", id=note["id"], agent="ada")
    assert [each["name"] for each in town.get(f"{API}/status", cy).json()["libraries"]] == ["bea"]
    assert town.get(f"{API}/search?q=bread&library=ada", cy).status_code == 404


@pytest.mark.parametrize("town", [{"per_minute": 3}], indirect=True)
def test_a_key_may_ask_so_often_and_is_told_when_again(town: Town) -> None:
    ada, bea = town.key("ada"), town.key("bea")
    assert [town.get("/health", ada).status_code for _ in range(4)] == [200, 200, 200, 429]
    refusal = town.get(f"{API}/status", ada)
    assert (refusal.json()["code"], 1 <= int(refusal.headers["Retry-After"]) <= 20) == ("rate_limited", True)
    assert town.get("/health", bea).status_code == 200
    assert {town.get("/health", OWN).status_code for _ in range(9)} == {200}


@pytest.mark.parametrize("town", [{"anonymous": True}], indirect=True)
def test_anybody_may_read_what_is_public_where_the_owner_says_so(town: Town) -> None:
    town.key("ada")
    assert town.found(None) == {"ada/open.md", "bea/poem.md"}
    assert town.get("/health", new_secret()).status_code == 401, "a wrong key is not no key"
    assert town.get("/metrics").status_code == 401
    assert town.call(None, "lithos_write", title="x", content="", agent="a")["code"] == "unauthorized"
    for where in ('{"collaborators":"bea"}', '{"collaborators":["bea"]}'):
        assert town.get(f"{API}/notes?where={where}").json()["items"] == []


@pytest.mark.parametrize("town", [{"open_without_keys": False}], indirect=True)
def test_beyond_this_machine_nobody_is_let_in_without_a_key(town: Town) -> None:
    assert town.get("/health").status_code == 401


def test_m15_clients_find_out_how_to_authenticate(town: Town) -> None:
    """Preflight works; `WWW-Authenticate` points at resource metadata; a static bearer is accepted."""
    key = town.key("ada")
    preflight = town.client.options(
        "/mcp",
        headers={
            "Origin": "http://localhost:6274",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type",
        },
    )
    assert preflight.status_code == 204
    assert "authorization" in preflight.headers["Access-Control-Allow-Headers"]
    refusal = town.mcp(None, "tools/list", "/mcp")
    _, _, address = refusal.headers["WWW-Authenticate"].partition('resource_metadata="')
    described = town.client.get(address.rstrip('"')).json()
    assert (described["resource"], described["bearer_methods_supported"]) == ("http://localhost/mcp", ["header"])
    behind = town.client.get(f"{API}/status", headers={"X-Forwarded-Prefix": "/kb"}).headers["WWW-Authenticate"]
    assert 'resource_metadata="http://localhost/kb/.well-known/oauth-protected-resource/api/v1/status"' in behind
    assert town.mcp(key, "tools/list", "/mcp").status_code == 200


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def test_who_did_what_is_on_record(town: Town) -> None:
    ada, bea = town.key("ada"), town.key("bea")
    town.call(ada, "lithos_search", query="bread", mode="fulltext", library="ada")
    town.call(bea, "lithos_read", path="secret.md")
    town.get(f"{API}/search?q=poems&library=bea", bea)
    town.get(f"{API}/status", bea)
    acts = town.opening.app().audit.recent(9)
    everybody = town.office.accounts.keys()
    keys = {key.user: key.id for key in everybody}
    assert [(act.user, act.key, act.door, act.action, act.library, act.subject, act.outcome) for act in acts] == [
        ("bea", keys["bea"], "rest", f"GET {API}/search", "bea", "poems", "ok"),
        ("bea", keys["bea"], "mcp", "lithos_read", None, "secret.md", "doc_not_found"),
        ("ada", keys["ada"], "mcp", "lithos_search", "ada", "bread", "ok"),
    ]
