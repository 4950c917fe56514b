"""Monte Carlo tree search that plays: proofs, limits, lines, and its place among the options."""

from __future__ import annotations

import threading
import time
from itertools import pairwise

import chess
import pytest

from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import Limits, Result
from tests.support.searchers import ask

pytestmark = pytest.mark.jit_only

MIDDLEGAME = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"


@pytest.fixture
def player() -> Searcher:
    player = Searcher(hash_mb=4)
    assert player.set_algorithm("mcts") is None
    return player


@pytest.mark.parametrize(
    ("fen", "mate", "best"),
    [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", 1, "a1a8"),
        ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", 1, "h5f7"),
        ("7k/8/5K2/8/8/8/8/1R6 w - - 0 1", 2, "f6g6 f6f7"),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", -1, "a8b8"),
        ("6k1/8/6K1/8/8/8/8/R7 b - - 0 1", -2, "g8f8"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90", 1, "a1a8"),  # on the hundredth ply
    ],
)
def test_mates_are_proven(player: Searcher, fen: str, mate: int, best: str) -> None:
    result, infos = ask(player, fen, Limits(depth=16))
    assert infos[-1].score.mate == mate
    assert result.best is not None and result.best.uci() in best.split()
    assert len(infos[-1].pv) == (2 * mate - 1 if mate > 0 else -2 * mate)
    assert infos[-1].nodes < 20_000  # a proof ends the search


def test_two_moves_from_mate(player: Searcher) -> None:
    # Philidor's smothered mate needs a queen sacrifice, which no prior speaks for.
    fen = "2r4k/6pp/7N/8/8/1Q6/6PP/6K1 w - - 0 1"
    result, infos = ask(player, fen, Limits(depth=20))
    assert result.best == chess.Move.from_uci("b3g8")
    assert infos[-1].score.mate == 2


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/8/8/8/4k3/4p3/4K3 b - - 99 80",  # whatever is played, fifty moves are over
        "7k/8/8/8/8/8/6q1/7K w - - 0 1",  # the only move takes the last piece
        "k7/8/8/8/8/8/8/K6b w - - 0 1",
    ],
)
def test_draws_are_proven(player: Searcher, fen: str) -> None:
    _, infos = ask(player, fen, Limits(depth=16))
    assert infos[-1].score.centipawns == 0
    assert infos[-1].nodes < 20_000


def test_a_proven_draw_does_not_outlive_the_move_that_made_it_one(player: Searcher) -> None:
    # The tree goes on with the game, but what repeats a position before the new root is no draw yet.
    board = chess.Board("7k/8/8/8/8/8/q7/7K b - - 0 1")
    for _ in range(8):
        result, infos = ask(player, board, Limits(nodes=3000))
        assert result.best
        mate, value = infos[-1].score.mate, infos[-1].score.centipawns
        black = board.turn == chess.BLACK
        if board.is_repetition(2):
            assert mate is not None or abs(value or 0) > 200, board.move_stack
        if mate is not None:
            assert (mate > 0) == black
        board.push(result.best)
        if board.is_game_over():
            assert board.is_checkmate()
            break


def test_a_proven_draw_is_preferred_to_a_loss(player: Searcher) -> None:
    # White is a rook down, but the queen checks for ever on e8 and h5.
    fen = "6k1/6p1/8/7Q/8/8/1q3PPK/1r6 w - - 0 1"
    result, infos = ask(player, fen, Limits(nodes=50_000))
    assert result.best == chess.Move.from_uci("h5e8")
    assert abs(infos[-1].score.centipawns or 0) < 100


def test_depth_is_the_number_of_doublings(player: Searcher) -> None:
    _, infos = ask(player, MIDDLEGAME, Limits(depth=9))
    assert infos[-1].depth == 9
    assert sorted({info.depth for info in infos}) == list(range(1, 10))


