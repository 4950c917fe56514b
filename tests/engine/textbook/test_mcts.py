"""Monte Carlo tree search converges to the minimax value, and proves it where it can."""

from __future__ import annotations

import random
from math import tanh

import chess
import pytest

from boomslang.engine.textbook.chess_game import ChessGame
from boomslang.engine.textbook.game import NodeCounter
from boomslang.engine.textbook.mcts import Playouts, monte_carlo
from boomslang.engine.textbook.negamax import negamax
from boomslang.engine.textbook.twentytwo import TwentyTwo
from tests.support.tictactoe import TicTacToe
from tests.support.trees import random_tree

# A pawn is a fair chance to win, a mate is a win.
CHESS = Playouts(length=0, squash=lambda value: tanh(value / 400))


@pytest.mark.slow
def test_twenty_two_is_proven_a_draw() -> None:
    """The true outcome for the first player is a draw."""
    playouts = Playouts(highest=2)
    found = monte_carlo(TwentyTwo(), NodeCounter(), 200_000, random.Random(0), playouts)
    assert found.value == 0


@pytest.mark.parametrize("total", range(8, 20))
def test_twenty_two_from_later_sums(total: int) -> None:
    expected = negamax(TwentyTwo(total), NodeCounter())
    found = monte_carlo(
        TwentyTwo(total), NodeCounter(), 20_000, random.Random(1), Playouts(highest=2)
    )
    assert found.value == expected.value
    assert -negamax(TwentyTwo(total).play(found.line[0]), NodeCounter()).value == expected.value


@pytest.mark.slow
def test_tic_tac_toe_converges_to_a_draw() -> None:
    def error(game: TicTacToe, playouts: int) -> float:
        return abs(monte_carlo(game, NodeCounter(), playouts, random.Random(1)).value)

    errors = [error(TicTacToe(), playouts) for playouts in (100, 1_000, 4_000)]
    assert errors == sorted(errors, reverse=True)
    assert error(TicTacToe().play(4), 100) > 0.1 > error(TicTacToe().play(4), 4_000)


def test_tic_tac_toe_is_proven_a_draw() -> None:
    found = monte_carlo(TicTacToe(), NodeCounter(), 100_000, random.Random(1))
    assert found.value == 0
    assert len(found.line) == 9


def test_random_trees_are_solved() -> None:
    for seed in range(50):
        tree = random_tree(random.Random(seed), height=4, width=3)
        found = monte_carlo(tree, NodeCounter(), 10_000, random.Random(seed), Playouts(highest=9))
        assert found.value == negamax(tree, NodeCounter()).value, seed


def test_mate_is_proven() -> None:
    game = ChessGame(chess.Board("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"))
    found = monte_carlo(game, NodeCounter(), 1000, random.Random(1), CHESS)
    assert found.value == 1
    assert found.line[0] == chess.Move.from_uci("d1d8")


def test_the_same_seed_gives_the_same_search() -> None:
    game = ChessGame(chess.Board())
    first, again = (
        monte_carlo(
            game, NodeCounter(), 200, random.Random(7), Playouts(length=4, squash=CHESS.squash)
        )
        for _ in range(2)
    )
    assert first == again
