"""What people play in a position: the model of people's moves, with a search, for programs and reports."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from threading import Lock
from typing import Final

import chess
import chess.pgn

from boomslang.engine.analysis.clock_times import time_control
from boomslang.engine.analyst import Evaluation
from boomslang.engine.driver.searcher import Searcher, load
from boomslang.engine.errors import CommandError
from boomslang.engine.limits import Score, ignore
from boomslang.engine.notation.position_setup import check_board
from boomslang.engine.notation.positions import board_of
from boomslang.engine.people.model import MoveValue, look, shipped_model, values_of
from boomslang.engine.people.network import SPEED_BOUNDS, SPEEDS
from boomslang.engine.settings import FLAG, TEXT, check_value, number
from boomslang.eval.wdl.weights import PAWN

_LOCK: Final = Lock()  # the searcher is not for two threads at once


def people(
    position: str | chess.Board,
    rating: float,
    *,
    speed: str = "blitz",
    time_left: float | None = None,
    search: bool = True,
) -> dict[chess.Move, float]:
    """How often people with a rating play each legal move, from 0 to 1, the most frequent first.

    `position` is a FEN, or a board, whose last moves matter too; `rating` is that of games on Lichess (those
    below 600 and above 2600 count as these); `speed` is "bullet", "blitz", "rapid", "classical" or "" for
    any, or instead of it "chesscom", "fics" or "otb" (over the board), whose ratings are those of that
    site; `time_left` is in seconds. A search of 10,000 nodes tells what the moves lead to, of which people
    see a part; without it the answer comes sooner and says less. The chances add up to 1; without a legal
    move there are none.

    Raises TypeError for wrong types, CommandError (a ValueError) for an invalid position or another value.
    """
    rating = check_value("rating", number(0, 4000), rating)
    if check_value("speed", TEXT, speed) not in SPEEDS:
        raise CommandError(f"speed is one of {', '.join(map(repr, SPEEDS))}, not {speed!r}")
    if time_left is not None:
        time_left = check_value("time_left", number(0, 1e6), time_left)
    search = check_value("search", FLAG, search)
    if isinstance(position, str):
        try:
            board = board_of(position)
        except ValueError as problem:
            raise CommandError(str(problem)) from None
    else:
        board = check_board(position)
    is_searched = search and any(board.legal_moves)
    values = _search(board) if is_searched else None
    return shipped_model().chances(board, rating, speed, time_left, values)


def is_available() -> bool:
    """False if the model cannot be read."""
    try:
        shipped_model()
    except ValueError:
        return False
    return True


def values_in(looks: Sequence[Evaluation]) -> dict[chess.Move, MoveValue]:
    """The values of moves by LOOKS, whose scores are displayed ones."""
    first, found = (
        [replace(line, score=_searched(line.score)) for line in look.lines]
        for look in (looks[0], looks[-1])
    )
    return values_of(found, first)


def _searched(score: Score) -> Score:
    cp = score.centipawns
    return score if cp is None else Score(round(cp * PAWN / 100))


def speed_of(game: chess.pgn.Game) -> str:
    """The class of a game's time control, "" for none."""
    control = time_control(game.headers.get("TimeControl", ""))
    if control is None:
        return ""
    return SPEEDS[bisect_right(SPEED_BOUNDS, control.base + 40 * control.increment)]


@cache
def _searcher() -> Searcher:
    load()
    return Searcher(hash_mb=1)


def _search(board: chess.Board) -> dict[chess.Move, MoveValue]:
    searcher = _searcher()
    with _LOCK, searcher.fresh_memory():
        return look(partial(searcher.search, board, on_info=ignore))