def test_nodes_and_time_are_kept(player: Searcher) -> None:
    for limit in (1, 1000, 50_000):
        _, infos = ask(player, chess.Board(), Limits(nodes=limit))
        assert infos[-1].nodes <= limit + 1000
    begun = time.monotonic()
    assert ask(player, chess.Board(), Limits(movetime=100))[0].best
    assert time.monotonic() - begun < 20
    clock = Limits(white_time=1000, black_time=1000, white_increment=10, black_increment=10)
    assert ask(player, chess.Board(), clock)[0].best
    assert time.monotonic() - begun < 40


def test_one_legal_move_takes_no_time(player: Searcher) -> None:
    clock = Limits(white_time=10_000_000, black_time=10_000_000)
    _, infos = ask(player, "7k/8/8/8/8/8/r7/7K w - - 0 1", clock)
    assert infos[-1].nodes < 100_000


def test_multipv_lines_differ(player: Searcher) -> None:
    _, infos = ask(player, MIDDLEGAME, Limits(depth=12, multipv=4))
    assert [info.multipv for info in infos[-4:]] == [1, 2, 3, 4]
    assert len({info.pv[0] for info in infos[-4:]}) == 4


@pytest.mark.parametrize("how", ["stop", "ponderhit"])
def test_infinite_and_ponder_wait(player: Searcher, how: str) -> None:
    answer: list[Result] = []
    limits = Limits(white_time=500, black_time=500, ponder=how == "ponderhit")
    if how == "stop":
        limits = Limits(infinite=True)
    player.clear_stop()
    thread = threading.Thread(
        target=lambda: answer.append(player.search(chess.Board(), limits, lambda info: None))
    )
    thread.start()
    time.sleep(1.0)
    assert thread.is_alive()  # its clock would have run out by now
    getattr(player, how)()
    thread.join(timeout=20)
    assert answer and answer[0].best is not None


def test_the_same_search_grows_the_same_tree_after_a_new_game(player: Searcher) -> None:
    first = ask(player, MIDDLEGAME, Limits(nodes=30_000))
    ask(player, chess.Board(), Limits(nodes=10_000))
    player.new_game()
    again = ask(player, MIDDLEGAME, Limits(nodes=30_000))
    assert again[0].best == first[0].best
    assert [(info.nodes, info.score, info.pv) for info in again[1]] == [
        (info.nodes, info.score, info.pv) for info in first[1]
    ]


def test_what_is_known_is_kept_for_the_next_move(player: Searcher) -> None:
    board = chess.Board(MIDDLEGAME)
    result, _ = ask(player, board, Limits(nodes=60_000))
    assert result.best and result.ponder
    board.push(result.best)
    board.push(result.ponder)
    assert ask(player, board, Limits(nodes=100))[1][-1].depth > 7  # 100 nodes are less than 2^7
    assert ask(player, chess.Board(), Limits(nodes=100))[1][-1].depth < 7


def test_a_full_tree_is_cut_back(player: Searcher) -> None:
    player.set_hash(1)
    board = chess.Board(MIDDLEGAME)
    highest, cut_back = 0, 0
    for _ in range(2):
        result, infos = ask(player, board, Limits(nodes=150_000))
        # Told is only how full it is when a new line is: that may be high or low.
        full = [info.hashfull for info in infos]
        assert infos[-1].nodes >= 150_000 and 0 < max(full) <= 1000
        highest = max(highest, *full)
        cut_back += any(later < earlier for earlier, later in pairwise(full))
        assert len(infos[-1].pv) > 3
        assert result.best
        board.push(result.best)
    assert highest > 800 and cut_back


def test_it_can_be_switched_on_and_off_between_searches(player: Searcher) -> None:
    expected = ask(Searcher(hash_mb=4), MIDDLEGAME, Limits(depth=6))[1][-1].nodes
    for _ in range(2):
        player.set_algorithm("alphabeta")
        assert ask(player, MIDDLEGAME, Limits(depth=6))[1][-1].nodes == expected
        player.set_algorithm("mcts")
        assert ask(player, MIDDLEGAME, Limits(depth=6))[1][-1].nodes < 1000
    assert player.set_threads(2) == "Monte Carlo tree search uses one thread"
