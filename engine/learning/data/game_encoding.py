"""The encoding of the moves and scores of a game, some two bytes per ply; in kernels.

A move is one byte, its index in the list that `core.board.movegen.generate` writes. So a damaged
game may be another game but never an illegal one. A change of the order of that list makes old files
unreadable, which the mark at the end of each game detects. The score follows as the difference to the
score before, both White's view: the sign in the lowest bit, then seven bits per byte, low ones first; all
bytes but the last have the high bit set.

A random move may be played instead of the best. Then RANDOM_MOVES comes first, the best move and its score
next, and the played move last.

Behind a ply there may be a sideline, which leads from that position to another one beside the game:
SIDELINE, the number of its moves, the moves, and the best move and the score at its end. That score too is
the difference to the game's last score; the game continues as if the sideline were not there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import EMPTY, ONE, ZERO, I, U
from boomslang.core.board.position import CASTLING, NORMAL, MoveList, Position
from boomslang.core.jit.jit import jit
from boomslang.engine.learning.data.records import DECIDED, IN_CHECK, IN_SIDELINE, NOISY, RANDOM

MAX_SIDELINE: Final = 6  # moves
MAX_PLY: Final = 6  # bytes: a random move, and the largest difference of 16-bit scores
MAX_BOTH: Final = MAX_PLY + MAX_SIDELINE + 6  # with its sideline
RANDOM_MOVES: Final = U(255)  # not an index in any move list
SIDELINE: Final = U(254)  # not an index either
MAX_SCORE: Final = I(32767)

_SEVEN_BITS: Final = U(127)
_MORE: Final = U(128)
_FACTOR_1: Final = U(0x9E3779B97F4A7C15)
_FACTOR_2: Final = U(0xBF58476D1CE4E5B9)


@dataclass(frozen=True, slots=True)
class PositionFilter:
    """Selects positions of a game; by default those usable for training an evaluation."""

    first_ply: int = 16  # beyond the influence of the random opening
    score_below: int = DECIDED
    in_check: bool = False
    noisy: bool = False  # the best move is a capture or promotion
    random: bool = False  # the position has no score
    sidelines: bool = True  # ends of sidelines, for which the game's result is not valid
    half_life: float = 0.0  # plies after which a later score has half the weight; 0: no weight

    @property
    def unwanted(self) -> int:
        """Bits of `traits` that a position must not have."""
        bits = 0 if self.in_check else int(IN_CHECK)
        bits |= 0 if self.noisy else int(NOISY)
        bits |= 0 if self.sidelines else int(IN_SIDELINE)
        return bits | (0 if self.random else int(RANDOM))

    def takes(self, records: npt.NDArray[np.void]) -> npt.NDArray[np.bool_]:
        """Which RECORDs are selected, bool[n]."""
        sizes = np.abs(records["score"].astype(np.int64))
        taken: npt.NDArray[np.bool_] = (
            (records["traits"] & self.unwanted == 0)
            & (records["ply"] >= self.first_ply)
            & (sizes < self.score_below)
        )
        return taken


FIT: Final = PositionFilter()
FIT_OF_GAMES: Final = PositionFilter(sidelines=False)
_FIRST: Final = I(FIT.first_ply)
_BELOW: Final = I(FIT.score_below)
_UNWANTED: Final = U(FIT.unwanted)
ALL: Final = PositionFilter(0, int(MAX_SCORE) + 1, True, True, True)


@jit
def is_chosen(
    traits: np.uint64,
    ply: np.int64,
    score: np.int64,
    first_ply: np.int64,
    score_below: np.int64,
    unwanted: np.uint64,
) -> bool:
    """True if a `PositionFilter` selects a position."""
    return bool(traits & unwanted == ZERO and ply >= first_ply and abs(score) < score_below)


@jit
def is_fit(position: Position, move: np.uint64, ply: np.int64, score: np.int64) -> bool:
    """True if FIT selects a POSITION with this best move and score."""
    return is_chosen(traits_of(position, move), ply, score, _FIRST, _BELOW, _UNWANTED)


@jit
def traits_of(position: Position, move: np.uint64) -> np.uint64:
    """Traits of a position and the move played in it, bits of RECORD.traits."""
    kind = move >> U(14)
    taken = U(position.board[move >> U(6) & U(63)])
    noisy = taken != EMPTY if kind == NORMAL else kind != CASTLING
    traits = NOISY if noisy else ZERO
    return traits | IN_CHECK if position.checkers else traits


@jit
def mark_of(position: Position, move: np.uint64) -> np.uint64:
    """A 16-bit checksum of the end of a game, which a wrongly decoded game is unlikely to match."""
    mixed = (position.by_colour[ZERO] ^ move) * _FACTOR_1
    mixed = (mixed ^ (mixed >> U(31)) ^ position.by_colour[ONE]) * _FACTOR_2
    return mixed >> U(48)


@jit
def write_move(body: Any, place: np.int64, moves: MoveList, move: np.uint64) -> np.int64:
    """Encode a move of the list `moves`, in place; returns the index behind it."""
    index = ZERO
    while U(moves.move[index]) != move:
        index += ONE
    body[U(place)] = index
    return place + I(1)


@jit
def write_score(body: Any, place: np.int64, change: np.int64) -> np.int64:
    """Encode the change of a score, in place; returns the index behind it."""
    left = U((change << I(1)) ^ (change >> I(63)))
    while left > _SEVEN_BITS:
        body[U(place)] = (left & _SEVEN_BITS) | _MORE
        place += I(1)
        left >>= U(7)
    body[U(place)] = left
    return place + I(1)
