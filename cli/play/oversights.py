"""What a level says it has overlooked, kept until the game is over: before, it would be a hint."""

from __future__ import annotations

from typing import Final

import chess

from boomslang.engine.levels.oversight import OVERLOOKED

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
        told = [
            (len(before), words)
            for (root, before), words in self._kept.items()
            if root == start and len(before) < len(moves) and moves[: len(before)] == before
        ]
        self._kept.clear()
        return told
