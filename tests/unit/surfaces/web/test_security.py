"""Who may visit, and which forms are ours."""

from __future__ import annotations

import pytest
from starlette.datastructures import Headers

from trilith.errors import Forbidden
from trilith.surfaces.web.paths import is_page, local, within
from trilith.surfaces.web.security import POLICY, check_origin, check_token
from trilith.surfaces.web.sessions import LASTING, MOST, Sessions
from trilith.surfaces.web.visitors import cookie

HOST = "127.0.0.1:8765"


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://127.0.0.1:8765"},
        {"origin": "http://127.0.0.1:8765", "sec-fetch-site": "same-origin"},
        {"sec-fetch-site": "same-origin"},
    ],
)
def test_our_own_page_may_change_things(headers: dict[str, str]) -> None:
    check_origin(Headers({"host": HOST, **headers}))


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:3000"},
        {"origin": "http://localhost:8765"},
        {"origin": "https://evil.example"},
        {"sec-fetch-site": "same-site"},
        {"sec-fetch-site": "none"},
        {"origin": "http://127.0.0.1:8765", "sec-fetch-site": "cross-site"},
        {"origin": "http://[::"},
        {"origin": "http://127.0.0.1:8765/path"},
    ],
)
def test_no_other_page_may(headers: dict[str, str]) -> None:
    with pytest.raises(Forbidden):
        check_origin(Headers({"host": HOST, **headers}))


def test_a_request_that_names_no_host_changes_nothing() -> None:
    for headers in ({"origin": f"http://{HOST}"}, {"origin": "http://"}, {"sec-fetch-site": "same-origin"}):
        with pytest.raises(Forbidden):
            check_origin(Headers(headers))


@pytest.mark.parametrize("beside", ['x={"a": "b"}; ', "a@b=1; ", "; ;=; ", "\x80=ä; "])
def test_a_strange_cookie_beside_ours_locks_nobody_out(beside: str) -> None:
    assert cookie(Headers({"cookie": f"{beside}trilith-8765=abc_-"}), "trilith-8765") == "abc_-"
    assert cookie(Headers({"cookie": beside}), "trilith-8765") is None


def test_a_token_is_compared_whole() -> None:
    check_token("abc", "abc")
    for wrong in ("", "ab", "abcd", "é"):
        with pytest.raises(Forbidden):
            check_token(wrong, "abc")


def test_the_policy_lets_nothing_run_that_stands_in_a_page() -> None:
    assert "unsafe" not in POLICY
    assert "http" not in POLICY
    assert POLICY.startswith("default-src 'none'")


@pytest.mark.parametrize("target", ["//evil.example", "/\\evil.example", "https://evil.example", "/a\nb", "", "note"])
def test_signing_in_leads_nowhere_else(target: str) -> None:
    assert local(target) == "/"
    assert local("/note/x?q=1") == "/note/x?q=1"


def test_programs_keep_their_paths() -> None:
    assert not any(map(is_page, ("/health", "/metrics", "/api/v1/search", "/mcp", "/l/a/mcp", "/.well-known/x", "/x")))
    assert all(map(is_page, ("/", "/results", "/me/ada/123456", "/note/x", "/file/a/b.png", "/status", "/graph")))
    assert within("/notes/results", "/notes") == "/results"
    assert within("/results", "/notes") == "/results"


def test_a_session_ends_when_nobody_comes_and_when_it_is_ended() -> None:
    now = [0.0]
    sessions = Sessions(lambda: now[0])
    secret = sessions.begin("key")
    now[0] = LASTING - 1
    assert sessions.find(secret) is not None
    now[0] = 2 * LASTING - 2
    assert sessions.find(secret) is not None
    now[0] = 4 * LASTING
    assert sessions.find(secret) is None
    assert sessions.find(None) is None
    other = sessions.begin("key")
    sessions.end(other)
    assert sessions.find(other) is None


def test_sessions_are_bounded_and_the_longest_unseen_goes_first() -> None:
    sessions = Sessions(lambda: 0.0)
    first, second = sessions.begin("a"), sessions.begin("b")
    sessions.find(first)
    for _ in range(MOST - 1):
        sessions.begin("c")
    assert sessions.find(second) is None
    assert sessions.find(first) is not None
