"""How the moves and scores of a game are written, some two bytes a ply; in kernels.

A move is one byte, its place in the list that `engine.core.board.movegen.generate` writes. So a damaged game
may be another game but never an illegal one; and whoever changes the order of that list makes the old
files unreadable, which the mark at the end of each game tells. A score follows as what it differs by
from the one before it, both White's view: the sign goes into the lowest bit, and seven bits at a time
into bytes, the low ones first, of which all but the last have the high bit set.

A game may stray: another move is played than the best. Then STRAYS comes first, the best move and its
score next, and the move that is played last.

Behind a ply there may be a sideline, which leads from that position to another one, beside the game:
SIDELINE, the number of its moves, these, and the best move and the score where they end. That score too is
written as what it differs by from the game's last one; the game goes on as if nothing had been there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.engine.core.board.position import CASTLING, NORMAL, MoveList, Position
from boomslang.engine.core.constants import EMPTY, ONE, ZERO, I, U
from boomslang.engine.core.system.jit import jit
from boomslang.eval.data.records import DECIDED, IN_CHECK, IN_SIDELINE, NOISY, RANDOM

LONGEST_SIDELINE: Final = 6  # moves
LONGEST_PLY: Final = 6  # bytes: a stray, and a score that is as far from the last as 16 bits go
LONGEST_BOTH: Final = LONGEST_PLY + LONGEST_SIDELINE + 6  # with its sideline
RANDOM_MOVES: Final = U(255)  # no place in any list of moves
SIDELINE: Final = U(254)  # neither
LARGEST_SCORE: Final = I(32767)

_SEVEN_BITS: Final = U(127)
_MORE: Final = U(128)
_FACTOR_1: Final = U(0x9E3779B97F4A7C15)
_FACTOR_2: Final = U(0xBF58476D1CE4E5B9)


@dataclass(frozen=True, slots=True)
class PositionFilter:
    """Which positions of a game are taken; by default those that are fit to learn an evaluation from."""

    first_ply: int = 16  # the random moves are forgotten by then
    score_below: int = DECIDED
    in_check: bool = False
    noisy: bool = False  # the best move takes or promotes
    random: bool = False  # nobody has scored the position
    sidelines: bool = True  # ends of them too: the game's result is not theirs
    half_life: float = 0.0  # plies after which a later score says half as much; 0: it says nothing

    @property
    def unwanted(self) -> int:
        """Bits of `traits` that a position must not have."""
        bits = 0 if self.in_check else int(IN_CHECK)
        bits |= 0 if self.noisy else int(NOISY)
        bits |= 0 if self.sidelines else int(IN_SIDELINE)
        return bits | (0 if self.random else int(RANDOM))

    def takes(self, records: npt.NDArray[np.void]) -> npt.NDArray[np.bool_]:
        """Which of some RECORDs are taken, bool[n]."""
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
ALL: Final = PositionFilter(0, int(LARGEST_SCORE) + 1, True, True, True)


@jit
def is_chosen(
    traits: np.uint64,
    ply: np.int64,
    score: np.int64,
    first_ply: np.int64,
    score_below: np.int64,
    unwanted: np.uint64,
) -> bool:
    """True if a `PositionFilter` takes a position."""
    return bool(traits & unwanted == ZERO and ply >= first_ply and abs(score) < score_below)


@jit
def is_fit(position: Position, move: np.uint64, ply: np.int64, score: np.int64) -> bool:
    """True if FIT takes a POSITION with the best move and its score there."""
    return is_chosen(traits_of(position, move), ply, score, _FIRST, _BELOW, _UNWANTED)


@jit
def traits_of(position: Position, move: np.uint64) -> np.uint64:
    """What is special about a position and the move that is played in it, bits of RECORD.traits."""
    kind = move >> U(14)
    taken = U(position.board[move >> U(6) & U(63)])
    noisy = taken != EMPTY if kind == NORMAL else kind != CASTLING
    traits = NOISY if noisy else ZERO
    return traits | IN_CHECK if position.checkers else traits


@jit
def mark_of(position: Position, move: np.uint64) -> np.uint64:
    """16 bits that a game which is played differently would hardly end with."""
    mixed = (position.by_colour[ZERO] ^ move) * _FACTOR_1
    mixed = (mixed ^ (mixed >> U(31)) ^ position.by_colour[ONE]) * _FACTOR_2
    return mixed >> U(48)


@jit
def write_move(body: Any, place: np.int64, moves: MoveList, move: np.uint64) -> np.int64:
    """Write a move of the list `moves`, in place; returns the index behind it."""
    index = ZERO
    while U(moves.move[index]) != move:
        index += ONE
    body[U(place)] = index
    return place + I(1)


@jit
def write_score(body: Any, place: np.int64, change: np.int64) -> np.int64:
    """Write by how much a score has changed, in place; returns the index behind it."""
    left = U((change << I(1)) ^ (change >> I(63)))
    while left > _SEVEN_BITS:
        body[U(place)] = (left & _SEVEN_BITS) | _MORE
        place += I(1)
        left >>= U(7)
    body[U(place)] = left
    return place + I(1)
