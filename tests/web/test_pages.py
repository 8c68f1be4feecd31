"""The pages in a real browser: at a desk and on a phone, light and dark, by keyboard alone, and with hostile notes."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect
from tests.unit.surfaces.web.test_rendering import HOSTILE
from tests.web.browser import DESK, PHONE, chromium, server, visit

SAMPLE = Path(__file__).parents[2] / "sample" / "vault"
RULES = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
}
PAGES = {
    "search": "/",
    "results": "/?q=oven+fault",
    "filtered": "/?q=flour&tags=supplier%2Fflour&age=year&mode=fulltext",
    "nothing": "/?q=zzzzqq&mode=fulltext",
    "note": "/note/recipes/Country%20sourdough",
    "linked": "/note/equipment/Deck%20oven",
    "edit": "/note/3c6e53a1/edit",
    "graph": "/graph",
    "health": "/status",
    "sign in": "/sign-in",
    "gone": "/note/nowhere",
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("web") / "bakery"
    shutil.copytree(SAMPLE, folder)
    (folder / "hostile").mkdir()
    for place, text in enumerate(HOSTILE):
        title = f"hostile {place} <img src=x onerror=alert(1)>"
        (folder / "hostile" / f"{place}.md").write_text(
            f"---\ntitle: '{title}'\ntags: ['<script>alert(2)</script>', hostile]\nauthor: '\"><script>alert(3)</script>'\n"
            f"summary: '<img src=x onerror=alert(4)>'\nweb: 'javascript:alert(5)'\n---\nhostile words\n\n{text}\n\n[[0]]\n",
            encoding="utf-8",
        )
    return folder


@pytest.fixture(scope="module")
def base(vault: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with server(vault, tmp_path_factory.mktemp("home") / "home") as address:
        yield address


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [DESK, PHONE])
def test_every_page_can_be_used_by_everybody(browser: Browser, base: str, width: int, scheme: str) -> None:
    """Nothing that axe finds, nothing wider than the window, nothing from elsewhere, no error."""
    axe = Axe()
    with visit(browser, base, width, scheme) as seen:
        for name, path in PAGES.items():
            if name == "edit":
                seen.go("/note/Home")
                seen.page.keyboard.press("e")
                seen.page.wait_for_selector("form.edit textarea")
            else:
                seen.go(path)
            if name == "graph":
                seen.page.wait_for_selector("#graph[data-done]")
            found = axe.run(seen.page, options=RULES)
            assert found.violations_count == 0, f"{name}\n{found.generate_report()}"
            assert seen.overflow <= 0, name
            assert seen.elsewhere == [], name
            wrong = [each for each in seen.wrong if "404" not in each or name != "gone"]
            assert wrong == [], name
            seen.wrong.clear()


def test_search_by_keyboard_alone(browser: Browser, base: str) -> None:
    with visit(browser, base) as seen:
        page = seen.go("/status").page
        page.keyboard.press("/")
        page.wait_for_url(f"{base}/")
        expect(page.locator("#q")).to_be_focused()
        page.keyboard.type("oven fault", delay=5)
        expect(page.locator(".hit h3").first).to_have_text("Oven fault E-04")
        expect(page.locator("#said")).to_contain_text("notes")
        expect(page).to_have_url(f"{base}/?q=oven+fault")
        expect(page).to_have_title("oven fault · Trilith")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        expect(page.locator(".hit h3 a").nth(1)).to_be_focused()
        page.keyboard.press("ArrowUp")
        expect(page.locator(".hit h3 a").first).to_be_focused()
        page.keyboard.press("Enter")
        page.wait_for_url(f"{base}/note/*")
        expect(page.locator("h1")).to_have_text("Oven fault E-04")
        page.go_back()
        expect(page.locator("#q")).to_have_value("oven fault")
        page.locator("#q").focus()
        page.keyboard.press("Escape")
        expect(page.locator(".count")).to_contain_text("Recently updated")
        expect(page).to_have_url(f"{base}/")


def test_a_result_says_why_it_is_there(browser: Browser, base: str) -> None:
    with visit(browser, base) as seen:
        page = seen.go("/?q=oven+fault").page
        page.get_by_text("Why here").first.click()
        expect(page.locator(".reasons dl").first).to_contain_text("oven in title")
        assert Axe().run(page, options=RULES).violations_count == 0


def test_what_is_typed_last_is_what_is_shown(browser: Browser, base: str) -> None:
    """Answers that are no longer wanted never come back, however slow they were."""
    with visit(browser, base) as seen:
        page = seen.go("/").page
        slow: list[str] = []

        def delay(route) -> None:  # type: ignore[no-untyped-def]
            if route.request.url.endswith("q=oven"):
                slow.append(route.request.url)  # never answered
            else:
                route.continue_()

        page.route("**/results?*", delay)
        page.locator("#q").fill("oven")
        page.wait_for_selector("#results[aria-busy]")
        page.locator("#q").fill("dairy")
        expect(page.locator(".hit h3").first).to_have_text("Hollin Dairy")
        assert seen.wrong == []


def test_filters_and_modes_are_in_the_address(browser: Browser, base: str) -> None:
    with visit(browser, base) as seen:
        page = seen.go("/?q=flour").page
        page.get_by_text("Words", exact=True).click()
        page.locator(".tags label", has_text="supplier/flour").first.click()
        page.wait_for_url(re.compile(r"tags=supplier%2Fflour"))
        assert "mode=fulltext" in page.url
        page.wait_for_selector("#results:not([aria-busy])")
        shown = page.locator(".hits").inner_text()
        page.reload(wait_until="networkidle")
        assert page.locator(".hits").inner_text() == shown
        expect(page.locator(".tags input:checked")).to_have_value("supplier/flour")
        page.get_by_text("Clear the filters").click()
        page.wait_for_url(f"{base}/?q=flour&mode=fulltext")
        page.go_back()
        page.wait_for_url(re.compile(r"tags=supplier%2Fflour"))


def test_without_scripts_search_and_notes_work(browser: Browser, base: str) -> None:
    with visit(browser, base, java_script_enabled=False) as seen:
        page = seen.go("/").page
        page.fill("#q", "oven fault")
        page.get_by_role("button", name="Search", exact=True).click()
        page.locator(".hit h3 a").first.click()
        expect(page.locator("h1")).to_have_text("Oven fault E-04")
        page.get_by_role("link", name="Edit").click()
        expect(page.locator("textarea")).to_contain_text("thermocouple")


def test_a_note_is_edited_where_it_stands(browser: Browser, base: str, vault: Path) -> None:
    file = vault / "inbox" / "Untitled.md"
    file.write_text("---\ntitle: Draft\n---\nOne *line*.\n", encoding="utf-8")
    with visit(browser, base) as seen:
        page = seen.go_once_known("/note/inbox/Untitled.md").page
        expect(page.locator(".text em")).to_have_text("line")
        page.keyboard.press("e")
        area = page.locator("textarea")
        expect(area).to_be_focused()
        area.fill("One **line**, mine.\n")
        page.get_by_role("button", name="Preview").click()
        expect(page.locator(".look strong")).to_have_text("line")
        file.write_text("---\ntitle: Draft\n---\nOne line, theirs.\n", encoding="utf-8")
        page.keyboard.press("Control+Enter")
        expect(page.get_by_role("alert")).to_contain_text("Somebody else has changed this note")
        expect(page.locator(".difference .theirs code")).to_have_text("One line, theirs.")
        expect(page.locator(".conflict")).to_be_focused()
        assert file.read_text(encoding="utf-8").endswith("theirs.\n")
        page.locator("textarea").fill("One line, ours.\n")
        page.get_by_role("button", name="Save my text over theirs").click()
        expect(page.locator(".text")).to_contain_text("One line, ours.")
        assert file.read_text(encoding="utf-8").endswith("One line, ours.\n")


def test_nothing_that_was_typed_is_lost(browser: Browser, base: str, vault: Path) -> None:
    """Whatever a save meets: no server, a form of before, a note that is gone. And Cancel asks."""
    file = vault / "inbox" / "Kept.md"
    file.write_text("---\ntitle: Kept\n---\nOld.\n", encoding="utf-8")
    with visit(browser, base) as seen:
        page = seen.go_once_known("/note/inbox/Kept.md").page
        page.keyboard.press("e")
        area, told = page.locator("textarea"), page.locator(".told")
        area.fill("Typed with care.\n")
        page.route("**/edit", lambda route: route.abort())
        page.keyboard.press("Control+Enter")
        expect(told).to_contain_text("The server does not answer")
        page.unroute("**/edit")
        page.get_by_role("link", name="Cancel").click()
        assert [each for each in seen.wrong if each.startswith("dialog Leave without saving?")]
        expect(area).to_have_value("Typed with care.\n")
        page.goto("about:blank")
        seen.go("/note/inbox/Kept.md")
        page.keyboard.press("e")
        expect(told).to_contain_text("typed before and did not save")
        expect(area).to_have_value("Typed with care.\n")
        page.eval_on_selector("form.edit [name=token]", "field => { field.value = 'of-before' }")
        page.keyboard.press("Control+Enter")
        expect(page.locator(".text")).to_contain_text("Typed with care.")
        assert file.read_text(encoding="utf-8").endswith("Typed with care.\n")
        page.wait_for_load_state("networkidle")
        page.keyboard.press("e")
        expect(told).to_be_hidden()
        area.fill("Too late.\n")
        file.unlink()
        page.get_by_role("button", name="Save").click()
        expect(told).to_contain_text(re.compile("No document|no file"))
        expect(area).to_have_value("Too late.\n")


def test_the_graph_is_walked_and_lit_up(browser: Browser, base: str) -> None:
    with visit(browser, base, reduced_motion="reduce") as seen:
        page = seen.go("/graph").page
        page.wait_for_selector("#graph[data-done]")
        page.fill("#q", "oven")
        expect(page.locator("#chosen")).to_have_text(re.compile(r"\d+ notes"))
        canvas = page.locator("canvas")
        for key in ("ArrowRight", "ArrowDown", "ArrowLeft"):
            canvas.press(key)
            expect(page.locator("#chosen")).to_contain_text(re.compile(r"links?$"))
        page.fill("#q", "zzzzqq")
        expect(page.locator("#chosen")).to_have_text("0 notes")
        canvas.press("ArrowRight")
        expect(page.locator("#chosen")).to_have_text("0 notes")
        page.fill("#q", "")
        canvas.focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator("#chosen")).to_contain_text("links")
        first = page.locator("#chosen").inner_text()
        for key in ("ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown", "+", "-", "0"):
            page.keyboard.press(key)
        page.keyboard.press("Escape")
        page.keyboard.press("ArrowDown")
        expect(page.locator("#chosen")).to_have_text(first)
        page.keyboard.press("Enter")
        page.wait_for_url(f"{base}/note/*")
        expect(page.locator("h1")).to_have_text(first.rpartition(" · ")[0])


def test_light_and_dark_are_kept_and_paper_is_plain(browser: Browser, base: str) -> None:
    with visit(browser, base, scheme="light") as seen:
        page = seen.go("/note/Home").page
        page.get_by_role("button", name="Switch between light and dark").click()
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
        page.reload()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark
        page.emulate_media(media="print")
        assert not page.locator(".top").is_visible()
        assert not page.locator(".actions").is_visible()
        assert page.locator(".text").is_visible()


def test_x09_hostile_notes_do_nothing(browser: Browser, base: str) -> None:
    """Markup in titles, tags, authors, summaries, snippets and texts: nothing runs, nothing is asked for elsewhere."""
    with visit(browser, base) as seen:
        page = seen.go("/?q=hostile+words&mode=fulltext&tags=hostile&limit=200").page
        addresses = page.locator(".hit h3 a").evaluate_all("links => links.map(link => link.getAttribute('href'))")
        assert len(addresses) == len(HOSTILE)
        for address in addresses:
            page.goto(f"{base}{address}", wait_until="load")
            for link in page.locator(".text a[href]").evaluate_all("links => links.map(link => link.href)"):
                assert re.match(r"https?:", link), link
        seen.go("/graph")
        seen.go("/status")
        assert (
            page.evaluate("document.querySelectorAll('main script, main style, main iframe, main [onerror]').length")
            == 0
        )
        assert seen.elsewhere == []
        assert seen.wrong == []


def test_the_number_of_filters_follows_what_is_set(browser: Browser, base: str) -> None:
    with visit(browser, base) as seen:
        page = seen.go("/?q=flour").page
        expect(page.locator("#filters .badge")).to_be_hidden()
        page.select_option("select[name=age]", "year")
        expect(page.locator("#filters .badge")).to_have_text("1")


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_a_title_of_any_length_stays_in_its_place(browser: Browser, base: str, vault: Path, width: int) -> None:
    (vault / "inbox" / "Long.md").write_text(
        f"---\ntitle: {'longtitle' * 300}\n---\n[[Home]] [[{'nothing' * 400}]]\n", encoding="utf-8"
    )
    with visit(browser, base, width) as seen:
        expect(seen.go_once_known("/note/inbox/Long.md").page.locator("h1")).to_contain_text("longtitle")
        for path in (
            "/note/inbox/Long.md",
            "/note/Home",
            "/graph",
            "/?q=longtitle&folder=inbox",
            "/?folder=inbox",
            "/status",
        ):
            assert seen.go(path).overflow <= 0, path
        box = seen.go("/?folder=inbox").page.locator(".hit h3", has_text="longtitle").bounding_box()
        assert box is not None
        assert box["height"] < 100


def test_bars_end_beneath_each_other(browser: Browser, base: str) -> None:
    with visit(browser, base) as seen:
        lists = "lists => lists.map(list => new Set([...list.querySelectorAll('svg')].map(bar => Math.round(bar.getBoundingClientRect().right))).size)"
        assert set(seen.go("/status").page.locator(".bars").evaluate_all(lists)) == {1}
