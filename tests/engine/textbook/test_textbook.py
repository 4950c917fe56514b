"""The textbook algorithms agree with each other, and with what is known of the games."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import inf

import chess
import pytest

from boomslang.engine.textbook.alphabeta import (
    AlphaBetaFeatures,
    fail_hard,
    fail_soft,
    iterative_deepening,
)
from boomslang.engine.textbook.chess_game import MATE, ChessGame, captures_first
from boomslang.engine.textbook.game import (
    UNLIMITED,
    NodeCounter,
    SearchInterruptedError,
    SearchOutcome,
)
from boomslang.engine.textbook.minimax import minimax
from boomslang.engine.textbook.negamax import negamax
from boomslang.engine.textbook.quiescence import extend_forced, quiesce
from boomslang.engine.textbook.trees import Tree, uniform_tree
from boomslang.engine.textbook.twentytwo import TwentyTwo
from tests.support.tictactoe import TicTacToe
from tests.support.trees import random_tree

POSITIONS = (
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",  # mate in one
    "7k/5Q2/8/8/8/8/8/K7 b - - 0 1",  # few moves
    "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1",  # stalemate
)


def follow(game: Tree, found: SearchOutcome) -> float:
    """Value of the end of a line, for the player to move at its start."""
    sign = 1
    for move in found.line:
        game = game.play(move)
        sign = -sign
    return sign * game.value()


def test_all_agree_on_random_trees() -> None:
    for seed in range(200):
        check_agreement(seed)


def check_agreement(seed: int) -> None:
    """All searches give the tree of this seed the value of minimax."""
    source = random.Random(seed)
    tree = random_tree(source, height=source.randint(1, 6), width=4)
    for depth in (0, 1, 2, 3, UNLIMITED):
        expected = minimax(tree, NodeCounter(), depth)
        for found in (
            negamax(tree, NodeCounter(), depth),
            fail_hard(tree, AlphaBetaFeatures(), depth),
            fail_soft(tree, AlphaBetaFeatures(), depth),
        ):
            assert found.value == expected.value, seed
        second = minimax(tree, NodeCounter(), depth, first_moves=False)
        assert second.value == -expected.value, seed
    for found in (
        minimax(tree, NodeCounter()),
        negamax(tree, NodeCounter()),
        fail_hard(tree, AlphaBetaFeatures()),
        fail_soft(tree, AlphaBetaFeatures()),
    ):
        assert follow(tree, found) == found.value, seed


def test_windows() -> None:
    """Inside the window both are exact; outside, one gives the border, the other a true bound."""
    for seed in range(50):
        check_windows(seed)


def check_windows(seed: int) -> None:
    source = random.Random(seed)
    tree = random_tree(source, height=5, width=3)
    value = negamax(tree, NodeCounter()).value
    for alpha in range(-10, 10, 3):
        for beta in range(alpha + 1, 11, 3):
            hard, soft = AlphaBetaFeatures[Tree](), AlphaBetaFeatures[Tree]()
            clamped = fail_hard(tree, hard, UNLIMITED, alpha, beta).value
            bound = fail_soft(tree, soft, UNLIMITED, alpha, beta).value
            assert clamped == max(alpha, min(beta, value)), seed
            assert hard.counter.nodes == soft.counter.nodes, seed
            if alpha < value < beta:
                assert bound == value, seed
            elif value <= alpha:
                assert value <= bound <= alpha, seed
            else:
                assert beta <= bound <= value, seed


def test_node_counts() -> None:
    """Minimax visits all, alpha-beta with the best move first as few as can be."""
    height = 8
    source = random.Random(1)
    leaves = [source.randint(-99, 99) for _ in range(3**height)]
    tree = uniform_tree(height, leaves, width=3)
    for search in (minimax, negamax):
        counter = NodeCounter()
        search(tree, counter)
        assert counter.nodes == sum(3**level for level in range(height + 1))

    def best_first(game: Tree, moves: Sequence[int]) -> list[int]:
        return sorted(moves, key=lambda move: negamax(game.play(move), NodeCounter()).value)

    plain, ordered = AlphaBetaFeatures[Tree](), AlphaBetaFeatures[Tree](order=best_first)
    assert fail_soft(tree, plain).value == fail_soft(tree, ordered).value
    # The critical nodes of each level (Knuth and Moore, 1975).
    least = sum(3 ** ((level + 1) // 2) + 3 ** (level // 2) - 1 for level in range(height + 1))
    assert ordered.counter.nodes == least < plain.counter.nodes


def test_unfit_number_of_leaves() -> None:
    with pytest.raises(ValueError, match="8 leaves wanted, 7 given"):
        uniform_tree(3, range(7))


def test_tic_tac_toe_is_a_draw() -> None:
    for search in (fail_hard, fail_soft):
        plan = AlphaBetaFeatures[TicTacToe](highest=1)
        found = search(TicTacToe(), plan)
        assert found.value == 0
        assert len(found.line) == 9  # to the last square
        assert plan.counter.nodes < 549_946 / 10  # all games from the empty board
    won = TicTacToe(0b000000011, 0b000011000)  # three in a row next
    assert minimax(won, NodeCounter()).value == 1


@pytest.mark.slow
def test_all_games_of_tic_tac_toe() -> None:
    counter = NodeCounter()
    assert negamax(TicTacToe(), counter).value == 0
    assert counter.nodes == 549_946  # with their beginnings


def test_twenty_two_is_a_draw_for_the_first_player() -> None:
    for total, expected in ((19, 2), (18, 1), (17, 0), (16, 0), (10, 0)):
        assert minimax(TwentyTwo(total), NodeCounter()).value == expected
    assert fail_hard(TwentyTwo(), AlphaBetaFeatures(highest=2)).value == 0
    assert fail_soft(TwentyTwo(), AlphaBetaFeatures(highest=2)).value == 0
    assert minimax(TwentyTwo(4), NodeCounter(), first_moves=False).value == 0


def test_extreme_value_pruning_saves_nodes() -> None:
    plain, pruned = AlphaBetaFeatures[TicTacToe](), AlphaBetaFeatures[TicTacToe](highest=1)
    position = TicTacToe(0b000000001, 0b000000010)
    assert fail_soft(position, plain).value == fail_soft(position, pruned).value == 1
    assert pruned.counter.nodes < plain.counter.nodes


@pytest.mark.parametrize("fen", POSITIONS)
@pytest.mark.parametrize("depth", [1, 2, pytest.param(3, marks=pytest.mark.slow)])
def test_all_agree_on_chess(fen: str, depth: int) -> None:
    game = ChessGame(chess.Board(fen))
    counter, ordered = NodeCounter(), AlphaBetaFeatures[ChessGame](order=captures_first)
    expected = minimax(game, counter, depth)
    assert negamax(game, NodeCounter(), depth).value == expected.value
    for search in (fail_hard, fail_soft):
        plan = AlphaBetaFeatures[ChessGame]()
        assert search(game, plan, depth).value == expected.value
        assert plan.counter.nodes <= counter.nodes
    assert fail_soft(game, ordered, depth).value == expected.value


def test_iterative_deepening_gives_the_same_values() -> None:
    game = ChessGame(chess.Board(POSITIONS[4]))
    plan = AlphaBetaFeatures[ChessGame](order=captures_first)
    for depth, found in zip((1, 2, 3), iterative_deepening(game, plan), strict=False):
        assert found.value == fail_soft(game, AlphaBetaFeatures(), depth).value


def test_a_counter_can_end_the_search() -> None:
    class Ten(NodeCounter):
        def visit(self) -> None:
            super().visit()
            if self.nodes == 10:
                raise SearchInterruptedError

    plan = AlphaBetaFeatures[TwentyTwo](counter=Ten())
    with pytest.raises(SearchInterruptedError):
        fail_soft(TwentyTwo(), plan)
    assert plan.counter.nodes == 10


def test_quiescence_sees_the_recapture() -> None:
    """Taking the guarded pawn looks good for one ply."""
    board = chess.Board("4k3/8/3p4/4p3/8/8/8/K3R3 w - - 0 1")
    game = ChessGame(board)
    assert fail_soft(game, AlphaBetaFeatures(), 1).line[0] == chess.Move.from_uci("e1e5")
    quiet = AlphaBetaFeatures[ChessGame](settle=quiesce, extend=extend_forced)
    assert fail_soft(game, quiet, 1).line[0] != chess.Move.from_uci("e1e5")


@pytest.mark.parametrize("depth", [3, 4])
def test_horizon_effect(depth: int) -> None:
    """White's queen is lost for a bishop; Bxf7+ only puts that off beyond a fixed horizon."""
    game = ChessGame(chess.Board("1r4k1/2p2pp1/2n4p/8/2B5/p4N2/Pb3PPP/QN4K1 w - - 0 1"))
    fixed = AlphaBetaFeatures[ChessGame](order=captures_first)
    cured = AlphaBetaFeatures[ChessGame](order=captures_first, settle=quiesce, extend=extend_forced)
    assert fail_soft(game, fixed, depth).line[0] == chess.Move.from_uci("c4f7")
    assert fail_soft(game, cured, depth).line[0] == chess.Move.from_uci("a1b2")


