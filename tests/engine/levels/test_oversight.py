"""Which line a level says it has overlooked."""

from __future__ import annotations

import chess
import pytest

from boomslang.engine.levels.oversight import OVERLOOKED, oversight
from boomslang.engine.limits import Info, Score

BOARD = chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")


def line(centipawns: int, *moves: str) -> Info:
    """A line of thinking."""
    pv = tuple(map(chess.Move.from_uci, moves))
    return Info(9, 9, 1, Score(centipawns), "", 1, 1, 0, 0, 0, pv)


@pytest.mark.parametrize(
    ("chosen", "best", "told"),
    [
        (-20, 300, "1. Ra7"),  # as good as any other move: the better one is missed
        (-300, 10, "1...Kd7"),  # worse than usual: the answer is missed
        (-20, 100, ""),
        (800, 1500, ""),  # won all the same
    ],
)
def test_what_made_the_difference_is_told(chosen: int, best: int, told: str) -> None:
    others = [line(0, move) for move in ("e1d1", "e1e2", "e1f1")]
    found = [line(chosen, "a1a2", "e8d7"), line(best, "a1a7"), *others]
    assert oversight(BOARD, found, 0) == (OVERLOOKED + told if told else "")
