"""Where a server may listen, and what is said when it cannot."""

from __future__ import annotations

import pytest

from trilith.errors import StartFailure
from trilith.surfaces.http.address import is_loopback, listen, url


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost", "LOCALHOST"])
def test_loopback(host: str) -> None:
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.0.1", "example.org", "localhost.example.org", ""])
def test_beyond_this_machine(host: str) -> None:
    assert not is_loopback(host)
    with pytest.raises(StartFailure, match="there is no key"):
        listen(host, 0, keyed=False)


def test_port_0_takes_a_free_one() -> None:
    with listen("127.0.0.1", 0, keyed=False) as listener:
        port = listener.getsockname()[1]
        assert port > 0
        assert url(listener) == f"http://127.0.0.1:{port}"


def test_an_ipv6_address_is_bracketed() -> None:
    with listen("::1", 0, keyed=False) as listener:
        assert url(listener) == f"http://[::1]:{listener.getsockname()[1]}"


@pytest.mark.parametrize(("host", "reached"), [("0.0.0.0", "127.0.0.1"), ("::", "[::1]")])
def test_of_every_address_the_one_is_told_that_can_be_opened(host: str, reached: str) -> None:
    with listen(host, 0, keyed=True) as listener:
        assert url(listener) == f"http://{reached}:{listener.getsockname()[1]}"


def test_a_port_that_is_taken_is_said_to_be() -> None:
    with listen("127.0.0.1", 0, keyed=False) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(StartFailure, match=rf"Port {port} on 127.0.0.1 is taken.*--port 0"):
            listen("127.0.0.1", port, keyed=False)
