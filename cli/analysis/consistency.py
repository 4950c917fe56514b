"""Whether the evaluations before and after a move agree, or both need a longer search."""

from __future__ import annotations

from typing import Final

from chess.engine import Score

from boomslang.cli.analysis.win_percent import Judgement, judgement_of, win_chance

TOLERANCE: Final = 5.0  # winning chances in per cent: the least that is judged
SEVERE: Final = (Judgement.MISTAKE, Judgement.BLUNDER)


def contradicts(before: Score, after: Score, is_best: bool) -> bool:
    """True if a move seems to gain winning chances, or the best move to lose some.

    Both scores are in the mover's view. No move can gain: the score before it is that of the best one.
    """
    change = win_chance(after) - win_chance(before)
    return change >= TOLERANCE or (is_best and change <= -TOLERANCE)


def is_severe(before: Score, after: Score, is_best: bool) -> bool:
    """True if the move is a mistake or a blunder by these scores."""
    return not is_best and judgement_of(before, after) in SEVERE
