"""Messages of the page, the choice after a typed promotion, and contrast in both themes."""

from __future__ import annotations

import json
import time

import pytest

from tests.support.board_page import WIDE, BoardPage
from tests.support.board_server import BoardServer

pytestmark = pytest.mark.jit_only

QUEENING = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1"
OPEN = "!document.getElementById('promotion').hidden"
CLOSED = "document.getElementById('promotion').hidden"
TOASTS = "[...document.querySelectorAll('#toasts p')].map((shown) => shown.textContent)"


def press_enter(page: BoardPage) -> None:
    page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r")
    page.call("Input.dispatchKeyEvent", type="keyUp", key="Enter")


def test_a_typed_promotion_offers_the_choice(page: BoardPage) -> None:
    for typed, key, san in (
        ("a8", "q", "a8=Q"),
        ("a7a8", "n", "a8=N"),
        ("axb8", "r", "axb8=R+"),
        ("a8+", "b", "a8=B"),
        ("a7b8", "n", "axb8=N"),
        ("a8", "Enter", "a8=Q"),
        ("Chess960: axb8", "n", "axb8=N"),
    ):
        page.set_up("1n2k3/P7/8/8/8/8/8/1R2K3 w B - 0 1" if ":" in typed else QUEENING)
        page.wait_for_moves()
        page.type_move(typed.removeprefix("Chess960: "))
        page.wait_for(OPEN)
        assert page.heard("Promote to")[1]["modal"]
        if key == "Enter":
            press_enter(page)
        else:
            page.press(key)
        page.wait_for_moves(san)
        assert page.run("document.activeElement.id") == "said"


def test_a_typed_piece_is_not_asked_for(page: BoardPage) -> None:
    for typed, san in (("a8=R", "a8=R"), ("a8n", "a8=N"), ("a7a8b", "a8=B")):
        page.set_up(QUEENING)
        page.wait_for_moves()
        page.type_move(typed)
        page.wait_for_moves(san)
        assert page.run(CLOSED)


def test_the_choice_stays_within_its_four_until_it_is_over(page: BoardPage) -> None:
    page.set_up(QUEENING)
    page.type_move("a8")
    page.wait_for(OPEN)
    seen = []
    for _ in range(5):
        seen.append(page.run("document.activeElement.dataset.piece"))
        page.press("Tab")
    assert seen == ["q", "r", "b", "n", "q"]
    page.press("u")  # no command now
    page.press("Escape")
    page.wait_for(CLOSED)
    assert page.run("document.activeElement.id") == "said"
    page.wait_for_moves()
    page.type_move("a8")
    page.wait_for(OPEN)
    page.set_up("8/8/8/8/8/8/7k/K7 w - - 0 1")  # another game: there is nothing to choose
    page.wait_for(CLOSED)


def test_what_is_typed_wrongly_is_quoted_as_it_was_typed(page: BoardPage) -> None:
    page.set_up("4k3/P7/8/8/8/8/8/K7 w - - 0 1")
    page.type_move("axb8")
    assert page.toast() == "“axb8” is not legal here."


def test_old_messages_go_when_something_new_happens(page: BoardPage) -> None:
    page.sit_on_both_sides()
    page.type_move("e5")
    assert "e5" in page.toast()
    page.type_move("Ke3")
    page.wait_for(f"{TOASTS}.some((words) => words.includes('Ke3'))")
    assert len(page.run(TOASTS)) == 1
    page.type_move("e4")
    page.wait_for_moves("e4")
    assert page.run(TOASTS) == []
    page.type_move("e4")
    page.toast()
    page.press_button("back")
    page.wait_for("!document.getElementById('last').disabled")
    assert page.run(TOASTS) == []


@pytest.mark.slow
def test_a_problem_of_a_lesson_goes_with_the_next_one(page: BoardPage) -> None:
    page.press_button("tab-learn")
    idea = page.text("idea")
    page.choose("depth", "8")
    page.choose("width", "0")
    page.run("document.getElementById('lesson').requestSubmit()")
    page.wait_for(f"document.getElementById('idea').textContent !== {json.dumps(idea)}")
    page.choose("depth", "1")
    page.run("document.getElementById('lesson').requestSubmit()")
    page.wait_for("!document.getElementById('drawing').hidden")
    assert page.text("idea") == idea


def test_nothing_goes_on_when_the_server_is_gone(browser: BoardPage, kernels: None) -> None:
    with BoardServer() as server:
        browser.open_page(server)
        browser.wait_for_server()
        browser.choose("clock", "5+3")
        browser.run("document.getElementById('new').requestSubmit()")
        browser.wait_for("!document.querySelector('#bottom-player .clock').hidden")
        browser.move("e2e4")
        browser.wait_for("document.querySelector('.clock.runs') !== null")
        browser.press_button("tab-think")
    browser.wait_for("document.getElementById('status').textContent === 'Not connected.'")
    assert browser.text("progress") == "Not connected."
    clock = "[...document.querySelectorAll('.clock')].map((shown) => shown.textContent)"
    assert browser.run("document.querySelector('.clock.runs')") is None
    before = browser.run(clock)
    time.sleep(1.2)
    assert browser.run(clock) == before
    assert not browser.run("document.getElementById('banner').hidden")


BOXES = """(() => {
  const box = document.querySelector("#board cg-container").getBoundingClientRect();
  return [box.left, box.right, box.height, document.documentElement.scrollWidth];
})()"""


WIDTHS = [320, 360, 390, 414, 600, 768, 844, 896, 897, 1024, 1280, 1440]


def test_the_board_is_whole_at_any_width(page: BoardPage) -> None:
    for width in WIDTHS:
        page.resize(width, height := 390 if width == 844 else 860)
        for tab in ("learn", "think", "play"):
            page.press_button(f"tab-{tab}")
            whole = f"left >= 0 && right <= {width} && all <= {width} && high <= {height}"
            large = f"right - left > {0.35 * min(width, height)}"
            # The bar that is not shown leaves its place to the board.
            alone = (
                f"left <= 8 && {width} - right <= 40" if width <= 600 and tab != "think" else "true"
            )
            page.wait_for(f"(([left, right, high, all]) => {whole} && {large} && {alone})({BOXES})")
    page.resize(*WIDE)


def luminance(colour: str) -> float:
    """Of a colour as a browser tells it, by the WCAG."""
    parts = [float(part) / 255 for part in colour[colour.index("(") + 1 : -1].split(",")[:3]]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_what_is_white_or_black_has_an_edge(page: BoardPage) -> None:
    page.press_button("tab-think")
    page.wait_for("document.querySelectorAll('#lines li').length === 3")
    for scheme in ("dark", "light"):
        page.prefer(scheme)
        for part, around in (("#bar", "body"), ("#chances", "body"), ("#lines .score", "body")):
            edge, width, ground = page.run(
                f"""(() => {{
                  const style = getComputedStyle(document.querySelector("{part}"));
                  const around = getComputedStyle(document.querySelector("{around}"));
                  return [style.borderTopColor, style.borderTopWidth, around.backgroundColor];
                }})()"""
            )
            assert width == "1px" and contrast(edge, ground) >= 3, (part, scheme)
