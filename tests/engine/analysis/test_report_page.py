"""The report in a real browser: every move, the keyboard, the graph, narrow and wide windows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from boomslang.engine.analysis.page_data import game_page
from boomslang.engine.analysis.plan import AnalysisPlan
from boomslang.engine.analysis.report_page import render
from boomslang.engine.notation.pgn import read_games
from tests.support.analysed import ANNOTATED, CHESS960, SETTINGS, game_of, report_of
from tests.support.browser import Browser, find_browser
from tests.support.places import SUITES

COMMAND = find_browser()
WIDE, NARROW = (1280, 900), (390, 844)
MATCH = SUITES / "pgn" / "kasparov-deep-blue-1997.pgn"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(COMMAND is None, reason="there is no Chromium")]


def games() -> list[chess.pgn.Game]:
    found = [game_of(ANNOTATED), game_of(CHESS960)]
    return found + ([entry.game for entry in read_games(MATCH)] if MATCH.exists() else [])


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    pages = [game_page(report_of(game)) for game in games()]
    path.write_text("".join(render(pages, len(pages), SETTINGS)), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert COMMAND
    with Browser(COMMAND) as started:
        yield started


def squares(board: chess.Board) -> str:
    return str(board).replace(" ", "").replace("\n", "")


def shown(browser: Browser) -> Any:
    return browser.run("document.getElementById('board').dataset.squares")


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_every_move_can_be_clicked(browser: Browser, page: Path, size: tuple[int, int]) -> None:
    browser.open(page, *size)
    for number, game in enumerate(games()[: None if size == WIDE else 3]):
        if number:
            browser.press("n")
        board = game.board()
        assert shown(browser) == squares(board)
        for position, move in enumerate(game.mainline_moves(), start=1):
            board.push(move)
            x, y, covered = browser.run(
                f"""(() => {{
                  const button = document.querySelector(".move[data-position='{position}']");
                  button.scrollIntoView({{ block: "center" }});
                  const box = button.getBoundingClientRect();
                  const x = box.x + box.width / 2, y = box.y + box.height / 2;
                  return [x, y, !button.contains(document.elementFromPoint(x, y))];
                }})()"""
            )
            assert not covered
            browser.click(x, y)
            assert shown(browser) == squares(board)
            current = "document.querySelector('[aria-current]').dataset.position"
            assert browser.run(current) == str(position)
            pieces = browser.run("document.querySelectorAll('#board use').length")
            assert pieces == len(board.piece_map())
    assert browser.complaints == []


def test_every_score_fits_its_bar(browser: Browser, page: Path) -> None:
    browser.open(page, *WIDE)
    shown = browser.run(
        """["+0.05", "-3.79", "-9.97", "+4.35", "-99.99", "+105.66", "#-12", "#"].map((score) => {
          const range = document.createRange();
          showBar({ score, chance: 50 });
          range.selectNodeContents(byId("bar-score"));
          const room = byId("bar").clientWidth;
          return [byId("bar-score").textContent, range.getBoundingClientRect().width <= room];
        })"""
    )
    texts = " ".join(text for text, _ in shown)
    assert texts == "0.05 3.79 9.97 4.35 99.99 105.66 #12 #"
    assert all(fits for _, fits in shown)


def test_side_lines(browser: Browser, page: Path) -> None:
    browser.open(page, *WIDE)
    for end in game_of(ANNOTATED).mainline():
        for side in end.parent.variations[1:]:
            names = [side.san()] + [node.san() for node in side.mainline()]
            board = end.parent.board()
            board.push(side.move)
            click = f"""[...document.querySelectorAll("#moves .variation .side")]
              .find((button) => button.textContent.split(" ").at(-1) === "{names[0]}").click()"""
            browser.run(click)
            assert shown(browser) == squares(board)
            for node in side.mainline():
                browser.press("ArrowRight")
                board.push(node.move)
                assert shown(browser) == squares(board)
            browser.press("Escape")
            assert shown(browser) == squares(end.parent.board())
    clicked = browser.run(
        """[...document.querySelectorAll("#moves .side")].map((button) => {
          button.click();
          return button.getAttribute("aria-current");
        })"""
    )
    assert len(clicked) > 8 and set(clicked) == {"true"}
    assert browser.complaints == []


def test_the_pieces_in_words(browser: Browser, page: Path) -> None:
    browser.open(page, *WIDE)
    listed_pieces = (
        "['white', 'black'].map((side) => document.getElementById(`${side}-men`).textContent)"
    )
    browser.press("ArrowRight")
    white, black = browser.run(listed_pieces)
    assert white.startswith("White: king on e1; queen on d1; rooks on a1 and h1; ")
    assert white.endswith("pawns on a2, b2, c2, d2, e4, f2, g2 and h2.")
    assert black.startswith("Black: king on e8; queen on d8; ")
    assert browser.complaints == []


def test_keyboard(browser: Browser, page: Path) -> None:
    browser.open(page, *WIDE)
    game = game_of(ANNOTATED)
    board = game.board()
    for move in game.mainline_moves():
        browser.press("ArrowRight")
        board.push(move)
        assert shown(browser) == squares(board)
    browser.press("ArrowLeft")
    board.pop()
    assert shown(browser) == squares(board)
    browser.press("Home")
    assert shown(browser) == squares(game.board())
    browser.press("ArrowDown")  # before the first critical move
    critical = report_of(game).critical[0]
    assert browser.run("state.position") == critical
    browser.press("End")
    assert shown(browser) == squares(game.end().board())
    top = "document.querySelector('#board use').getAttribute('transform')"
    before = browser.run(top)
    browser.press("f")
    assert browser.run(top) != before and shown(browser) == squares(game.end().board())
    focusable = browser.run("document.querySelectorAll('#moves button[tabindex=\"0\"]').length")
    assert focusable == 1
    browser.press("n")
    assert browser.run("state.game") == 1
    browser.press("p")
    assert browser.run("state.game") == 0 and browser.complaints == []


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_graph(browser: Browser, page: Path, size: tuple[int, int]) -> None:
    browser.open(page, *size)
    report = report_of(game_of(ANNOTATED))
    browser.run("new Promise(requestAnimationFrame)")
    points = browser.run("document.querySelector('#plot .curve').points.length")
    assert points == len(report.positions)
    marks = browser.run("document.querySelectorAll('#plot circle').length")
    assert marks == sum(bool(move and move.judgement) for move in report.moves) > 0
    x, y, width, height = browser.run(
        """(() => {
          const plot = document.getElementById("plot");
          plot.scrollIntoView({ block: "center" });
          const box = plot.getBoundingClientRect();
          return [box.x, box.y, box.width, box.height];
        })()"""
    )
    assert width > size[0] * 0.8 and height > 80
    browser.click(x + width * 4 / len(report.moves), y + height / 2)
    assert browser.run("state.position") == 4
    assert browser.complaints == []


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("size", [WIDE, NARROW, (320, 568), (800, 600)])
def test_nothing_is_wider_than_the_window(
    browser: Browser, page: Path, size: tuple[int, int], dark: bool
) -> None:
    browser.open(page, *size, dark)
    assert browser.run("document.documentElement.scrollWidth") <= size[0]
    light = browser.run("getComputedStyle(document.body).backgroundColor")
    assert (light == "rgb(23, 22, 19)") == dark
    assert browser.complaints == []


def test_a_mistake_is_tried_again(browser: Browser, page: Path) -> None:
    browser.open(page, *WIDE)
    for _ in range(6):  # behind 3... Nf6, which allows mate
        browser.press("ArrowRight")
    said = "byId('try-said').innerText.trim()"
    assert browser.run("byId('try').textContent") == "Try again: 3... Nf6"
    browser.run("byId('try').click()")
    assert browser.run(said).startswith("Black to move. Nf6 was played")
    verdict = "document.querySelector('#moves .verdict.blunder button')"
    assert browser.run(f"getComputedStyle({verdict}).visibility") == "hidden"
    arrows = "document.querySelectorAll('#board .arrow, #lines li').length"
    assert browser.run(arrows) == 0
    browser.press("ArrowLeft")
    browser.press("ArrowRight")  # the question stands there without its answer
    assert browser.run(arrows) == 0 and not browser.run("byId('solve').hidden")
    browser.run("byId('try').click()")

    def click(square: str) -> None:
        x, y, size = browser.run(
            "(({ x, y, width }) => [x, y, width])(byId('board').getBoundingClientRect())"
        )
        column, row = "abcdefgh".index(square[0]), 8 - int(square[1])
        browser.click(x + (column + 0.5) * size / 8, y + (row + 0.5) * size / 8)

    click("g8")
    click("f6")
    assert browser.run(said).startswith("Wrong: Nf6 has")
    assert browser.run("[...document.querySelectorAll('#try-said .side')].length") >= 2
    for text, answer in (("Kd5", "Kd5 is not a legal move here."), ("Rb8", "The analysis has not")):
        browser.run(f"byId('answer').focus(), byId('answer').value = '{text}'")
        browser.press("Enter")
        assert browser.run(said).startswith(answer)
    browser.run("byId('solve').click()")
    assert browser.run(said) == "The best line is marked."
    assert browser.run("document.querySelectorAll('#board .arrow').length") == 1
    browser.press("Home")
    assert browser.run("byId('trying').hidden")
    assert browser.complaints == []


def test_an_address_names_a_position(browser: Browser, page: Path) -> None:
    browser.open(page, *WIDE)
    browser.run("location.hash = '#2.3'")
    browser.run("new Promise(requestAnimationFrame)")
    game = game_of(CHESS960)
    node = list(game.mainline())[2]
    assert shown(browser) == squares(node.board())
    assert browser.complaints == []


@pytest.mark.parametrize("size", [WIDE, NARROW])
def test_clocks_and_opening(browser: Browser, tmp_path: Path, size: tuple[int, int]) -> None:
    timed = """\
