"""From scores to probabilities of win, draw and loss, and to displayed centipawns.

A position with score x (centipawns of the search, view of the side to move) and material m is won with
probability 1 / (1 + exp((a - x) / b)) and lost with probability 1 / (1 + exp((a + x) / b)); a(m) and b(m)
are cubic polynomials. So a is the score at which half of the games are won, and b is the width of the
transition. The form of the model is Stockfish's (its WDL model, 2020; by material since 2024); the numbers
in `eval.wdl.weights` were fitted to Boomslang's own games by `boomslang fit-wdl`.

Standard library only: the protocols use it before NumPy is imported.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Final

from boomslang.eval.wdl.weights import MATERIALS, MIDPOINT, PAWN, SPREAD

PIECE_VALUES: Final = (1, 3, 3, 5, 9, 0)  # pawn to king: the units of material
FULL_MATERIAL: Final = 78  # material of the start position
_MAX_EXPONENT: Final = 40.0  # larger exponents make no difference


def material(counts: Iterable[int]) -> int:
    """Material from the number of pawns, knights, bishops, rooks, queens, kings of both sides."""
    return sum(value * count for value, count in zip(PIECE_VALUES, counts, strict=True))


def to_cp(centipawns: int) -> int:
    """Convert a score of the search for display: 100 means a win in half of the games.

    That is exact for the average material at move 32 of self-play games. One scale for all positions keeps
    the order of scores, also across captures.
    """
    return round(centipawns * 100 / PAWN)


def parameters(material: int) -> tuple[float, float]:
    """The a and b of the model, in centipawns of the search."""
    lowest, highest = MATERIALS
    share = min(max(material, lowest), highest) / FULL_MATERIAL
    a, b = (((c3 * share + c2) * share + c1) * share + c0 for c0, c1, c2, c3 in (MIDPOINT, SPREAD))
    return a, b


def win_draw_loss(centipawns: int, material: int) -> tuple[int, int, int]:
    """Probabilities for the side to move, per mille; they sum to 1000."""
    a, b = parameters(material)
    win, loss = (round(1000 * _logistic((x - a) / b)) for x in (centipawns, -centipawns))
    return win, 1000 - win - loss, loss


def _logistic(x: float) -> float:
    return 1.0 / (1.0 + math.exp(min(max(-x, -_MAX_EXPONENT), _MAX_EXPONENT)))
