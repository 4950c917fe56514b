"""One server and one browser for the tests of the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.board_page import leave_page, open_page, server_with_exercises, wait_for_server
from tests.support.board_server import BoardServer
from tests.support.browser import Browser, find_browser


@pytest.fixture(scope="package")
def server(kernels: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardServer]:
    with server_with_exercises(tmp_path_factory.mktemp("data")) as started:
        yield started


@pytest.fixture(scope="package")
def started_browser() -> Iterator[Browser]:
    command = find_browser()
    assert command
    with Browser(command) as started:
        yield started


@pytest.fixture
def browser(started_browser: Browser) -> Iterator[Browser]:
    """It leaves its page after each test: the server stays until all tests have ended."""
    yield started_browser
    leave_page(started_browser)


@pytest.fixture
def page(browser: Browser, server: BoardServer) -> Iterator[Browser]:
    """A page of its own, with a game that has not begun; afterwards nobody may have complained."""
    open_page(browser, server)
    wait_for_server(browser)
    yield browser
    assert browser.complaints == []
