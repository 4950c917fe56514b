"""Learn, in a real browser: trees are drawn and stepped through."""

from __future__ import annotations

import pytest

from tests.support.board_page import BoardPage

pytestmark = pytest.mark.jit_only


@pytest.mark.parametrize(
    "algorithm", [pytest.param("minimax", marks=pytest.mark.slow), "quiescence"]
)
def test_a_tree_is_drawn_and_stepped_through(page: BoardPage, algorithm: str) -> None:
    page.press_button("tab-learn")
    page.choose("algorithm", algorithm)
    page.run("document.getElementById('lesson').requestSubmit()")
    page.wait_for("document.getElementById('narration').textContent.startsWith('Done')")
    nodes = "document.querySelectorAll('#tree .node').length"
    whole = page.run(nodes)
    assert whole == 40 if algorithm == "minimax" else 15 < whole < 40
    page.press_button("step-first")
    assert page.run(nodes) <= 1
    for step in range(1, 6):
        page.press_button("step-forward")
        assert page.run("Number(document.getElementById('step').value)") == step
    assert 1 < page.run(nodes) < whole
    if algorithm == "minimax":
        assert page.run("document.getElementById('step-cut').hidden")
    else:
        page.press_button("step-cut")
        assert page.text("narration").startswith("Cut-off.")
        assert page.run("document.querySelectorAll('#tree .left-out').length") > 0
    page.press_button("step-play")
    page.wait_for("document.getElementById('narration').textContent.startsWith('Done')")
    page.wait_for("document.querySelectorAll('#counts .name').length === 4")


def test_the_game_of_22_is_proven_by_chance(page: BoardPage) -> None:
    page.press_button("tab-learn")
    page.choose("subject", "22")
    page.choose("algorithm", "mcts")
    page.choose("playouts", "300")
    page.run("document.getElementById('lesson').requestSubmit()")
    page.wait_for("document.getElementById('narration').textContent.includes('the root = 0')")
    page.press_button("step-first")
    page.press_button("step-forward")
    assert page.text("narration").startswith("Playout 1:")


def test_the_space_bar_runs_whatever_was_clicked_before(page: BoardPage) -> None:
    page.sit_on_both_sides()
    page.type_move("e4")
    page.wait_for_moves("e4")
    page.press_button("tab-learn")
    done = "document.getElementById('narration').textContent.startsWith('Done')"
    page.run("document.querySelector('#lesson [type=submit]').focus()")
    page.run("document.getElementById('lesson').requestSubmit()")
    page.wait_for("document.activeElement.id === 'step-play'")
    for clicked in ("#step-play", "#moves button"):
        page.run(f"document.querySelector('{clicked}').focus()")
        page.press(",")
        page.wait_for(f"!{done}")
        page.press(" ")
        page.wait_for(done)


@pytest.mark.slow
def test_the_horizon_example(page: BoardPage) -> None:
    page.press_button("tab-learn")
    page.choose("subject", "horizon")
    page.run("document.getElementById('lesson').requestSubmit()")
    page.wait_for(
        "document.getElementById('narration').textContent.includes('plays Qc8+, worth +10.99')"
    )
    page.wait_for("document.querySelectorAll('#counts .name').length === 4")
    page.choose("algorithm", "quiescence")
    page.run("document.getElementById('lesson').requestSubmit()")
    page.wait_for("document.getElementById('narration').textContent.includes('plays Rf1')")
