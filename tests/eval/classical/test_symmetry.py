"""A position and its mirror image, with colours exchanged, are worth the same to the side to move."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import islice

import chess
import pytest

from boomslang.core.jit.jit import DISABLED
from boomslang.eval.classical.evaluate import evaluate
from boomslang.eval.classical.new_evaluator import new_evaluator
from tests.support.oracle import position_of, random_game, random_placement, rules

pytestmark = pytest.mark.usefixtures("kernels")

Positions = Callable[[], Iterator[chess.Board]]

TWO_QUEENS = "2Q2nr1/4kp1p/1p1p1b1p/p6b/4P3/2PP4/PQ2N2P/RN5K w - - 1 35"


def from_games() -> Iterator[chess.Board]:
    """Positions of random games, every third one of Chess960, without end."""
    seed = 900
    while True:
        seed += 1
        for board in random_game(seed, 200, seed % 3 == 0):
            yield board.copy(stack=False)


def from_nowhere() -> Iterator[chess.Board]:
    """Pieces strewn over the board, without end."""
    rng = random.Random(5)
    while True:
        yield random_placement(rng)


def with_queens() -> Iterator[chess.Board]:
    """Positions of random games in which both sides have been given two queens or more."""
    rng = random.Random(7)
    for board in from_games():
        board.set_castling_fen("-")
        board.ep_square = None
        for colour in chess.COLORS:
            empty = list(chess.SquareSet(~board.occupied))
            for square in rng.sample(empty, rng.randint(2, 3)):
                board.set_piece_at(square, chess.Piece(chess.QUEEN, colour))
        if not board.was_into_check():
            yield board


def differing(boards: Iterator[chess.Board]) -> list[str]:
    """Those that are worth something else than their mirror images."""
    evaluator = new_evaluator()
    return [
        board.fen()
        for board in boards
        if evaluate(rules(), evaluator, position_of(board))
        != evaluate(rules(), evaluator, position_of(board.mirror()))
    ]


def test_a_known_difference_is_gone() -> None:
    assert differing(iter([chess.Board(TWO_QUEENS)])) == []


@pytest.mark.parametrize("kind", [from_games, from_nowhere, with_queens])
def test_mirror_images_are_worth_the_same(kind: Positions) -> None:
    assert differing(islice(kind(), 10 if DISABLED else 300)) == []


@pytest.mark.slow
@pytest.mark.jit_only
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("kind", "number"), [(from_games, 7000), (from_nowhere, 2500), (with_queens, 500)]
)
def test_many_mirror_images_are_worth_the_same(kind: Positions, number: int) -> None:
    assert differing(islice(kind(), number)) == []
