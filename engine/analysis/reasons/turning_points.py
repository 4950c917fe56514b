"""Turns of a game: from won to level, from better to worse.

The state after the move is seen by two searches, and so is the one before it if it nearly was a worse one.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import chess

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reason import Reason, ReasonKind
from boomslang.engine.analysis.reasons.candidate import (
    NEAR,
    SURE,
    ProofQuestion,
    ReasonCandidate,
    line_words,
)
from boomslang.engine.analysis.segment import Segment
from boomslang.engine.analysis.win_percent import win_chance
from boomslang.engine.analyst import AnalysedPosition, Evaluation

_COST: Final = 8.0  # winning chances in per cent that the search after the reply must see lost


class State(IntEnum):
    """A game from one player's view."""

    LOST, WORSE, LEVEL, BETTER, WON = range(5)


_MIN_CHANCE: Final = {
    State.LOST: 0.0,
    State.WORSE: 20.0,
    State.LEVEL: 42.0,
    State.BETTER: 58.0,
    State.WON: 80.0,
}


def state_of(chance: float) -> State:
    """The state by winning chances in per cent."""
    return max(state for state, least in _MIN_CHANCE.items() if chance >= least)


def turning_point(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """A worse state, if a search after the best reply agrees, and a long one before the move in doubt.

    `history` is the board before the move, with the game so far.
    """
    before, after = state_of(move.chance_before), state_of(move.chance_after)
    reply = list(move.after.best.pv[:1])
    if after >= before or not reply:
        return None
    end = history.copy()
    end.push(move.move)
    words = line_words(end, reply)
    end.push(reply[0])
    if end.is_game_over():
        return None
    text = f"{_beginning(before, after)}: after {words} {_ending(move.board.turn, after)}."
    reason = Reason(ReasonKind.TURN, text, (reply[0].uci(),), False)

    def is_so(found: Evaluation) -> bool:
        chance = win_chance(found.best.score.to_chess())  # the mover's turn again
        return state_of(chance) == after and chance <= move.chance_before - _COST

    def was_so(found: Evaluation) -> bool:
        return state_of(win_chance(found.best.score.to_chess())) >= before

    questions = [ProofQuestion(Segment(AnalysedPosition.of(end)), is_so)]
    if move.chance_before < _MIN_CHANCE[before] + NEAR:
        at_start = Segment(AnalysedPosition.of(history), effort=SURE)
        questions.append(ProofQuestion(at_start, was_so))
    return ReasonCandidate(reason, tuple(questions))


def _beginning(before: State, after: State) -> str:
    if before == State.WON:
        return "Gives away the win"
    if before == State.BETTER:
        return "Gives away the advantage" if after == State.LEVEL else "Turns the game round"
    return "Loses the balance" if before == State.LEVEL else "Leads to a lost game"


def _ending(mover: chess.Color, after: State) -> str:
    own, other = ("White", "Black") if mover == chess.WHITE else ("Black", "White")
    return {
        State.LOST: f"{other} is winning",
        State.WORSE: f"{other} is better",
        State.LEVEL: "the game is level",
        State.BETTER: f"{own} is only better",
        State.WON: f"{own} is winning",
    }[after]
