"""With everything selective switched off, the search that plays returns the value of minimax."""

from __future__ import annotations

import chess
import pytest

from boomslang.core.jit.jit import load_kernels
from boomslang.engine.comparisons.algorithms import AlgorithmBench
from boomslang.engine.driver.searcher import Searcher
from boomslang.engine.limits import Limits
from boomslang.engine.search.params import TABLE, Param
from boomslang.engine.textbook.alphabeta import AlphaBetaFeatures, fail_soft
from boomslang.engine.textbook.chess_game import MATE, ChessGame, captures_first
from boomslang.engine.textbook.game import NodeCounter
from boomslang.engine.textbook.minimax import minimax
from tests.support.own_games import Evaluator, judge_classically, own_positions

pytestmark = pytest.mark.jit_only

# Mates and stalemates at the horizon, promotions, en passant, the fifty-move rule, dead positions.
CORNERS = (
    "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
    "7k/8/5K2/8/8/8/8/1R6 w - - 0 1",
    "6k1/8/6K1/8/8/8/8/R7 b - - 0 1",
    "8/8/8/8/8/1k6/p1q5/K7 b - - 0 1",
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
    "k7/6b1/8/3pP3/8/2K5/8/8 w - d6 0 1",
    "6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 90",
    "8/8/8/3k4/8/8/8/R3K3 w - - 97 90",
    "8/8/3k4/8/4p3/3B4/8/4K3 w - - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
)


EASIER = {
    "history_prune_depth": {"history_prune_margin": 500},  # histories are short here
    "futility_depth": {"futility_base": 20, "futility_margin": 20},
    "capture_futility_depth": {"capture_futility_base": 0, "capture_futility_margin": 20},
}


@pytest.fixture(scope="module")
def exact(kernels: None) -> Searcher:
    load_kernels()  # those of the comparison are not needed for play
    player = Searcher(hash_mb=4)
    player.set_exact(True)
    return player


def ask(player: Searcher, board: chess.Board, depth: int) -> tuple[int, chess.Move]:
    """Value and best move; the table and the histories stay as the last position has left them."""
    player.clear_stop()
    result = player.search(board, Limits(depth=depth), lambda info: None)
    assert result.best is not None and result.info is not None
    assert result.info.depth == depth
    score = result.info.score
    if score.centipawns is not None:
        return score.centipawns, result.best
    mate = score.mate or 0
    return (MATE - 2 * mate + 1 if mate > 0 else -MATE - 2 * mate), result.best


def check(player: Searcher, board: chess.Board, depth: int, whole_tree: bool) -> None:
    """The player's value is the textbook's, and so is that of the move it prefers."""
    game = ChessGame(board, Evaluator(board))

    def truth(game: ChessGame, depth: int) -> float:
        if whole_tree:
            return minimax(game, NodeCounter(), depth, first_moves=game.ply % 2 == 0).value
        value = fail_soft(game, AlphaBetaFeatures(order=captures_first), depth).value
        return value if game.ply % 2 == 0 else -value

    value, best = ask(player, board, depth)
    assert value == truth(game, depth), board.fen()
    assert value == truth(game.play(best), depth - 1), (board.fen(), best)


@pytest.mark.parametrize("fen", CORNERS)
def test_minimax_in_the_corners_of_the_rules(exact: Searcher, fen: str) -> None:
    for depth in (1, 2, 3):
        check(exact, chess.Board(fen), depth, whole_tree=depth < 3)


def test_minimax_on_own_games(exact: Searcher) -> None:
    for board in own_positions(1):
        for depth in (1, 2, 3):
            check(exact, board, depth, whole_tree=depth < 3)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_minimax_on_many_own_games(exact: Searcher) -> None:
    for number, board in enumerate(own_positions(500)):
        for depth in (1, 2, 3):
            # The whole tree of depth 3 takes seconds in plain Python: for a few positions only.
            check(exact, board, depth, whole_tree=depth < 3 or number % 50 == 0)


def test_minimax_deeper_down(exact: Searcher) -> None:
    # Here the table knows much of earlier iterations, and rules for deep nodes would apply.
    for board in own_positions(8):
        truth = AlgorithmBench(board).run("ordering", 5).value
        assert ask(exact, board, 5)[0] == truth, board.fen()


def test_repetitions_count(exact: Searcher) -> None:
    board = chess.Board("7k/8/8/8/8/8/q7/7K b - - 0 1")
    for move in ("h8g8", "h1g1", "g8h8", "g1h1", "h8g8", "h1g1", "g8h8"):
        board.push_uci(move)
        for depth in (1, 2, 3):
            check(exact, board, depth, whole_tree=False)
    check(exact, board, 4, whole_tree=False)


def test_the_search_that_plays_is_selective(exact: Searcher) -> None:
    board = chess.Board(CORNERS[-1])
    player, fresh = Searcher(hash_mb=4), Searcher(hash_mb=4)
    assert any(ask(player, other, 4)[0] != ask(exact, other, 4)[0] for other in own_positions(8))
    player.set_exact(True)
    assert ask(player, board, 4)[0] == ask(exact, board, 4)[0]
    player.set_exact(False)
    assert ask(player, board, 8) == ask(fresh, board, 8)


def strongest(param: Param) -> dict[str, int]:
    """The rule of this switch at work as much as it can be, and as easily."""
    value = param.high if param.off in (0, -1) else param.low
    return {param.name: value} | EASIER.get(param.name, {})


# Mate in three, each check with one answer: what follows an only answer is seen two plies earlier.
SMOTHERED = "5rk1/5Npp/8/8/2Q5/8/8/6K1 w - - 0 1"


@pytest.fixture(scope="module")
def truths(kernels: None) -> list[tuple[chess.Board, int, int]]:
    """Positions, and their values at two depths: the deeper one leaves a full table for the other.

    By the classical evaluation, in whose eyes each rule has something to do here.
    """
    slow, *boards = own_positions(8, "classical")  # in the first, extensions have no end
    boards += [chess.Board(CORNERS[-1]), chess.Board(SMOTHERED), slow]
    benches = [(board, judge_classically(AlgorithmBench(board))) for board in boards]
    return [
        (board, bench.run("ordering", 5).value, bench.run("ordering", 3).value)
        for board, bench in benches
    ]


@pytest.mark.parametrize(
    "param", [param for param in TABLE if param.off is not None], ids=lambda param: param.name
)
@pytest.mark.slow
def test_a_switch_left_on_would_be_noticed(
    param: Param, truths: list[tuple[chess.Board, int, int]]
) -> None:
    player = Searcher(hash_mb=4)
    player.set_evaluation("classical")
    player.set_exact(True)
    player.set_parameters(strongest(param))
    same = all(
        ask(player, board, 5)[0] == deep and ask(player, board, 3)[0] == shallow
        for board, deep, shallow in truths
    )
    # Nothing is left that looks at the corrected evaluation, so it cannot do harm.
    assert same == (param.name == "correction_weight")
