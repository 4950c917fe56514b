"""A game's end off the board, and by agreement of both scores."""

from __future__ import annotations

import threading
import time
from typing import Any, cast

import chess
import chess.engine
import pytest

from boomslang.cli.lab.match.engine_spec import EngineSpec
from boomslang.cli.lab.match.match_game import (
    MatchEngine,
    Referee,
    StallError,
    TimeControl,
    guard_engine,
    play,
)
from boomslang.cli.lab.match.opening import Opening


class LateProcess:
    """Answers when its process is being closed."""

    def __init__(self) -> None:
        self._closing = threading.Event()
        self.closed = False

    def play(self, board: chess.Board, *_: Any, **__: Any) -> chess.engine.PlayResult:
        assert self._closing.wait(60)
        return chess.engine.PlayResult(next(iter(board.legal_moves)), None)

    def close(self) -> None:
        self._closing.set()
        time.sleep(0.2)
        self.closed = True


def test_a_move_that_arrives_as_the_patience_ends_is_a_stall(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun: list[LateProcess] = []

    def start(_: EngineSpec) -> LateProcess:
        begun.append(LateProcess())
        return begun[-1]

    monkeypatch.setattr("boomslang.cli.lab.match.match_game.start_engine", start)
    monkeypatch.setattr("boomslang.cli.lab.match.match_game._TIMEOUT", 0.01)
    seats = MatchEngine(cast(EngineSpec, None)), MatchEngine(cast(EngineSpec, None))
    with pytest.raises(StallError), guard_engine(seats[0], 0.01) as process:
        process.play(chess.Board(), chess.engine.Limit())
    assert begun[0].closed
    seats[0].dismiss()
    game = play(seats, Opening(chess.STARTING_FEN), (TimeControl(clock=(0.01, 0.0)),) * 2)
    assert (game.moves, game.result, game.reason) == ([], -1, "stall")
    assert len(begun) == 2
    assert cast(object, seats[0].process()) is begun[2]  # no closed one stays in its seat


def test_the_referee() -> None:
    referee = Referee()
    assert [referee.adjudicate(900, ply) for ply in range(7)] == [None] * 7
    assert referee.adjudicate(900, 7) == (1, "both agree that it is won")
    referee = Referee()
    heard = [referee.adjudicate(-900 if ply % 2 else 900, ply) for ply in range(40)]
    assert heard == [None] * 40  # each believes in itself
    referee = Referee()
    assert [referee.adjudicate(-800, ply) for ply in range(8)][-2:] == [
        None,
        (-1, "both agree that it is won"),
    ]
    referee = Referee()
    assert [referee.adjudicate(10, ply) for ply in range(95)] == [None] * 95
    assert referee.adjudicate(-10, 95) == (0, "both agree that it is drawn")
    assert referee.adjudicate(None, 96) is None and referee.adjudicate(0, 97) is None
