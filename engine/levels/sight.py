"""What a level sees of the lines that the search has found.

Each line is somebody's idea: of the player, if it is better than the position in general, else of the
opponent. Following it costs effort, move by move, and mostly for the moves of the side whose idea it is;
the answers come by themselves. A level follows its own ideas as far as its *reach*, those of the opponent as
far as its *caution*. It overlooks the rest, and judges the line by the material won or lost until then.

The efforts are how much harder a move makes a puzzle for people: a linear regression of the ratings of
1,898 puzzles of Lichess on their solutions, in units of one move (200 points).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate
from statistics import median
from typing import Final

import chess

from boomslang.engine.levels.piece_values import POINTS
from boomslang.engine.limits import Info, Score

_PAWN: Final = 100  # centipawns

# Efforts, in moves
_QUIET_FIRST: Final = 0.85  # neither a capture nor a check, and the first move of its side
_QUIET: Final = 0.1  # any later one
_CHECK_FIRST: Final = -0.4
_TAKEN: Final = -0.1  # for each pawn that the captured piece is worth
_RECAPTURE: Final = -0.27
_BACKWARD_FIRST: Final = 0.3
_DIAGONAL: Final = 0.12
_FAR: Final = 0.05  # more than three squares
_EN_PRISE: Final = 0.15  # the piece can be captured, and is worth more than what it has captured
_PROMOTION: Final = -0.9
_MATE: Final = -0.6  # the last move of a line to mate
_MIN_EFFORT: Final = 0.05
_ANSWER: Final = 0.15  # share of the effort, for the moves of the other side
_REMAINDER: Final = 0.5  # what the score says beyond the end of the line

_MATE_WORTH: Final = 10_000  # centipawns
_MATE_STEP: Final = 100  # centipawns for each move that it takes
_MAX_MATE: Final = 50  # moves
_DECIDED: Final = 1000  # centipawns
_POSITIONAL: Final = 50  # centipawns that a judgement without a tactic may differ
_TACTICAL: Final = 200  # centipawns: a larger difference is a tactic, which is seen or not


class Sight:
    """The lines of one search, as somebody looks at them. All scores in centipawns."""

    def __init__(self, board: chess.Board, lines: Sequence[Info]) -> None:
        self._walks = [_walk(board, line.pv) for line in lines]
        self._scores = [plain(line.score) for line in lines]
        self._mates = [line.score.mate is not None for line in lines]
        quiet = (
            min(max(score, -_DECIDED), _DECIDED) - walk[-1][1]
            for score, walk in zip(self._scores, self._walks, strict=True)
        )
        self._even = median(quiet)  # the position in general

    def worth(self, number: int, reach: float, caution: float) -> float:
        """The apparent worth of a line, by its number from 0, for a reach and a caution in moves."""
        *walk, (_, gain) = self._walks[number]
        score, is_mate = self._scores[number], self._mates[number]
        rest = score - self._even - gain
        judged = max(-_POSITIONAL, min(_POSITIONAL, rest)) if abs(rest) < _TACTICAL else 0.0
        is_own = score >= self._even
        seen = reach if is_own else caution
        efforts = [
            effort * (1 if (ply % 2 == 0) == is_own else _ANSWER)
            for ply, (effort, _) in enumerate(walk)
        ]
        if is_mate:
            efforts[-1] = efforts[-1] + _MATE
        for (_, so_far), effort in zip(walk, accumulate(efforts), strict=True):
            if max(effort, _MIN_EFFORT) > seen:
                return self._even + so_far + judged
        if not is_mate and abs(rest) >= _TACTICAL and sum(efforts) + _REMAINDER > seen:
            return self._even + gain
        return score


def plain(score: Score) -> float:
    """A score in centipawns, a mate too."""
    if score.mate is None:
        return float(score.centipawns or 0)
    return math.copysign(_MATE_WORTH - _MATE_STEP * min(abs(score.mate), _MAX_MATE), score.mate)


def effort(board: chess.Board, move: chess.Move, before: chess.Move | None, first: bool) -> float:
    """The effort of finding a move, `first` for the first move of its side; `before` is the last move."""
    taken = _count_taken(board, move)
    check = board.gives_check(move)
    files = abs(chess.square_file(move.to_square) - chess.square_file(move.from_square))
    ranks = chess.square_rank(move.to_square) - chess.square_rank(move.from_square)
    piece = board.piece_type_at(move.from_square) or chess.PAWN
    total = 1 + _TAKEN * taken
    if not taken and not check:
        total += _QUIET_FIRST if first else _QUIET
    if first:
        total += _CHECK_FIRST * check
        total += _BACKWARD_FIRST * (ranks < 0 if board.turn == chess.WHITE else ranks > 0)
    total += _DIAGONAL * (files == abs(ranks) > 1) + _FAR * (max(files, abs(ranks)) > 3)
    total += _PROMOTION * bool(move.promotion)
    total += _RECAPTURE * bool(taken and before and before.to_square == move.to_square)
    if POINTS[piece] > taken and board.attackers(not board.turn, move.to_square):
        total += _EN_PRISE
    return max(total, _MIN_EFFORT)


def _walk(board: chess.Board, moves: Sequence[chess.Move]) -> list[tuple[float, int]]:
    """For each move of a line its effort, and the gain of material before it; the gain at the end last."""
    board = board.copy(stack=False)
    steps = list[tuple[float, int]]()
    gain, before = 0, None
    for ply, move in enumerate(moves):
        steps.append((effort(board, move, before, ply < 2), gain))
        won = _count_taken(board, move) + (POINTS[move.promotion] - 1 if move.promotion else 0)
        gain += won * _PAWN * (1 if ply % 2 == 0 else -1)
        board.push(move)
        before = move
    return [*steps, (0.0, gain)]


def _count_taken(board: chess.Board, move: chess.Move) -> int:
    """Pawns that a capture wins; 0 for other moves."""
    if not board.is_capture(move):
        return 0
    return POINTS[board.piece_type_at(move.to_square) or chess.PAWN]
