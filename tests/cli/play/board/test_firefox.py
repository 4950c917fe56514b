"""The board in Firefox: moves, files, thinking, a review and endings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.board_page import WIDE, BoardSteps
from tests.support.board_server import BoardServer
from tests.support.firefox import Firefox, find_firefox

pytestmark = [
    pytest.mark.slow,
    pytest.mark.jit_only,
    pytest.mark.skipif(find_firefox() is None, reason="there is no Firefox"),
]

GAME = (
    '[White "Ann"]\n\n1. e4 { [%cal Ge4e5] } e5 2. Qh5 Nc6 3. Bc4 Nf6 ( 3... g6 ) 4. Qxf7# 1-0\n\n'
)


class FirefoxPage(BoardSteps, Firefox):  # type: ignore[misc]
    """The page in Firefox."""


@pytest.fixture(scope="module")
def firefox() -> Iterator[FirefoxPage]:
    command = find_firefox()
    assert command
    with FirefoxPage(command) as started:
        yield started


@pytest.fixture
def page(firefox: FirefoxPage, server: BoardServer) -> Iterator[FirefoxPage]:
    firefox.complaints.clear()
    firefox.visit(server.address, *WIDE)
    firefox.run("sessionStorage.clear()")
    firefox.visit(server.address, *WIDE)
    firefox.wait_for("document.getElementById('status').textContent === 'Your move.'")
    yield firefox
    assert firefox.complaints == []


def test_a_game_by_clicks_and_keys(page: Any) -> None:
    page.sit_on_both_sides()
    for number, squares in enumerate(["e2e4", "e7e5", "g1f3"], 1):
        page.move(squares)
        page.wait_for_moves(*["e4", "e5", "Nf3"][:number])
    page.press("/", *"Nc6", "Enter")
    page.wait_for_moves("e4", "e5", "Nf3", "Nc6")
    page.press("Escape", "ArrowLeft")
    page.wait_for("document.querySelector('#moves [aria-current]')?.textContent === 'Nf3'")
    page.press("2")
    page.wait_for("document.querySelectorAll('#lines li').length === 3")
    page.wait_for("document.querySelectorAll('#parts tbody tr').length >= 2")
    page.press("5")
    page.wait_for("document.getElementById('ending-task').textContent.includes('to move')")


def test_a_held_key_ends_where_it_should(page: Any) -> None:
    page.hold_arrow_keys()


def test_a_game_of_a_file_is_reviewed(page: Any) -> None:
    page.drop_file("two.pgn", GAME * 2)
    page.wait_for("document.getElementById('chooser').open")
    page.press(*"ann", "Enter")
    page.wait_for_moves("e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "g6", "Qxf7#")
    page.press("ArrowLeft")
    page.press_button("review")
    page.wait_for("!document.getElementById('report').hidden", 300)
    assert page.text("accuracy").startswith("Accuracy: White")
