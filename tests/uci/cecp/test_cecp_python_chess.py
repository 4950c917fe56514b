"""The engine as python-chess, and so lichess-bot, drives it in CECP: without a warning."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator

import chess
import chess.engine
import pytest
from chess.engine import Cp, Limit, Mate

from boomslang.engine.limits import Info, Score
from boomslang.uci.cecp.formatting import thinking_line
from tests.support.places import ROOT
from tests.support.process import STARTUP

pytestmark = pytest.mark.jit_only  # plain Python would be too slow, and coverage cannot follow

COMMAND = [sys.executable, "-m", "cli", "xboard"]


@pytest.fixture(scope="module")
def shared() -> Iterator[chess.engine.SimpleEngine]:
    engine = chess.engine.SimpleEngine.popen_xboard(COMMAND, cwd=ROOT, timeout=STARTUP)
    engine.analyse(chess.Board(), Limit(depth=9))  # plain Python does not get so deep
    yield engine
    engine.quit()


@pytest.fixture
def engine(
    shared: chess.engine.SimpleEngine, caplog: pytest.LogCaptureFixture
) -> Iterator[chess.engine.SimpleEngine]:
    with caplog.at_level(logging.WARNING):
        yield shared
        shared.ping()
    assert caplog.records == []


def test_name_and_author_are_reported(engine: chess.engine.SimpleEngine) -> None:
    assert engine.id["name"].startswith("Boomslang ")
    assert {"memory", "cores", "MoveOverhead", "ClearHash"} <= set(engine.options)


@pytest.mark.parametrize("bound", ["", "lowerbound", "upperbound"])
def test_the_only_move_of_a_line_is_read(bound: str) -> None:
    move = chess.Move.from_uci("e2e4")
    info = Info(9, 12, 1, Score(centipawns=30), bound, 1000, 10_000, 0, 0, 100, (move,))
    line = thinking_line(info, chess.Board())
    assert chess.engine._parse_xboard_post(line, chess.Board())["pv"] == [move]


@pytest.mark.parametrize(
    "limit",
    [
        Limit(time=0.1),
        Limit(time=0.001),
        Limit(depth=4),
        Limit(nodes=2000),
        Limit(white_clock=10, black_clock=10),
        Limit(white_clock=1, black_clock=1, white_inc=0.1, black_inc=0.1, remaining_moves=5),
        Limit(white_clock=0.001, black_clock=10),
        Limit(time=0.5, depth=3, white_clock=1, black_clock=1),
    ],
    ids=str,
)
def test_it_plays(engine: chess.engine.SimpleEngine, limit: Limit) -> None:
    board = chess.Board()
    for _ in range(4):
        result = engine.play(board, limit, game=str(limit), info=chess.engine.INFO_ALL)
        assert result.move and result.info["pv"][0] == result.move
        board.push(result.move)


def test_it_ponders(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board()
    limit = Limit(white_clock=5, black_clock=5, white_inc=0.1, black_inc=0.1)
    expected = 0
    for _ in range(6):
        result = engine.play(board, limit, game="ponder", ponder=True)
        assert result.move
        board.push(result.move)
        expected += result.ponder in set(board.legal_moves)
        board.push(result.ponder or next(iter(board.legal_moves)))
    assert expected >= 4


def test_it_analyses(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board("r1bqkbnr/p1pp1ppp/1pn5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 4")
    info = engine.analyse(board, Limit(depth=5))
    assert info["score"].white() == Mate(1) and info["pv"] == [board.parse_san("Qxf7#")]
    assert {"seldepth", "nps", "nodes", "time", "tbhits"} <= set(info)
    board.push(chess.Move.null())
    assert engine.analyse(board, Limit(depth=6))["score"].black() < Cp(900)
    assert engine.analyse(chess.Board(), Limit(time=0.1))["pv"]


def test_options_are_set(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"memory": 32, "cores": 1, "MoveOverhead": 20, "ClearHash": None})
    engine.configure({"memory": 16, "MoveOverhead": 100, "ResignBelow": 0})
    opponent = chess.engine.Opponent("Somebody", "GM", 2500, False)
    assert engine.play(chess.Board(), Limit(time=0.05), game="options", opponent=opponent).move


def test_the_strength_of_a_rated_opponent(engine: chess.engine.SimpleEngine) -> None:
    def nodes(rating: int | None) -> int:
        opponent = chess.engine.Opponent("Some One", "IM", rating, is_engine=False)
        limit, everything = Limit(nodes=30_000), chess.engine.INFO_ALL
        result = engine.play(chess.Board(), limit, game=rating, info=everything, opponent=opponent)
        return result.info["nodes"]

    engine.configure({"MatchOpponent": True})
    assert nodes(1500) < 11_000  # those of a level
    assert nodes(None) >= 29_000  # full strength: another game, another opponent
    engine.configure({"MatchOpponent": False})


@pytest.mark.parametrize("number", [0, 77])
def test_it_plays_chess960(engine: chess.engine.SimpleEngine, number: int) -> None:
    board = chess.Board.from_chess960_pos(number)
    while not board.is_game_over() and board.fullmove_number < 16:
        result = engine.play(board, Limit(depth=3), game=number)
        assert result.move and board.is_legal(result.move)
        board.push(result.move)


def test_games_end(engine: chess.engine.SimpleEngine) -> None:
    board = chess.Board("k7/8/1K6/8/8/8/8/3R4 w - - 0 1")
    result = engine.play(board, Limit(depth=4), game="end")
    assert result.move
    board.push(result.move)
    assert board.is_checkmate()
    engine.send_game_result(board)
    assert engine.play(board, Limit(depth=4), game="end").move is None
    engine.send_game_result(board, winner=chess.WHITE, game_ending="White mates")


def test_it_can_be_stopped(engine: chess.engine.SimpleEngine) -> None:
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5:
                break
    assert engine.play(chess.Board(), Limit(time=0.05)).move
