"""The board in Firefox: moves, files, thinking, a review and endings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import pytest

from tests.support.board_page import (
    WIDE,
    drop_file,
    hold_arrow_keys,
    move,
    press_button,
    sit_on_both_sides,
    text,
    wait_for_moves,
)
from tests.support.board_server import BoardServer
from tests.support.browser import Browser
from tests.support.firefox import Firefox, find_firefox

pytestmark = [
    pytest.mark.slow,
    pytest.mark.jit_only,
    pytest.mark.skipif(find_firefox() is None, reason="there is no Firefox"),
]

GAME = (
    '[White "Ann"]\n\n1. e4 { [%cal Ge4e5] } e5 2. Qh5 Nc6 3. Bc4 Nf6 ( 3... g6 ) 4. Qxf7# 1-0\n\n'
)


@pytest.fixture(scope="module")
def firefox() -> Iterator[Firefox]:
    command = find_firefox()
    assert command
    with Firefox(command) as started:
        yield started


@pytest.fixture
def page(firefox: Firefox, server: BoardServer) -> Iterator[Browser]:
    """The helpers of the page use what both browsers have."""
    firefox.complaints.clear()
    firefox.visit(server.address, *WIDE)
    firefox.run("sessionStorage.clear()")
    firefox.visit(server.address, *WIDE)
    firefox.wait_for("document.getElementById('status').textContent === 'Your move.'")
    yield cast(Browser, firefox)
    assert firefox.complaints == []


def test_a_game_by_clicks_and_keys(page: Any) -> None:
    sit_on_both_sides(page)
    for number, squares in enumerate(["e2e4", "e7e5", "g1f3"], 1):
        move(page, squares)
        wait_for_moves(page, *["e4", "e5", "Nf3"][:number])
    page.press("/", *"Nc6", "Enter")
    wait_for_moves(page, "e4", "e5", "Nf3", "Nc6")
    page.press("Escape", "ArrowLeft")
    page.wait_for("document.querySelector('#moves [aria-current]')?.textContent === 'Nf3'")
    page.press("2")
    page.wait_for("document.querySelectorAll('#lines li').length === 3")
    page.wait_for("document.querySelectorAll('#parts tbody tr').length >= 2")
    page.press("5")
    page.wait_for("document.getElementById('ending-task').textContent.includes('to move')")


def test_a_held_key_ends_where_it_should(page: Any) -> None:
    hold_arrow_keys(page)


def test_a_game_of_a_file_is_reviewed(page: Any) -> None:
    drop_file(page, "two.pgn", GAME * 2)
    page.wait_for("document.getElementById('chooser').open")
    page.press(*"ann", "Enter")
    wait_for_moves(page, "e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "g6", "Qxf7#")
    page.press("ArrowLeft")
    press_button(page, "review")
    page.wait_for("!document.getElementById('report').hidden", 300)
    assert text(page, "accuracy").startswith("Accuracy: White")
