"""Winning chances from scores, accuracy, and judgements of moves.

The formulas are those that Lichess publishes at https://lichess.org/page/accuracy and in the source of its
analysis (lila, scalachess); they were fitted to human games. Scores are those of python-chess, from the
view of the player concerned; chances and accuracies are in percent.

An engine that says win, draw and loss (WDL) is judged by them: `judged_score` is the score that has these
chances on Lichess's curve, so that every formula holds. What is compared follows one rule, `by_wdl`: it is
settled before an analysis begins, by the options of the engines.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Final

from chess.engine import Cp, Score

from boomslang.engine.search_settings import PRESETS

if TYPE_CHECKING:
    from boomslang.engine.analyst import Evaluation
    from boomslang.engine.limits import Info

Thresholds = tuple[float, ...]  # losses in per cent that make an inaccuracy, a mistake, a blunder
LICHESS: Final[Thresholds] = PRESETS["lichess"]
TOLERANCE: Final = 5.0  # winning chances in per cent: the least that is judged
# That a move loses beyond an inaccuracy if no longer search is to find it good: half of the nodes more
# did so with 8 of 22 losses of up to 2, and with none of 50 larger ones (40,000 nodes); eight times the
# nodes with one of 5.6.
_CLEAR: Final = 6.0
CEILING: Final = 1000  # centipawns; larger scores and mates count as this
_STEEPNESS: Final = 0.00368208  # slope of the logistic curve, per centipawn
_ROUNDING: Final = 1.0  # points of accuracy for the uncertainty of the scores
_WINDOWS: Final = (2, 8)  # minimum and maximum size of the sliding window
_WEIGHTS: Final = (0.5, 12.0)  # minimum and maximum weight of a move
_CRUSHING, _WINNING = 999, 700  # leads in centipawns with which a missed mate matters little
WON: Final = 80.0  # winning chance in percent from which a position counts as won
BETTER, LEVEL, WORSE = 58.0, 42.0, 20.0  # and as better, level, worse
_SHORT_MATE: Final = 3  # moves
_MATE: Final = 100_000  # as centipawns, where a number is needed
_MIN_SHARE: Final = 0.001  # WDL is said per mille


class Judgement(StrEnum):
    """The judgement of a move that loses winning chances."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class State(IntEnum):
    """A game from one player's view."""

    LOST, WORSE, LEVEL, BETTER, WON = range(5)


SEVERE: Final = (Judgement.MISTAKE, Judgement.BLUNDER)
SIGNS: Final[Mapping[Judgement | None, str]] = {
    Judgement.INACCURACY: "?!",
    Judgement.MISTAKE: "?",
    Judgement.BLUNDER: "??",
}


def clip_score(score: Score) -> int:
    """Centipawns clipped to -CEILING .. CEILING; a mate is one of the bounds."""
    return min(max(_centipawns(score), -CEILING), CEILING)


def win_chance(score: Score) -> float:
    """The winning chance, a draw counting half: 2.5 to 97.5 %."""
    return 100 * _curve(clip_score(score))


def judged_score(line: Info, by_wdl: bool) -> Score:
    """The score by which a line is judged: that of the engine, or the one of its WDL; mates are mates."""
    if not (by_wdl and line.wdl) or line.score.mate is not None:
        return line.score.to_chess()
    wins, draws, losses = line.wdl
    share = (wins + draws / 2) / (wins + draws + losses)
    share = min(max(share, _MIN_SHARE), 1 - _MIN_SHARE)
    return Cp(round(math.log(share / (1 - share)) / _STEEPNESS))


def scores_around(before: Evaluation, after: Evaluation, by_wdl: bool) -> tuple[Score, Score]:
    """The scores by which a move between two positions is judged, from the mover's view."""
    return judged_score(before.best, by_wdl), -judged_score(after.best, by_wdl)


def state_of(chance: float) -> State:
    """The state by winning chances in per cent."""
    return State(sum(chance >= least for least in (WORSE, LEVEL, BETTER, WON)))


def accuracy(before: float, after: float) -> float:
    """The accuracy of a move: 100 if it kept the winning chance, 0 if it lost all of it."""
    if after >= before:
        return 100.0
    raw = 103.1668100711649 * math.exp(-0.04354415386753951 * (before - after)) - 3.166924740191411
    return min(max(raw + _ROUNDING, 0.0), 100.0)


