"""python-chess drives the engine, as bots and scripts do, and has nothing to complain about."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator

import chess
import chess.engine
import pytest

from tests.support.places import ROOT
from tests.support.process import STARTUP

pytestmark = pytest.mark.jit_only

FISCHER = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"


@pytest.fixture(scope="module")
def engine() -> Iterator[chess.engine.SimpleEngine]:
    with chess.engine.SimpleEngine.popen_uci(
        [sys.executable, "-m", "cli"], timeout=STARTUP, cwd=str(ROOT)
    ) as engine:
        engine.play(chess.Board(), chess.engine.Limit(depth=1))
        yield engine


@pytest.fixture(autouse=True)
def no_warnings(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    caplog.set_level(logging.WARNING, "chess.engine")
    yield
    assert not caplog.records


def test_options(engine: chess.engine.SimpleEngine) -> None:
    assert engine.options["Hash"].default == 16
    assert engine.id["name"].startswith("Boomslang ")
    values: dict[str, chess.engine.ConfigValue] = {
        "Hash": 8,
        "Threads": 4,
        "Move Overhead": 50,
        "UCI_ShowWDL": True,
        "Clear Hash": None,
    }
    engine.configure(values)
    engine.ping()


@pytest.mark.parametrize(
    "limit",
    [
        chess.engine.Limit(time=0.02),
        chess.engine.Limit(depth=3),
        chess.engine.Limit(nodes=500),
        chess.engine.Limit(mate=1, depth=3),
        chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.01, black_inc=0.01),
        chess.engine.Limit(white_clock=2, black_clock=2, remaining_moves=3),
    ],
    ids=str,
)
def test_play(engine: chess.engine.SimpleEngine, limit: chess.engine.Limit) -> None:
    board = chess.Board()
    for _ in range(3):
        result = engine.play(board, limit, info=chess.engine.INFO_ALL, game=object())
        assert result.move and result.move in board.legal_moves
        assert result.info["pv"][0] == result.move
        assert result.info["score"] and "upperbound" not in result.info
        board.push(result.move)


def test_play_with_pondering(engine: chess.engine.SimpleEngine) -> None:
    board, game = chess.Board(), object()
    limit = chess.engine.Limit(white_clock=3, black_clock=3)
    for turn in range(6):
        # python-chess remembers the board itself: changed meanwhile, it could take it for the expected one.
        result = engine.play(board.copy(), limit, ponder=True, game=game)
        assert result.move
        board.push(result.move)
        # Now the expected move, now another one.
        reply = result.ponder if turn % 2 else None
        board.push(reply or next(iter(board.legal_moves)))
    engine.ping()


def test_root_moves_and_a_finished_game(engine: chess.engine.SimpleEngine) -> None:
    only = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h4")]
    result = engine.play(chess.Board(), chess.engine.Limit(depth=3), root_moves=only)
    assert result.move in only
    mated = chess.Board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
    assert engine.play(mated, chess.engine.Limit(depth=3)).move is None


def test_the_strength_of_a_rated_opponent(engine: chess.engine.SimpleEngine) -> None:
    def nodes(rating: int | None) -> int:
        opponent = chess.engine.Opponent("Some One", "IM", rating, is_engine=False)
        engine.send_opponent_information(opponent=opponent)  # as bots on Lichess do
        limit, everything = chess.engine.Limit(nodes=30_000), chess.engine.INFO_ALL
        return engine.play(chess.Board(), limit, game=object(), info=everything).info["nodes"]

    engine.configure({"Match Opponent": True})
    assert nodes(1500) < 11_000  # those of a level
    assert nodes(None) > 15_000  # full strength: the nodes of its last line
    engine.configure({"Match Opponent": False})
    assert nodes(1500) > 15_000


def test_analyse_and_multipv(engine: chess.engine.SimpleEngine) -> None:
    engine.configure({"UCI_ShowWDL": True})
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=6))
    assert info["depth"] == 6 and info["pv"] and sum(info["wdl"].relative) == 1000
    infos = engine.analyse(chess.Board(), chess.engine.Limit(depth=5), multipv=3)
    assert [info["multipv"] for info in infos] == [1, 2, 3]
    assert len({info["pv"][0] for info in infos}) == 3


def test_analysis_without_end(engine: chess.engine.SimpleEngine) -> None:
    with engine.analysis(chess.Board(), multipv=2) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 5 and info.get("multipv") == 2:
                break
    best = analysis.wait().move
    assert best and best in chess.Board().legal_moves


def test_chess960(engine: chess.engine.SimpleEngine) -> None:
    board, game = chess.Board(FISCHER, chess960=True), object()
    limit = chess.engine.Limit(nodes=2000)
    while not board.is_game_over() and board.ply() < 40:
        result = engine.play(board, limit, game=game, info=chess.engine.INFO_PV)
        assert result.move
        board.push(result.move)
    castle = chess.Move.from_uci("g1h1")
    board = chess.Board("bqnb1rkr/8/8/8/8/8/8/BQNB2KR w HFhf - 0 9", chess960=True)
    assert castle in board.legal_moves
    assert engine.play(board, chess.engine.Limit(depth=2), root_moves=[castle]).move == castle