[TimeControl "60"]

1. e4 {[%clk 0:00:58]} e5 {[%clk 0:00:05]} 2. Nf3 {[%clk 0:00:50]} a6 {[%clk 0:00:04]} 3. Bc4 *
"""
    path = tmp_path / "clocks.html"
    pages = [game_page(report_of(game_of(pgn))) for pgn in (timed, CHESS960)]
    path.write_text("".join(render(pages, len(pages), SETTINGS)), encoding="utf-8")
    browser.open(path, *size)
    browser.run("new Promise(requestAnimationFrame)")
    opening = "document.getElementById('opening').textContent"
    assert browser.run(opening) == "C40 King's Knight Opening, out of book with 2... a6"
    bars = "document.querySelectorAll('#clock-plot rect').length"
    assert browser.run(bars) == 4
    assert browser.run("document.querySelectorAll('#clock-plot .trouble').length") == 1
    record = browser.run("document.getElementById('clock-note').textContent")
    assert "Black: longest 55 s for 1... e5, 1 move in time trouble (red) from 2... a6." in record
    for _ in range(4):
        browser.press("ArrowRight")
    said = browser.run("document.getElementById('said').textContent")
    assert said.endswith("Took 1 s. 0:04.0 left. In time trouble.")
    assert browser.run("document.documentElement.scrollWidth") <= size[0]
    words = ["59.9 s", "2 min 0 s", "59 min 59 s", "1 h 1 min"]
    assert browser.run("[59.9, 119.6, 3599, 3660].map(secondsText)") == words
    browser.press("n")
    assert browser.run("document.getElementById('clocks').hidden")
    assert browser.run(opening) == "" and browser.complaints == []


def test_a_game_that_is_left_out_and_a_long_name(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "left-out.html"
    foreign = game_of('[Variant "Atomic"]\n\n1. e4 *')
    named = game_of(f'[White "{"A name that goes on, " * 8}"]\n\n1. e4 *')
    reports = [report_of(named), AnalysisPlan(foreign, SETTINGS, analysable=False).report({})]
    path.write_text("".join(render(map(game_page, reports), 2, SETTINGS)), encoding="utf-8")
    browser.open(path, *WIDE)
    hidden = "['graph', 'accuracy', 'critical'].map((id) => document.getElementById(id).hidden)"
    assert browser.run(hidden) == [False] * 3
    table = "document.querySelector('#overview .scroller')"
    assert browser.run(f"{table}.scrollWidth <= {table}.clientWidth")
    browser.press("n")
    assert browser.run(hidden) == [True] * 3
    said = browser.run("document.getElementById('said').textContent")
    assert said == "This game is not analysed." and browser.complaints == []
