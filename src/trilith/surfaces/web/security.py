"""What keeps strangers out of a page: headers for the browser, and how a form tells that it is ours. Pure.

Sources: Content Security Policy Level 3; OWASP, Cross-Site Request Forgery Prevention.
"""

from __future__ import annotations

import hmac

from starlette.datastructures import Headers

from trilith.errors import Forbidden

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
"""No script, style, image or request but this server's own, and none that stands within a page."""

HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with `no-referrer`, a form would be sent with `Origin: null`
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}

FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""For files of a vault: whatever they are, nothing in them runs, and they are of no origin."""


def check_origin(headers: Headers) -> None:
    """Raises `Forbidden` for a change that does not come from a page of this very address. Other ports of this machine are
    other pages here: cookies go to all of them."""
    origin, site = headers.get("origin"), headers.get("sec-fetch-site")
    host = headers.get("host", "").lower()
    ours = site == "same-origin" if origin is None else origin.lower() in (f"http://{host}", f"https://{host}")
    if not host or not ours or site not in (None, "same-origin"):
        raise Forbidden("Only a page of this server may change anything here.")


def check_token(given: str, expected: str) -> None:
    """Raises `Forbidden` for a form that none of our pages has sent."""
    if not hmac.compare_digest(given.encode(), expected.encode()):
        raise Forbidden("This form is too old, or not from here. Load the page again.")
