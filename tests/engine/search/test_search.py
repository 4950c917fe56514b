"""The jitted search: mates, draws, limits, repeatability."""

from __future__ import annotations

import re
import threading
import time
from dataclasses import replace

import chess
import pytest

from boomslang.core.board.constants import MATE, I, U
from boomslang.core.system.threads import usable_processors
from boomslang.engine import bridge
from boomslang.engine.bridge import set_root
from boomslang.engine.driver.clock import TimeBudget, allot
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import Info, Limits
from boomslang.engine.search.negamax import negamax
from boomslang.engine.search.params import BY_NAME, NEVER
from boomslang.engine.search.quiescence import quiescence
from boomslang.engine.search.state import FIRST_NODES
from boomslang.engine.search.transposition import BOUND_LOWER, new_table, store
from tests.support.searchers import alpha_beta, ask

pytestmark = pytest.mark.jit_only


@pytest.fixture
def player() -> Searcher:
    return Searcher(hash_mb=4)


@pytest.fixture(params=["alphabeta", "mcts"])
def either(request: pytest.FixtureRequest) -> Searcher:
    """A player of each algorithm."""
    player = Searcher(hash_mb=4)
    player.set_algorithm(request.param)
    return player


@pytest.mark.parametrize(
    ("fen", "mate", "best"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1, "a1a8"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1, "h5f7"),
        ("7k/8/5K2/8/8/8/8/1R6 w - - 0 1", 2, None),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", -1, "a8b8"),
        ("6k1/8/6K1/8/8/8/8/R7 b - - 0 1", -2, None),
        ("4k3/8/4K3/8/8/8/8/R7 w - - 0 1", 1, "a1a8"),
    ],
)
def test_mates(player: Searcher, fen: str, mate: int, best: str | None) -> None:
    result, infos = ask(player, fen, Limits(depth=12))
    assert infos[-1].score.mate == mate
    assert len(infos[-1].pv) == (2 * mate - 1 if mate > 0 else -2 * mate)
    if best is not None:
        assert result.best == chess.Move.from_uci(best)


def test_a_limit_ends_one_search_and_a_stop_all_that_follow(player: Searcher) -> None:
    ask(player, chess.Board(), Limits(nodes=2000))
    infos: list[Info] = []
    player.search(chess.Board(), Limits(depth=6), infos.append)
    assert infos[-1].depth == 6
    player.stop()
    for _ in range(2):
        player.search(chess.Board(), Limits(depth=6), infos.append)
        assert infos[-1].depth == 1