def test_quiescence_finds_mate_behind_forced_moves() -> None:
    board = chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    board.push_uci("d1d8")
    assert quiesce(ChessGame(board), AlphaBetaFeatures(), -inf, inf).value == -MATE


def test_chess_draws() -> None:
    board = chess.Board()
    for move in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"):
        board.push_uci(move)
    game = ChessGame(board)
    assert not game.is_over()
    assert game.play(chess.Move.from_uci("f6g8")).is_over()  # the third time
    assert not game.play(chess.Move.from_uci("f6e4")).is_over()

    game = ChessGame(chess.Board())
    for move in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3"):
        game = game.play(chess.Move.from_uci(move))
        assert game.is_over() == (game.ply == 5)  # as at ply 1, while the root may come twice

    late = ChessGame(chess.Board("7k/8/8/8/8/8/5R2/K7 w - - 99 80"))
    assert late.play(chess.Move.from_uci("f2f3")).is_over()
    mate = ChessGame(chess.Board("k7/8/1K6/8/8/8/8/7R w - - 99 80")).play(
        chess.Move.from_uci("h1h8")
    )
    assert mate.is_over()
    assert mate.value() == 1 - MATE  # mate comes before the fifty moves

    bare = ChessGame(chess.Board("7k/6P1/8/8/8/8/8/K7 b - - 0 1"))
    assert bare.play(chess.Move.from_uci("h8g7")).is_over()


def test_promotions_are_forcing() -> None:
    game = ChessGame(chess.Board("3r4/2P5/8/8/8/8/6k1/K7 w - - 0 1"))
    assert {move.uci() for move in game.forcing_moves()} >= {"c7c8q", "c7d8q"}
