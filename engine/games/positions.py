"""The positions of games, played again from their moves."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from boomslang.core.board.constants import ONE, ZERO, I, U
from boomslang.core.board.makemove import make_move, make_null_move
from boomslang.core.board.position import NO_MOVE, Position, Rules, rules_t
from boomslang.core.jit.jit import boolean, jit, kernel, record_type, types, void
from boomslang.engine.games.scan import Starts, set_up, starts_t
from boomslang.engine.games.tokens import Scan, scan_t

BOARD: Final = np.dtype(
    [
        ("by_type", "u8", (6,)),
        ("by_colour", "u8", (2,)),
        ("key", "u8"),
        ("side", "u1"),
        ("castling", "u1"),
        ("ep", "u1"),
        ("halfmoves", "u1"),
    ],
    align=True,
)
_boards_t: Any = types.Array(record_type(BOARD), 1, "C")
numbers_t: Any = types.Array(types.int64, 1, "C")


@jit
def _write(boards: Any, index: np.int64, position: Position) -> None:
    """Write a position into an array of BOARD, in place."""
    board = boards[U(index)]
    for number in range(6):
        board.by_type[U(number)] = position.by_type[U(number)]
    for number in range(2):
        board.by_colour[U(number)] = position.by_colour[U(number)]
    board.key = position.key
    board.side = position.side
    board.castling = position.castling
    board.ep = position.ep
    board.halfmoves = position.halfmoves


@jit
def play(rules: Rules, position: Position, move: np.uint64) -> None:
    """Make a legal or null move, in place."""
    if move == NO_MOVE:
        make_null_move(rules, position)
    else:
        make_move(rules, position, move)


@kernel(
    void(
        rules_t,
        scan_t,
        starts_t,
        numbers_t,
        numbers_t,
        types.Array(types.uint16, 1, "C"),
        types.Array(types.uint8, 1, "C"),
        boolean,
        _boards_t,
    )
)
def fill_boards(
    rules: Rules,
    scan: Scan,
    starts: Starts,
    start_of_game: Any,
    offsets: Any,
    moves: Any,
    wanted: Any,
    after: bool,
    boards: Any,
) -> None:
    """Write the positions before the wanted plies of games, or `after` them, into `boards`, in place.

    `offsets` is where each game begins in `moves` and `wanted`, and the end of the last one.
    """
    count = I(0)
    for game in range(start_of_game.size):
        scan.start = start_of_game[U(game)]
        if scan.start < I(0):
            continue
        set_up(rules, scan, starts)
        position = scan.position[ZERO]
        for ply in range(offsets[U(game)], offsets[U(game) + ONE]):
            if wanted[U(ply)] and not after:
                _write(boards, count, position)
                count += I(1)
            play(rules, position, U(moves[U(ply)]))
            if wanted[U(ply)] and after:
                _write(boards, count, position)
                count += I(1)
