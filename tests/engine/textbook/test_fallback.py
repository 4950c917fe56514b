"""The player in plain Python obeys limits, stops at once, and always has a legal move."""

from __future__ import annotations

import random
import threading
import time
from dataclasses import replace
from math import inf

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boomslang.engine.limits import Info, Limits, Result
from boomslang.engine.textbook.alphabeta import AlphaBetaFeatures
from boomslang.engine.textbook.chess_game import ChessGame, material_and_centre
from boomslang.engine.textbook.fallback import TextbookSearcher
from boomslang.engine.textbook.quiescence import quiesce
from tests.support.process import run_python

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MATE_IN_TWO = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"  # 1. Ra6 bxa6 2. b7 mate
LATENCY = 0.25  # seconds of the processor, which other load does not lengthen


def search(
    fen: str, limits: Limits, player: TextbookSearcher | None = None
) -> tuple[Result, list[Info]]:
    infos: list[Info] = []
    player = player or TextbookSearcher()
    player.clear_stop()
    return player.search(chess.Board(fen), limits, infos.append), infos


def check_lines(fen: str, infos: list[Info]) -> None:
    for info in infos:
        board = chess.Board(fen)
        assert info.pv
        for move in info.pv:
            assert board.is_legal(move)
            board.push(move)


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, KIWIPETE])
def test_fixed_depth_is_deterministic(fen: str) -> None:
    result, infos = search(fen, Limits(depth=3))
    again, infos_again = search(fen, Limits(depth=3))
    assert [info.depth for info in infos] == [1, 2, 3]
    assert (result.best, result.ponder) == (again.best, again.ponder)
    for info, other in zip(infos, infos_again, strict=True):
        assert replace(info, time=0, nps=0) == replace(other, time=0, nps=0)
    check_lines(fen, infos)
    assert result.info == infos[-1]
    assert (result.best, result.ponder) == infos[-1].pv[:2]


@pytest.mark.parametrize("limit", [1, 10, 500])
def test_nodes(limit: int) -> None:
    result, infos = search(KIWIPETE, Limits(nodes=limit))
    assert result.best is not None
    assert all(info.nodes <= limit for info in infos)


def test_movetime_is_used() -> None:
    begun, spent = time.monotonic(), time.process_time()
    search(KIWIPETE, Limits(movetime=150))
    assert time.monotonic() - begun >= 0.15
    assert time.process_time() - spent < 0.15 + LATENCY


@pytest.mark.parametrize(
    "limits",
    [
        Limits(white_time=1000, black_time=5),
        Limits(white_time=300, white_increment=2000),
        Limits(white_time=400, moves_to_go=1),
        Limits(white_time=1),
        Limits(white_time=0),
    ],
)
def test_the_clock_does_not_run_out(limits: Limits) -> None:
    begun = time.process_time()
    result, _ = search(KIWIPETE, limits)
    assert result.best is not None
    assert limits.white_time is not None
    assert time.process_time() - begun < max(limits.white_time, 30) / 1000 + LATENCY / 2


@pytest.mark.parametrize("milliseconds", [50, 1000, 10_000])
def test_two_plies_are_finished_unless_the_time_is_up(milliseconds: int) -> None:
    """The positions of a game, one after the other; every fifth of them is enough."""
    source, board = random.Random(milliseconds), chess.Board()
    limits = Limits(white_time=milliseconds, black_time=milliseconds, overhead=0)
    player = TextbookSearcher()
    share = limits.share(chess.WHITE)
    assert share is not None
    while board.ply() < 60 and any(board.legal_moves):
        if board.ply() % 5 == 0:
            player.clear_stop()
            begun = time.monotonic()
            result = player.search(board, limits, lambda info: None)
            spent = time.monotonic() - begun
            assert result.info is not None and result.best is not None
            assert result.info.depth >= 2 or spent >= min(4 * share, milliseconds / 2000) - 0.001
        board.push(source.choice(list(board.legal_moves)))


