"""Reads the positions of games: each before a move, with what is known of that move, and the last."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.engine.games.columns import Games
from boomslang.engine.games.fens import fens_of
from boomslang.engine.games.reader import PgnReader
from boomslang.engine.labels.input_positions import Item, NoPosition

# Those of the place, the text, and those of the move played there.
COLUMNS: Final = ("game", "ply", "fen", "played", "clock", "eval", "rating", "result")
_BATCH: Final = 500  # games


def columns_of_plies(games: Games) -> dict[str, npt.NDArray[Any]]:
    """The place of each position of `fens_of`, and the move played there.

    `game`, its number, and `ply`, from 0; `played` in UCI notation; as in `Games`, `clock` and `eval` after
    the move, `rating` of who makes it and `result`. Behind the last move NaN or empty.
    """
    count, lengths = len(games.moves) + len(games), np.diff(games.offsets)
    game = np.repeat(np.arange(len(games)), lengths + 1)
    ply = np.arange(count) - (games.offsets[:-1] + np.arange(len(games)))[game]
    has_move = np.ones(count, dtype=np.bool_)
    has_move[games.offsets[1:] + np.arange(len(games))] = False
    clock, score, played = np.full((2, count), np.nan), None, np.full(count, "", dtype="U5")
    clock, score = clock
    clock[has_move], score[has_move] = games.clocks, games.evals
    played[has_move] = [move for number in range(len(games)) for move in games.uci(number)]
    is_black = (games.starts["position"]["side"][games.start_of_game][game] + ply) % 2 == 1
    return {
        "game": games["game"][game],
        "ply": ply,
        "played": played,
        "clock": clock,
        "eval": score,
        "rating": np.where(is_black, games["black_elo"][game], games["white_elo"][game]),
        "result": games["result"][game],
    }


def read_positions(source: str) -> Iterator[Item]:
    """The positions of a PGN file; kernels must be loaded. Raises FileError.

    Behind a game that is not read to its end comes an entry that says why.
    """
    for games in PgnReader(source).batches(_BATCH):
        table = columns_of_plies(games)
        table["rating"] = np.where(table["rating"] > 0, table["rating"], np.nan)
        game, ply, *details = map(_cells, table.values())
        rows = list(zip(game, ply, fens_of(games), *details, strict=True))
        for index, (first, end) in enumerate(pairwise(games.offsets.tolist())):
            if games.start_of_game[index] >= 0:
                yield from rows[first + index : end + index + 1]
            if games["odd"][index] == 2:
                yield NoPosition(str(games["line"][index]), games.remark(index))


def _cells(column: npt.NDArray[Any]) -> list[Any]:
    """Values as they are written: None for NaN, whole numbers without a point."""
    values: list[Any] = column.tolist()
    if column.dtype.kind == "f":
        return [int(x) if x.is_integer() else None if x != x else x for x in values]
    return values
