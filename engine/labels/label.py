"""`boomslang.label`: scores of many positions as an array."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from functools import partial
from math import nan
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np
import numpy.typing as npt

from boomslang.core.system.threads import usable_processors
from boomslang.engine.driver.tablebase import folders_of
from boomslang.engine.errors import CommandError, check_listener
from boomslang.engine.jobs.run import run_in_order
from boomslang.engine.labels.columns import MAX_LINE, SEARCHED, STATIC, Label, LabelValue
from boomslang.engine.labels.labeller import block_size, label_settings, new_labeller
from boomslang.engine.limits import Limits, whole_number
from boomslang.engine.notation.positions import tidy

_TYPES: Final = {  # NaN is an empty cell of the command's
    **dict.fromkeys(("score", "mate"), np.float64),
    "move": "U5",
    **dict.fromkeys(("win", "draw", "loss", "depth"), np.int16),
    "nodes": np.int64,
}
_MOVE: Final = SEARCHED.index("move")
_MAX_JOBS: Final = 1024
_MAX_HASH: Final = 1 << 17  # megabytes


def label(
    positions: Iterable[str | chess.Board],
    *,
    nodes: int | None = None,
    depth: int | None = None,
    movetime: int | None = None,
    jobs: int | None = None,
    hash_mb: int | None = None,
    tables: str | os.PathLike[str] = "",
    network: str | os.PathLike[str] | None = None,
    classical: bool = False,
    on_progress: Callable[[int, int], object] | None = None,
) -> npt.NDArray[np.void]:
    """Score positions: FENs, lines of EPD, boards of python-chess, or an array or column of FENs.

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

    Each position is searched with an empty hash table of `hash_mb` megabytes (1 up to 20,000 nodes, else 16),
    without the game before it, so with `nodes` or `depth` the values depend neither on the other positions
    nor on `jobs`, the number of processes (all processors; in a daemonic process, such as those of
    `multiprocessing.Pool`, the work is done in this one). `tables` are folders of Syzygy tables;
    `network` and `classical` choose the evaluation. `on_progress(done, n)` is called after each
    block of positions. KeyboardInterrupt ends all processes.

    Raises TypeError for wrong types, CommandError (a ValueError) for an invalid position, with its index and
    before anything is searched, and for other invalid values; MemoryError for a hash table that does not fit,
    and what `positions` and `on_progress` raise.
    """
    limits = Limits(depth, nodes, movetime)  # checks the numbers
    count = usable_processors() if jobs is None else whole_number("jobs", jobs, 1, _MAX_JOBS)
    if hash_mb is not None:
        hash_mb = whole_number("hash_mb", hash_mb, 1, _MAX_HASH)
    check_listener(on_progress, "on_progress", "two arguments")
    if not isinstance(classical, bool | np.bool_):
        raise TypeError(f"classical is True or False, and not {classical!r}")
    if classical and network is not None:
        raise CommandError("classical and network exclude each other")
    try:
        folders = folders_of(os.fspath(tables)) or None
        file = None if network is None else Path(network).absolute()
        settings = label_settings(limits.nodes, limits.depth, limits.movetime, hash_mb, folders)
        if settings is None and (hash_mb or folders):
            raise CommandError("hash_mb and tables need nodes, depth or movetime")
        static = new_labeller(None, file, classical)
    except ValueError as problem:
        raise CommandError(str(problem)) from None
    texts = list(_texts(positions))
    if settings:
        for first, block in _blocks(texts, block_size(None)):
            _rows(static(block), first)
    columns = STATIC if settings is None else SEARCHED
    found = np.empty(len(texts), dtype=[(name, _TYPES[name]) for name in columns])
    size = block_size(settings)
    make = partial(new_labeller, settings, file, classical)
    blocks = (block for _, block in _blocks(texts, size))
    jobs = min(count, -(-len(texts) // size))
    done = 0
    with closing(run_in_order(make, blocks, jobs=jobs)) as work:
        for labels in work:
            found[done : done + len(labels)] = _rows(labels, done)
            done += len(labels)
            if on_progress:
                on_progress(done, len(texts))
    return found


def _texts(positions: Iterable[str | chess.Board]) -> Iterator[str]:
    """The positions as lines; raises TypeError or CommandError."""
    if isinstance(positions, str | bytes | chess.Board) or not isinstance(positions, Iterable):
        kind = type(positions).__name__
        raise TypeError(f"positions are a list or an array of FENs or boards, not of type {kind}")
    for index, position in enumerate(positions):
        if isinstance(position, chess.Board) and position.uci_variant == "chess":
            yield position.fen(shredder=position.chess960, en_passant="fen")
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
    for index, found in enumerate(labels, first):
        if isinstance(found, str):
            raise CommandError(f"position {index}: {found}")
        rows.append(
            tuple(
                value if value is not None else "" if place == _MOVE else nan
                for place, value in enumerate(found.values)
            )
        )
    return rows