def game_accuracy(
    runs: Iterable[tuple[Sequence[float], bool]],
) -> tuple[float | None, float | None]:
    """The accuracy of White and of Black over a game; None for a player without moves.

    Each run is White's chances in successive positions, and whether White is to move in the first; there are
    several where a position between has none. The result is the average of the weighted mean and the harmonic
    mean of the moves. The weight of a move is the standard deviation of the chances in a window that slides
    over the run.
    """
    moves: tuple[list[float], list[float]] = ([], [])
    weights: tuple[list[float], list[float]] = ([], [])
    for chances, white_begins in runs:
        width = min(max((len(chances) - 1) // 10, _WINDOWS[0]), _WINDOWS[1])
        sliding = [chances[i : i + width] for i in range(max(len(chances) - width + 1, 1))]
        windows = [chances[:width]] * (min(width, len(chances)) - 2) + sliding
        white = white_begins
        for before, after, window in zip(chances, chances[1:], windows, strict=False):
            side = 0 if white else 1
            moves[side].append(accuracy(before, after) if white else accuracy(after, before))
            weights[side].append(min(max(statistics.pstdev(window), _WEIGHTS[0]), _WEIGHTS[1]))
            white = not white
    return _blend(moves[0], weights[0]), _blend(moves[1], weights[1])


def _blend(accuracies: list[float], weights: list[float]) -> float | None:
    if not accuracies:
        return None
    weighted = statistics.fmean(accuracies, weights)
    harmonic = statistics.harmonic_mean([max(value, 1.0) for value in accuracies])
    return (weighted + harmonic) / 2


def judgement_of(before: Score, after: Score, thresholds: Thresholds = LICHESS) -> Judgement | None:
    """The judgement of a move that was not the engine's choice; both scores from the mover's view.

    For mates the score without them decides: being mated in a lost position costs little, and so does missing
    a mate in a won one.
    """
    if is_winning_mate(before):
        return None if is_winning_mate(after) else _judgement_of_mate(_centipawns(after))
    if before.is_mate() or is_winning_mate(after):
        return None
    if after.is_mate():
        return _judgement_of_mate(-_centipawns(before))
    loss = 100 * (_curve(_centipawns(before)) - _curve(_centipawns(after)))
    return judgement_of_loss(loss, thresholds)


def judgement_of_loss(loss: float, thresholds: Thresholds = LICHESS) -> Judgement | None:
    """The judgement by the loss of winning chances alone, percent."""
    falling = zip(reversed(Judgement), reversed(thresholds), strict=True)
    return next((judgement for judgement, least in falling if loss >= least), None)


def lenient_judgement_of(
    before: Score, after: Score, thresholds: Thresholds = LICHESS
) -> Judgement | None:
    """`judgement_of`, but milder where a side wins also without the mate that it missed or was allowed.

    Then a mate in two or three is an inaccuracy, and a longer one nothing: king and rook win against a king
    whether or not the search has seen the mate already. Nor is there a judgement where no chances were lost.
    """
    judgement = judgement_of(before, after, thresholds)
    mating, without = (before, after) if is_winning_mate(before) else (-after, -before)
    if not judgement or not is_winning_mate(mating) or without.is_mate():
        return judgement
    if win_chance(without) < WON:
        return judgement
    distance = mating.mate() or 0
    if distance > _SHORT_MATE or clip_score(without) == CEILING:
        return None
    return judgement if distance == 1 else Judgement.INACCURACY


def is_winning_mate(score: Score) -> bool:
    """True if the score is a mate by this player, possibly on the board."""
    return score.is_mate() and score > Cp(0)


def _judgement_of_mate(lead: int) -> Judgement:
    """The judgement of a missed or allowed mate; `lead` is the mating side's score without it, centipawns."""
    if lead > _CRUSHING:
        return Judgement.INACCURACY
    return Judgement.MISTAKE if lead > _WINNING else Judgement.BLUNDER


def _centipawns(score: Score) -> int:
    return score.score(mate_score=_MATE)


def _curve(centipawns: int) -> float:
    """The winning chance, from 0 to 1."""
    return 1 / (1 + math.exp(-_STEEPNESS * centipawns))


def contradicts(before: Score, after: Score, is_best: bool) -> bool:
    """True if a move seems to gain winning chances, or the best move to lose some.

    Both scores are in the mover's view. No move can gain: the score before it is that of the best one.
    """
    change = win_chance(after) - win_chance(before)
    return change >= TOLERANCE or (is_best and change <= -TOLERANCE)


def is_barely_blamed(
    before: Score, after: Score, is_best: bool, thresholds: Thresholds = LICHESS
) -> bool:
    """True if the move is judged by these scores, but may not be by those of a longer search."""
    is_clear = win_chance(before) - win_chance(after) >= thresholds[0] + _CLEAR
    return not (is_best or is_clear) and bool(lenient_judgement_of(before, after, thresholds))
