from __future__ import annotations

import pytest

from trilith.markdown.urls import normalize_url


@pytest.mark.parametrize(
    ("url", "normal"),
    [
        ("HTTPS://Example.COM/Path/", "https://example.com/Path"),
        ("https://example.com:443/a#frag", "https://example.com/a"),
        ("http://example.com:80", "http://example.com"),
        ("http://example.com:8080/", "http://example.com:8080"),
        ("https://example.com/a/?q=A#x", "https://example.com/a?q=A"),
        ("https://User:pw@Example.com/", "https://User:pw@example.com"),
        ("http://[2001:DB8::1]:80/x", "http://[2001:db8::1]/x"),
        (" https://example.com/ ", "https://example.com"),
        ("http://[bad", "http://[bad"),
        ("http://example.com:port/", "http://example.com:port/"),
        ("doi:10.1000/182", "doi:10.1000/182"),
        ("", ""),
    ],
)
def test_the_form_in_which_urls_are_compared(url: str, normal: str) -> None:
    assert normalize_url(url) == normal
    assert normalize_url(normal) == normal
