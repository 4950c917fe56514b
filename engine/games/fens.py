"""The positions of games as FEN, written by a kernel."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from boomslang.core.board.constants import BLACK, EMPTY, NO_SQUARE, ONE, PAWN, ZERO, I, U
from boomslang.core.board.position import Position, Rules, rules_t
from boomslang.core.board.tables import new_rules
from boomslang.core.jit.jit import i64, jit, kernel, types
from boomslang.engine.games.columns import Games
from boomslang.engine.games.positions import play
from boomslang.engine.games.scan import Starts, set_up, starts_t
from boomslang.engine.games.tokens import Scan, new_scan, scan_t, text_t

_LONGEST: Final = 128  # bytes of a FEN with its line feed, and more
_LETTERS: Final = np.frombuffer(b"PNBRQKpnbrqk", dtype=np.uint8)
_RIGHTS: Final = np.frombuffer(b"KQkq", dtype=np.uint8)
_BLANK, _DASH, _DIGIT = U(ord(" ")), U(ord("-")), I(ord("0"))
_numbers_t: Any = types.Array(types.int64, 1, "C")


def fens_of(games: Games) -> list[str]:
    """The positions of all games, also the last of each; as python-chess, with en passant after each step.

    Those of game i begin at `games.offsets[i] + i`, with an empty one for a game that cannot be played.
    Castling in Chess960 is said by files.
    """
    text = np.empty((len(games.moves) + len(games)) * _LONGEST, dtype=np.uint8)
    chess960 = games["chess960"].astype(np.uint8)
    arrays = games.starts, games.start_of_game, games.offsets, games.moves, chess960, text
    size = _write_fens(new_rules(), new_scan(), *arrays)
    return text[:size].tobytes().decode("ascii").split("\n")[:-1]


@jit
def _put(text: Any, place: np.int64, character: np.uint64) -> np.int64:
    """Write a character, in place; returns the index behind it."""
    text[U(place)] = character
    return place + I(1)


@jit
def _put_number(text: Any, place: np.int64, number: np.int64) -> np.int64:
    """Write a blank and a number, in place; returns the index behind it."""
    place = _put(text, place, _BLANK)
    unit = I(1)
    while unit * I(10) <= number:
        unit *= I(10)
    while unit > I(0):
        place = _put(text, place, U(_DIGIT + number // unit % I(10)))
        unit //= I(10)
    return place


@jit
def _put_pieces(text: Any, place: np.int64, position: Position) -> np.int64:
    """Write the first field, in place; returns the index behind it."""
    empty = I(0)
    for number in range(64):
        square = U(number) ^ U(56)
        piece = U(position.board[square])
        empty += I(piece == EMPTY)
        is_last = square & U(7) == U(7)
        if empty and (piece != EMPTY or is_last):
            place = _put(text, place, U(_DIGIT + empty))
            empty = I(0)
        if piece != EMPTY:
            place = _put(text, place, U(_LETTERS[piece]))
        if is_last and number < 63:
            place = _put(text, place, U(ord("/")))
    return place


@jit
def _put_fen(
    rules: Rules, position: Position, ep: np.uint64, is_960: bool, text: Any, place: np.int64
) -> np.int64:
    """Write all but the counters, in place; returns the index behind them."""
    place = _put_pieces(text, place, position)
    place = _put(text, place, _BLANK)
    place = _put(text, place, U(ord("b")) if position.side else U(ord("w")))
    place = _put(text, place, _BLANK)
    if U(position.castling) == ZERO:
        place = _put(text, place, _DASH)
    for number in range(4):
        right = U(number)
        if U(position.castling) >> right & ONE:
            letter = U(_RIGHTS[right])
            if is_960:
                first = U(ord("A")) if right < U(2) else U(ord("a"))
                letter = first + (U(rules.castling_rook[right]) & U(7))
            place = _put(text, place, letter)
    place = _put(text, place, _BLANK)
    if ep == NO_SQUARE:
        return _put(text, place, _DASH)
    place = _put(text, place, U(ord("a")) + (ep & U(7)))
    return _put(text, place, U(ord("1")) + (ep >> U(3)))


@jit
def _crossed(position: Position, move: np.uint64) -> np.uint64:
    """The square that a pawn crosses by this move, or NO_SQUARE."""
    origin, target = move & U(63), move >> U(6) & U(63)
    is_pawn = position.by_type[PAWN] >> origin & ONE
    return (origin + target) >> ONE if is_pawn and origin ^ target == U(16) else NO_SQUARE


@kernel(
    i64(
        rules_t,
        scan_t,
        starts_t,
        _numbers_t,
        _numbers_t,
        types.Array(types.uint16, 1, "C"),
        text_t,
        text_t,
    )
)
def _write_fens(
    rules: Rules,
    scan: Scan,
    starts: Starts,
    start_of_game: Any,
    offsets: Any,
    moves: Any,
    chess960: Any,
    text: Any,
) -> np.int64:
    """Write the FENs into `text`, a line each, in place; returns the index behind them."""
    place = I(0)
    for game in range(start_of_game.size):
        scan.start = start_of_game[U(game)]
        if scan.start < I(0):
            place = _put(text, place, U(ord("\n")))
            continue
        set_up(rules, scan, starts)
        position = scan.position[ZERO]
        number, halfmoves = starts[U(scan.start)].number, I(position.halfmoves)
        ep = U(position.ep)
        ply, end = offsets[U(game)], offsets[U(game) + ONE]
        while True:
            place = _put_fen(rules, position, ep, chess960[U(game)] != ZERO, text, place)
            place = _put_number(text, place, halfmoves)
            place = _put_number(text, place, number)
            place = _put(text, place, U(ord("\n")))
            if ply == end:
                break
            move = U(moves[U(ply)])
            number += I(U(position.side) == BLACK)
            ep = _crossed(position, move)
            play(rules, position, move)
            halfmoves = I(0) if U(position.halfmoves) == ZERO else halfmoves + I(1)
            ply += I(1)
    return place