@given(st.randoms(use_true_random=False), st.integers(1, 400), st.integers(1, 4))
def test_what_is_broken_off_is_sound(source: random.Random, nodes: int, wanted: int) -> None:
    board = chess.Board()
    for _ in range(source.randrange(60)):
        if not any(board.legal_moves):
            break
        board.push(source.choice(list(board.legal_moves)))
    player = TextbookSearcher()
    player.clear_stop()
    infos: list[Info] = []
    result = player.search(board, Limits(nodes=nodes, multipv=wanted), infos.append)
    assert (result.best is None) == (not any(board.legal_moves))
    check_lines(board.fen(), infos)
    last = infos[-next((info.multipv for info in reversed(infos)), 1) :]
    assert [info.multipv for info in last] == list(range(1, len(last) + 1))
    assert len({info.pv[0] for info in last}) == len(last) <= wanted
    if last:
        assert result.info == last[0] and result.best == last[0].pv[0]


# Each has captures that look well and lose a piece; in the second and the last a piece is attacked.
TEMPTING = [
    "r1bqkb1r/pppppppp/2n2n2/8/8/2N2N2/PPPPPPPP/R1BQKB1R w KQkq - 4 3",
    "rnb1kbnr/ppp1pppp/8/3q4/8/2N5/PPPP1PPP/R1BQKBNR b KQkq - 1 3",
    "rnbqkbnr/ppp2ppp/4p3/3p4/3P4/5Q2/PPP1PPPP/RNB1KBNR w KQkq - 0 3",
    "4k3/pp3p2/1r1p4/8/8/1Q6/5PPP/6K1 w - - 0 1",
    "rnbqk2r/pppp1ppp/5n2/4p3/1b2P3/P1N5/1PPP1PPP/R1BQKBNR b KQkq - 0 4",
]


@pytest.mark.parametrize("clock", [200, 20_000])
@pytest.mark.parametrize("fen", TEMPTING)
def test_no_piece_is_left_hanging(fen: str, clock: int) -> None:
    result, _ = search(fen, Limits(white_time=clock, black_time=clock))
    board = chess.Board(fen)
    before = material_and_centre(board)
    assert result.best is not None
    board.push(result.best)
    lost = before + quiesce(ChessGame(board), AlphaBetaFeatures(), -inf, inf).value
    assert lost < 200  # centipawns that the opponent wins by captures


def test_many_queens_cost_no_more_time_than_there_is() -> None:
    fen = "q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1"
    begun = time.process_time()
    result, infos = search(fen, Limits(white_time=2000, black_time=2000))
    assert result.info == infos[-1] and result.info.depth >= 1
    assert time.process_time() - begun < 1.0 + LATENCY


def test_stop_before_the_search_is_not_lost() -> None:
    player = TextbookSearcher()
    player.clear_stop()
    player.stop()
    board = chess.Board(KIWIPETE)
    result = player.search(board, Limits(infinite=True), lambda info: None)
    assert result.best in list(board.legal_moves)
    assert result.info is not None and result.info.nodes > 1  # it has had a look


def test_stop_during_the_search() -> None:
    player = TextbookSearcher()
    player.clear_stop()
    stopped: list[float] = []

    def stop() -> None:
        stopped.append(time.process_time())
        player.stop()

    timer = threading.Timer(0.1, stop)
    timer.start()
    result = player.search(chess.Board(KIWIPETE), Limits(infinite=True), lambda info: None)
    assert time.process_time() - stopped[0] < LATENCY
    assert result.best is not None
    timer.join()


def test_the_clock_starts_at_ponderhit() -> None:
    player = TextbookSearcher()
    player.clear_stop()
    hit: list[float] = []

    def ponderhit() -> None:
        hit.append(time.process_time())
        player.ponderhit()

    timer = threading.Timer(0.2, ponderhit)
    timer.start()
    limits = Limits(white_time=3000, black_time=3000, ponder=True)
    result = player.search(chess.Board(KIWIPETE), limits, lambda info: None)
    assert hit
    assert time.process_time() - hit[0] < 0.1 + LATENCY
    assert result.best is not None


