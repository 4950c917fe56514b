"""The root of the textbook search: its best lines, also of an aborted depth.

    search(depth):
        for each move, the best of the previous depth first:
            value = -alphabeta(position after it, with the value of the last of the best lines)
            if the value is larger: it is one of the best lines

The first move keeps its place until another has a larger value, so an aborted depth never gives a worse
result than the depth before. A `glance` is a cheaper search, in half of the time.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import partial
from math import inf
from typing import Final, NamedTuple

import chess

from boomslang.engine.textbook.alphabeta import (
    AlphaBetaFeatures,
    TranspositionDict,
    fail_soft,
    no_extension,
)
from boomslang.engine.textbook.chess_game import PIECE_VALUES, ChessGame, captures_first
from boomslang.engine.textbook.game import NodeCounter
from boomslang.engine.textbook.quiescence import extend_forced, quiesce

_EXCHANGES: Final = 2  # plies of exchanges in a glance: a capture and a recapture


class RootLine(NamedTuple):
    """Moves from the root, their value for the player to move there, and the depth of the search."""

    value: float
    depth: int
    moves: tuple[chess.Move, ...]


class RootSearch:
    """A position that is searched one ply deep, then two, three ...

    `moves` are the playable moves, the most promising first. `lines` are the best lines so far, up to the
    wanted number, each with another first move; empty before the first move has been searched.
    """

    def __init__(
        self, board: chess.Board, moves: Collection[chess.Move], wanted: int, counter: NodeCounter
    ) -> None:
        """Start at a board with the game so far on its stack; `moves` are the playable legal moves."""
        self._game = ChessGame(board, only=moves)
        memory: TranspositionDict[ChessGame] = TranspositionDict(captures_first)
        self._plan: AlphaBetaFeatures[ChessGame] = AlphaBetaFeatures(
            counter, memory.order, memory.learn, extend_forced, quiesce
        )
        self._wanted = wanted
        order = captures_first(self._game, self._game.moves())
        self.moves = sorted(order, key=lambda move: _is_given_away(board, move))
        self.lines: list[RootLine] = []

    def glance(self, depth: int) -> None:
        """As `search`, but with only the first exchanges behind the last ply."""
        settle = partial(quiesce, plies=_EXCHANGES)
        self._search(replace(self._plan, extend=no_extension, settle=settle), depth, depth - 1)

    def search(self, depth: int) -> None:
        """Search all moves `depth` plies deep and update `lines`; raises SearchInterruptedError."""
        self._search(self._plan, depth, depth + extend_forced(self._game) - 1)

    def _search(self, plan: AlphaBetaFeatures[ChessGame], depth: int, plies: int) -> None:
        """Search `plies` plies deep after each move; it counts as a search of depth `depth`."""
        plan.counter.visit()
        before, lines = self.lines, list[RootLine]()
        for move in self.moves:
            worst = lines[-1].value if len(lines) == self._wanted else -inf
            answer = fail_soft(self._game.play(move), plan, plies, -inf, -worst)
            if -answer.value <= worst:
                continue
            lines.append(RootLine(-answer.value, depth, (move, *answer.line)))
            lines.sort(key=lambda line: -line.value)
            del lines[self._wanted :]
            firsts = {line.moves[0] for line in lines}
            rest = [line for line in before if line.moves[0] not in firsts]
            self.lines = [*lines, *rest][: self._wanted]
        best = [line.moves[0] for line in self.lines]
        self.moves = [*best, *(move for move in self.moves if move not in best)]


def _is_given_away(board: chess.Board, move: chess.Move) -> bool:
    """True if the piece goes to an attacked square and captures, if at all, a less valuable piece."""
    mover = board.piece_type_at(move.from_square) or chess.PAWN
    victim = board.piece_type_at(move.to_square)
    gain = PIECE_VALUES[victim] if victim and board.color_at(move.to_square) != board.turn else 0
    return PIECE_VALUES[mover] > gain and board.is_attacked_by(not board.turn, move.to_square)
