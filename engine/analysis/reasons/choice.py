"""The reasons that come into question for a move, the most telling first."""

from __future__ import annotations

from collections.abc import Iterator

import chess

from boomslang.engine.analysis.assessment import MoveReport
from boomslang.engine.analysis.reasons.candidate import ReasonCandidate
from boomslang.engine.analysis.reasons.draws import find_draws
from boomslang.engine.analysis.reasons.mates import find_allowed_mate, find_missed_mate
from boomslang.engine.analysis.reasons.only_move import find_only_move
from boomslang.engine.analysis.reasons.quiet import find_quiet_reasons
from boomslang.engine.analysis.reasons.trades import find_trades
from boomslang.engine.analysis.reasons.wins import find_lost_material, find_missed_material


def candidates(move: MoveReport, history: chess.Board) -> Iterator[ReasonCandidate]:
    """Candidates in the order of preference; `history` is the board before the move, with the game so far."""
    facts = (
        find_allowed_mate(move),
        find_missed_mate(move),
        *find_draws(move, history),
    )
    yield from (ReasonCandidate(reason) for reason in facts if reason)
    for find in (find_lost_material, find_missed_material, find_only_move):
        if candidate := find(move, history):
            yield candidate
    yield from find_trades(move, history)
    yield from find_quiet_reasons(move, history)
    if candidate := find_only_move(move, history, keeps=False):
        yield candidate
