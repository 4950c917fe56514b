"""What each step of the search saves."""

from __future__ import annotations

import chess
import pytest

from boomslang.cli.lab.comparisons import steps_command as command
from boomslang.engine.comparisons.steps import PLAIN, STEPS, Step, steps
from boomslang.engine.search import params

START = chess.STARTING_FEN
MATE = "k7/8/1K6/8/8/8/8/7R w - - 0 1"


def test_every_rule_that_can_be_off_is_turned_on_once() -> None:
    assert all((param.turned_on in STEPS) == (param.off is not None) for param in params.TABLE)


def test_branching_and_what_lies_beyond() -> None:
    step = Step("", (20, 400, 8000))
    assert step.depth == 3
    assert step.branching == pytest.approx(20)
    assert step.nodes_to(2) == 400
    assert step.nodes_to(5) == pytest.approx(8000 * 400)


@pytest.mark.jit_only
def test_steps_of_two_positions() -> None:
    seen: list[None] = []
    found = list(
        steps([chess.Board(START), chess.Board(MATE)], 6, 20_000, lambda: seen.append(None))
    )
    assert len(found) == len(PLAIN) + len(STEPS) and len(seen) == 2 * len(found)
    assert found[0].nodes[0] == sum(
        1 + chess.Board(fen).legal_moves.count() for fen in (START, MATE)
    )
    assert found[0].nodes[-1] > found[1].nodes[found[0].depth - 1]
    assert all(list(step.nodes) == sorted(step.nodes) for step in found)
    assert found[0].depth < found[3].depth < found[-1].depth == 6


@pytest.mark.jit_only
def test_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--positions", "1", "--nodes", "3000", "--depth", "4"]) == 0
    told = capsys.readouterr().out
    assert "1 position, 3,000 nodes each" in told and "~" in told and "+ extensions" in told
    assert command.main(["--depth", "1"]) == 2
