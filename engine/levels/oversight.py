"""What a level has overlooked, in words: by the search from which it drew its move.

It is kept until the game is over: before, it would be a hint.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median
from typing import Final

import chess

from boomslang.engine.limits import Info, Score

OVERLOOKED: Final = "overlooked: "  # begins such a remark
_WORTH_TELLING: Final = 150  # centipawns lost
_DECIDED: Final = 700  # centipawns: beyond, nothing changes
_PLIES: Final = 4  # of a line that are told
_MATE_WORTH: Final = 10_000  # centipawns
_MATE_STEP: Final = 100  # centipawns for each move that it takes
_MAX_MATE: Final = 50  # moves


def oversight(board: chess.Board, lines: Sequence[Info], number: int) -> str:
    """A remark about a move that is much worse than the best one; empty for others.

    It has the line that the move misses: the opponent's answer, if that costs so much compared with the
    position in general (the median of all moves), or the better move. `number` is that of the line played.
    """
    scores = [plain(line.score) for line in lines]
    best, score = max(scores), scores[number]
    if best - score < _WORTH_TELLING or score > _DECIDED or best < -_DECIDED:
        return ""
    played, better = lines[number].pv, lines[scores.index(best)].pv
    if median(scores) - score < _WORTH_TELLING or len(played) == 1:
        return OVERLOOKED + board.variation_san(better[:_PLIES])
    after = board.copy(stack=False)
    after.push(played[0])
    return OVERLOOKED + after.variation_san(played[1 : _PLIES + 1])


def plain(score: Score) -> float:
    """A score in centipawns, a mate too."""
    if score.mate is None:
        return float(score.centipawns or 0)
    return math.copysign(_MATE_WORTH - _MATE_STEP * min(abs(score.mate), _MAX_MATE), score.mate)


OPTION: Final = "Tell Oversights"


class Oversights:
    """The remarks of one level about its own moves."""

    def __init__(self) -> None:
        # By the start position and the moves before.
        self._kept: dict[tuple[str, tuple[chess.Move, ...]], str] = {}

    def forget(self, board: chess.Board) -> None:
        """Forget what was said of an earlier move in a position, as another one comes, of either side."""
        self._kept.pop((board.root().fen(), tuple(board.move_stack)), None)

    def note(self, board: chess.Board, remark: str) -> None:
        """Keep what the engine has said about its move in a position; other remarks are not kept."""
        if remark.startswith(OVERLOOKED):
            line = remark.removeprefix(OVERLOOKED)
            self._kept[board.root().fen(), tuple(board.move_stack)] = f"I missed {line}"

    def tell(self, board: chess.Board) -> list[tuple[int, str]]:
        """What was overlooked in this game, with the number of the move from 0; it is told once.

        Moves that were taken back are left out.
        """
        if not self._kept:
            return []
        start, moves = board.root().fen(), tuple(board.move_stack)
        remarks = [
            (len(before), words)
            for (root, before), words in self._kept.items()
            if root == start and len(before) < len(moves) and moves[: len(before)] == before
        ]
        self._kept.clear()
        return remarks
