"""The web page over HTTP: search, signing in, what it loads, and what it keeps to itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient
from tests.doors.doorkeepers import doorkeeper
from tests.doors.fake_app import never
from tests.doors.web import HERE, OWNER, Site, fields, site, write

from trilith.model.principal import Right
from trilith.surfaces.http.application import application
from trilith.surfaces.http.meter import Meter
from trilith.surfaces.web.security import HEADERS

ADA = {
    "bread.md": "---\ntags: [baking]\nauthor: ada\nexpires_at: 2020-01-01\n---\n# Bread\n\nDense **bread** and [[oven]].\n",
    "oven.md": "---\nvisibility: public\n---\nThe oven bakes bread.\n",
}
BEA = {"diary.md": "---\ntags: [secret]\n---\nbread of bea\n", "poem.md": "---\nvisibility: public\n---\nbread poem\n"}


@pytest.fixture
def town(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Site]:
    folders = {"ada": write(tmp_path / "ada", ADA), "bea": write(tmp_path / "bea", BEA)}
    with site(tmp_path / "home", folders, **getattr(request, "param", {})) as here:
        yield here


def test_a_search_is_a_page_of_cards(town: Site) -> None:
    page = town.get("/?q=bread&mode=fulltext")
    assert page.status_code == 200
    for part in ("4 notes", "<mark>Bread</mark>", "bread.md", "Stale since 1 Jan 2020", "by words", 'value="bread"'):
        assert part in page.text
    assert "Dense <mark>bread</mark> and <mark>" not in page.text
    assert "<script>" not in page.text
    assert " style=" not in page.text


def test_a_part_of_it_is_there_for_scripts(town: Site) -> None:
    part = town.get("/results?q=bread&mode=fulltext&tags=baking", **{"x-trilith-part": "results"})
    assert part.status_code == 200
    assert "1 note " in part.text
    assert "<html" not in part.text


def test_a_part_of_a_name_is_no_failure_yet(town: Site) -> None:
    part = town.get("/results?q=ove&mode=graph", **{"x-trilith-part": "results"})
    assert part.status_code == 404
    assert "<h2>No note has this name yet</h2>" in part.text
    assert town.get("/results?q=x&age=eon", **{"x-trilith-part": "results"}).status_code == 400


def test_a_card_says_why_it_is_there(town: Site) -> None:
    note = town.id_of("bread.md")
    why = town.get(f"/why?q=bread+zebra&mode=fulltext&note={note}", **{"x-trilith-part": "why"})
    assert "<dt>Words</dt><dd>bread in title, headings, body</dd>" in why.text
    assert "<dt>Without</dt><dd>zebra</dd>" in why.text
    town.sign_in(town.key("bea"))
    assert town.get(f"/why?q=bread&mode=fulltext&note={note}", **{"x-trilith-part": "why"}).status_code == 404


@pytest.mark.parametrize(
    ("address", "status", "said"),
    [
        ("/?mode=magic", 400, "Unknown search mode"),
        ("/?q=x&after=soon", 400, "ISO 8601"),
        ("/?q=x&folder=../up", 403, "That could not be searched"),
        ("/?q=x&library=nope", 404, "No library named"),
        ("/?q=nothing+at+all&mode=graph", 404, "No document found"),
        ("/?q=zzz&mode=fulltext", 200, "Nothing was found"),
        ("/?q=zzz&mode=semantic", 503, "semantic"),
    ],
)
def test_what_is_wrong_is_said_on_the_page(town: Site, address: str, status: int, said: str) -> None:
    page = town.get(address)
    assert (page.status_code, page.headers["content-type"]) == (status, "text/html; charset=utf-8")
    assert said.lower() in page.text.lower()
    assert 'name="q"' in page.text


def test_what_was_typed_is_still_there_when_something_else_is_wrong(town: Site) -> None:
    for wrong in ("limit=abc", "mode=magic", "age=eon", "before=soon"):
        page = town.get(f"/?q=my+bread&author=ada&{wrong}")
        assert page.status_code == 400
        assert 'value="my bread"' in page.text
        assert 'value="ada"' in page.text
    assert town.get("/?before=9999-12-31").status_code == 200


def test_a_page_loads_nothing_from_elsewhere(town: Site) -> None:
    page = town.get("/")
    assert set(re.findall(r'(?:src|href)="(https?:[^"]+)"', page.text)) == set()
    for name, value in HEADERS.items():
        assert page.headers[name] == value
    loaded = re.findall(r'"(/static/[^"]+)"', page.text)
    assert len(loaded) == 4
    sizes = [len(page.content)]
    for path in loaded:
        asset = town.get(path)
        assert asset.status_code == 200
        assert "immutable" in asset.headers["cache-control"]
        assert town.get(path, **{"If-None-Match": asset.headers["etag"]}).status_code == 304
        sizes.append(len(asset.content))
    assert sum(sizes) < 60_000
    assert town.get("/static/old/trilith.css").headers["cache-control"] == "no-cache"
    assert town.get("/static/x/..%2Fsite.py").status_code == 404
    assert town.get("/static/x/nothing.js").status_code == 404


def test_whoever_has_to_sign_in_is_led_there_and_back(town: Site) -> None:
    key = town.key("ada")
    asked = "/?q=bread&mode=fulltext"
    turned = town.get(asked)
    assert (turned.status_code, turned.headers["location"]) == (303, f"/sign-in?next={quote(asked, safe='')}")
    assert town.get("/results?q=bread", **{"x-trilith-part": "results"}).status_code == 401
    assert "tri_wrong" not in town.sign_in("tri_wrong").text
    done = town.sign_in(key, asked)
    assert (done.status_code, done.headers["location"]) == (303, asked)
    cookie = done.headers["set-cookie"]
    assert key not in cookie
    assert {"HttpOnly", "SameSite=lax"} <= set(cookie.split("; "))
    page = town.get(asked)
    assert "bread.md" in page.text
    assert "oven.md" in page.text
    assert "poem.md" in page.text
    assert "diary" not in page.text
    assert "secret" not in page.text


def test_signing_out_ends_the_session_and_not_only_the_cookie(town: Site) -> None:
    town.sign_in(town.key("ada"))
    held = dict(town.client.cookies)
    assert town.post("/sign-out", {"token": "wrong"}).status_code == 403
    assert town.get("/").status_code == 200
    assert town.post("/sign-out", {"token": town.token("/")}).status_code == 303
    town.client.cookies.update(held)
    assert town.get("/").status_code == 303


def test_signing_in_again_ends_the_former_session(town: Site) -> None:
    key = town.key("ada")
    town.sign_in(key)
    former = dict(town.client.cookies)
    assert town.post("/sign-in", {"token": town.token("/"), "key": key, "next": "/"}).status_code == 303
    assert town.get("/").status_code == 200
    town.client.cookies.clear()
    town.client.cookies.update(former)
    assert town.get("/").status_code == 303


def test_a_revoked_key_ends_its_sessions(town: Site) -> None:
    town.sign_in(town.key("ada"))
    assert town.get("/").status_code == 200
    town.office.revoke_key(town.office.accounts.keys()[0].id)
    assert town.get("/").status_code == 303


@pytest.mark.parametrize("town", [{"per_minute": 5}], indirect=True)
def test_scripts_and_styles_count_for_no_key(town: Site) -> None:
    town.sign_in(town.key("ada"))
    style = re.findall(r'"(/static/[^"]+css)"', town.get("/").text)[0]
    assert [town.get(style).status_code for _ in range(10)] == [200] * 10
    answers = [town.get("/results?q=x&mode=fulltext", **{"x-trilith-part": "results"}).status_code for _ in range(6)]
    assert answers[-1] == 429
    page = town.get("/")
    assert (page.status_code, int(page.headers["retry-after"]) > 0) == (429, True)
    assert "<h1>One moment</h1>" in page.text
    assert "<h2>That did not work</h2>" in town.get("/results?q=x", **{"x-trilith-part": "results"}).text


def test_the_cookie_opens_pages_and_nothing_else(town: Site) -> None:
    town.sign_in(town.key("ada"))
    assert town.get("/api/v1/search?q=bread").status_code == 401
    assert town.get("/metrics").status_code == 401


def test_a_key_without_the_right_to_read_sees_that_said(town: Site) -> None:
    town.sign_in(town.key("ada", Right.ADMIN))
    page = town.get("/?q=bread")
    assert page.status_code == 403
    assert "no right to read" in page.text


@pytest.mark.parametrize("town", [{"anonymous": True}], indirect=True)
def test_strangers_see_what_is_public_and_a_way_to_sign_in(town: Site) -> None:
    town.key("ada")
    page = town.get("/?q=bread&mode=fulltext")
    assert page.status_code == 200
    assert "oven.md" in page.text
    assert "poem.md" in page.text
    assert "bread.md" not in page.text
    assert "baking" not in page.text
    assert "Sign in" in page.text


def test_visits_are_in_the_audit_log_and_keys_are_not(town: Site) -> None:
    key = town.key("ada")
    town.sign_in(key)
    town.get("/?q=bread&mode=fulltext")
    assert town.get(f"/?q={key}").status_code == 400
    acts = town.opening.app().audit.recent(10)
    assert ("web", "ada", "GET /", "bread") in {(act.door, act.user, act.action, act.subject) for act in acts}
    assert not any(key in act.subject for act in acts)


def test_behind_a_proxy_every_address_has_its_prefix(town: Site) -> None:
    page = town.get("/notes/", **{"x-forwarded-prefix": "/notes"})
    assert page.status_code == 200
    addresses = re.findall(r'(?:src|href|action|data-results)="(/[^"]*)"', page.text)
    assert addresses
    assert all(address.startswith("/notes") for address in addresses), addresses


def test_while_the_index_is_being_opened_the_page_says_so() -> None:
    app = application(never(), ["lithos"], "127.0.0.1", doorkeeper(), Meter())
    with TestClient(app, base_url=HERE) as client:
        page = client.get("/")
        assert page.status_code == 503
        assert "being opened" in page.text


NOTES = {
    "in/Home.md": "---\naliases: [Start]\nsource_url: https://x.example/\n---\n# Home\n\nSee [[bread|the bread]] and [[Gone]]. ![[pic.png]] [s](evil.svg)\n",
    "in/bread.md": "---\ntags: [baking]\nvisibility: public\ncollaborator_notes: the [[seen]] was burnt\n---\nBack [[Home]]\n\n## Part\n\ntext\n",
    "in/pic.png": b"\x89PNG",
    "evil.svg": "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
    "hidden/away.md": "[[Home]] is secret",
    "hidden/away.png": b"\x89PNG",
    "seen.md": "---\nvisibility: public\n---\n![[away.png]] [[Home]]",
}


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path / "home", {"owner": write(tmp_path / "notes", NOTES)}) as here:
        yield here


def test_a_note_is_a_page_with_all_that_surrounds_it(house: Site) -> None:
    note_id, bread = house.id_of("in/Home.md"), house.id_of("in/bread.md")
    page = house.get(f"/note/{note_id}")
    assert page.status_code == 200
    for part in (
        "<h1>Home</h1>",
        f'<a class="wiki" href="/note/{bread}" title="in/bread.md">the bread</a>',
        '<span class="missing" title="No note answers to this">Gone</span>',
        f'<img src="/file/{note_id}/in/pic.png"',
        "3 notes link here",
        "Back <mark>Home</mark>",
        'href="https://x.example/" class="external"',
        "Around this note",
        "Links to nothing",
        f'data-copy="{note_id}"',
        ">Edit</a>",
    ):
        assert part in page.text, part
    assert "burnt" in house.get(f"/note/{bread}").text


def test_every_name_of_a_note_leads_to_its_address(house: Site) -> None:
    note_id = house.id_of("in/Home.md")
    for name in ("in/Home.md", "Start", "Home"):
        answer = house.get(f"/note/{name}")
        assert (answer.status_code, answer.headers["location"]) == (302, f"/note/{note_id}")
    short = house.opening.app().short_ids.of(
        [house.opening.app().catalog.by_id(note_id, house.opening.app().gate.filter(OWNER))]
    )
    (found,) = short.values()
    answer = house.get(f"/me/{found.owner}/{found.hex}")
    assert (answer.status_code, answer.headers["location"]) == (302, f"/note/{note_id}")
    for nothing in ("/note/nothing", "/note/00000000-0000-4000-8000-000000000000", "/me/owner/000000", "/note/../x"):
        assert house.get(nothing).status_code in (403, 404)


def test_raw_text_is_text(house: Site) -> None:
    raw = house.get(f"/note/{house.id_of('in/Home.md')}/raw")
    assert raw.headers["content-type"] == "text/plain; charset=utf-8"
    assert "[[bread|the bread]]" in raw.text


def test_what_is_hidden_is_in_no_part_of_a_page(house: Site) -> None:
    hidden, seen = house.id_of("hidden/away.md"), house.id_of("seen.md")
    (library,) = house.office.ledger.libraries()
    house.office.set_folders(library.name, ["hidden"], ["in"])
    page = house.get(f"/note/{house.id_of('in/Home.md')}").text
    assert "2 notes link here" in page
    assert "away" not in page
    assert "secret" not in page
    assert ">Edit</a>" not in page
    assert house.get(f"/note/{hidden}").status_code == 404
    assert "/file/" not in house.get(f"/note/{seen}").text
    assert house.get(f"/file/{seen}/hidden/away.png").status_code == 404


def test_readers_of_public_notes_see_those_alone(tmp_path: Path) -> None:
    folders = {"ada": write(tmp_path / "ada", NOTES), "bea": write(tmp_path / "bea", BEA)}
    with site(tmp_path / "home", folders) as here:
        bread, home = here.id_of("in/bread.md"), here.id_of("in/Home.md")
        here.sign_in(here.key("bea"))
        page = here.get(f"/note/{bread}").text
        assert "burnt" not in page
        assert "No other note links here yet" in page
        assert '<span class="missing"' in page
        assert ">Edit</a>" not in page
        assert here.get(f"/note/{home}").status_code == 404
        assert here.get(f"/file/{home}/in/pic.png").status_code == 404


def test_health_tells_how_the_base_is(house: Site) -> None:
    house.get("/api/v1/search?q=bread&mode=fulltext")
    page = house.get("/status")
    assert page.status_code == 200
    for part in (
        "Everything is indexed",
        "4 of 4 notes",
        "Search by meaning is off",
        "Links to no note",
        "[[Gone]] leads to no note",
        "Changes are not followed",
        "GET /api/v1/search",
        "to ",
    ):
        assert part in page.text, part
    part = house.get("/status/live", **{"x-trilith-part": "health"})
    assert 'data-tone="good"' in part.text
    assert "<html" not in part.text


def test_health_tells_a_reader_of_public_notes_of_nothing_else(town: Site) -> None:
    town.sign_in(town.key("ada"))
    town.get("/?q=bread")
    town.post("/sign-out", {"token": town.token("/")})
    town.sign_in(town.key("bea", Right.READ))
    page = town.get("/status").text
    assert "secret" in page
    assert "baking" not in page
    assert "oven]]" not in page
    assert ">ada<" not in page.replace("<h2>ada", "")
    assert str(town.office.library("ada").root) not in page


def test_a_note_is_edited_and_everything_else_in_its_file_stays(tmp_path: Path) -> None:
    text = "---\naliases: [Start]\n---\n# Home\n\nSee [[bread|the bread]].\n".replace("\n", "\r\n")
    file = write(tmp_path / "notes", {"Home.md": text}) / "Home.md"
    with site(tmp_path / "home", {"owner": file.parent}) as here:
        address = f"/note/{here.id_of('Home.md')}"
        page = here.get(f"{address}/edit")
        assert "See [[bread|the bread]]" in page.text
        done = here.post(f"{address}/edit", fields(page.text) | {"body": "# Home\r\n\r\nAll new <b>.\r\n"})
        assert (done.status_code, done.headers["location"]) == (303, address)
        after = file.read_bytes()
        assert b"aliases: [Start]\r\n" in after
        assert after.endswith(b"# Home\r\n\r\nAll new <b>.\r\n")
        assert b"\n" not in after.replace(b"\r\n", b"")
        assert "All new <b>" in here.get(address).text
        acts = {(act.door, act.action) for act in here.opening.app().audit.recent(5)}
        assert ("web", f"POST {address}/edit") in acts


def test_what_others_wrote_meanwhile_is_shown_and_not_overwritten(house: Site, tmp_path: Path) -> None:
    file = tmp_path / "notes" / "in" / "bread.md"
    address = f"/note/{house.id_of('in/bread.md')}/edit"
    first = fields(house.get(address).text)
    file.write_text(file.read_text().replace("text", "their text"))
    theirs = file.read_text()
    answer = house.post(address, first | {"body": "Back [[Home]]\n\n## Part\n\nmy text\n"})
    assert answer.status_code == 409
    assert file.read_text() == theirs
    for part in (
        "Somebody else has changed",
        "<code>their text</code>",
        "<code>my text</code>",
        "my text\n</textarea>",
    ):
        assert part in answer.text
    assert house.post(address, fields(answer.text) | {"body": "merged\n"}).status_code == 303
    assert file.read_text().endswith("merged\n")


def test_a_form_that_has_lost_a_field_writes_nothing(house: Site, tmp_path: Path) -> None:
    file = tmp_path / "notes" / "in" / "bread.md"
    before, address = file.read_bytes(), f"/note/{house.id_of('in/bread.md')}/edit"
    whole = fields(house.get(address).text) | {"body": "mine\n"}
    for name in ("body", "version", "checksum"):
        answer = house.post(address, {key: value for key, value in whole.items() if key != name})
        assert answer.status_code == 400
        assert f"'{name}'" in answer.text.replace("&#39;", "'")
    assert house.post(address, whole | {"checksum": ""}).status_code == 409
    assert file.read_bytes() == before
    assert house.post(address, whole).status_code == 303


def test_a_text_that_cannot_be_saved_comes_back(house: Site, tmp_path: Path) -> None:
    address = f"/note/{house.id_of('in/bread.md')}/edit"
    sent = fields(house.get(address).text) | {"body": "all I <b>typed</b>"}
    held = "all I &lt;b&gt;typed&lt;/b&gt;</textarea>"
    old = house.post(address, sent | {"token": "of-before"})
    assert (old.status_code, held in old.text) == (403, True)
    elsewhere = house.post(address, sent, origin="http://127.0.0.1:3000")
    assert (elsewhere.status_code, held in elsewhere.text) == (403, False)
    (tmp_path / "notes" / "in" / "bread.md").unlink()
    gone = house.post(address, sent)
    assert (gone.status_code, held in gone.text) == (404, True)
    house.key("owner")
    signed_out = house.post(address, sent)
    assert (signed_out.status_code, held in signed_out.text) == (401, True)
    part = house.client.post(address, data=sent, headers={"Origin": HERE, "x-trilith-part": "edit"})
    assert (part.status_code, "Sign in in another window" in part.text) == (401, True)


def test_a_preview_is_as_clean_as_a_note(house: Site) -> None:
    address = f"/note/{house.id_of('in/bread.md')}"
    sent = fields(house.get(f"{address}/edit").text) | {"body": "**x** <script>alert(1)</script> [[Home]]"}
    answer = house.post(f"{address}/preview", sent)
    assert "<strong>x</strong>" in answer.text
    assert 'class="wiki"' in answer.text
    assert "<script" not in answer.text


def test_links_outside_the_stored_text_lead_where_they_would(house: Site) -> None:
    address = f"/note/{house.id_of('in/bread.md')}"
    sent = fields(house.get(f"{address}/edit").text) | {"body": "[[seen]] and [[Nowhere]]"}
    shown = house.post(f"{address}/preview", sent).text
    assert f'class="wiki" href="/note/{house.id_of("seen.md")}"' in shown
    assert '<span class="missing" title="No note answers to this">Nowhere</span>' in shown
    assert ">seen</a> was burnt" in house.get(address).text


def test_who_may_only_read_is_not_let_in_to_edit(town: Site) -> None:
    town.sign_in(town.key("ada", Right.READ))
    note = town.id_of("bread.md")
    assert ">Edit</a>" not in town.get(f"/note/{note}").text
    page = town.get(f"/note/{note}/edit")
    assert page.status_code == 403
    sent = {"token": town.token(f"/note/{note}"), "version": "1", "body": "x"}
    assert town.post(f"/note/{note}/edit", sent).status_code == 403


def test_the_graph_holds_what_the_caller_may_see(town: Site) -> None:
    assert town.get("/graph").status_code == 200
    town.sign_in(town.key("ada"))
    page, data = town.get("/graph").text, town.get("/graph/data").json()
    assert {node[1] for node in data["nodes"]} == {"Bread", "oven", "poem"}
    assert len(data["edges"]) == 1
    assert "3 notes, 1 link" in page
    assert "diary" not in page
    assert town.get("/graph/found?q=").status_code == 400
    found = town.get("/graph/found?q=bread").json()["found"]
    assert town.id_of("bread.md") in found
    assert town.id_of("diary.md") not in found
