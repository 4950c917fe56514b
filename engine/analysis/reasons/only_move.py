"""The only good move, proved by a search of all others."""

from __future__ import annotations

from typing import Final

import chess

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reason import Reason, ReasonKind
from boomslang.engine.analysis.reasons.candidate import (
    NEAR,
    SURE,
    VERY_SURE,
    ProofQuestion,
    ReasonCandidate,
    line_words,
)
from boomslang.engine.analysis.segment import Segment
from boomslang.engine.analysis.win_percent import BETTER, LEVEL, WON, win_chance
from boomslang.engine.analyst import AnalysedPosition

_COST: Final = 8.0  # winning chances in per cent that every other move loses
_WORDS: Final = ((WON, "kept the win"), (BETTER, "kept the advantage"), (LEVEL, "kept the balance"))


def find_only_move(
    move: MoveReport, history: chess.Board, *, keeps: bool = True
) -> ReasonCandidate | None:
    """The best move, if a search without it finds nothing nearly as good; with `keeps`, nothing in its state.

    In doubt whether the position is as good as the words say, it is searched as long with all its moves.
    """
    best = list(move.before.best.pv[:1])
    enough = move.chance_before - _COST
    state = next((state for state in _WORDS if move.chance_before >= state[0]), None)
    if not best or move.chance_after >= enough or (keeps and state is None):
        return None
    promised, words = state if keeps and state else (100.0, "was clearly better")
    reason = Reason(
        ReasonKind.ONLY_MOVE,
        f"Only {line_words(move.board, best)} {words}.",
        (best[0].uci(),),
        True,
        None,
        (best[0].to_square,),
    )
    most = min(enough, promised - NEAR)  # another move that keeps as much is good enough
    if move.chance_after >= most:
        return None
    position = AnalysedPosition.of(history)
    effort = SURE if keeps else VERY_SURE
    others = Segment(position, avoided=best[0].uci(), effort=effort, enough=enough)
    questions = [
        ProofQuestion(others, lambda found: win_chance(found.best.score.to_chess()) < most)
    ]
    least = promised if keeps else most + NEAR
    if not keeps or move.chance_before < least + NEAR:
        at_start = Segment(position, effort=effort)
        questions.append(
            ProofQuestion(at_start, lambda found: win_chance(found.best.score.to_chess()) >= least)
        )
    return ReasonCandidate(reason, tuple(questions))
