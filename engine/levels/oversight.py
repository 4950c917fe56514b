"""What a level has overlooked, in words: by the search from which it chose its move.

It is kept until the game is over: before, it would be a hint.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import chess

from boomslang.engine.levels.sight import Sight

OVERLOOKED: Final = "overlooked: "  # begins such a remark
_WORTH_TELLING: Final = 150  # centipawns lost
_DECIDED: Final = 700  # centipawns: beyond, nothing changes
_PLIES: Final = 4  # of a line that are told


def oversight(sight: Sight, number: int, is_seen: Callable[[int], bool]) -> str:
    """A remark about a move that is much worse than the best one; empty if nothing was overlooked.

    It has the line that was not seen: the opponent's answer, if that costs so much compared with the position
    in general, or the better move. `number` is that of the line that was chosen, and `is_seen` tells of a
    line, by its number, whether it was seen to its end.
    """
    scores = [sight.score(other) for other in range(len(sight.lines))]
    best, score = max(scores), scores[number]
    if best - score < _WORTH_TELLING or score > _DECIDED or best < -_DECIDED:
        return ""
    missed, line = scores.index(best), sight.lines[number].pv
    is_hidden = len(line) > 1 and not sight.views[number].is_own and not is_seen(number)
    if is_hidden and (sight.even - score >= _WORTH_TELLING or is_seen(missed)):
        board = sight.board.copy(stack=False)
        board.push(line[0])
        return OVERLOOKED + board.variation_san(line[1 : _PLIES + 1])
    if is_seen(missed):
        return ""
    return OVERLOOKED + sight.board.variation_san(sight.lines[missed].pv[:_PLIES])


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
            self._kept[board.root().fen(), tuple(board.move_stack)] = f"I did not see {line}"

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
