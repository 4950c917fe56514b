"""What a level sees of the lines that the search has found.

Each line is somebody's idea: of the player, if it is better than the position in general, else of the
opponent. Following it costs effort, move by move, and mostly for the moves of the side whose idea it is;
the answers come by themselves. A level follows its own ideas as far as its *reach*, those of the opponent as
far as its *caution*. It overlooks the rest, and judges the line by the material won or lost until then and by
a first look: how much better or worse than usual the move is for a search of depth 1. What it never overlooks
is that a move repeats a position of the game.

The efforts are how much harder a move makes a puzzle for people: a linear regression of the ratings of
1,898 puzzles of Lichess on their solutions, in units of one move (200 points of puzzles). Reach and caution
are fitted to games.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import median
from typing import Final

import chess

from boomslang.engine.levels.piece_values import POINTS
from boomslang.engine.levels.style import is_backward
from boomslang.engine.limits import Info, Score

_PAWN: Final = 100  # centipawns

# Efforts, in moves
_QUIET_FIRST: Final = 0.85  # neither a capture nor a check, and the first move of its side
_QUIET: Final = 0.1  # any later one
_CHECK_FIRST: Final = -0.4
_TAKEN: Final = -0.1  # for each pawn that the captured piece is worth
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
_TACTICAL: Final = 200  # centipawns: a larger difference is a tactic, which is seen or not
_MIN_REVERSIBLE: Final = 3  # plies before a move that repeats a position


@dataclass(frozen=True, slots=True)
class View:
    """A line as it looks the further it is followed, without the first look; worths in centipawns."""

    is_own: bool  # an idea of the player's
    efforts: tuple[float, ...]  # rising: the effort at which one more move is seen, in moves
    worths: tuple[float, ...]  # before each of them, and that of the whole line

    def seen(self, reach: float, caution: float) -> int:
        """How many of the efforts are made; all of them: the whole line is seen."""
        return bisect_right(self.efforts, reach if self.is_own else caution)


class Sight:
    """The lines of one search, as somebody looks at them. All scores in centipawns."""

    def __init__(self, board: chess.Board, lines: Sequence[Info], first: Sequence[Info]) -> None:
        """`lines` are those of the last depth, `first` those of the first; each has a move."""
        self.board, self.epd = board, board.epd()
        self.lines = lines
        walks = [_walk(board, line.pv) for line in lines]
        self.even = median(
            min(max(plain(line.score), -_DECIDED), _DECIDED) - walk[-1][1]
            for line, walk in zip(lines, walks, strict=True)
        )  # the position in general
        self.views = [self._view(line, walk) for line, walk in zip(lines, walks, strict=True)]
        self._repeats = _find_repeats(board, lines)
        looks = {line.pv[0]: plain(line.score) for line in first}
        usual = median(looks.values()) if looks else 0.0
        self.looks = [looks.get(line.pv[0], usual) - usual for line in lines]

    def is_seen(self, number: int, reach: float, caution: float) -> bool:
        """True if a line, by its number from 0, is followed to its end."""
        view = self.views[number]
        return view.seen(reach, caution) == len(view.efforts)

    def worth(self, number: int, reach: float, caution: float, trust: float) -> float:
        """The apparent worth of a line, by its number from 0, for a reach and a caution in moves.

        `trust` is how much the first look can add or subtract, centipawns.
        """
        view = self.views[number]
        seen = view.seen(reach, caution)
        look = max(-trust, min(trust, self.looks[number])) if seen < len(view.efforts) else 0.0
        return self._limit(number, view.worths[seen] + look)

    def score(self, number: int) -> float:
        """The score of a line, by its number from 0; no more than a draw if it repeats a position."""
        return self._limit(number, plain(self.lines[number].score))

    def _limit(self, number: int, worth: float) -> float:
        """No more than a draw for a move that repeats a position: so it ends if it goes on."""
        return min(worth, 0.0) if self._repeats[number] else worth

    def _view(self, line: Info, walk: Sequence[tuple[float, int]]) -> View:
        *steps, (_, gain) = walk
        score = plain(line.score)
        is_own = score >= self.even
        efforts = [
            effort * (1 if (ply % 2 == 0) == is_own else _ANSWER)
            for ply, (effort, _) in enumerate(steps)
        ]
        worths = [self.even + so_far for _, so_far in steps]
        if line.score.mate is not None:
            efforts[-1] += _MATE
        elif abs(score - self.even - gain) >= _TACTICAL:
            efforts.append(_REMAINDER)
            worths.append(self.even + gain)
        rising = accumulate((max(total, _MIN_EFFORT) for total in accumulate(efforts)), max)
        return View(is_own, tuple(rising), (*worths, score))


def plain(score: Score) -> float:
    """A score in centipawns, a mate too."""
    if score.mate is None:
        return float(score.centipawns or 0)
    return math.copysign(_MATE_WORTH - _MATE_STEP * min(abs(score.mate), _MAX_MATE), score.mate)


def _find_repeats(board: chess.Board, lines: Sequence[Info]) -> list[bool]:
    """For each line, if the position after its first move has been in the game already."""
    if board.halfmove_clock < _MIN_REVERSIBLE:
        return [False] * len(lines)
    after, repeats = board.copy(stack=board.halfmove_clock), list[bool]()
    for line in lines:
        after.push(line.pv[0])
        repeats.append(after.is_repetition(2))
        after.pop()
    return repeats


def effort(board: chess.Board, move: chess.Move, before: chess.Move | None, first: bool) -> float:
    """The effort of finding a move, `first` for the first move of its side; `before` is the last move.

    What has just moved is captured without effort: whoever sees a capture sees the exchange.
    """
    taken = _count_taken(board, move)
    if taken and before and before.to_square == move.to_square:
        return _MIN_EFFORT
    check = board.gives_check(move)
    files = abs(chess.square_file(move.to_square) - chess.square_file(move.from_square))
    ranks = chess.square_rank(move.to_square) - chess.square_rank(move.from_square)
    piece = board.piece_type_at(move.from_square) or chess.PAWN
    total = 1 + _TAKEN * taken
    if not taken and not check:
        total += _QUIET_FIRST if first else _QUIET
    if first:
        total += _CHECK_FIRST * check
        total += _BACKWARD_FIRST * is_backward(board, move)
    total += _DIAGONAL * (files == abs(ranks) > 1) + _FAR * (max(files, abs(ranks)) > 3)
    total += _PROMOTION * bool(move.promotion)
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
