"""Chess as a game for the algorithms of this package, with python-chess for the rules."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Sequence
from typing import Final

import chess

MATE: Final = 32000  # being mated in n plies is worth n - MATE
MATE_IN_MAX: Final = MATE - 1000  # values beyond are mates
PIECE_VALUES: Final = (0, 100, 320, 330, 500, 950, 0)  # centipawns, by chess.PieceType
_EVEN: Final = 50  # centipawns; an exchange of pieces no further apart loses nothing

# Value of a step towards the centre, by piece type. The king stays back until the queens are gone.
_CENTRE_WEIGHT: Final = (0, 4, 9, 6, 1, 2, -12)
_KING_AFTER_QUEENS: Final = 10
_PAWN_STEP: Final = 4

Evaluation = Callable[[chess.Board], float]
"""Centipawns for the player to move; the position is not mate, stalemate or a dead draw."""


def _centrality(square: int) -> int:
    """Steps from the edge, along files and ranks together: 0 in a corner, 6 in the middle."""
    file, rank = chess.square_file(square), chess.square_rank(square)
    return min(file, 7 - file) + min(rank, 7 - rank)


_CENTRALITY: Final = tuple(_centrality(square) for square in chess.SQUARES)


def _piece_squares(piece_type: int, weight: int) -> tuple[int, ...]:
    """Value of a white piece by square, in centipawns."""
    step = _PAWN_STEP if piece_type == chess.PAWN else 0
    return tuple(
        PIECE_VALUES[piece_type] + weight * _CENTRALITY[square] + step * chess.square_rank(square)
        for square in chess.SQUARES
    )


_WORTH: Final = tuple(_piece_squares(kind, weight) for kind, weight in enumerate(_CENTRE_WEIGHT))
_BARE_KING_WORTH: Final = _piece_squares(chess.KING, _KING_AFTER_QUEENS)


def material_and_centre(board: chess.Board) -> float:
    """Material, centralised pieces, advanced pawns; a simple `Evaluation`."""
    king = _WORTH[chess.KING] if board.queens else _BARE_KING_WORTH
    white = board.occupied_co[chess.WHITE]
    total = 0
    for worth, pieces in (
        (_WORTH[chess.PAWN], board.pawns),
        (_WORTH[chess.KNIGHT], board.knights),
        (_WORTH[chess.BISHOP], board.bishops),
        (_WORTH[chess.ROOK], board.rooks),
        (_WORTH[chess.QUEEN], board.queens),
        (king, board.kings),
    ):
        for square in chess.scan_forward(pieces & white):
            total += worth[square]
        for square in chess.scan_forward(pieces & ~white):
            total -= worth[square ^ 56]
    return total if board.turn else -total


class ChessGame:
    """A position of chess, `ply` moves below the root of the search.

    Draws are the fifty-move rule, insufficient material, and repetition. A position that recurs below the
    root is a draw at once, since a player that can repeat once can do so again; up to the root threefold
    repetition counts. The root itself is never a draw by these rules, because a move is required. A mate is
    worth more the nearer it is to the root.
    """

    def __init__(
        self,
        board: chess.Board,
        evaluation: Evaluation = material_and_centre,
        only: Collection[chess.Move] | None = None,
    ) -> None:
        """Start at a board with the game so far on its stack; `only` restricts the moves at the root."""
        self.board = board.copy(stack=False)
        self.ply = 0
        self._evaluation = evaluation
        self._only = only
        self._earlier = tuple(_keys_before(board))  # since the last irreversible move

    def moves(self) -> Sequence[chess.Move]:
        """The legal moves."""
        legal = list(self.board.legal_moves)
        return legal if self._only is None else [move for move in legal if move in self._only]

    def play(self, move: chess.Move) -> ChessGame:
        """Make a move on a copy of the board."""
        child = ChessGame.__new__(ChessGame)
        child.board = self.board.copy(stack=False)
        child.board.push(move)
        child.ply = self.ply + 1
        child._evaluation = self._evaluation
        child._only = None
        child._earlier = (*self._earlier, self.key()) if child.board.halfmove_clock else ()
        return child

    def is_over(self) -> bool:
        """True for mate, stalemate and draws."""
        return (self.ply > 0 and self._is_drawn()) or not any(self.board.generate_legal_moves())

    def value(self) -> float:
        """`ply - MATE` if the player to move is mated, else 0."""
        if self.board.is_check() and not any(self.board.generate_legal_moves()):
            return self.ply - MATE
        return 0

    def evaluate(self) -> float:
        """Centipawns for the player to move."""
        return self._evaluation(self.board)

    def key(self) -> Hashable:
        """Equal for positions that the rules of repetition call the same."""
        return position_key(self.board)

    def forcing_moves(self) -> Sequence[chess.Move]:
        """Captures and promotions to queens, without captures of a guarded piece by a more valuable one."""
        board = self.board
        moves = [move for move in board.generate_legal_captures() if not self._gives_away(move)]
        if pawns := board.pawns & (chess.BB_RANK_7 if board.turn else chess.BB_RANK_2):
            last = (chess.BB_RANK_8 if board.turn else chess.BB_RANK_1) & ~board.occupied
            moves += [
                move
                for move in board.generate_legal_moves(pawns, last)
                if move.promotion == chess.QUEEN
            ]
        return moves

    def is_forced(self) -> bool:
        """True in check."""
        return self.board.is_check()

    def _gives_away(self, capture: chess.Move) -> bool:
        board = self.board
        mover = board.piece_type_at(capture.from_square) or chess.PAWN
        victim = board.piece_type_at(capture.to_square) or chess.PAWN  # en passant: an empty square
        return PIECE_VALUES[mover] > PIECE_VALUES[victim] + _EVEN and board.is_attacked_by(
            not board.turn, capture.to_square
        )

    def _is_drawn(self) -> bool:
        """True for a draw by rule, unless the last move has mated."""
        board = self.board
        if board.halfmove_clock >= 100:
            return not board.is_checkmate()
        few = not board.pawns | board.rooks | board.queens
        return (few and board.is_insufficient_material()) or self._is_repeated()

    def _is_repeated(self) -> bool:
        if len(self._earlier) < 4:
            return False
        key = self.key()
        below_root = self._earlier[max(0, len(self._earlier) - self.ply + 1) :]
        return key in below_root or self._earlier.count(key) >= 2


def position_key(board: chess.Board) -> Hashable:
    """Equal for positions that the rules of repetition call the same."""
    return (
        board.turn,
        board.occupied_co[chess.WHITE],
        board.pawns,
        board.knights,
        board.bishops,
        board.rooks,
        board.queens,
        board.kings,
        board.castling_rights,
        board.ep_square if board.ep_square and board.has_legal_en_passant() else None,
    )


def _keys_before(board: chess.Board) -> list[Hashable]:
    """Keys of the positions before this one in its game, from the last irreversible move on."""
    keys: list[Hashable] = []
    past = board.copy()
    while past.move_stack and past.halfmove_clock:
        past.pop()
        keys.insert(0, position_key(past))
    return keys


def captures_first(game: ChessGame, moves: Sequence[chess.Move]) -> Sequence[chess.Move]:
    """An order for alpha-beta.

    Promotions and captures come first, by most valuable victim and least valuable attacker (MVV-LVA), then
    quiet moves by their gain in piece-square value.
    """
    board = game.board

    def promise(move: chess.Move) -> int:
        mover = board.piece_type_at(move.from_square) or chess.PAWN
        victim = board.piece_type_at(move.to_square)
        if victim is None and mover == chess.PAWN and move.to_square == board.ep_square:
            victim = chess.PAWN
        if victim is None or board.color_at(move.to_square) == board.turn:  # castling takes a rook
            score = _CENTRALITY[move.to_square] - _CENTRALITY[move.from_square]
        else:
            score = 10 * PIECE_VALUES[victim] + 100 - mover
        return score + (10 * PIECE_VALUES[move.promotion] if move.promotion else 0)

    return sorted(moves, key=promise, reverse=True)
