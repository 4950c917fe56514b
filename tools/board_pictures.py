"""`make pictures`: the pictures of `boomslang board` in docs, anew.

    python -m tools.board_pictures docs

Needs Chromium and aiohttp. The engine's moves and scores depend on its time, so look at the pictures before
you commit them.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from tests.support.board_page import BoardPage
from tests.support.board_server import BoardServer
from tests.support.browser import find_browser

GAME = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d4 exd4 6. cxd4 Bb4+ 7. Nc3 Nxe4 8. O-O"
SEARCHED = 4.0  # seconds
PLAYED = "document.querySelectorAll('#moves button').length === {}"


def play(page: BoardPage, path: Path) -> None:
    """A game after two moves of each side."""
    for number, move in enumerate(("d4", "c4"), start=1):
        page.type_move(move)
        page.wait_for(PLAYED.format(2 * number))
    save(page, path)


def load_game(page: BoardPage) -> None:
    """A game on the board that both sides may move in."""
    page.choose("seat", "both")
    page.wait_for("document.getElementById('status').textContent.endsWith('to move.')")
    page.run(f"document.getElementById('pgn').value = '{GAME}'")
    page.run("document.getElementById('set-pgn').requestSubmit()")
    page.wait_for("document.querySelectorAll('#moves button').length === 15")


def think(page: BoardPage, path: Path) -> None:
    """Lines, arrows and the values of pieces."""
    page.press_button("tab-think")
    if not page.run("document.getElementById('show-worth').checked"):
        page.press_button("show-worth")
    page.wait_for("document.querySelectorAll('#lines li').length === 3")
    time.sleep(SEARCHED)
    save(page, path)


def learn(page: BoardPage, path: Path) -> None:
    """A tree at a cut-off."""
    page.press_button("tab-learn")
    page.choose("algorithm", "alphabeta")
    page.run("document.getElementById('lesson').requestSubmit()")
    shown = "['counted', 'step-cut'].every((name) => !document.getElementById(name).hidden)"
    page.wait_for(shown)
    page.press_button("step-first")
    page.press_button("step-cut")
    assert page.text("narration").startswith("Cut-off")
    save(page, path)


def save(page: BoardPage, path: Path) -> None:
    """The picture, when pieces and buttons have come to rest."""
    page.run("document.activeElement.blur()")
    time.sleep(1.0)
    page.screenshot(path)
    print(path)


def main() -> int:
    """Write all pictures into a folder."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    folder: Path = parser.parse_args().folder
    command = find_browser()
    if command is None:
        print("there is no Chromium", file=sys.stderr)
        return 2
    with BoardServer() as server, BoardPage(command) as browser:
        browser.open_page(server, (1280, 800))
        browser.wait_for_server()
        play(browser, folder / "board-play.png")
        load_game(browser)
        think(browser, folder / "board-think.png")
        browser.resize(390, 844)
        save(browser, folder / "board-phone.png")
        browser.resize(1280, 800)
        learn(browser, folder / "board-learn.png")
        return int(bool(browser.complaints))


if __name__ == "__main__":
    sys.exit(main())