def test_mate_on_the_hundredth_ply_beats_the_fifty_move_rule(player: Searcher) -> None:
    _, infos = ask(player, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90", Limits(depth=6))
    assert infos[-1].score.mate == 1


@pytest.mark.parametrize(("halfmoves", "depth"), [(98, 6), (98, 2), (99, 1)])
def test_the_fifty_move_rule_is_seen_ahead(player: Searcher, halfmoves: int, depth: int) -> None:
    fen = f"8/8/8/3k4/8/8/8/R3K3 w - - {halfmoves} 90"
    _, infos = ask(player, fen, Limits(depth=depth))
    assert infos[-1].score.centipawns == 0


def test_a_null_move_does_not_hide_a_mate_by_zugzwang(player: Searcher) -> None:
    """After 1 Qe4 Black must play 1...Kc1 into 2 Qe1 mate; if Black could pass, there would be none."""
    fen = "8/1Q1K4/8/8/8/pp6/ppp5/rk6 w - - 0 1"
    player.set_evaluation("classical")  # which makes null moves fail high here
    result, infos = ask(player, fen, Limits(depth=28))
    assert result.best == chess.Move.from_uci("b7e4") and infos[-1].score.mate == 2
    player.new_game()
    player.set_parameters({"null_verify_from": NEVER})
    assert ask(player, fen, Limits(depth=28))[1][-1].score.mate is None, "a test that cannot fail"


def test_no_legal_move_has_no_answer(player: Searcher) -> None:
    for fen in ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"):
        assert ask(player, fen, Limits(depth=4))[0].best is None


def test_stalemate_is_avoided(player: Searcher) -> None:
    result, _ = ask(player, "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", Limits(depth=6))
    board = chess.Board("7k/8/6K1/8/8/8/5Q2/8 w - - 0 1")
    assert result.best is not None
    board.push(result.best)
    assert not board.is_stalemate()


def test_repetition_saves_the_weaker_side(player: Searcher) -> None:
    # White is a rook down, but the queen checks for ever on e8 and h5.
    fen = "6k1/6p1/8/7Q/8/8/1q3PPK/1r6 w - - 0 1"
    _, infos = ask(player, fen, Limits(depth=10))
    assert infos[-1].score.centipawns == 0


def test_a_position_of_the_game_that_comes_a_third_time_is_a_draw(either: Searcher) -> None:
    board = chess.Board("7k/8/8/8/8/8/q7/7K b - - 0 1")
    for move in ("h8g8", "h1g1", "g8h8", "g1h1", "h8g8", "h1g1", "g8h8"):
        board.push_uci(move)
    # The only legal king move repeats the first position for the third time.
    for depth in (1, 8):
        only = Limits(depth=depth, search_moves=("g1h1",))
        assert ask(either, board, only)[1][-1].score.centipawns == 0


def test_every_line_is_legal_and_starts_with_the_best_move(either: Searcher) -> None:
    board = chess.Board()
    for _ in range(20):
        result, infos = ask(either, board, Limits(nodes=3000))
        for info in infos:
            line = board.copy()
            for move in info.pv:
                assert move in line.legal_moves
                line.push(move)
        assert result.best == infos[-1].pv[0]
        assert infos[-1].bound in ("", "lowerbound")
        assert all(0 <= info.hashfull <= 1000 and info.seldepth >= 1 for info in infos)
        board.push(result.best)
        if board.is_game_over():
            break


def test_search_moves_are_the_only_ones_considered(either: Searcher) -> None:
    for spelling in ("e1g1", "e1h1"):
        fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
        result, infos = ask(either, fen, Limits(depth=5, search_moves=(spelling,)))
        assert result.best == chess.Move.from_uci("e1g1")
        assert {info.pv[0] for info in infos} == {result.best}


def test_multipv_lines_differ_and_are_sorted(player: Searcher) -> None:
    _, infos = ask(player, chess.Board(), Limits(depth=6, multipv=4))
    last = infos[-4:]
    assert [info.multipv for info in last] == [1, 2, 3, 4]
    assert len({info.pv[0] for info in last}) == 4
    scores = [info.score.centipawns for info in last]
    assert scores == sorted(scores, key=lambda score: -(score or 0))


def test_an_analysis_gives_the_last_lines_the_best_first(player: Searcher) -> None:
    told: list[Info] = []
    lines = player.analyse(chess.Board(), Limits(depth=6, multipv=3), told.append)
    assert lines == told[-3:] and [info.multipv for info in lines] == [1, 2, 3]
    assert player.analyse(chess.Board(), Limits(depth=6)) != lines
    assert player.analyse(chess.Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Limits(depth=3)) == []


def test_an_analysis_begins_with_an_empty_memory_unless_told_otherwise(player: Searcher) -> None:
    first, again, later = (
        player.analyse(chess.Board(), Limits(depth=7), is_new_game=is_new_game)[0].nodes
        for is_new_game in (True, True, False)
    )
    assert first == again != later


def test_a_stop_ends_one_analysis_alone(player: Searcher) -> None:
    player.stop()
    (stopped,) = player.analyse(chess.Board(), Limits(infinite=True))
    assert stopped.depth < 20
    assert player.analyse(chess.Board(), Limits(depth=6))[0].depth == 6


def test_a_search_may_use_fewer_threads_than_the_option_says() -> None:
    alone, player = Searcher(hash_mb=4), Searcher(hash_mb=4)
    player.set_threads(2)
    board, limits = chess.Board(), Limits(depth=7, threads=1)
    seen: list[int] = []
    before = threading.active_count()
    assert (
        player.analyse(board, limits, lambda info: seen.append(threading.active_count()))[0].pv
        == alone.analyse(board, limits)[0].pv
    )
    assert set(seen) == {before}
    assert alpha_beta(player).threads == 1
    player.analyse(board, replace(limits, threads=None))
    assert alpha_beta(player).threads == min(2, usable_processors())


def test_multipv_is_cut_to_the_legal_moves(either: Searcher) -> None:
    _, infos = ask(either, "7k/8/8/8/8/8/6r1/7K w - - 0 1", Limits(depth=4, multipv=9))
    assert {info.multipv for info in infos} == {1}


def test_node_limit_is_kept(player: Searcher) -> None:
    for limit in (1000, 20_000, 100_000):
        _, infos = ask(player, chess.Board(), Limits(nodes=limit))
        assert infos[-1].nodes <= limit + 1000


@pytest.mark.parametrize(
    "limits",
    [
        Limits(depth=5, nodes=10**30),
        Limits(depth=5, movetime=10**18),
        Limits(depth=5, white_time=10**18),
    ],
)
def test_limits_beyond_all_numbers_are_no_limits(player: Searcher, limits: Limits) -> None:
    result, infos = ask(player, chess.Board(), limits)
    assert result.best and infos[-1].depth == 5


def test_a_stop_before_the_search_is_not_lost(either: Searcher) -> None:
    either.clear_stop()
    either.stop()
    result = either.search(chess.Board(), Limits(infinite=True), lambda info: None)
    assert result.best is not None and result.best in chess.Board().legal_moves


def test_the_same_search_has_the_same_nodes_after_a_new_game(player: Searcher) -> None:
    board = chess.Board("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10")
    first = ask(player, board, Limits(depth=7))[1][-1].nodes
    ask(player, chess.Board(), Limits(depth=6))
    player.new_game()
    assert ask(player, board, Limits(depth=7))[1][-1].nodes == first
    assert ask(Searcher(hash_mb=4), board, Limits(depth=7))[1][-1].nodes == first


def test_hash_can_be_resized_between_searches(
    player: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    for megabytes in (1, 8, 2):
        assert player.set_hash(megabytes) is None
        assert ask(player, chess.Board(), Limits(depth=5))[0].best is not None
    monkeypatch.setattr("boomslang.engine.driver.searcher.largest_table", lambda: 3)
    assert "half of the memory: hash table of 3 MB" in str(player.set_hash(4))


def test_a_new_game_empties_a_large_table(player: Searcher) -> None:
    assert player.set_hash(128) is None
    nodes = ask(player, chess.Board(), Limits(depth=8))[1][-1].nodes
    assert ask(player, chess.Board(), Limits(depth=8))[1][-1].nodes < nodes
    assert alpha_beta(player).table.any()
    player.new_game()
    assert not alpha_beta(player).table.any()
    assert ask(player, chess.Board(), Limits(depth=8))[1][-1].nodes == nodes


def test_how_many_captures_quiescence_looks_at_matters(player: Searcher) -> None:
    board = chess.Board("q2q1k1q/1q1q1q1q/8/8/8/8/Q1Q1Q1Q1/1Q1QK1Q1 w - - 0 1")
    nodes = []
    for most in (1, 3, 256):
        player.new_game()
        player._search.params.quiescence_moves = most
        nodes.append(ask(player, board, Limits(depth=1))[1][-1].nodes)
    player._search.params.quiescence_moves = BY_NAME["quiescence_moves"].default
    assert len(set(nodes)) == 3


@pytest.mark.parametrize(("algorithm", "lines"), [("alphabeta", 1), ("alphabeta", 3), ("mcts", 1)])
def test_captures_without_end_do_not_hold_up_the_answer(
    player: Searcher, algorithm: str, lines: int
) -> None:
    board = chess.Board("qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1")
    player.set_algorithm(algorithm)
    result, infos = ask(player, board, Limits(nodes=1, multipv=lines))
    assert result.best is not None and board.is_legal(result.best)
    assert infos[-1].nodes == FIRST_NODES and infos[-1].depth == 1


def test_chess960_castling_comes_out_as_the_board_wants_it(either: Searcher) -> None:
    fen = "k7/8/8/8/8/8/8/4KR2 w F - 0 1"
    board = chess.Board(fen, chess960=True)
    result, _ = ask(either, board, Limits(depth=3, search_moves=("e1f1",)))
    assert result.best == chess.Move.from_uci("e1f1")
    assert board.is_castling(result.best)


@pytest.mark.parametrize("moves", [2, 20_000])
def test_a_mate_for_either_side_ends_a_search_for_mates(player: Searcher, moves: int) -> None:
    for fen, mate in (
        ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 2),
        ("7k/1R6/R7/8/8/8/8/K7 b - - 0 1", -1),
    ):
        result, _ = ask(player, fen, Limits(mate=moves))
        assert result.info and result.info.score.mate == mate and result.info.depth < 30


def test_the_first_search_for_a_move_is_no_lag(player: Searcher) -> None:
    """A level searches twice for a move; both are the time of the move."""
    board, clock, begun = chess.Board(), 60_000, time.monotonic()
    limits = Limits(nodes=500_000, white_time=clock, black_time=clock)
    player.search(board, limits, lambda info: None, begun)
    first = time.monotonic() - begun
    player.search(board, replace(limits, nodes=1000), lambda info: None, begun)
    cost = time.monotonic() - begun
    board.push_san("e4")
    board.push_san("e5")
    later = Limits(nodes=1000, white_time=clock - round(1000 * cost), black_time=clock)
    timing = player.search(board, later, lambda info: None).timing
    lag = re.search(r"lag (\d+) ms", timing)
    assert lag and int(lag[1]) < 500 * min(first, 1.0)  # it is never taken to be more than 1 s


def test_two_threads_search_together_and_stop_together() -> None:
    player = Searcher(hash_mb=4)
    alone = player.set_threads(2) is not None  # on one processor there is no helper
    before = threading.active_count()
    for _ in range(20):
        result, infos = ask(player, chess.Board(), Limits(nodes=5000))
        assert result.best is not None and chess.Board().is_legal(result.best)
        assert infos[-1].nodes > 0
    ask(player, chess.Board(), Limits(movetime=500))
    assert alone or alpha_beta(player).helpers.nodes > 0
    assert threading.active_count() == before
    assert "processor" in str(player.set_threads(1024))


def test_a_search_of_a_few_nodes_ends_in_time_too(player: Searcher) -> None:
    """No iteration here is so long that the kernels look at the clock."""
    fen = "8/4k1p1/6P1/8/3q4/5K2/8/6q1 w - - 2 62"
    _, unbounded = ask(player, fen, Limits(nodes=100_000))
    _, infos = ask(player, fen, Limits(movetime=0))
    assert unbounded[-1].depth > 100 and infos[-1].depth == 1


def test_the_clock_teaches_what_a_move_costs(
    player: Searcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    tolls: list[float] = []

    def record(
        limits: Limits, white: bool, overhead: float, toll: float = 0.0, ply: int = 0
    ) -> TimeBudget:
        tolls.append(toll)
        return allot(limits, white, overhead, toll, ply)

    monkeypatch.setattr("boomslang.engine.driver.searcher.allot", record)
    board = chess.Board()
    for number in range(4):
        clock = 10_000_000 - 60_000 * number  # no thought here takes that long
        ask(player, board, Limits(depth=1, white_time=clock))
        for text in ("g1f3", "g8f6") if number % 2 == 0 else ("f3g1", "f6g8"):
            board.push_uci(text)
    assert tolls == [0.0, 1000.0, 1000.0, 1000.0]
    player.new_game()
    ask(player, chess.Board(), Limits(depth=1, white_time=1000))
    assert tolls[-1] == 1000.0  # the computer is as slow as before


@pytest.mark.parametrize("halfmoves", [0, 40])
@pytest.mark.parametrize("quietly", [False, True])
def test_mates_of_the_table_that_come_too_late(halfmoves: int, quietly: bool) -> None:
    """The table knows a mate in so many plies; it is believed if it comes within fifty moves."""
    board = chess.Board(f"8/8/4k3/8/8/8/6K1/6BN w - - {halfmoves} 90")
    search = bridge.new_search()
    set_root(search, board, Limits(depth=3), 1, 1)
    alpha, beta = I(5000), I(5001)
    for distance in (21, 59, 61, 99, 101, 151, 251):
        table = new_table(1)
        key = U(int(search.position[0].key))
        store(table, key, U(0), U(0), MATE - I(distance), I(0), I(60), BOUND_LOWER)
        if quietly:
            score = quiescence(search, table, I(0), alpha, beta)
        else:
            score = negamax(search, table, I(0), I(3), alpha, beta, I(0))
        in_time = distance + halfmoves <= 100
        assert (score == MATE - distance) if in_time else (score < alpha)
