"""Moves of self-play by the clock of their thread."""

from __future__ import annotations

import os
import time

import chess
import pytest

from boomslang.core.jit.instructions import KERNELS_TELL_THREAD_TIME
from boomslang.engine.learning.selfplay.games import MAX_PLIES
from boomslang.engine.learning.selfplay.in_process_match import (
    MatchWorkspace,
    MatchWorkspaces,
    ParameterValues,
    _Seat,
)

pytestmark = [
    pytest.mark.jit_only,
    pytest.mark.skipif(
        not KERNELS_TELL_THREAD_TIME, reason="the system does not tell the time of a thread"
    ),
]
OTHER = ParameterValues({"late_move_depth": 0})
MOVETIME = 8  # milliseconds


class Played:
    """Games by the clock: what each took, and how it ended."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, movetime: int, workers: int) -> None:
        self.milliseconds: list[float] = []  # a move, in which the thread had the processor
        self.plies: list[int] = []
        self.boards: list[chess.Board] = []  # after the last moves
        self.results: list[int] = []  # of White
        self._play = MatchWorkspace._play
        with monkeypatch.context() as patch:
            patch.setattr(MatchWorkspace, "_play", lambda *given: self._record(*given))
            with MatchWorkspaces(200, 1, workers, movetime, hash_mb=1) as arenas:
                list(arenas.play(OTHER, ParameterValues(), range(workers)))

    def _record(self, arena: MatchWorkspace, white: _Seat, black: _Seat) -> int:
        began = time.thread_time()
        result = self._play(arena, white, black)
        spent = time.thread_time() - began
        game = arena._game
        self.milliseconds.append(1000 * spent / (game.plies - game.opening_plies))
        self.plies.append(int(game.plies))
        self.boards.append(board_of(white))
        assert board_of(black) == self.boards[-1]
        self.results.append(result)
        return result


def board_of(seat: _Seat) -> chess.Board:
    """What stands before a player, without castling rights."""
    position = seat.search.position[0]
    board = chess.Board(None)
    for square in chess.SQUARES:
        if (piece := int(position.board[square])) < 12:
            board.set_piece_at(square, chess.Piece(piece % 6 + 1, piece < 6))
    board.turn = int(position.side) == 0
    return board


@pytest.fixture(scope="module")
def played(kernels: None) -> Played:
    """Two games on one processor, if that can be had: half of the time each has to wait."""
    affinity = getattr(os, "sched_getaffinity", None)
    processors = affinity(0) if affinity else set()
    try:
        if processors:
            os.sched_setaffinity(0, {min(processors)})  # new threads inherit it
        with pytest.MonkeyPatch.context() as patch:
            return Played(patch, MOVETIME, workers=2)
    finally:
        if processors:
            os.sched_setaffinity(0, processors)


def test_a_move_takes_its_time_and_not_that_of_others(played: Played) -> None:
    mean = sum(played.milliseconds) / len(played.milliseconds)
    assert 0.8 * MOVETIME < mean < 1.5 * MOVETIME


def test_games_are_legal_and_end(played: Played) -> None:
    for board, plies, result in zip(played.boards, played.plies, played.results, strict=True):
        assert result in (-1, 0, 1)
        assert 8 < plies <= MAX_PLIES
        assert board.is_valid()
        if board.is_checkmate():
            assert result == (-1 if board.turn else 1)
