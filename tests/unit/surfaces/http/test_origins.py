"""`Host` and `Origin`: ours, theirs, and what only looks like ours."""

from __future__ import annotations

import pytest

from trilith.surfaces.http.origins import LOOPBACK, comes_from_here, names_this_server


@pytest.mark.parametrize(
    "host", ["localhost", "localhost:8765", "127.0.0.1", "127.0.0.1:80", "[::1]", "[::1]:8765", "LocalHost:8765"]
)
def test_our_own_names_are_believed(host: str) -> None:
    assert names_this_server(host, LOOPBACK)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:8765",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "127.0.0.1:80@evil.example",
        "user@localhost",
        "localhost:",
        "localhost:port",
        "[::1",
        "[::1]evil",
        "::1",
        "0.0.0.0",
        "192.168.1.5:8765",
        "",
    ],
)
def test_other_names_are_not(host: str) -> None:
    assert not names_this_server(host, LOOPBACK)


def test_the_configured_address_is_a_name_too() -> None:
    assert names_this_server("127.0.0.2:8765", LOOPBACK | {"127.0.0.2"})


@pytest.mark.parametrize(
    "origin", ["http://localhost:5173", "http://127.0.0.1", "https://localhost:8443", "http://[::1]:3000"]
)
def test_pages_of_this_machine_may_ask(origin: str) -> None:
    assert comes_from_here(origin, LOOPBACK)


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "https://evil.example",
        "http://localhost.evil.example",
        "http://localhost:80@evil.example",
        "http://localhost/page",
        "http://localhost?x",
        "http://localhost#x",
        "file://localhost",
        "chrome-extension://localhost",
        "localhost:8765",
        "http://[::1",
    ],
)
def test_pages_from_elsewhere_may_not(origin: str) -> None:
    assert not comes_from_here(origin, LOOPBACK)
