"""Rules of accessibility by axe-core on every page, light and dark, wide and narrow.

It is a package of npm: BOOMSLANG_AXE names its `axe.min.js`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from boomslang.engine.analysis.page_data import game_page
from boomslang.engine.analysis.report_page import render
from tests.support.analysed import ANNOTATED, SETTINGS, game_of, report_of
from tests.support.board_page import WIDE, BoardPage, server_with_exercises
from tests.support.board_server import BoardServer

AXE: Final = Path(os.environ.get("BOOMSLANG_AXE", ""))
PHONE: Final = (390, 844)
STUDY: Final = (
    '[White "Ann"]\n\n1. e4 { [%clk 0:01:00][%cal Gd2d4] best } '
    "( 1. d4 d5 ( 1... c5 ) ) e5 $6 *\n\n"
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.jit_only,
    pytest.mark.skipif(not AXE.is_file(), reason="BOOMSLANG_AXE names no axe.min.js"),
]


@pytest.fixture
def server(kernels: None, tmp_path: Path) -> Iterator[BoardServer]:
    """Of its own, for it asks for a solution and a hint."""
    with server_with_exercises(tmp_path) as started:
        yield started


def violations(page: BoardPage) -> list[str]:
    """What is wrong in windows of both sizes and in both schemes, with the elements."""
    if page.run("typeof axe") == "undefined":
        page.run(f"{AXE.read_text('utf-8')}; 0")
    found: list[str] = []
    for size in (PHONE, WIDE):
        page.resize(*size)
        for scheme in ("dark", "light"):
            page.prefer(scheme)
            told = page.run(
                """axe.run(document, { iframes: false }).then(({ violations }) => violations.flatMap(
                  ({ id, nodes }) => nodes.map((node) => `${id} ${node.target}: ${node.failureSummary}`)))"""
            )
            found += [f"{size[0]} {scheme}: {words}" for words in told]
    return found


def test_the_board(browser: BoardPage, server: BoardServer) -> None:
    browser.open_page(server)
    browser.wait_for_server()
    found = {"begin": violations(browser)}
    browser.drop_file("two.pgn", STUDY * 2)
    browser.wait_for("document.getElementById('chooser').open")
    found["chooser"] = violations(browser)
    browser.press_button("chooser-close")
    browser.drop_file("one.pgn", STUDY)
    browser.wait_for("document.querySelectorAll('#moves button').length > 4")
    browser.press_button("last")
    found["study"] = violations(browser)
    browser.press_button("edit")
    found["set-up"] = violations(browser)
    browser.press_button("edit-cancel")
    browser.set_up("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    browser.move("a7a8")
    browser.wait_for("!document.getElementById('promotion').hidden")
    found["promotion"] = violations(browser)
    browser.press("Escape")
    for key, ready in (
        ("2", "document.querySelectorAll('#parts tbody tr').length >= 2"),
        ("4", "document.getElementById('exercise-task').textContent.includes('to move')"),
        ("5", "document.getElementById('ending-task').textContent.includes('to move')"),
    ):
        browser.press(key)
        browser.wait_for(ready)
        browser.press("s")  # a solution, or a hint
        browser.wait_for("document.querySelectorAll('#toasts p').length === 0")
        found[key] = violations(browser)
    for name in ("kinds", "new-game", "load", "settings", "keys"):
        browser.run(f"document.querySelector('[data-opens={name}]').click()")
        assert browser.run(f"document.getElementById('{name}').open"), name
        found[name] = violations(browser)
        browser.run(f"document.querySelector('#{name} [data-closes]').click()")
    browser.press("3")
    browser.run("document.getElementById('lesson').requestSubmit()")
    browser.wait_for("document.querySelectorAll('#counts *').length > 3")
    found["3"] = violations(browser)
    assert {name: what for name, what in found.items() if what} == {}


def test_the_report(browser: BoardPage, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    pages = [game_page(report_of(game_of(ANNOTATED)))] * 2
    path.write_text("".join(render(pages, 2, SETTINGS)), encoding="utf-8")
    browser.open(path, *WIDE)
    found = {"begin": violations(browser)}
    browser.press("ArrowDown")
    browser.press("t")
    found["trying"] = violations(browser)
    assert {name: what for name, what in found.items() if what} == {}
