"""The order of moves: refutations, and exchanges that have done badly."""

from __future__ import annotations

import functools
from typing import Any

import chess
import pytest

from boomslang.core.board.constants import ZERO, I, U
from boomslang.core.board.movegen import generate
from boomslang.engine import bridge
from boomslang.engine.search.history import note_attacked
from boomslang.engine.search.ordering import (
    BAD_CAPTURE,
    GOOD_CAPTURE,
    next_move,
    score_at,
    score_moves,
)
from boomslang.engine.search.params import BY_NAME
from boomslang.engine.search.state import NOTHING

pytestmark = [
    pytest.mark.usefixtures("kernels"),
    pytest.mark.slow,
]  # what they call is compiled each time

MALUS = BY_NAME["even_capture_malus"].default


@functools.cache
def memory() -> Any:
    """One SEARCH record for all tests, whose histories stay empty."""
    search = bridge.new_search()
    search.played.fill(NOTHING)
    return search


def put(board: chess.Board) -> Any:
    """The record with the board at its root."""
    bridge.set_castling(memory().rules, board)
    bridge.to_position(memory().rules, board, memory().position[0])
    return memory()


def scores(board: chess.Board) -> dict[chess.Move, int]:
    """Every legal move and its score, in the order of the search when nothing is known of any."""
    search = put(board)
    note_attacked(search, I(0))
    moves = search.moves[0]
    generate(search.rules, search.position[0], moves)
    score_moves(search, I(0), ZERO)
    found = {}
    for number in range(int(moves.count)):
        word = int(next_move(search, I(0), U(number)))
        found[bridge.to_move(word, board)] = int(score_at(moves, U(number)))
    return found


def test_the_refutation_of_the_last_move_comes_after_the_killer() -> None:
    board = chess.Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    names = ("a1a3", "a1a4")
    killer, counter_move = (U(bridge.from_move(chess.Move.from_uci(n), board)) for n in names)
    search = put(board)
    search.killers[0], search.counter_moves[int(NOTHING)] = killer, counter_move
    assert [move.uci() for move in scores(board)][:2] == ["a1a3", "a1a4"]
    search.killers[0] = search.counter_moves[int(NOTHING)] = 0
    assert [move.uci() for move in scores(board)][:2] != ["a1a3", "a1a4"]


@pytest.mark.parametrize(
    ("fen", "experience", "good"),
    [
        ("4k3/8/3p4/4n3/8/5N2/8/4K3 w - - 0 1", 0, True),  # a knight for a knight
        ("4k3/8/3p4/4n3/8/5N2/8/4K3 w - - 0 1", 9000, True),
        ("4k3/8/3p4/4n3/8/5N2/8/4K3 w - - 0 1", 1 - MALUS, True),
        ("4k3/8/3p4/4n3/8/5N2/8/4K3 w - - 0 1", -MALUS, False),
        ("4k3/8/8/4n3/8/5N2/8/4K3 w - - 0 1", -9000, True),  # for nothing
        ("4k3/8/3p4/4p3/8/5N2/8/4K3 w - - 0 1", 9000, False),  # for a pawn
    ],
)
def test_an_even_exchange_that_has_done_badly_counts_as_a_loss(
    fen: str, experience: int, good: bool
) -> None:
    board = chess.Board(fen)
    history = memory().capture_history
    history.fill(experience)
    score = scores(board)[chess.Move.from_uci("f3e5")]
    history.fill(0)
    victims = BAD_CAPTURE + 20_000 * 32  # more than any victim is worth
    assert score > GOOD_CAPTURE - 10_000 if good else score < victims
