"""Converts between python-chess boards and moves, outside, and records of integers, inside.

No other module of the core imports python-chess. Boards are trusted here: check positions from outside
with `engine.notation.validity` first.
"""

from __future__ import annotations

from typing import Any, Final

import chess
import numpy as np
import numpy.typing as npt

from boomslang.core.board import tables, zobrist
from boomslang.core.board.constants import EMPTY, KNIGHT, NO_SQUARE
from boomslang.core.board.movegen import generate
from boomslang.core.board.position import (
    CASTLING,
    EN_PASSANT,
    MOVE_LIST,
    NORMAL,
    PROMOTION,
    Position,
    Rules,
    new_record,
)
from boomslang.engine.limits import Limits
from boomslang.engine.search import params
from boomslang.engine.search.reductions import fill_reductions
from boomslang.engine.search.state import (
    MAX_HISTORY,
    NO_LIMIT,
    NOTHING,
    POLL_INTERVAL,
    SEARCH,
    SearchState,
    fields_of,
)
from boomslang.eval.classical.new_evaluator import fill_evaluator
from boomslang.eval.classical.weights import PIECE_SQUARE
from boomslang.eval.network.file import load_shipped
from boomslang.eval.network.shape import Network

# Our piece types start at 0, those of python-chess at 1; both go pawn, knight ... king.
_TYPE_SHIFT: Final = 1
_COLOURS: Final = (chess.WHITE, chess.BLACK)

# Bits of POSITION.castling by (colour, king side): White's rights first, king side first.
_RIGHTS: Final = tuple((colour, king_side) for colour in _COLOURS for king_side in (True, False))

_MAX_HALFMOVES: Final = 255

_in_use: dict[int, Any] = {}  # the NETWORK record of each SEARCH record, by the latter's address


def new_rules(board: chess.Board | None = None, psq: npt.NDArray[np.int64] | None = None) -> Any:
    """A RULES record with every table filled; `psq` is as for `set_psq`, or all zero."""
    rules = tables.new_rules()
    set_castling(rules, board or chess.Board())
    if psq is not None:
        set_psq(rules, psq)
    return rules


def new_search() -> Any:
    """A SEARCH record with rules, evaluation and parameters in place: all that a thread needs.

    The network that ships is used or, where the installation is broken, the classical evaluation.
    """
    search = new_record(SEARCH)
    search.rules = new_rules(None, PIECE_SQUARE)
    fill_evaluator(search.evaluator)
    try:
        set_network(search, load_shipped())
    except ValueError:
        search.classical = 1
    params.set_defaults(search.params)
    fill_reductions(search)
    return search


def set_network(search: SearchState, network: Network) -> None:
    """Let a NETWORK record (see `eval.network.file.read`) evaluate for a search from now on.

    The search knows no more of it than its address, so it stays in memory until another one is used
    for this search.
    """
    search.network = _address(network)
    _in_use[_address(search)] = network
    search.accumulators.key[:] = 0


def _address(record: Any) -> int:
    """Where a record lies in memory."""
    return int(record.__array_interface__["data"][0])


def set_psq(rules: Rules, table: npt.NDArray[np.int64]) -> None:
    """Take over the piece-square values: int64[13, 64] by piece and square, White's view."""
    rules.psq[:] = table