def test_ponderhit_before_the_search_is_not_lost() -> None:
    player = TextbookSearcher()
    player.clear_stop()
    player.ponderhit()
    begun = time.process_time()
    limits = Limits(movetime=50, ponder=True)
    player.search(chess.Board(KIWIPETE), limits, lambda info: None)
    assert time.process_time() - begun < 0.05 + LATENCY


@pytest.mark.parametrize(
    ("fen", "mate", "move"),
    [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1, "d1d8"),
        (MATE_IN_TWO, 2, "a1a6"),
        ("k7/8/1K6/8/8/8/8/6R1 b - - 0 1", -1, "a8b8"),
    ],
)
def test_mates(fen: str, mate: int, move: str) -> None:
    result, infos = search(fen, Limits(depth=8))
    assert infos[-1].score.mate == mate
    assert infos[-1].score.centipawns is None
    assert result.best == chess.Move.from_uci(move)
    assert len(infos[-1].pv) == (2 * mate - 1 if mate > 0 else -2 * mate)
    check_lines(fen, infos)


def test_mate_limit() -> None:
    result, infos = search(MATE_IN_TWO, Limits(mate=2))
    assert infos[-1].score.mate == 2
    assert result.best == chess.Move.from_uci("a1a6")


@pytest.mark.parametrize(
    "fen", ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R6k/6pp/8/8/8/8/8/7K b - - 0 1"]
)
def test_no_legal_move(fen: str) -> None:
    assert search(fen, Limits(depth=3)) == (Result(None, None), [])


def test_a_drawn_position_still_gets_a_move() -> None:
    result, infos = search("7k/8/8/8/8/8/8/K7 w - - 100 90", Limits(depth=4))
    assert result.best is not None
    assert infos[-1].score.centipawns == 0


def test_an_only_move_costs_no_time() -> None:
    begun = time.process_time()
    result, _ = search("7k/8/8/8/8/1r6/r7/K7 w - - 0 1", Limits(white_time=600_000))
    assert result.best == chess.Move.from_uci("a1a2")
    assert time.process_time() - begun < LATENCY


def test_search_moves() -> None:
    limits = Limits(depth=2, search_moves=("a2a3", "h2h3", "e2e5", "nonsense"))
    result, infos = search(chess.STARTING_FEN, limits)
    assert result.best is not None
    assert result.best.uci() in ("a2a3", "h2h3")
    result, _ = search(chess.STARTING_FEN, Limits(depth=1, search_moves=("e2e5",)))
    assert result.best is not None
    check_lines(chess.STARTING_FEN, infos)


def test_several_lines() -> None:
    _, infos = search(KIWIPETE, Limits(depth=2, multipv=3))
    assert [(info.depth, info.multipv) for info in infos] == [
        (depth, number) for depth in (1, 2) for number in (1, 2, 3)
    ]
    last = infos[-3:]
    scores = [info.score.centipawns or 0 for info in last]
    assert scores == sorted(scores, reverse=True)
    assert len({info.pv[0] for info in last}) == 3
    best, _ = search(KIWIPETE, Limits(depth=2))
    assert best.info is not None
    assert best.info.score == last[0].score


def test_chess960_castling() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/4KR2 w F - 0 1", chess960=True)
    player = TextbookSearcher()
    player.clear_stop()
    result = player.search(board, Limits(depth=1, search_moves=("e1f1",)), lambda info: None)
    assert result.best == chess.Move.from_uci("e1f1")


def test_it_starts_without_numba() -> None:
    program = (
        "import sys, boomslang.engine.textbook.fallback; "
        "print([name for name in ('numba', 'numpy', 'rich') if name in sys.modules])"
    )
    shown = run_python("-c", program)
    assert shown.stdout.strip() == "[]"
