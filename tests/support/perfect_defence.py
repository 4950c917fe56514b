"""Plays a won ending against the best defence there is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import chess
import chess.syzygy


def play_out(
    board: chess.Board, think: Callable[[chess.Board], chess.Move], *tables: Path
) -> chess.Outcome:
    """Play a won position against the defence that holds out longest, by the tables themselves."""
    hero = board.turn
    with chess.syzygy.Tablebase() as oracle:
        for folder in tables:
            oracle.add_directory(str(folder))
        while not (
            outcome := board.outcome(claim_draw=board.is_repetition() or board.is_fifty_moves())
        ):
            if board.turn == hero:
                board.push(think(board))
                continue

            def remaining(move: chess.Move) -> int:
                board.push(move)
                left = 0 if board.is_checkmate() else oracle.probe_dtz(board)
                board.pop()
                return left if left > 0 else 1000  # out of the loss, if we let it slip

            board.push(max(board.legal_moves, key=remaining))
    return outcome
