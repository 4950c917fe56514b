"""What a provider offers: its name on Lichess, the bounds of a search, the servers."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from boomslang.core.system.files import quote_path
from boomslang.core.system.threads import usable_processors
from boomslang.engine import options
from boomslang.engine.errors import CommandError
from boomslang.engine.settings import TEXT, Kind, Settings, need, setting, whole

SERVER: Final = "https://lichess.org"
CREATE_PAGE: Final = "/account/oauth/token/create?scopes[]=engine:read&scopes[]=engine:write"
MAX_LINES: Final = 5  # the protocol knows no more
MAX_SEARCH: Final = 86_400  # seconds; what the analysis board asks for as an endless search

_MIN_NAME: Final = 3
_MAX_NAME: Final = 200
_MAX_DEPTH: Final = 246  # as Lichess counts


def _check_name(value: Any) -> str:
    name = " ".join(TEXT.check(value).split())
    need(name.isprintable() and _MIN_NAME <= len(name) <= _MAX_NAME)
    return name


def _check_address(value: Any) -> str:
    """The address of a server. Secrets are sent there, so it is https, except for this computer."""
    text = TEXT.check(value)
    parts = urlsplit(text)
    host, port = parts.hostname or "", parts.port
    bare = f"{parts.scheme}://[{host}]" if ":" in host else f"{parts.scheme}://{host}"
    if port is not None:
        bare += f":{port}"
    sound = host and parts.scheme in ("http", "https") and text.rstrip("/").lower() == bare
    need(bool(sound))
    if parts.scheme == "http" and not _is_this_computer(host):
        raise CommandError(f"{quote_path(text)} would get the token unencrypted; use https")
    return bare


_NAME: Final = Kind(
    f"a name of {_MIN_NAME} to {_MAX_NAME} printable characters",
    TEXT.schema,
    _check_name,
    _check_name,
)
_ADDRESS: Final = Kind(f"an address like {SERVER}", TEXT.schema, _check_address, _check_address)
_THREADS, _HASH = (whole(1, options.find(name).highest) for name in ("Threads", "Hash"))


@dataclass(frozen=True, kw_only=True)
class ProviderSettings(Settings):
    """Everything that the user chooses, except the token. Requests beyond the bounds are clipped."""

    # fmt: off
    name: str = setting(_NAME, "name of the engine on Lichess", "NAME", "Boomslang")
    threads: int = setting(_THREADS, "maximum number of search threads", "N", usual="all processors")
    hash_mb: int = setting(_HASH, "maximum transposition table in megabytes", "MB", 512, flag="--hash")
    seconds: int = setting(
        whole(1, MAX_SEARCH), "maximum seconds per search", "S", MAX_SEARCH, flag="--max-time")
    depth: int | None = setting(
        whole(1, _MAX_DEPTH), "maximum depth of a search in plies", "N", usual="no limit", flag="--max-depth")
    lines: int = setting(
        whole(1, MAX_LINES), "maximum number of lines", "N", MAX_LINES, flag="--multipv")
    idle: int = setting(
        whole(0, MAX_SEARCH), "seconds without work after which the engine process ends, to free its memory",
        "S", 300)
    server: str = setting(_ADDRESS, "server of the registration, which gets the token", "URL", SERVER)
    work_server: str = setting(_ADDRESS, "server of the work", "URL", "https://engine.lichess.ovh")
    # fmt: on

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.threads is None:
            object.__setattr__(self, "threads", usable_processors())

    @property
    def token_page(self) -> str:
        """Where the user creates a token with the right scopes."""
        return self.server + CREATE_PAGE


def _is_this_computer(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
