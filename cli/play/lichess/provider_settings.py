"""What a provider offers: its name on Lichess, the bounds of a search, the servers."""

from __future__ import annotations

import argparse
import ipaddress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from boomslang.core.system.files import quote_path

SERVER: Final = "https://lichess.org"
WORK_SERVER: Final = "https://engine.lichess.ovh"
CREATE_PAGE: Final = "/account/oauth/token/create?scopes[]=engine:read&scopes[]=engine:write"
MAX_LINES: Final = 5  # the protocol knows no more
MAX_SEARCH: Final = 86_400  # seconds; what the analysis board asks for as an endless search

_MIN_NAME: Final = 3
_MAX_NAME: Final = 200


@dataclass(frozen=True, slots=True)
class ProviderSettings:
    """Everything that the user chooses, except the token. Requests beyond the bounds are clipped."""

    name: str = "Boomslang"
    threads: int = 1
    hash_mb: int = 16
    seconds: int = MAX_SEARCH
    depth: int | None = None  # None: no bound
    lines: int = MAX_LINES
    idle: int = 300  # seconds without work after which the engine process ends
    server: str = SERVER
    work_server: str = WORK_SERVER

    @property
    def token_page(self) -> str:
        """Where the user creates a token with the right scopes."""
        return self.server + CREATE_PAGE


def engine_name(text: str) -> str:
    """An argument type: a name that Lichess accepts and shows."""
    name = " ".join(text.split())
    if not name.isprintable() or not _MIN_NAME <= len(name) <= _MAX_NAME:
        raise argparse.ArgumentTypeError(
            f"{quote_path(text)} is not a name of {_MIN_NAME} to {_MAX_NAME} printable characters"
        )
    return name


def server_address(text: str) -> str:
    """An argument type: the address of a server, without a path.

    Secrets are sent there, so it is https, except for servers on this computer.
    """
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        port = parts.port
    except ValueError:
        raise argparse.ArgumentTypeError(f"{quote_path(text)} is not an address") from None
    bare = f"{parts.scheme}://[{host}]" if ":" in host else f"{parts.scheme}://{host}"
    if port is not None:
        bare += f":{port}"
    if not host or parts.scheme not in ("http", "https") or text.rstrip("/").lower() != bare:
        raise argparse.ArgumentTypeError(f"{quote_path(text)} is not an address like {SERVER}")
    if parts.scheme == "http" and not _is_this_computer(host):
        raise argparse.ArgumentTypeError(
            f"{quote_path(text)} would get the token unencrypted; use https"
        )
    return bare


def _is_this_computer(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
