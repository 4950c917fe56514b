"""Opens the browser without revealing the secret address to other users."""

from __future__ import annotations

import contextlib
import html
import ipaddress
import os
import shutil
import socket
import tempfile
from pathlib import Path
from typing import Final

_NOWHERE: Final = ("192.0.2.1", 9)  # an address for documentation; nothing is sent there
_PAGE: Final = """\
<!doctype html>
<meta charset="utf-8">
<meta http-equiv="refresh" content="0;url={address}">
<title>Boomslang</title>
<p><a href="{address}">The board</a></p>
"""


class BoardAddress:
    """A file that redirects a browser to the address; `remove` it once the page is loaded.

    All users of the computer can read the command line of a browser, but not the file. Raises OSError if it
    cannot be written.
    """

    def __init__(self, address: str) -> None:
        # A browser in a snap has its own temporary folder, but can read the home folder.
        home = Path.home() if Path("~/snap").expanduser().is_dir() else None
        self._folder = tempfile.mkdtemp(prefix="boomslang-board-", dir=home)
        path = Path(self._folder) / "open.html"
        self.address = path.as_uri()
        try:
            file = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
            with os.fdopen(file, "w", encoding="utf-8") as page:
                page.write(_PAGE.format(address=html.escape(address)))
        except OSError:
            self.remove()
            raise

    def remove(self) -> None:
        """Remove the file; may be called again."""
        shutil.rmtree(self._folder, ignore_errors=True)


def openable(host: str, bound: str) -> str:
    """The host for an address on this computer, of a server bound to `bound` because of `host`."""
    if _is_everywhere(bound):
        host = "::1" if ":" in bound else "127.0.0.1"
    return f"[{host}]" if ":" in host else host


def from_elsewhere(bound: str) -> str | None:
    """The host for an address from other computers; None if unknown or the same."""
    if not _is_everywhere(bound) or ":" in bound:
        return None
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        asking.connect(_NOWHERE)
        address: str = asking.getsockname()[0]
        return address
    return None


def _is_everywhere(bound: str) -> bool:
    with contextlib.suppress(ValueError):
        return ipaddress.ip_address(bound).is_unspecified
    return False
