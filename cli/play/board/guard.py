"""Access control of the server: only pages that it has served itself may use it.

The address contains a secret token, so other pages and other users' programs get nothing. `Host` is checked
against DNS rebinding, `Origin` against requests that a foreign page makes through the user's browser.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

_LOCAL: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_FOREIGN: Final = "Refused: open the address that `boomslang board` has printed."
# The one style that chessground writes into an element, "color-scheme:light only", by its SHA-256.
_STYLE: Final = "'unsafe-hashes' 'sha256-SyXRxMCl6H7Kgy9uTmu1UZqVBsRmMBF4sHRiTO3FQc0='"
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    f"style-src-attr {_STYLE}; "
    "connect-src 'self' TALK; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


class Guard:
    """Checks the requests to a server; `token` is the first part of every path."""

    def __init__(self, host: str) -> None:
        """`host` is the address that the server listens at."""
        self.token = secrets.token_urlsafe(24)
        self.port = 0  # set when the server listens
        self._names = _LOCAL
        self._any_address = host not in _LOCAL
        if self._any_address:
            self._names = _LOCAL | {host.lower(), socket.gethostname().lower()}

    def check(self, request: web.BaseRequest) -> str:
        """The path after the token; raises HTTPForbidden for requests from elsewhere."""
        token, slash, path = request.rel_url.raw_path.removeprefix("/").partition("/")
        host = request.headers.get("Host", "")
        origin = request.headers.get("Origin")
        expected = slash and hmac.compare_digest(
            token.encode("utf-8", "replace"), self.token.encode()
        )
        from_elsewhere = origin is not None and origin != f"http://{host}"
        # A browser always sends the origin of a WebSocket.
        unnamed = origin is None and "Upgrade" in request.headers
        if not (expected and self._is_ours(host)) or from_elsewhere or unnamed:
            raise web.HTTPForbidden(text=_FOREIGN)
        return path

    def seal(self, request: web.BaseRequest, response: web.StreamResponse) -> None:
        """Add headers against caching, referrers and content from elsewhere."""
        host = request.headers.get("Host", "")
        talk = f"ws://{host}" if self._is_ours(host) else ""
        response.headers["Content-Security-Policy"] = _POLICY.replace("TALK", talk)
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Cache-Control"] = "no-store"

    def _is_ours(self, host: str) -> bool:
        """True if a `Host` header names this server; a foreign host name cannot be an IP address."""
        try:
            parts = urlsplit(f"//{host}")
            name, port = (parts.hostname or "").lower(), parts.port or 80
        except ValueError:
            return False
        if parts.netloc != host or "@" in host or port != self.port:
            return False
        return name in self._names or (self._any_address and _is_address(name))


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
