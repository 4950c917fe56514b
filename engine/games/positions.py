"""The positions of games, played again from their moves."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.board.constants import ONE, ZERO, I, U
from boomslang.core.board.makemove import make_move, make_null_move
from boomslang.core.board.position import NO_MOVE, Position, Rules, rules_t
from boomslang.core.board.tables import new_rules
from boomslang.core.jit.jit import jit, kernel, record_type, types, void
from boomslang.engine.games.scan import Starts, set_up, starts_t
from boomslang.engine.games.tokens import Scan, new_scan, scan_t

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


def boards_of(games: Any, wanted: npt.NDArray[np.uint8]) -> npt.NDArray[np.void]:
    """The positions of `Games` for which `wanted` is 1, in turn, as BOARD.

    `wanted` is that of the positions before each ply of a game, and behind its last, one game after the
    other. Those of a game that cannot be played are empty.
    """
    boards = np.zeros(int(wanted.sum()), dtype=BOARD)
    arrays = games.starts, games.start_of_game, games.offsets, games.moves, wanted
    _fill_boards(new_rules(), new_scan(), *arrays, boards.view(np.recarray))
    return boards


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
        _boards_t,
    )
)
def _fill_boards(
    rules: Rules,
    scan: Scan,
    starts: Starts,
    start_of_game: Any,
    offsets: Any,
    moves: Any,
    wanted: Any,
    boards: Any,
) -> None:
    """Write the wanted positions of games, of each one more than it has plies, into `boards`, in place.

    `offsets` is where each game begins in `moves`, and the end of the last one.
    """
    count = place = I(0)
    for game in range(start_of_game.size):
        scan.start = start_of_game[U(game)]
        ply, end = offsets[U(game)], offsets[U(game) + ONE]
        if scan.start < I(0):
            count += I(wanted[U(place)])
            place += I(1)  # it has no plies
            continue
        set_up(rules, scan, starts)
        position = scan.position[ZERO]
        while True:
            if wanted[U(place)]:
                _write(boards, count, position)
                count += I(1)
            place += I(1)
            if ply == end:
                break
            play(rules, position, U(moves[U(ply)]))
            ply += I(1)
