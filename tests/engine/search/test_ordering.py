"""The order of moves: what comes first, and what checks, threats and refutations are worth in it."""

from __future__ import annotations

import functools
from collections import Counter
from typing import Any

import chess
import pytest

from boomslang.core.board.constants import ZERO, I, U
from boomslang.core.board.movegen import generate
from boomslang.core.board.see import see_at_least
from boomslang.core.jit.jit import DISABLED
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
from tests.support.oracle import fixed_positions, random_game

pytestmark = pytest.mark.usefixtures("kernels")

BONUS = BY_NAME["check_bonus"].default
MALUS = BY_NAME["even_capture_malus"].default
VALUES = {chess.PAWN: 1, chess.KNIGHT: 3, chess.BISHOP: 3, chess.ROOK: 5, chess.QUEEN: 9}
RISKS = {chess.KNIGHT: 5000, chess.BISHOP: 5000, chess.ROOK: 8000, chess.QUEEN: 12000}


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


def scores(
    board: chess.Board, check: int = BONUS, attack: int = 0, risk: int = 0
) -> dict[chess.Move, int]:
    """Every legal move and its score, in the order of the search when nothing is known of any."""
    search = put(board)
    search.params.check_bonus = check
    search.params.attack_bonus = attack
    search.params.risk_malus = risk
    note_attacked(search, I(0))
    moves = search.moves[0]
    generate(search.rules, search.position[0], moves)
    score_moves(search, I(0), ZERO)
    found = {}
    for number in range(int(moves.count)):
        word = int(next_move(search, I(0), U(number)))
        found[bridge.to_move(word, board)] = int(score_at(moves, U(number)))
    return found


def is_safe(board: chess.Board, move: chess.Move) -> bool:
    """True if the piece that moves cannot be won on its square."""
    search = put(board)
    word = U(bridge.from_move(move, board))
    return bool(see_at_least(search.rules, search.position[0], word, I(0)))


def is_safe_direct_check(board: chess.Board, move: chess.Move) -> bool:
    """True if the piece that moves attacks the king and cannot be won on its square."""
    if board.is_castling(move):
        return False
    after = board.copy(stack=False)
    after.push(move)
    checks = bool(after.checkers_mask() & chess.BB_SQUARES[move.to_square])
    return checks and is_safe(board, move)


def check_quiets(board: chess.Board) -> int:
    """Compare the scores of the quiet moves with python-chess; returns how many have the bonus."""
    rewarded = 0
    for move, score in scores(board).items():
        if not board.is_capture(move) and not move.promotion:
            assert score == BONUS * is_safe_direct_check(board, move), (board.fen(), move)
            rewarded += score == BONUS
    return rewarded


def test_safe_direct_checks_and_no_other_quiet_moves_get_the_bonus() -> None:
    boards = fixed_positions() + [
        board.copy(stack=False) for board in random_game(5, 12 if DISABLED else 50)
    ]
    assert sum(check_quiets(board) for board in boards) >= 5


def threat_bonus(board: chess.Board, move: chess.Move) -> int:
    """What the specification gives a quiet move, with a bonus of 3000 and the whole malus."""
    kind = board.piece_type_at(move.from_square) or 0
    cheaper = [other for other in VALUES if VALUES[other] < VALUES.get(kind, 0)]
    attackers = board.attackers(not board.turn, move.to_square)
    if any(board.piece_type_at(square) in cheaper for square in attackers):
        return -RISKS[kind]
    if kind in (chess.QUEEN, chess.KING):
        return 0
    both = board.copy(stack=False)  # the piece on both squares: it stays in its own way
    both.set_piece_at(move.to_square, both.piece_at(move.from_square))
    dearer = [other for other in VALUES if VALUES[other] > VALUES[kind]]
    attacked = [both.piece_at(square) for square in both.attacks(move.to_square)]
    threatens = any(
        piece and piece.color != board.turn and piece.piece_type in dearer for piece in attacked
    )
    return 3000 if threatens and is_safe(board, move) else 0


def test_threats_and_risks_of_quiet_moves() -> None:
    boards = fixed_positions() + [
        board.copy(stack=False) for board in random_game(6, 12 if DISABLED else 60)
    ]
    seen: Counter[int] = Counter()
    for board in boards:
        found = scores(board, check=0, attack=3000, risk=100)
        for move, score in found.items():
            if not board.is_capture(move) and not move.promotion and not board.is_castling(move):
                assert score == threat_bonus(board, move), (board.fen(), move)
                seen[score] += 1
    assert DISABLED or {0, 3000, -5000, -8000, -12000} <= set(seen)


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
