"""What hands and eyes expect of the page: held keys, the bar at the end, focus, words that stay."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.board_page import BoardPage, resting_engines
from tests.support.board_server import BoardServer

pytestmark = pytest.mark.jit_only

MATE = '[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0'
CURRENT = "document.querySelector('#moves [aria-current]')?.textContent"


def shuffles(count: int) -> str:
    """A game of knights that go to and fro, too long for a repetition to be missed."""
    return " ".join(["Nf3 Nf6 Ng1 Ng8", "Nc3 Nc6 Nb1 Nb8"][number % 2] for number in range(count))


def test_every_key_press_is_a_step(page: BoardPage) -> None:
    page.drop_file("long.pgn", f"{shuffles(20)} *")
    page.wait_for("document.querySelectorAll('#moves button').length === 80")
    page.run("document.activeElement.blur()")
    page.press("Home")
    for _ in range(45):
        page.press("ArrowRight")
    for _ in range(10):
        page.press("ArrowLeft")
    where = "[...document.querySelectorAll('#moves button')].findIndex((it) => it.ariaCurrent)"
    page.wait_for(f"{where} === 34")
    page.run("document.querySelectorAll('#moves button')[60].click()")
    page.press("ArrowRight")
    page.press("ArrowRight")
    page.wait_for(f"{where} === 62")
    page.press("End")
    page.press("ArrowLeft")
    page.wait_for(f"{where} === 78")


@pytest.mark.slow
def test_a_held_key_ends_where_it_should(page: BoardPage) -> None:
    page.hold_arrow_keys()


@pytest.mark.slow
def test_the_bar_at_the_end_is_that_of_the_result(page: BoardPage) -> None:
    page.drop_file("mate.pgn", MATE)
    page.wait_for("document.querySelectorAll('#moves button').length === 7")
    page.press_button("tab-think")
    page.press_button("last")
    value = "document.getElementById('bar').getAttribute('aria-valuenow')"
    page.wait_for(f"{value} === '100'")
    assert page.run("document.querySelector('#bar span').textContent") == "1–0"
    assert "checkmate" in page.text("progress")
    page.press_button("back")
    page.wait_for("document.querySelectorAll('#lines li').length > 0")
    page.press_button("last")
    page.wait_for("document.querySelectorAll('#lines li').length === 0")
    page.press_button("tab-play")
    page.set_up("7k/8/5KQ1/8/8/8/8/8 w - - 0 1")
    page.press_button("tab-think")
    page.type_move("Qf7")
    page.wait_for(f"{value} === '50' && document.querySelector('#bar span').textContent === '½–½'")


def test_a_click_on_the_board_takes_the_keys_out_of_a_field(page: BoardPage) -> None:
    page.sit_on_both_sides()
    page.type_move("e4")
    page.wait_for_moves("e4")
    for name in ("said", "seat", "tab-play"):
        page.run(f"document.getElementById('{name}').focus()")
        page.click(*page.place("e5"))
        assert page.run("document.activeElement === document.body"), name
    page.press("u")
    page.wait_for_moves()


def test_what_is_said_stays_until_it_is_read_or_done(page: BoardPage, server: BoardServer) -> None:
    page.choose("seconds", "0.1")
    page.move("e2e4")
    page.wait_for("document.querySelectorAll('#moves button').length === 2")
    with resting_engines(server):
        page.move("a2a3")
        page.enter_fen("rubbish")
        assert "bad fen" in page.toast().lower()
    page.wait_for("document.querySelectorAll('#moves button').length === 4")
    assert "bad fen" in page.run("document.querySelector('#toasts .error').textContent").lower()
    page.drop_file("two.pgn", "1. e4 *\n\n1. c4 *\n")
    page.wait_for("document.getElementById('chooser').open")
    assert not page.run("document.getElementById('toasts').textContent")
    page.run("document.querySelectorAll('#chooser-games button')[1].click()")
    page.wait_for("document.getElementById('moves').textContent.includes('c4')")


def test_moves_have_names_and_are_one_stop_of_the_tab_key(page: BoardPage) -> None:
    clocks = "1. e4 { [%clk 0:02:58] } e5! { [%clk 0:03:00] } ( 1... c5 ) 2. Nf3 *"
    page.drop_file("clocks.pgn", clocks)
    page.wait_for("document.querySelectorAll('#moves button').length === 4")
    nodes: Any = page.call("Accessibility.getFullAXTree")["nodes"]
    names = [
        node["name"]["value"] for node in nodes if node.get("role", {}).get("value") == "button"
    ]
    assert {"e4, 2:58", "e5!, 3:00", "c5", "Nf3"} <= set(names)
    stops = "[...document.querySelectorAll('#moves button')].filter((it) => it.tabIndex === 0)"
    assert page.run(f"{stops}.map((it) => it.textContent)") == ["Nf3"]
    page.run(f"{stops}[0].focus()")
    page.press("ArrowLeft")
    page.wait_for(f"{stops}[0] === document.activeElement && {CURRENT}.startsWith('e5')")


def test_chapters_of_a_study_have_their_names_and_their_side(page: BoardPage) -> None:
    chapter = '[Event "Traps: {0}"]\n[White "?"]\n[Black "?"]\n{1}\n\n1. e4 *\n\n'
    study = chapter.format("Lasker", '[Orientation "black"]') + chapter.format("Elephant", "")
    study += chapter.format("x", '[ChapterName "Noah\'s Ark"]')
    page.drop_file("study.pgn", study)
    page.wait_for("document.getElementById('chooser').open")
    names = "[...document.querySelectorAll('#chooser-games button')].map((it) => it.textContent)"
    assert page.run(names) == ["Traps: Lasker", "Traps: Elephant", "Noah's Ark"]
    for number, side in enumerate(("black", "white")):
        page.run(f"document.querySelectorAll('#chooser-games button')[{number}].click()")
        page.wait_for(f"document.querySelector('#board.orientation-{side}') !== null")


def test_a_move_of_a_line_is_played_by_a_click(page: BoardPage) -> None:
    page.sit_on_both_sides()
    page.press_button("tab-think")
    line = page.wait_for(
        """(() => {
          const buttons = [...document.querySelectorAll("#lines li:first-child button")].slice(0, 3);
          buttons[2]?.click();
          return buttons[2] && buttons.map((button) => button.textContent);
        })()"""
    )
    page.wait_for(f"{CURRENT} === {json.dumps(line[2])}")
    page.wait_for_moves(*line)


@pytest.mark.slow
def test_a_line_is_one_stop_of_the_tab_key_and_hands_the_focus_on(page: BoardPage) -> None:
    page.sit_on_both_sides()
    page.press_button("tab-think")
    line = "[...document.querySelectorAll('#lines li:first-child button')]"
    page.wait_for(f"{line}.length > 3 && !{line}[0].focus()")  # from now on they stand still
    page.press("ArrowRight")
    page.press("ArrowRight")
    page.press("ArrowLeft")
    assert page.run(f"{line}.indexOf(document.activeElement)") == 1
    assert page.run(f"{line}.filter((it) => it.tabIndex === 0).length") == 1
    played = page.run("document.activeElement.textContent")
    page.run("document.activeElement.click()")
    page.wait_for(f"{CURRENT} === {json.dumps(played)} && document.activeElement.ariaCurrent")


def test_a_button_that_cannot_be_pressed_again_hands_the_focus_on(page: BoardPage) -> None:
    page.drop_file("a.pgn", "1. e4 ( 1. d4 ) e5 *")
    page.wait_for("document.querySelectorAll('#moves button').length === 3")
    press = "document.getElementById('{}').focus(), document.activeElement.click()"
    page.run("document.querySelector('#moves .variation button').click()")
    page.wait_for("!document.getElementById('promote').hidden")
    in_tree = "document.getElementById('moves').contains(document.activeElement)"
    for name in ("promote", "first"):
        page.run(press.format(name))
        page.wait_for(in_tree)
    page.run(
        "document.querySelector('#moves button').focus();"
        "document.getElementById('said').value = 'c4';"
        "document.getElementById('say').requestSubmit()"
    )
    page.wait_for("document.querySelectorAll('#moves button').length === 4")  # drawn anew
    assert page.run(in_tree)
    page.set_up("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    page.type_move("e4")
    page.wait_for_moves("e4")
    page.run(press.format("undo"))
    page.wait_for("document.activeElement.id === 'said'")


@pytest.mark.slow
def test_space_presses_what_has_the_focus_and_a_reload_stays_on_its_page(page: BoardPage) -> None:
    assert page.run("document.querySelectorAll('nav [tabindex=\"-1\"]').length") == 4
    page.press("2")
    page.run("document.querySelector('#glance summary').focus()")
    page.press(" ")
    page.wait_for("document.getElementById('glance').open")
    page.run("document.getElementById('show-people').focus()")
    page.press("f")
    page.wait_for("document.querySelector('#board.orientation-black') !== null")
    page.visit(page.run("location.href"), 1280, 860)
    page.wait_for("document.querySelectorAll('#lines li').length > 0")
    assert page.run("document.getElementById('tab-think').ariaSelected") == "true"


def test_the_clock_waits_for_the_first_move_and_a_page_begins_at_its_top(page: BoardPage) -> None:
    page.choose("clock", "1+1")
    page.run("document.getElementById('new').requestSubmit()")
    clock = "document.querySelector('#bottom-player .clock')"
    page.wait_for(f"{clock}.textContent === '1:00'")
    assert page.run("document.querySelector('.clock.runs')") is None
    page.move("e2e4")
    page.wait_for("document.querySelector('.clock.runs') !== null")
    page.resize(400, 500)
    page.run("scrollTo(0, 600)")
    page.press_button("tab-learn")
    assert page.run("scrollY") == 0


def test_a_premove_is_played_when_the_engine_has_moved(
    page: BoardPage, server: BoardServer
) -> None:
    page.choose("seconds", "0.1")
    page.move("e2e4")
    page.wait_for("document.querySelectorAll('#moves button').length === 2")
    with resting_engines(server):
        page.move("a2a3")
        page.wait_for("document.querySelectorAll('#moves button').length === 3")
        page.move("h2h3")
        page.wait_for("document.querySelectorAll('#board square.current-premove').length === 2")
    page.wait_for("document.querySelectorAll('#moves button').length === 6")
    assert page.run("document.querySelectorAll('#moves button')[4].textContent") == "h3"


def test_the_wheel_goes_through_the_game_and_material_is_shown(page: BoardPage) -> None:
    page.drop_file("gain.pgn", "1. e4 d5 2. exd5 Qxd5 3. Nc3 Qxg2 4. Bxg2 *")
    page.wait_for("document.querySelectorAll('#moves button').length === 7")
    below = "document.querySelector('#bottom-player .material')"
    assert page.run(f"{below}.textContent") == "♛ +8"
    label = page.run(f"{below}.getAttribute('aria-label')")
    assert label == "has 1 queen more, 8 pawns ahead"
    x, y = page.place("e4")
    for turn in (-100, -100, -100, 100):
        page.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=turn)
    page.wait_for(f"{CURRENT} === 'Nc3'")


def test_glyphs_and_comments_are_written_and_variations_changed(page: BoardPage) -> None:
    page.drop_file("a.pgn", "1. e4 { [%clk 0:01:00] } e5 ( 1... c5 2. Nf3 ) 2. d4 *")
    page.wait_for("document.querySelectorAll('#moves button').length === 5")
    page.press("Home")
    page.press("ArrowRight")
    page.wait_for(f"{CURRENT}?.startsWith('e4')")
    page.choose("glyph", "1")
    page.wait_for("document.querySelector('#moves button').textContent.startsWith('e4!')")
    page.choose("comment", "best {by} test")
    page.wait_for("document.querySelector('#moves .comment')?.textContent === 'best (by) test'")
    page.run("[...document.querySelectorAll('#moves button')].at(-2).click()")
    page.wait_for(f"{CURRENT} === 'Nf3'")
    page.press_button("promote")
    page.wait_for("document.getElementById('promote').hidden")
    page.run("document.querySelectorAll('#moves .variation button')[1].click()")
    page.wait_for(f"{CURRENT} === 'd4'")
    page.press_button("delete")
    page.wait_for("document.querySelectorAll('#moves button').length === 4")
    page.press_button("show-pgn")
    written = page.wait_for("document.getElementById('pgn').value")
    assert "1. e4 $1 { [%clk 0:01:00] best (by) test } 1... c5 ( 1... e5 ) 2. Nf3 *" in " ".join(
        written.split()
    )


def test_dialogs_hold_what_is_seldom_needed_and_choices_stay(page: BoardPage) -> None:
    page.press("?")
    assert page.run("document.getElementById('keys').open")
    page.run("document.querySelector('#keys [data-closes]').click()")
    king = "getComputedStyle(document.querySelector('#board piece.king')).backgroundImage"
    usual = page.run(king)
    page.choose("pieces", "plain")
    assert page.run(king) != usual
    page.choose("colours", "blue")
    style = "getComputedStyle(document.querySelector('#board cg-board')).backgroundImage"
    assert "conic-gradient" in page.run(style)
    page.press_button("focus")
    page.visit(page.run("location.href"), 1280, 860)
    page.wait_for("document.querySelectorAll('#board piece').length > 0")
    assert "conic-gradient" in page.run(style) and page.run(king) != usual
    assert page.run("getComputedStyle(document.querySelector('#right header')).display") == "none"
    page.press("z")
    page.wait_for_server()
    page.choose("colours", "brown")
    page.choose("pieces", "burnett")
    page.choose("style", "solid")
    page.run("document.getElementById('new').requestSubmit()")
    page.wait_for_answers()
    page.visit(page.run("location.href"), 1280, 860)
    page.wait_for("document.getElementById('style').value === 'solid'")


def test_what_is_refused_is_said_in_its_dialog_and_a_new_game_closes_it(page: BoardPage) -> None:
    page.run("document.querySelector('[data-opens=load]').click()")
    assert page.run("document.activeElement.id") == "pgn"
    page.enter_fen("rubbish")
    page.wait_for("document.querySelector('#load .error') !== null")
    assert page.run("document.getElementById('fen').value") == "rubbish"
    page.enter_fen("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
    page.wait_for("!document.getElementById('load').open")
    page.wait_for("document.querySelector('#right > #toasts')?.textContent === ''")


@pytest.mark.slow
def test_a_game_is_as_it_was_when_exercises_are_left(page: BoardPage) -> None:
    sides = "[...document.querySelectorAll('.player')].map((row) => row.dataset.side).join()"
    page.sit_on_both_sides()
    page.press_button("flip")
    assert page.run(sides) == "white,black"
    page.press_button("tab-practise")
    page.wait_for(
        f"document.getElementById('exercise-task').textContent && {sides} === 'black,white'"
    )
    page.press_button("tab-play")
    page.wait_for(f"{sides} === 'white,black'")
    page.press_button("tab-practise")
    page.wait_for(f"{sides} === 'black,white'")
    page.choose("side", "black")
    page.run("document.getElementById('new').requestSubmit()")
    page.wait_for("document.getElementById('tab-play').ariaSelected === 'true'")
    page.wait_for(
        f"{sides} === 'white,black' && document.getElementById('exercise-task').textContent === ''"
    )


@pytest.mark.slow
def test_buttons_of_a_game_are_one_row(page: BoardPage) -> None:
    rows = """new Set([...document.querySelectorAll('#game-actions button, #note > *')]
      .filter((it) => it.offsetHeight).map((it) => it.parentElement.id + it.offsetTop)).size"""
    page.resize(1280, 800)
    page.move("e2e4")
    page.wait_for("document.querySelectorAll('#moves button').length === 2")
    assert page.run(rows) == 1
    page.press_button("back")
    page.wait_for("!document.getElementById('cut').hidden")
    assert page.run(rows) == 1
    page.drop_file("variation.pgn", "1. e4 ( 1. d4 ) e5 *")
    page.wait_for("document.querySelectorAll('#moves .variation button').length === 1")
    page.run("document.querySelector('#moves .variation button').click()")
    page.wait_for("!document.getElementById('promote').hidden")
    assert page.run(rows) == 2  # with glyph and comment


@pytest.mark.parametrize(
    "size", [(390, 844), (1280, 800), pytest.param((1920, 1080), marks=pytest.mark.slow)]
)
def test_board_and_moves_are_on_one_screen(page: BoardPage, size: tuple[int, int]) -> None:
    page.press_button("tab-think")
    page.resize(*size)
    page.wait_for("document.querySelectorAll('#lines li').length > 0")
    seen = """['#frame', '#lines li', '#moves', '#first'].every((name) => {
      const box = document.querySelector(name).getBoundingClientRect();
      return box.top >= 0 && box.bottom <= innerHeight && box.height > 20;
    })"""
    page.wait_for(seen)
    side = page.run("document.getElementById('board').clientWidth")
    assert side >= 0.83 * min(size)
    page.resize(1280, 860)
