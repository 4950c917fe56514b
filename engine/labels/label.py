"""`boomslang.label`: scores of many positions as an array."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from math import nan
from typing import TYPE_CHECKING, Any, Final

import chess
import numpy as np
import numpy.typing as npt

from boomslang.engine.driver.searcher import load
from boomslang.engine.errors import CommandError, check_listener
from boomslang.engine.jobs.run import run_in_order
from boomslang.engine.labels.input_positions import MAX_LINE
from boomslang.engine.labels.label_settings import LabelSettings
from boomslang.engine.labels.labeller import (
    OF_POSITION,
    SEARCHED,
    STATIC,
    Label,
    LabelValue,
    block_size,
    new_labeller,
)
from boomslang.engine.notation.position_setup import plain_board
from boomslang.engine.notation.positions import tidy
from boomslang.engine.search_settings import WorkSettings

if TYPE_CHECKING:
    from boomslang.engine.games.columns import Games

_TYPES: Final = {  # NaN is an empty cell of the command's
    **dict.fromkeys(("score", "mate"), np.float64),
    "move": "U5",
    **dict.fromkeys(("win", "draw", "loss", "depth"), np.int16),
    "nodes": np.int64,
    "line": np.object_,
}
_MOVE: Final = SEARCHED.index("move")


def label(
    positions: Iterable[str | chess.Board] | Games,
    *,
    nodes: int | None = None,
    depth: int | None = None,
    movetime: int | None = None,
    hash_mb: int | None = None,
    tables: str | os.PathLike[str] | None = None,
    network: str | os.PathLike[str] | None = None,
    classical: bool = False,
    engine: str | None = None,
    options: Mapping[str, Any] | None = None,
    jobs: int | None = None,
    on_progress: Callable[[int, int], object] | None = None,
) -> npt.NDArray[np.void]:
    """Score positions: FENs, lines of EPD, boards of python-chess, an array or column of FENs, or games.

    Returns a structured array of shape (n,) in the order of the positions, with the columns of the command
    `boomslang label`; pandas and polars make a table of it as it is. Without a limit there is one column,
    `score`, the static evaluation. With `nodes` or `depth` (plies) or `movetime` (milliseconds) per position,
    of which the first reached ends the search, the columns are

    * `score` (float64): centipawns for the side to move, of which 100 win half of the games; NaN with a
      `mate`, and for the static evaluation in check;
    * `mate` (float64): moves to mate, negative for the side to move being mated, 0 for mate; else NaN;
    * `move` (str): the best move in UCI notation, empty where the game is over;
    * `win`, `draw`, `loss` (int16): probabilities for the side to move, per mille;
    * `depth` (int16): plies reached; `nodes` (int64): nodes searched.

    Of the games that `read_games` returns all positions are scored: those of game i are from
    `games.offsets[i] + i` on, one more than it has plies. Before these columns they have `game` and `ply`
    (int64), and of the move played there `played` (str, UCI notation, empty behind the last one), `clock`,
    `eval` (float64: as in `read_games`), `rating` (int16: of who made it, 0 if unknown) and `result`
    (float32); behind them, after a search, `line` (str: the best line in UCI notation).

    Each position is searched with an empty hash table of `hash_mb` megabytes (1 up to 20,000 nodes, else 16),
    without the game before it, so with `nodes` or `depth` the values depend neither on the other positions
    nor on `jobs`, the number of processes (all processors; in a daemonic process, such as those of
    `multiprocessing.Pool`, the work is done in this one). `tables` are folders of Syzygy tables; `network`
    and `classical` choose the evaluation. `engine` is the command of another engine that searches instead,
    with these `options`. `on_progress(done, n)` is called after each block of positions. KeyboardInterrupt
    ends all processes.

    Raises TypeError for wrong types, CommandError (a ValueError) for an invalid position, with its index and
    before anything is searched, and for other invalid values; `chess.engine.EngineError` if the other engine
    fails, MemoryError for a hash table that does not fit, and what `positions` and `on_progress` raise.
    """
    given = locals()
    settings, work = LabelSettings.of(given), WorkSettings.of(given)
    check_listener(on_progress, "on_progress", "two arguments")
    search = settings.search(settings.probe())
    table, texts = _positions(positions)
    file = settings.network and settings.network.absolute()
    try:
        static = new_labeller(None, file, settings.classical)
    except ValueError as problem:
        raise CommandError(str(problem)) from None
    if search:
        for first, block in _blocks(texts, block_size(None)):
            _rows(static(block), first)
    columns = list(SEARCHED if search else STATIC)[: None if table else OF_POSITION]
    types = [(name, column.dtype) for name, column in table.items()]
    found = np.empty(len(texts), dtype=[*types, *((name, _TYPES[name]) for name in columns)])
    for name, column in table.items():
        found[name] = column
    scores = found[columns]  # a view
    size = block_size(search)
    make = partial(new_labeller, search, file, settings.classical)
    blocks = (block for _, block in _blocks(texts, size))
    done = 0
    count = min(work.count(), -(-len(texts) // size)) if search else 1  # see the command
    with closing(run_in_order(make, blocks, jobs=count)) as labelling:
        for labels in labelling:
            rows = _rows(labels, done)
            scores[done : done + len(labels)] = [row[: len(columns)] for row in rows]
            done += len(labels)
            if on_progress:
                on_progress(done, len(texts))
    return found


def _positions(positions: Any) -> tuple[dict[str, npt.NDArray[Any]], list[str]]:
    """The columns of the positions of games, none for others, and their texts."""
    if not hasattr(positions, "start_of_game"):
        return {}, list(_texts(positions))
    from boomslang.engine.games.fens import fens_of
    from boomslang.engine.labels.game_positions import columns_of_plies

    load()
    for index in np.flatnonzero(positions.start_of_game < 0):
        raise CommandError(positions.remark(index))  # it cannot be played
    return columns_of_plies(positions), fens_of(positions)


def _texts(positions: Any) -> Iterator[str]:
    """The positions as lines; raises TypeError or CommandError."""
    if isinstance(positions, str | bytes | chess.Board) or not isinstance(positions, Iterable):
        kind = type(positions).__name__
        raise TypeError(f"positions are a list or an array of FENs or boards, not of type {kind}")
    for index, position in enumerate(positions):
        if isinstance(position, chess.Board) and position.uci_variant == "chess":
            try:
                board = plain_board(position)
            except CommandError as problem:
                raise CommandError(f"position {index}: {problem}") from None
            yield board.fen(shredder=board.chess960, en_passant="fen")
            continue
        text: Any = position
        if isinstance(text, bytes):  # of an array of them
            text = text.decode("utf-8", "replace")
        if not isinstance(text, str):
            kind = type(position).__name__
            raise TypeError(f"position {index} is neither a FEN nor a board of chess: {kind}")
        line = tidy(text.strip())
        if len(line) > MAX_LINE or len(line.splitlines()) > 1:
            raise CommandError(f"position {index} is longer than a line")
        yield line


def _blocks(texts: list[str], size: int) -> Iterator[tuple[int, list[str]]]:
    return ((first, texts[first : first + size]) for first in range(0, len(texts), size))


def _rows(labels: Iterable[Label | str], first: int) -> list[tuple[LabelValue | float, ...]]:
    """The values by column, NaN or an empty move for none; raises CommandError for an invalid position."""
    rows: list[tuple[LabelValue | float, ...]] = []
    for index, row in enumerate(labels, first):
        if isinstance(row, str):
            raise CommandError(f"position {index}: {row}")
        rows.append(
            tuple(
                value if value is not None else "" if place == _MOVE else nan
                for place, value in enumerate(row.values)
            )
        )
    return rows