def set_castling(rules: Rules, board: chess.Board) -> None:
    """Tell `rules` where the kings and rooks of this board's castling rights stand."""
    rules.castling_rook[:] = NO_SQUARE
    rules.castling_empty[:] = 0
    rules.castling_safe[:] = 0
    keep = [15] * 64
    for right, (colour, king_side) in enumerate(_RIGHTS):
        king = board.king(colour)
        rook = _castling_rook(board, colour, king_side)
        if king is None or rook is None:
            continue
        king_to = _castling_target(king, king_side)
        rook_to = chess.square(chess.FILE_NAMES.index("f" if king_side else "d"), king // 8)
        king_path = chess.between(king, king_to) | chess.BB_SQUARES[king_to]
        rook_path = chess.between(rook, rook_to) | chess.BB_SQUARES[rook_to]
        movers = chess.BB_SQUARES[king] | chess.BB_SQUARES[rook]
        rules.castling_rook[right] = rook
        rules.castling_empty[right] = (king_path | rook_path) & ~movers
        rules.castling_safe[right] = king_path | chess.BB_SQUARES[king]
        keep[king] &= ~(1 << right)
        keep[rook] &= ~(1 << right)
    rules.castling_keep[:] = keep


def _castling_rook(board: chess.Board, colour: chess.Color, king_side: bool) -> int | None:
    """Square of the rook that `colour` may castle with on that side, or None without the right."""
    king = board.king(colour)
    if king is None:
        return None
    home = chess.BB_RANK_1 if colour == chess.WHITE else chess.BB_RANK_8
    for rook in chess.scan_forward(board.clean_castling_rights() & home):
        if (rook > king) == king_side:
            return rook
    return None


def _castling_target(king: int, king_side: bool) -> int:
    """Where the king arrives: the g or the c file of its rank, in Chess960 too."""
    return chess.square(chess.FILE_NAMES.index("g" if king_side else "c"), king // 8)


def to_position(rules: Rules, board: chess.Board, position: Position) -> None:
    """Fill the POSITION record `position` from `board`; `rules` must know its castling squares."""
    codes = bytearray([int(EMPTY)]) * 64
    position.by_colour[:] = [board.occupied_co[colour] for colour in _COLOURS]
    by_type = (board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings)
    position.by_type[:] = by_type
    for piece_type, pieces in enumerate(by_type):
        for square in chess.scan_forward(pieces & board.occupied_co[chess.WHITE]):
            codes[square] = piece_type
        for square in chess.scan_forward(pieces & board.occupied_co[chess.BLACK]):
            codes[square] = 6 + piece_type
    position.board[:] = np.frombuffer(codes, dtype=np.uint8)
    position.side = _COLOURS.index(board.turn)
    position.castling = _castling_bits(board)
    # The rule of the key: a square counts only if a capture there is legal, so that positions
    # which differ in a useless double step are the same position.
    position.ep = board.ep_square if board.has_legal_en_passant() else NO_SQUARE
    position.halfmoves = min(board.halfmove_clock, _MAX_HALFMOVES)
    position.since_null = _history_length(board)
    position.checkers = board.checkers_mask()
    position.moved[:] = 0
    zobrist.refresh_keys(rules, position)


def _castling_bits(board: chess.Board) -> int:
    """The rights of both sides as in POSITION.castling."""
    bits = 0
    if board.castling_rights:
        for right, (colour, king_side) in enumerate(_RIGHTS):
            if _castling_rook(board, colour, king_side) is not None:
                bits |= 1 << right
    return bits


def _history_length(board: chess.Board) -> int:
    """How many earlier positions on the board's stack could still come again.

    Those before a capture, a pawn move or the loss of a castling right cannot, and those before a null move
    do not count. Users may have set the clock or the side to move of a board with a history, so side to
    move, pawns, number of men and castling rights are compared.
    """
    longest = min(board.halfmove_clock, len(board.move_stack), _MAX_HALFMOVES)
    if board.ep_square is not None:
        longest = 0  # set by a user, or the last move was a pawn's
    turn, men, length = board.turn, board.occupied.bit_count(), 0
    rights = board.clean_castling_rights()
    here = rights, board.rooks & rights, board.occupied_co[chess.WHITE] & rights
    while length < longest:
        move, before = board.move_stack[-1 - length], board._stack[-1 - length]
        turn = not turn
        if not move or before.turn != turn:  # a null move is false
            break
        if before.pawns != board.pawns or before.occupied.bit_count() != men:
            break
        # The same rights hold where rooks and kings stand as here; else they need not.
        there = before.castling_rights, before.rooks & rights, before.occupied_w & rights
        if there != here or (rights and before.kings != board.kings):
            earlier = board.copy(stack=False)
            before.restore(earlier)
            if earlier.clean_castling_rights() != rights:
                break
        length += 1
    return length


def history_keys(rules: Rules, board: chess.Board, position: Position) -> list[int]:
    """Keys of the positions that could still come again, oldest first, `board` left out.

    `position` is that of `board`. No move since then takes, promotes or castles, so each is taken back in
    the key alone. Only the oldest position may follow a pawn move, and so allow a capture en passant.
    """
    length = int(position.since_null)
    if not length:
        return []
    pieces, numbers = position.board.tolist(), rules.zobrist_piece
    key, side = int(position.key), int(rules.zobrist_side)
    keys = []
    for move in reversed(board.move_stack[-length:]):
        piece = pieces[move.to_square]
        pieces[move.from_square], pieces[move.to_square] = piece, int(EMPTY)
        key ^= side ^ int(numbers[piece, move.from_square]) ^ int(numbers[piece, move.to_square])
        keys.append(key)
    before = board._stack[-length]
    if before.ep_square is not None:
        oldest = board.copy(stack=False)
        before.restore(oldest)
        if oldest.has_legal_en_passant():
            keys[-1] ^= int(rules.zobrist_ep[before.ep_square & 7])
    return keys[::-1]


def set_root(
    search: SearchState, board: chess.Board, limits: Limits, lines: int, threads: int
) -> None:
    """Put a position, its history and the moves that `limits` allow into a SEARCH record, in place.

    `lines` is the number of variations (MultiPV); each of the `threads` gets an equal share of the nodes.
    """
    rules, position, fields = search.rules, search.position[0], fields_of(search)
    set_castling(rules, board)
    to_position(rules, board, position)
    keys = history_keys(rules, board, position)[-MAX_HISTORY + 1 :]
    fields.keys[: len(keys) + 1] = [*keys, int(position.key)]
    fields.root_index = len(keys)

    moves = new_record(MOVE_LIST)
    generate(rules, position, moves)
    legal = moves.move[: int(moves.count)].tolist()
    chosen = legal
    if limits.search_moves is not None:
        wanted_names = set(limits.search_moves)
        chosen = [m for m in legal if wanted_names & set(spellings(m, board))] or legal
    fields.root_move[: len(chosen)] = chosen
    fields.root_count = len(chosen)
    fields.root_first = 0
    fields.root_partial = len(chosen) < len(legal) or lines > 1
    for field in ("killers", "root_nodes", "excluded", "extensions"):
        search[field].fill(0)
    search["played"].fill(NOTHING)
    fields.nodes = 0
    most = int(NO_LIMIT)
    fields.node_limit = most if limits.nodes is None else min(max(limits.nodes // threads, 1), most)
    fields.next_poll = min(int(POLL_INTERVAL), fields.node_limit)


def moves_between(earlier: chess.Board, later: chess.Board) -> list[int] | None:
    """The moves that lead from one board of a game to a later one; None if none do."""
    earlier_plies = len(earlier.move_stack)
    if later.move_stack[:earlier_plies] != earlier.move_stack or earlier.root() != later.root():
        return None
    board = earlier.copy(stack=False)
    moves = []
    for move in later.move_stack[earlier_plies:]:
        if not board.is_legal(move):  # a null move
            return None
        moves.append(from_move(move, board))
        board.push(move)
    return moves


def to_move(move: int, board: chess.Board) -> chess.Move:
    """Our 16 bits as a move of python-chess; castling as `board.chess960` wants it spelled."""
    bits = int(move)
    from_square, to_square, kind = bits & 63, bits >> 6 & 63, bits >> 14
    if kind == PROMOTION:
        promotion = (bits >> 12 & 3) + int(KNIGHT) + _TYPE_SHIFT
        return chess.Move(from_square, to_square, promotion)
    if kind == CASTLING and not board.chess960:
        to_square = _castling_target(from_square, to_square > from_square)
    return chess.Move(from_square, to_square)


def spellings(move: int, board: chess.Board) -> tuple[str, ...]:
    """The ways in which UCI may write the move; castling has two outside Chess960."""
    kept_name = to_move(move, board).uci()
    bits = int(move)
    raw = chess.Move(bits & 63, bits >> 6 & 63).uci()
    return (kept_name, raw) if bits >> 14 == CASTLING and raw != kept_name else (kept_name,)


def from_move(move: chess.Move, board: chess.Board) -> int:
    """A legal move of `board` as our 16 bits; both spellings of castling are understood."""
    to_square, promotion, kind = move.to_square, 0, NORMAL
    if move.promotion:
        promotion, kind = move.promotion - _TYPE_SHIFT - int(KNIGHT), PROMOTION
    elif board.is_en_passant(move):
        kind = EN_PASSANT
    elif board.is_castling(move):
        kind = CASTLING
        rook = _castling_rook(board, board.turn, board.is_kingside_castling(move))
        to_square = move.to_square if rook is None else rook
    return move.from_square | to_square << 6 | promotion << 12 | int(kind) << 14
