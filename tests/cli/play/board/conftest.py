"""One server and one browser for the tests of the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from boomslang.engine.analysis.exercises.exercise_store import ExerciseFile
from tests.support.board_page import open_page, wait_for_server
from tests.support.board_server import BoardServer
from tests.support.browser import Browser, find_browser
from tests.support.exercises import en_passant, mate_in_one


@pytest.fixture(scope="package")
def server(kernels: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BoardServer]:
    data = tmp_path_factory.mktemp("data")
    ExerciseFile(data / "boomslang" / "exercises.json").add([mate_in_one(), en_passant()])
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("XDG_DATA_HOME", str(data))
        with BoardServer() as started:
            yield started


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    command = find_browser()
    assert command
    with Browser(command) as started:
        yield started


@pytest.fixture
def page(browser: Browser, server: BoardServer) -> Iterator[Browser]:
    """A page of its own, with a game that has not begun; afterwards nobody may have complained."""
    open_page(browser, server)
    wait_for_server(browser)
    yield browser
    assert browser.complaints == []
