"""The engine as bot bridges run it: a process for each game, with many threads, pondering and draw offers.

lichess-bot starts it with python-chess, waits ten seconds at most, sets the options of its configuration,
says who plays and hands over the clocks; python-chess ponders by itself.
"""

from __future__ import annotations

import logging
import random
import sys
from collections.abc import Iterator

import chess
import chess.engine
import pytest

from tests.support.places import ROOT

pytestmark = [pytest.mark.jit_only, pytest.mark.usefixtures("kernels")]

COMMAND = [sys.executable, "-P", str(ROOT / "cli" / "__main__.py")]
OPTIONS: dict[str, chess.engine.ConfigValue] = {
    "Move Overhead": 100,
    "Threads": 4,
    "Hash": 512,
    "UCI_ShowWDL": True,
}
CECP: dict[str, chess.engine.ConfigValue] = {"cores": 4, "memory": 512}
GAMES = [pytest.param(1, 8), pytest.param(20, 200, marks=pytest.mark.slow)]


@pytest.fixture(autouse=True)
def no_complaints(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    caplog.set_level(logging.WARNING, "chess.engine")
    yield
    assert not caplog.records


def play(engine: chess.engine.SimpleEngine, seed: int, plies: int, ponder: bool) -> chess.Board:
    """A game against random moves, on a clock that goes as far as the engine uses it."""
    source = random.Random(seed)
    board, game = chess.Board(), object()
    ours, clock = bool(seed % 2), 1.0
    while not board.is_game_over(claim_draw=True) and board.ply() < plies:
        if board.turn == ours:
            result = engine.play(
                board,
                chess.engine.Limit(
                    white_clock=clock, black_clock=clock, white_inc=0.05, black_inc=0.05
                ),
                info=chess.engine.INFO_ALL,
                ponder=ponder,
                draw_offered=board.ply() % 10 == 4,
                game=game,
            )
            clock = max(0.3, clock + 0.05 - float(result.info.get("time", 0.0)))
            if result.resigned or not result.move:
                break
            assert board.is_legal(result.move)
            board.push(result.move)
        else:
            board.push(source.choice(list(board.legal_moves)))
    return board


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("games", "plies"), GAMES)
def test_uci_with_pondering(games: int, plies: int) -> None:
    won = 0
    for seed in range(games):
        engine = chess.engine.SimpleEngine.popen_uci(COMMAND, timeout=10.0)
        engine.configure(OPTIONS)
        rated = chess.engine.Opponent(name="Someone", title=None, rating=1500, is_engine=False)
        engine.send_opponent_information(opponent=rated, engine_rating=2000)
        board = play(engine, seed, plies, ponder=True)
        won += board.is_checkmate() and board.turn != bool(seed % 2)
        engine.quit()  # while it ponders
        assert engine.returncode.result(60) == 0
    assert won == games or plies < 100


def start_xboard(caplog: pytest.LogCaptureFixture) -> chess.engine.SimpleEngine:
    """python-chess gives up after two seconds, in which a starved machine may not even start Python."""
    for _ in range(4):
        try:
            return chess.engine.SimpleEngine.popen_xboard(COMMAND, timeout=10.0)
        except chess.engine.EngineError:
            caplog.clear()
    return chess.engine.SimpleEngine.popen_xboard(COMMAND, timeout=10.0)


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("games", "plies"), GAMES)
def test_xboard(games: int, plies: int, caplog: pytest.LogCaptureFixture) -> None:
    won = 0
    for seed in range(games):
        engine = start_xboard(caplog)
        engine.configure(CECP)
        board = play(engine, seed, plies, ponder=False)
        won += board.is_checkmate() and board.turn != bool(seed % 2)
        engine.quit()
        assert engine.returncode.result(60) == 0
    assert won == games or plies < 100
