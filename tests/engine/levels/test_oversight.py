"""Which line a level says it has overlooked."""

from __future__ import annotations

import chess
import pytest

from boomslang.engine.levels.oversight import OVERLOOKED, oversight
from boomslang.engine.levels.sight import Sight
from boomslang.engine.limits import Info, Score

BOARD = chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")


def line(centipawns: int, *moves: str) -> Info:
    """A line of thinking."""
    pv = tuple(map(chess.Move.from_uci, moves))
    return Info(9, 9, 1, Score(centipawns), "", 1, 1, 0, 0, 0, pv)


@pytest.mark.parametrize(
    ("chosen", "best", "seen", "told"),
    [
        (-20, 300, (), "1. Ra7"),  # as good as any other move: the better one was overlooked
        (-20, 300, (1,), "1...Kd7"),  # which was seen: then the chosen one looked better than it is
        (-300, 10, (), "1...Kd7"),
        (-300, 10, (0,), "1. Ra7"),
        (-300, 10, (0, 1), ""),
        (-20, 100, (), ""),
    ],
)
def test_what_made_the_difference_is_told(
    chosen: int, best: int, seen: tuple[int, ...], told: str
) -> None:
    others = [line(0, move) for move in ("e1d1", "e1e2", "e1f1")]
    sight = Sight(BOARD, [line(chosen, "a1a2", "e8d7"), line(best, "a1a7"), *others], [])
    remark = oversight(sight, 0, lambda number: number in seen)
    assert remark == (OVERLOOKED + told if told else "")


def test_a_repetition_that_was_shunned_was_not_overlooked() -> None:
    board = BOARD.copy()
    for move in ("a1a7", "e8d8", "a7a1"):
        board.push_uci(move)
    found = [line(100, "d8c8"), line(690, "d8e8"), line(0, "d8d7")]
    games = chess.Board(board.fen()), board
    remarks = [oversight(Sight(game, found, []), 0, lambda _: False) for game in games]
    assert remarks == [OVERLOOKED + "2...Ke8", ""]
