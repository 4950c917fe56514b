"""The only good move, proved by a search of all others."""

from __future__ import annotations

from typing import Final

import chess

from boomslang.cli.analysis.assessment import MoveReport
from boomslang.cli.analysis.position import AnalysedPosition, Evaluation
from boomslang.cli.analysis.reason import Kind, Reason
from boomslang.cli.analysis.reasons.candidate import (
    ProofQuestion,
    ReasonCandidate,
    line_words,
    moves_of,
)
from boomslang.cli.analysis.stretch import Stretch
from boomslang.cli.analysis.winning import win_chance

_SURE: Final = 3  # times the nodes of the search, as one move overlooked makes the reason false
_COST: Final = 10.0  # winning chances in per cent that every other move loses
_WORDS: Final = ((80.0, "kept the win"), (58.0, "kept the advantage"), (42.0, "kept the balance"))


def only_move(move: MoveReport, history: chess.Board) -> ReasonCandidate | None:
    """The best move, if a search without it finds nothing nearly as good."""
    best = moves_of(move.before.best.moves[:1])
    if not best:
        return None
    least, words = next(
        (state for state in _WORDS if move.chance_before >= state[0]), (100.0, "offered resistance")
    )
    reason = Reason(
        Kind.ONLY_MOVE,
        f"Only {line_words(move.board, best)} {words}.",
        (best[0].uci(),),
        True,
        None,
        (best[0].to_square,),
    )
    most = move.chance_before - _COST

    def fits(found: Evaluation) -> bool:
        chance = win_chance(found.best.score)
        return chance <= most and chance < least

    others = Stretch(
        AnalysedPosition.of(history),
        avoided=best[0].uci(),
        effort=_SURE,
        enough=min(most, least),  # another move is good enough
    )
    return ReasonCandidate(reason, (ProofQuestion(others, fits),))
