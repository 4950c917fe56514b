"""The network's judgement: as plain Python has it, move by move as from nothing, alike for both colours."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

import chess
import numpy as np
import pytest

from boomslang.core.board.constants import MATE_IN_MAX, I, U
from boomslang.core.board.makemove import make_move
from boomslang.core.jit.jit import DISABLED
from boomslang.engine import bridge
from boomslang.engine.search.evaluation import evaluate
from tests.support.networks import random_network, reference
from tests.support.oracle import fixed_positions, random_game, random_placement, start_board
from tests.support.threat_oracle import threatened_of

pytestmark = pytest.mark.usefixtures("kernels")

LIMIT = int(MATE_IN_MAX) - 1  # of static evaluations
LEVELS = 100  # plies of a game on the stack


@pytest.fixture(scope="module")
def network() -> Any:
    return random_network(1)


@pytest.fixture
def search(network: Any) -> Any:
    return new_search(network)


def new_search(network: Any) -> Any:
    """A SEARCH record by whose network is judged."""
    search = bridge.new_search()
    bridge.set_network(search, network)
    return search


def judged(search: Any, board: chess.Board) -> int:
    """The evaluation of a board that nothing is known about."""
    bridge.set_castling(search.rules, board)
    bridge.to_position(search.rules, board, search.position[0])
    search.accumulators.key.fill(0)
    return int(evaluate(search, I(0)))


def expected(network: Any, board: chess.Board) -> int:
    """The evaluation by plain Python, where no limit cuts it."""
    pieces = {
        square: (0 if piece.color else 6) + piece.piece_type - 1
        for square, piece in board.piece_map().items()
    }
    whole = reference(network, pieces, int(not board.turn))
    return whole * (256 - min(board.halfmove_clock, 100)) // 256


def has_pawns(board: chess.Board) -> bool:
    """True where the network is asked at all."""
    return bool(board.pawns) and chess.popcount(board.occupied) > 3


def from_games(count: int, plies: int = 60) -> Iterator[chess.Board]:
    """Positions of random games, every third one of Chess960."""
    for seed in range(count):
        yield from filter(has_pawns, random_game(seed, plies, seed % 3 == 0))


def test_the_judgement_is_what_the_shape_says(search: Any, network: Any) -> None:
    rng = random.Random(3)
    placed = filter(has_pawns, (random_placement(rng) for _ in range(5 if DISABLED else 60)))
    fixed = filter(has_pawns, fixed_positions())
    for board in (*fixed, *from_games(1 if DISABLED else 4, 20), *placed):
        assert judged(search, board) == expected(network, board), board.fen()


def test_composed_positions_with_more_pieces_than_in_the_game() -> None:
    network = random_network(2)
    search = new_search(network)
    for fen in (
        "rnbqkbnr/pppppppp/8/3p4/4P3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/3P4/4p3/8/PPPPPPPP/RNBQKBNR b - - 0 1",
    ):
        board = chess.Board(fen)
        assert chess.popcount(board.occupied) == 34
        assert judged(search, board) == expected(network, board), fen


def full_board() -> chess.Board:
    """Ranks of white pawns between ranks of black knights: all but one of 62 are threatened."""
    board = chess.Board(None)
    for square in chess.SQUARES:
        white = chess.square_rank(square) % 2 == 0
        board.set_piece_at(square, chess.Piece(chess.PAWN if white else chess.KNIGHT, white))
    board.set_piece_at(chess.A1, chess.Piece(chess.KING, chess.WHITE))
    board.set_piece_at(chess.H8, chess.Piece(chess.KING, chess.BLACK))
    return board


def test_any_number_of_threatened_pieces(search: Any, network: Any) -> None:
    """The loops take one or two columns at a time, so odd numbers are other cases than even ones."""
    rng = random.Random(8)
    left = Counter(dict.fromkeys(range(9), 1 if DISABLED else 3))
    placed = (random_placement(rng) for _ in range(500))
    games = (board for seed in range(30) for board in random_game(seed, 60))
    for board in chain(placed, games):
        count = len(threatened_of(board)) if has_pawns(board) else -1
        if left[count] > 0:
            left[count] -= 1
            assert judged(search, board) == expected(network, board), board.fen()
        elif not +left:
            break
    assert not +left, "a number that never came up"
    board = full_board()
    assert len(threatened_of(board)) == 61
    assert judged(search, board) == expected(network, board)


def test_the_largest_weights_of_threats_do_not_overflow() -> None:
    network = random_network(4)
    for least in (False, True):
        network.threat[:] = -32768 if least else 32767
        search = new_search(network)
        for board in filter(has_pawns, fixed_positions()):
            faded = expected(network, board)
            assert judged(search, board) == min(max(faded, -LIMIT), LIMIT), board.fen()


def differences(network: Any, seeds: range, share960: int) -> list[str]:
    """Where a game's accumulators, brought up to date move by move, judge unlike fresh ones.

    Null moves and moves taken back are among the moves; every `share960`-th game is of Chess960.
    """
    line, fresh = new_search(network), new_search(network)
    found = []
    for seed in seeds:
        rng = random.Random(seed)
        board = start_board(rng, seed % share960 == 0)
        board.chess960 = seed % share960 == 0
        for search in (line, fresh):
            bridge.set_castling(search.rules, board)
        bridge.to_position(line.rules, board, line.position[0])
        ply = 0
        while ply < LEVELS and (moves := list(board.legal_moves)):
            if ply and rng.random() < 0.1:
                board.pop()
                ply -= 1
                continue
            ply += 1
            line.position[ply] = line.position[ply - 1]
            if not board.is_check() and rng.random() < 0.05:
                pass_turn(line.position[ply])
                board.push(chess.Move.null())
            else:
                zeroing = [move for move in moves if board.is_zeroing(move)]
                move = rng.choice(zeroing if zeroing and rng.random() < 0.4 else moves)
                castling = [move for move in moves if board.is_castling(move)]
                move = castling[0] if castling else move
                make_move(line.rules, line.position[ply], U(bridge.from_move(move, board)))
                board.push(move)
            if rng.random() < 0.4 and has_pawns(board):
                fresh.position[0] = line.position[ply]
                fresh.accumulators.key.fill(0)
                if evaluate(line, I(ply)) != evaluate(fresh, I(0)):
                    found.append(board.fen())
    return found


def pass_turn(position: Any) -> None:
    """A null move, as the search makes it; the key need only be another one."""
    position.side ^= 1
    position.ep = 64
    position.moved[0] = 0
    position.key ^= np.uint64(0x9E3779B97F4A7C15)


def test_move_by_move_is_as_from_nothing(network: Any) -> None:
    assert differences(network, range(2 if DISABLED else 16), 4) == []


@pytest.mark.slow
@pytest.mark.jit_only
@pytest.mark.timeout(1800)
def test_many_games_move_by_move_are_as_from_nothing(network: Any) -> None:
    assert differences(network, range(1000, 3000), 4) == []  # 500 of Chess960


def unlike(search: Any, boards: Iterator[chess.Board]) -> list[str]:
    """Those that are worth something else than their mirror images."""
    return [
        board.fen() for board in boards if judged(search, board) != judged(search, board.mirror())
    ]


def test_both_colours_are_judged_alike(search: Any) -> None:
    assert unlike(search, from_games(1 if DISABLED else 3)) == []


@pytest.mark.slow
@pytest.mark.jit_only
@pytest.mark.timeout(1800)
def test_both_colours_are_judged_alike_in_many_positions(search: Any) -> None:
    boards = list(from_games(250))
    assert len(boards) > 10_000
    assert unlike(search, iter(boards)) == []


def test_left_and_right_are_judged_alike_without_castling(search: Any) -> None:
    rng = random.Random(9)
    boards = filter(has_pawns, (random_placement(rng) for _ in range(3 if DISABLED else 60)))
    for board in boards:
        board.ep_square = None
        flipped = board.transform(chess.flip_horizontal)
        assert judged(search, board) == judged(search, flipped), board.fen()
