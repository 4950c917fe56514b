"""The board in a real browser: play and think, by mouse and keyboard, wide and narrow."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from boomslang.engine.levels.ladder import MAX_ELO
from tests.support.board_page import NARROW, WIDE, BoardPage, engines, signal_all
from tests.support.board_server import BoardServer

pytestmark = pytest.mark.jit_only

CORNERED = "7k/8/8/8/8/1R6/R7/6K1 w - - 0 1"  # Rb7 Kg8 Ra8 mate


def test_a_game_is_played_to_mate_by_clicks(page: BoardPage) -> None:
    page.sit_on_both_sides()
    line = ["e2e4", "e7e5", "d1h5", "b8c6", "f1c4", "g8f6", "h5f7"]
    sans = ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"]
    for number, squares in enumerate(line, 1):
        page.move(squares)
        page.wait_for_moves(*sans[:number])
    assert page.text("status") == "1–0: checkmate."
    page.press_button("undo")
    page.wait_for_moves(*sans[:-1])
    assert page.text("status") == "White to move."


def test_the_engine_is_mated(page: BoardPage) -> None:
    page.set_up(CORNERED, "white")
    page.move("b3b7")
    page.wait_for("document.querySelectorAll('#moves button').length === 2")
    page.wait_for("document.getElementById('status').textContent === 'Your move.'")
    page.move("a2a8")
    page.wait_for_moves("Rb7", "Kg8", "Ra8#")
    assert page.text("status") == "1–0: checkmate."


def test_a_piece_is_dragged_and_the_legal_squares_are_shown(page: BoardPage) -> None:
    page.sit_on_both_sides()
    page.click(*page.place("g1"))
    page.wait_for("document.querySelectorAll('#board square.move-dest').length === 2")
    page.click(*page.place("g1"))
    page.drag("g1", "f3")
    page.wait_for_moves("Nf3")


def test_promotion_is_asked_for(page: BoardPage) -> None:
    page.set_up("8/P6k/8/8/8/8/8/K7 w - - 0 1")
    page.move("a7a8")
    page.wait_for("!document.getElementById('promotion').hidden")
    page.press("Escape")
    page.wait_for("document.getElementById('promotion').hidden")
    page.wait_for("document.querySelectorAll('#moves button').length === 0")
    page.wait_for_piece("a7", "white pawn")
    page.move("a7a8")
    x, y = page.wait_for(
        """(() => {
          const button = document.querySelector("#promotion [data-piece=r]");
          if (!button) return null;
          const box = button.getBoundingClientRect();
          return [box.x + box.width / 2, box.y + box.height / 2];
        })()"""
    )
    page.click(x, y)
    page.wait_for_moves("a8=R")
    page.wait_for_piece("a8", "white rook")


def test_castling_in_chess960_is_the_king_to_its_rook(page: BoardPage) -> None:
    page.set_up("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1")
    page.move("e1g1")
    page.wait_for_moves("O-O")
    page.wait_for_piece("g1", "white king")
    page.wait_for_piece("f1", "white rook")
    page.press_button("undo")
    page.wait_for_moves()
    page.move("e1b1")
    page.wait_for_moves("O-O-O")
    page.wait_for_piece("c1", "white king")
    page.wait_for_piece("d1", "white rook")


def test_a_bad_position_is_refused_and_the_game_stands(page: BoardPage) -> None:
    page.sit_on_both_sides()
    page.move("e2e4")
    page.wait_for_moves("e4")
    for fen, word in (("rubbish", "Bad FEN"), ("8/8/8/8/8/8/8/K7 w - - 0 1", "Black has no king")):
        page.run("document.getElementById('toasts').replaceChildren()")
        page.enter_fen(fen)
        assert word.lower() in page.toast().lower()
    page.wait_for_moves("e4")
    page.wait_for_piece("e4", "white pawn")
    page.run("document.getElementById('toasts').replaceChildren()")
    page.run("void (Blob.prototype.arrayBuffer = () => Promise.reject(new Error('a folder')))")
    page.drop_file("games", "1. d4 *")
    assert "games cannot be read" in page.toast()


def test_the_level_is_changed_in_the_middle_of_a_game(page: BoardPage) -> None:
    page.choose("seconds", "0.1")
    page.move("e2e4")
    page.wait_for("document.querySelectorAll('#moves button').length === 2")
    page.choose("level", "1500")
    name = "document.querySelector('#top-player .who').textContent"
    page.wait_for(f"{name}.includes('1500 Elo')")
    assert page.text("level-shown") == "1500 Elo"
    page.move("a2a3")
    page.wait_for("document.querySelectorAll('#moves button').length === 4")
    full = page.run("document.getElementById('level').max")
    assert full == str(MAX_ELO + 50)  # one step beyond the last level
    page.choose("level", full)
    page.wait_for(f"!{name}.includes('Elo')")


def test_black_resigns_and_a_clock_runs(page: BoardPage) -> None:
    for name, value in (("side", "black"), ("clock", "1+1"), ("seconds", "0.1")):
        page.choose(name, value)
    page.run("document.getElementById('new').requestSubmit()")
    page.wait_for("document.querySelectorAll('#moves button').length === 1")
    page.wait_for("document.getElementById('board').classList.contains('orientation-black')")
    clock = "document.querySelector('#bottom-player .clock')"
    page.wait_for(f"{clock}.classList.contains('runs') && /^0:\\d\\d/.test({clock}.textContent)")
    button = "document.getElementById('resign')"  # the second click has to come within seconds
    asked = page.run(f"({button}.click(), [{button}.textContent, {button}.click()][0])")
    assert asked == "Really resign?"
    page.wait_for("document.getElementById('status').textContent === '1–0: Black resigned.'")


def test_the_keyboard_is_enough(page: BoardPage) -> None:
    page.sit_on_both_sides()
    page.press("/")
    for san in ("e4", "e5"):
        page.call("Input.insertText", text=san)
        page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r")
        page.wait_for("document.getElementById('said').value === ''")
    page.wait_for_moves("e4", "e5")
    page.press("/")  # which is there already, and leads into no move
    page.call("Input.insertText", text="N")
    page.press("Escape")
    assert page.run("document.getElementById('said').value") == ""
    page.press("ArrowLeft")
    current = "document.querySelector('#moves [aria-current]')?.textContent"
    page.wait_for(f"{current} === 'e4'")
    page.press("Home")
    page.wait_for(f"{current} === undefined")
    page.press("End")
    page.wait_for(f"{current} === 'e5'")
    page.press("f")
    page.wait_for("document.getElementById('board').classList.contains('orientation-black')")
    page.press("u")
    page.wait_for_moves("e4")
    page.press("3")
    page.wait_for("!document.getElementById('learn').hidden")


def test_a_game_goes_in_and_out_as_pgn(page: BoardPage) -> None:
    game = '[White "Ann"]\\n[Black "Bob"]\\n[Result "0-1"]\\n\\n1. f3 e5 2. g4 Qh4# 0-1'
    page.run(f"document.getElementById('pgn').value = '{game}'")
    page.run("document.getElementById('set-pgn').requestSubmit()")
    page.wait_for_moves("f3", "e5", "g4", "Qh4#")
    assert page.run("document.querySelector('#bottom-player .who').textContent") == "Ann"
    page.run("document.getElementById('pgn').value = ''")
    page.press_button("show-pgn")
    written = page.wait_for("document.getElementById('pgn').value")
    assert '[White "Ann"]' in written and "2. g4 Qh4# 0-1" in written
    page.press_button("delete")
    page.wait_for_moves("f3", "e5", "g4")
    assert page.text("status") == "Black to move."


def test_a_game_is_chosen_walked_and_drawn_on(page: BoardPage) -> None:
    study = (
        '[White "Eve"]\n[Opening "Réti"]\n\n1. e4 { [%clk 0:01:00][%cal Gd2d4] best } ( 1. Nf3 d5 '
        "( 1... c5 ) ) 1... e5 *\n"
    )
    page.drop_file("month.pgn", f'[White "Ann"]\n\n1. c4 *\n\n{study}')
    page.wait_for("document.getElementById('chooser').open")
    assert page.text("chooser-title") == "2 games in month.pgn"
    page.call("Input.insertText", text="réti eve")
    page.wait_for("document.querySelectorAll('#chooser-games tr').length === 1")
    page.press("Enter")
    page.wait_for("document.querySelectorAll('#moves button').length === 5")
    assert page.run("document.getElementById('moves').innerText.replace(/\\s+/g, '')") == (
        "1.e41:00best1.Nf3d5(1...c5)1.…e5"
    )
    page.run("document.querySelectorAll('#moves button')[2].click()")  # d5
    page.wait_for_piece("d5", "black pawn")
    page.move("d2d4")
    page.wait_for("document.querySelectorAll('#moves button').length === 6")
    shapes = "document.querySelectorAll('#board .cg-shapes > g > *').length"
    page.drag("c1", "f4", "right")
    page.wait_for(f"{shapes} === 1")
    page.press_button("back")
    page.wait_for(f"{shapes} === 0")
    page.press_button("show-pgn")
    written = page.wait_for("document.getElementById('pgn').value")
    assert " ".join(written.split("\n\n")[1].split()) == (
        "1. e4 { [%clk 0:01:00][%cal Gd2d4] best } ( 1. Nf3 d5 ( 1... c5 ) 2. d4 { [%cal Gc1f4] } ) 1... e5 *"
    )
    page.press_button("choose-game")
    page.wait_for("document.getElementById('chooser').open")
    page.press("Escape")


def test_a_position_is_set_up_by_hand(page: BoardPage) -> None:
    page.sit_on_both_sides()
    page.press_button("edit")
    page.press_button("edit-empty")
    for name, square in (("white king", "a1"), ("black king", "a3"), ("white rook", "h7")):
        page.run(f"document.querySelector('#setup [aria-label=\"{name}\"]').click()")
        page.click(*page.place(square))
        page.wait_for_piece(square, name)
    page.press_button("edit-remove")
    page.click(*page.place("a3"))
    page.wait_for("document.querySelectorAll('#board piece:not(.fading):not(.ghost)').length === 2")
    page.press_button("edit-done")
    assert "black has no king" in page.toast().lower()
    page.press_button("edit-remove")
    page.run("document.querySelector('#setup [aria-label=\"black king\"]').click()")
    page.click(*page.place("a3"))
    page.wait_for_piece("a3", "black king")
    page.run("document.querySelector('#setup [aria-label=\"black king\"]').click()")
    page.drag("h7", "h4")
    page.wait_for_piece("h4", "white rook")
    page.choose("edit-turn", "b")
    page.press_button("edit-done")
    page.wait_for("document.getElementById('setup').hidden")
    assert page.run("document.getElementById('fen').value") == "8/8/8/8/7R/k7/8/K7 b - - 0 1"
    page.move("a3b3")
    page.wait_for_moves("Kb3")
    page.press_button("edit")
    page.press_button("edit-empty")
    page.press_button("undo")  # the game changes: the board is its own again
    page.wait_for_piece("a3", "black king")
    assert page.run("document.getElementById('setup').hidden")
    page.press_button("edit")
    page.press_button("edit-empty")
    page.press_button("tab-think")
    page.wait_for_piece("a3", "black king")
    assert page.run("document.getElementById('setup').hidden")


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_game_is_reviewed_and_its_mistake_becomes_an_exercise(
    browser: BoardPage, kernels: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    store = tmp_path / "boomslang" / "exercises.json"
    with BoardServer() as server:
        browser.open_page(server)
        browser.wait_for_server()
        browser.drop_file("mate.pgn", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0")
        browser.wait_for("document.querySelectorAll('#moves button').length === 7")
        browser.press_button("review")
        browser.wait_for("!document.getElementById('reviewing').hidden")
        browser.press_button("review-stop")
        label = "document.getElementById('review').textContent"
        browser.wait_for(f"{label}.startsWith('Go on')")
        assert "of 0" not in browser.text("review")
        browser.press_button("review")
        browser.wait_for("document.getElementById('review-said').textContent.includes(' of ')", 300)
        browser.visit(server.address, *WIDE)  # loaded again in the middle of it
        browser.wait_for("!document.getElementById('report').hidden", 300)
        assert browser.text("accuracy").startswith("Accuracy: White ")
        assert browser.run("document.querySelectorAll('#moves .verdict').length") >= 1
        for key in ["Home", *["ArrowRight"] * 5]:
            browser.press(key)
        browser.wait_for("document.getElementById('try').textContent === 'Try again: 3... Nf6'")
        for key in ("End", "ArrowUp", "t"):  # at any speed
            browser.press(key)
        browser.wait_for("document.getElementById('try-said').textContent.includes('Nf6 was')")
        browser.press_button("last")
        browser.wait_for("document.querySelector('#bar span').textContent === '1–0'")
        browser.press("ArrowUp")
        browser.wait_for("document.getElementById('try').textContent === 'Try again: 3... Nf6'")
        # A question: neither lines nor an arrow tell the answer.
        answer = "document.querySelectorAll('#lines li, #board .cg-shapes g g').length"
        assert browser.run(answer) == 0
        browser.press("e")
        browser.wait_for("document.getElementById('try-said').textContent.startsWith('Added')")
        assert "g8f6" in store.read_text()
        browser.press("t")
        large = browser.run("document.querySelector('#board').clientWidth")
        browser.wait_for("document.getElementById('game').classList.contains('trying')")
        said = "document.getElementById('try-said').textContent"
        browser.move("h7h6")
        browser.wait_for(f"{said}.startsWith('Wrong: h6')", 120)
        browser.wait_for_piece("h7", "black pawn")  # it is shown for a moment
        browser.type_move("g6")
        browser.wait_for(f"{said}.startsWith('Right: g6')", 120)
        assert browser.run("document.querySelector('#board').clientWidth") == large
        browser.wait_for(f"{answer} > 0")
        browser.run("document.activeElement.blur()")
        browser.press("4")  # an exercise has no report
        browser.wait_for("document.getElementById('exercise-task').textContent.includes('Nf6')")
        browser.wait_for(f"{answer} === 0 && !document.querySelector('.verdict')")
        assert browser.complaints == []


def test_it_is_seen_to_think(page: BoardPage) -> None:
    page.press_button("tab-think")
    page.wait_for("document.querySelectorAll('#lines li').length === 3")
    depth = "Number(document.getElementById('progress').textContent.match(/Depth (\\d+)/)?.[1])"
    first = page.run(depth)
    page.wait_for(f"{depth} > {first}")
    page.wait_for("document.querySelectorAll('#parts tbody tr').length >= 2")
    page.wait_for("document.querySelectorAll('#board svg.cg-shapes g g').length > 0")
    page.press_button("show-worth")
    assert page.run("document.querySelectorAll('#worth b').length") == 30
    # Chessground keeps squares that it no longer needs, hidden.
    marked = "document.querySelectorAll('#board square.last-move:not([style*=none])').length"
    x, y = page.run(
        """(() => {
          const box = document.querySelector("#lines button").getBoundingClientRect();
          return [box.x + 9, box.y + box.height / 2]; // where any first move is
        })()"""
    )
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)
    page.wait_for(f"{marked} === 2")
    page.call("Input.dispatchMouseEvent", type="mouseMoved", x=5, y=5)
    page.wait_for(f"{marked} === 0")
    page.run("document.getElementById('show-people').click()")
    page.wait_for("/^\\S+ \\d+ % · /.test(document.getElementById('people').textContent)")
    page.choose("evaluation", "classical")
    page.wait_for("document.querySelectorAll('#parts thead th').length === 5")
    assert "mobility" in page.text("parts")
    page.choose("count", "1")
    page.wait_for("document.querySelectorAll('#lines li').length === 1")


def test_the_chances_that_are_shown_add_up_to_100(page: BoardPage) -> None:
    page.run(
        "import(`${location.pathname}think.js`).then(({ Think }) =>"
        " Think.prototype.showChances.call({ showBar() {} }, [355, 466, 179], ''))"
    )
    assert page.text("chances").replace("drawn", "").split() == ["36", "%", "46", "%", "18", "%"]


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="there is no /proc")
def test_an_engine_that_dies_is_reported_and_replaced(page: BoardPage, server: BoardServer) -> None:
    page.press_button("tab-think")
    page.wait_for("document.querySelectorAll('#lines li').length === 3")
    page.run("void (window.setTimeout = () => 0)")  # so that what is said stays
    signal_all(engines(server), signal.SIGKILL)
    assert "died" in page.toast()
    page.run("document.getElementById('lines').replaceChildren()")
    page.wait_for("document.querySelectorAll('#lines li').length === 3")


@pytest.mark.parametrize("size", [WIDE, NARROW])  # at other widths: test_page_messages
def test_nothing_is_wider_than_the_window(
    browser: BoardPage, server: BoardServer, size: tuple[int, int]
) -> None:
    browser.open_page(server, size)
    browser.wait_for_server()
    for tab in ("play", "think", "learn"):
        browser.press_button(f"tab-{tab}")
        if tab == "think":
            browser.wait_for("document.querySelectorAll('#parts tbody tr').length >= 2")
        assert browser.run("document.documentElement.scrollWidth") <= size[0], tab
    assert browser.complaints == []


def test_a_page_that_is_loaded_again_finds_its_game(page: BoardPage, server: BoardServer) -> None:
    page.sit_on_both_sides()
    page.drop_file("two.pgn", "1. e4 *\n\n1. c4 *\n")
    page.wait_for("document.getElementById('chooser').open")
    page.press_button("chooser-close")
    page.move("d2d4")
    page.wait_for_moves("d4")
    page.visit(server.address, *WIDE)
    page.wait_for_moves("d4")
    page.wait_for("document.getElementById('choose-game').textContent === 'Games of two.pgn'")
    page.run("document.querySelectorAll('#chooser-games button')[1].click()")
    page.wait_for("document.getElementById('moves').textContent.includes('c4')")


def test_what_is_wanted_before_the_server_has_answered_is_refused_aloud(
    browser: BoardPage, server: BoardServer
) -> None:
    script = "window.WebSocket = class extends EventTarget { static OPEN = 1; readyState = 0 }"
    early = browser.call("Page.addScriptToEvaluateOnNewDocument", source=script)["identifier"]
    try:
        browser.open_page(server)
        for key in ["ArrowLeft", "ArrowRight", "Home", "End", *"fun123.c"]:
            browser.press(key)
        assert "nothing was sent" in browser.toast()
        assert browser.text("status") == "Connecting …"
        assert browser.complaints == []
    finally:
        browser.call("Page.removeScriptToEvaluateOnNewDocument", identifier=early)
