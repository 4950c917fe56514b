"""python-chess as the oracle of the rules core: positions to look at, and what is right for them."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from typing import Any

import chess

from boomslang.core.board.movegen import generate, generate_noisy
from boomslang.core.board.position import MOVE_LIST, POSITION, new_record
from boomslang.engine import bridge
from boomslang.eval.classical.weights import PIECE_SQUARE

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

# One rule each: pins of en passant, castling through and out of attacks, promotion, double check.
RULE_FENS = (
    chess.STARTING_FEN,
    KIWIPETE,
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
    "k7/6b1/8/3pP3/8/2K5/8/8 w - d6 0 1",
    "k7/6b1/8/4Pp2/8/2K5/8/8 w - f6 0 1",
    "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1",
    "4r2k/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    "1r2k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",
    "r3k2r/8/8/8/4b3/4B3/8/R3K2R b KQkq - 0 1",
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "4k3/8/4r3/8/1b6/8/3NN3/r2QK2R w K - 0 1",
    "3k4/3q4/8/1b3b2/8/3R4/4N3/3K3q w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "8/8/8/8/8/1k6/p7/K7 b - - 0 1",
)
CHESS960_FENS = (
    "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
    "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w CAca - 0 1",
    "4k3/8/8/8/8/8/8/rRK3R1 w BG - 0 1",
    "2r1k3/8/8/8/8/8/8/RR1K1RR1 w BF - 0 1",
    "1rk2r2/8/8/8/8/8/8/1RK2R2 w FBfb - 0 1",
    "6kr/8/8/8/8/8/8/5RKR w HF - 0 1",
    "8/8/8/4B2b/6nN/8/5P2/2R1K2k w Q - 0 1",
    "r1k1r2q/p1ppp1pp/8/8/8/8/P1PPP1PP/R1K1R2Q w KQkq - 0 1",
)


def fixed_positions() -> list[chess.Board]:
    """The boards of RULE_FENS and CHESS960_FENS."""
    ordinary = [chess.Board(fen) for fen in RULE_FENS]
    return ordinary + [chess.Board(fen, chess960=True) for fen in CHESS960_FENS]


def start_board(rng: random.Random, chess960: bool) -> chess.Board:
    """The start position, or a random one of Chess960."""
    return chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()


def start_of(white: int, black: int) -> chess.Board:
    """The start of a game in which both sides have arrays of their own, by their numbers."""
    board = chess.Board.from_chess960_pos(white)
    if black != white:
        other = chess.Board.from_chess960_pos(black)
        for square in chess.SquareSet(chess.BB_RANK_8):
            board.set_piece_at(square, other.piece_at(square))
        board.castling_rights = board.rooks
    return board


def random_game(seed: int, plies: int, chess960: bool = False) -> Iterator[chess.Board]:
    """The same board after each of up to `plies` random moves, the start included.

    Captures, pawn moves and castling are preferred a little, or most of the game would be shuffling.
    """
    rng = random.Random(seed)
    board = start_board(rng, chess960)
    board.chess960 = chess960
    yield board
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            return
        lively = [move for move in moves if board.is_zeroing(move) or board.is_castling(move)]
        board.push(rng.choice(lively if lively and rng.random() < 0.4 else moves))
        yield board


def random_placement(rng: random.Random) -> chess.Board:
    """A valid position of randomly placed pieces, few or many, with any side to move."""
    while True:
        board = chess.Board(None)
        squares = rng.sample(chess.SQUARES, rng.randint(2, 20))
        board.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(squares[1], chess.Piece(chess.KING, chess.BLACK))
        for square in squares[2:]:
            kinds = [chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN]
            if 0 < chess.square_rank(square) < 7:
                kinds += [chess.PAWN] * 4
            board.set_piece_at(square, chess.Piece(rng.choice(kinds), rng.random() < 0.5))
        board.turn = rng.random() < 0.5
        ranks = {5} if board.turn else {2}
        candidates = [square for square in chess.SQUARES if chess.square_rank(square) in ranks]
        for board.ep_square in rng.sample(candidates, 8):
            if board.is_valid():
                return board
        board.ep_square = None
        if board.is_valid():
            return board


@functools.cache
def rules() -> Any:
    """One RULES record for all tests; `position_of` sets its castling squares."""
    return bridge.new_rules(None, PIECE_SQUARE)


def position_of(board: chess.Board) -> Any:
    """A fresh POSITION record of the board, with the shared rules set for it."""
    bridge.set_castling(rules(), board)
    position = new_record(POSITION)
    bridge.to_position(rules(), board, position)
    return position


def copy_of(position: Any) -> Any:
    """A second record with the same content."""
    other = new_record(POSITION)
    for name in POSITION.names or ():
        setattr(other, name, getattr(position, name))
    return other


def moves_of(position: Any, noisy: bool = False) -> list[int]:
    """What our generator writes for the position, in its order."""
    moves = new_record(MOVE_LIST)
    (generate_noisy if noisy else generate)(rules(), position, moves)
    return [int(move) for move in moves.move[: int(moves.count)]]


def without_history(position: Any) -> dict[str, Any]:
    """All fields of a position that do not depend on how it was reached."""
    names = [name for name in POSITION.names or () if name not in ("moved", "since_null")]
    return {
        name: value.tolist() if hasattr(value := getattr(position, name), "tolist") else int(value)
        for name in names
    }
