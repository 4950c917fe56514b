"""One server and one browser for the tests of the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.board_page import BoardPage, server_with_exercises
from tests.support.board_server import BoardServer
from tests.support.browser import find_browser


@pytest.fixture(scope="package")
def server(kernels: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardServer]:
    with server_with_exercises(tmp_path_factory.mktemp("data")) as started:
        yield started


@pytest.fixture(scope="package")
def started_browser() -> Iterator[BoardPage]:
    command = find_browser()
    if command is None:
        pytest.skip("there is no Chromium")
    with BoardPage(command) as started:
        yield started


@pytest.fixture
def browser(started_browser: BoardPage) -> Iterator[BoardPage]:
    """It leaves its page after each test: the server stays until all tests have ended."""
    yield started_browser
    started_browser.leave_page()


@pytest.fixture
def page(browser: BoardPage, server: BoardServer) -> Iterator[BoardPage]:
    """A page of its own, with a game that has not begun; afterwards nobody may have complained."""
    browser.open_page(server)
    browser.wait_for_server()
    yield browser
    assert browser.complaints == []
