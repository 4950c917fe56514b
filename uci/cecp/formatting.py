"""Output of CECP: thinking lines, moves, statistics."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import chess

from boomslang.engine.limits import Info, Score
from boomslang.eval.wdl import conversion

MATE: Final = 100_000  # the score of a mate in N moves is MATE + N

# Behind a blank, or python-chess would not read the move before it.
_BOUNDS: Final = {"": "", "lowerbound": " !", "upperbound": " ?"}


def score(value: Score) -> int:
    """Centipawns on the scale of `eval.wdl.conversion.to_cp`; mates are beyond all other scores."""
    if value.mate is None:
        return conversion.to_cp(value.centipawns or 0)
    return value.mate + (MATE if value.mate > 0 else -MATE)


def thinking_line(info: Info, board: chess.Board) -> str:
    """Ply, score, time, nodes, selective depth, speed, table hits, and after a tab the moves."""
    numbers = f"{info.depth} {score(info.score)} {info.time // 10} {info.nodes}"
    more = f"{info.seldepth} {info.nps} {info.tbhits}"
    return f"{numbers} {more}\t{' '.join(_moves(info, board))}{_BOUNDS[info.bound]}"


def over_line(board: chess.Board) -> str:
    """A thinking line for a position without legal moves: mate or stalemate."""
    return f"0 {-MATE if board.is_check() else 0} 0 0 0 0 0\t"


def _moves(info: Info, board: chess.Board) -> Iterator[str]:
    after = board.copy(stack=False)
    for move in info.pv:
        yield after.xboard(move)
        after.push(move)
