"""python-chess drives the engine by both protocols, as bots and scripts do, and complains of nothing."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator

import chess
import chess.engine
import pytest
from chess.engine import Cp, Limit, Mate, SimpleEngine

from boomslang.engine.limits import Info, Score
from boomslang.uci.cecp.formatting import thinking_line
from tests.support.places import ROOT
from tests.support.process import STARTUP

pytestmark = pytest.mark.jit_only  # plain Python would be too slow, and coverage cannot follow

FISCHER = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
MATE_IN_ONE = "r1bqkbnr/p1pp1ppp/1pn5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 2 4"
OPTIONS: dict[bool, dict[str, chess.engine.ConfigValue]] = {
    True: {"Hash": 8, "Threads": 4, "Move Overhead": 50, "UCI_ShowWDL": True, "Clear Hash": None},
    False: {"memory": 32, "cores": 1, "MoveOverhead": 20, "ClearHash": None, "ResignBelow": 0},
}


@pytest.fixture(scope="module", params=["uci", "xboard"])
def shared(request: pytest.FixtureRequest) -> Iterator[SimpleEngine]:
    start = getattr(SimpleEngine, f"popen_{request.param}")
    words = ["xboard"] * (request.param == "xboard")
    with start([sys.executable, "-m", "cli", *words], timeout=STARTUP, cwd=ROOT) as engine:
        engine.analyse(chess.Board(), Limit(depth=9))  # plain Python does not get so deep
        yield engine


@pytest.fixture
def engine(shared: SimpleEngine, caplog: pytest.LogCaptureFixture) -> Iterator[SimpleEngine]:
    with caplog.at_level(logging.WARNING):
        yield shared
        shared.ping()
    assert caplog.records == []


def speaks_uci(engine: SimpleEngine) -> bool:
    return "Hash" in engine.options


def test_options(engine: SimpleEngine) -> None:
    assert engine.id["name"].startswith("Boomslang ")
    engine.configure(OPTIONS[speaks_uci(engine)])
    engine.configure({"Hash" if speaks_uci(engine) else "memory": 16})
    opponent = chess.engine.Opponent("Somebody", "GM", 2500, False)
    assert engine.play(chess.Board(), Limit(time=0.05), game="options", opponent=opponent).move


@pytest.mark.parametrize("bound", ["", "lowerbound", "upperbound"])
def test_the_only_move_of_a_line_is_read(bound: str) -> None:
    move = chess.Move.from_uci("e2e4")
    info = Info(9, 12, 1, Score(centipawns=30), bound, 1000, 10_000, 0, 0, 100, (move,))
    line = thinking_line(info, chess.Board())
    assert chess.engine._parse_xboard_post(line, chess.Board())["pv"] == [move]


@pytest.mark.parametrize(
    "limit",
    [
        *(Limit(time=0.1), Limit(time=0.001), Limit(depth=4), Limit(nodes=2000)),
        *(Limit(white_clock=10, black_clock=10), Limit(white_clock=0.001, black_clock=10)),
        Limit(white_clock=1, black_clock=1, white_inc=0.1, black_inc=0.1, remaining_moves=5),
        Limit(time=0.5, depth=3, white_clock=1, black_clock=1),
    ],
    ids=str,
)
def test_it_plays(engine: SimpleEngine, limit: Limit) -> None:
    board = chess.Board()
    for _ in range(3):
        result = engine.play(board, limit, game=str(limit), info=chess.engine.INFO_ALL)
        assert result.move and result.info["pv"][0] == result.move
        assert result.info["score"] and "upperbound" not in result.info
        board.push(result.move)


def test_it_ponders(engine: SimpleEngine) -> None:
    board, game, expected = chess.Board(), object(), 0
    limit = Limit(white_clock=5, black_clock=5, white_inc=0.1, black_inc=0.1)
    for turn in range(6):
        # python-chess remembers the board itself: changed meanwhile, it could take it for the expected one.
        result = engine.play(board.copy(), limit, ponder=True, game=game)
        assert result.move
        board.push(result.move)
        expected += result.ponder in set(board.legal_moves)
        # Now the expected move, now another one.
        reply = result.ponder if turn % 2 else None
        board.push(reply or next(iter(board.legal_moves)))
    assert expected >= 4


def test_it_analyses(engine: SimpleEngine) -> None:
    board = chess.Board(MATE_IN_ONE)
    info = engine.analyse(board, Limit(depth=5))
    assert info["score"].white() == Mate(1) and info["pv"] == [board.parse_san("Qxf7#")]
    assert {"seldepth", "nps", "nodes", "time", "tbhits"} <= set(info)
    board.push(chess.Move.null())
    assert engine.analyse(board, Limit(depth=6))["score"].black() < Cp(900)
    assert engine.analyse(chess.Board(), Limit(time=0.1))["pv"]
    only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    assert engine.analyse(chess.Board(), Limit(depth=3), root_moves=only)["pv"][0] in only


def test_several_lines_and_chances(engine: SimpleEngine) -> None:
    if not speaks_uci(engine):
        pytest.skip("its protocol has neither")
    engine.configure({"UCI_ShowWDL": True})
    infos = engine.analyse(chess.Board(), Limit(depth=5), multipv=3)
    assert [info["multipv"] for info in infos] == [1, 2, 3]
    assert len({info["pv"][0] for info in infos}) == 3
    assert all(sum(info["wdl"].relative) == 1000 for info in infos)


def test_it_can_be_stopped(engine: SimpleEngine) -> None:
    with engine.analysis(chess.Board()) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5:
                break
    assert engine.play(chess.Board(), Limit(time=0.05)).move


def test_the_strength_of_a_rated_opponent(engine: SimpleEngine) -> None:
    def nodes(rating: int | None) -> int:
        opponent = chess.engine.Opponent("Some One", "IM", rating, is_engine=False)
        limit, everything = Limit(nodes=30_000), chess.engine.INFO_ALL
        result = engine.play(chess.Board(), limit, game=rating, info=everything, opponent=opponent)
        return result.info["nodes"]

    option = "Match Opponent" if speaks_uci(engine) else "MatchOpponent"
    engine.configure({option: True})
    assert nodes(1500) < 11_000  # those of a level
    assert nodes(None) > 15_000  # full strength: the nodes of its last line
    engine.configure({option: False})
    assert nodes(1500) > 15_000


@pytest.mark.parametrize("fen", [FISCHER, chess.Board.from_chess960_pos(0).fen()])
def test_it_plays_chess960(engine: SimpleEngine, fen: str) -> None:
    board = chess.Board(fen, chess960=True)
    for _ in range(30):
        if board.is_game_over():
            break
        result = engine.play(board, Limit(depth=3), game=fen)
        assert result.move and board.is_legal(result.move)
        board.push(result.move)
    board = chess.Board("bqnb1rkr/8/8/8/8/8/8/BQNB2KR w HFhf - 0 9", chess960=True)
    castle = chess.Move.from_uci("g1h1")
    assert engine.analyse(board, Limit(depth=2), root_moves=[castle])["pv"][0] == castle


def test_games_end(engine: SimpleEngine) -> None:
    board = chess.Board("k7/8/1K6/8/8/8/8/3R4 w - - 0 1")
    result = engine.play(board, Limit(depth=4), game="end")
    assert result.move
    board.push(result.move)
    assert board.is_checkmate()
    engine.send_game_result(board)
    assert engine.play(board, Limit(depth=4), game="end").move is None
    engine.send_game_result(board, winner=chess.WHITE, game_ending="White mates")
