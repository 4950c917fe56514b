"""What leads the browser to the board: a file that is nobody else's, and not for long."""

from __future__ import annotations

import os
import signal
import sys
import webbrowser
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

from boomslang.cli.play.board import command as board
from boomslang.cli.play.board.open_browser import BoardAddress, from_elsewhere, openable
from tests.support.board_page import WIDE, BoardPage
from tests.support.board_server import BoardServer


def file_of(invitation: BoardAddress) -> Path:
    return Path(url2pathname(urlsplit(invitation.address).path))


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_the_redirecting_file_is_readable_only_by_its_user() -> None:
    invitation = BoardAddress("http://127.0.0.1:1/token/")
    file = file_of(invitation)
    assert "http://127.0.0.1:1/token/" in file.read_text("utf-8")
    assert file.stat().st_mode & 0o777 == 0o600 and file.parent.stat().st_mode & 0o777 == 0o700
    for _ in range(2):
        invitation.remove()
        assert not file.parent.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for one process")
def test_the_browser_does_not_get_the_token_as_an_argument(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    def browse(address: str) -> bool:
        told.append(Path(url2pathname(urlsplit(address).path)).read_text("utf-8"))
        told.append(address)
        os.kill(os.getpid(), signal.SIGTERM)  # which no shell has it ignore
        return True

    monkeypatch.setattr(webbrowser, "open", browse)
    assert board.main([]) == 0
    assert "http://127.0.0.1:" in told[0] and told[1].startswith("file:")
    assert not Path(url2pathname(urlsplit(told[1]).path)).parent.exists()


@pytest.mark.jit_only
def test_it_leads_to_the_board(server: BoardServer, browser: BoardPage) -> None:
    invitation = BoardAddress(server.address)
    browser.visit(invitation.address, *WIDE)
    browser.wait_for("document.querySelectorAll('#board piece').length > 0")
    assert browser.run("location.href") == server.address
    invitation.remove()


def test_a_wildcard_address_is_not_printed() -> None:
    assert openable("0.0.0.0", "0.0.0.0") == "127.0.0.1"  # noqa: S104
    assert openable("::", "::") == "[::1]"
    assert openable("localhost", "127.0.0.1") == "localhost"
    assert openable("fe80::1", "fe80::1") == "[fe80::1]"
    assert from_elsewhere("127.0.0.1") is None
    assert from_elsewhere("0.0.0.0") != "0.0.0.0"  # noqa: S104
