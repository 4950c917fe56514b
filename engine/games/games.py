"""`boomslang.read_games`: PGN as columns."""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final, overload

from boomslang.core.jit.jit import load_kernels
from boomslang.core.system.files import FileError
from boomslang.engine.errors import CommandError
from boomslang.engine.games.builder import MAX_OTHERS
from boomslang.engine.games.columns import TAKEN, Games, join
from boomslang.engine.games.reader import PgnReader
from boomslang.engine.games.sources import Source
from boomslang.engine.games.tokens import MAX_NAME
from boomslang.engine.settings import check_value, whole

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_]*")


@overload
def read_games(source: Source | Iterable[Source], *, tags: Iterable[str] = ...) -> Games: ...
@overload
def read_games(
    source: Source | Iterable[Source], *, batch: int, tags: Iterable[str] = ...
) -> Iterator[Games]: ...


def read_games(
    source: Source | Iterable[Source], *, batch: int | None = None, tags: Iterable[str] = ()
) -> Games | Iterator[Games]:
    """The games of PGN as columns, all at once or, with `batch`, in batches of so many games.

    `source` is a path, PGN as bytes, a file open for reading bytes, or several of these; a path may end in
    .gz, .bz2 or, with the package zstandard, in .zst. A batch holds games of one source, and memory does not
    grow with the source. Main lines are read, variations and comments are not.

    `games["white_elo"]` is a column with an element for each game; `games.columns` has them all by name:

    * `source` (int32): its index in `source`; `game` and `line` (int64): number and first line, from 1;
    * `event`, `site`, `round`, `white`, `black`, `eco`, `opening`, `time_control`, `termination`, `fen` (of
      the start, empty for the ordinary one): texts; and by their own names the `tags` that are asked for;
    * `white_elo`, `black_elo` (int16, 0 if unknown); `result` (float32: points of White, NaN if unknown);
    * `base`, `increment` (int32: seconds of the time control, -1 if it has another form);
    * `date` (datetime64: UTCDate or Date, NaT if unknown); `chess960` (bool); `plies` (int32);
    * `odd` (uint8): 1 if something was remarked on, 2 if the moves of the game end before its text does.
      `games.problems` says what it was: (source, game, line, ply, text).

    These have an element for each ply; those of game i are from `games.offsets[i]` to `games.offsets[i + 1]`:

    * `games.moves` (uint16): from + 64 * to, a1 = 0 to h8 = 63; plus 16384 + 4096 * (0 knight to 3 queen) for
      a promotion, 32768 en passant, 49152 castling (king takes rook); 0 is a null move;
    * `games.clocks` (float64: `[%clk]` in seconds, else NaN);
    * `games.evals` (float32: `[%eval]` in centipawns for White, a mate in n is 100000 - n, else NaN).

    `games.nags` (uint8) are annotations, `games.nag_plies` (int64) the indices of their plies.
    `games.positions()` are positions, `games.uci(i)` is the moves of a game as text.

    Raises TypeError for wrong types, and CommandError for a source that cannot be read or has no games, in
    the middle of one that is damaged there.
    """
    others = tuple(dict.fromkeys([tags] if isinstance(tags, str) else tags))
    for name in others:
        if not isinstance(name, str):
            raise TypeError(f"tags are names, not of type {type(name).__name__}")
        if not _NAME.fullmatch(name) or len(name) > MAX_NAME:
            raise CommandError(f"not the name of a tag: {name!r}")
        if name in TAKEN:
            raise CommandError(f"{name!r} is a column of its own, no tag")
    if len(others) > MAX_OTHERS:
        raise CommandError(f"{len(others)} tags beside the usual ones; at most {MAX_OTHERS}")
    batch = batch if batch is None else check_value("batch", whole(), batch)
    sources: list[Any] = [source] if _is_source(source) else list(source)  # type: ignore[arg-type]
    for each in sources:
        if not _is_source(each) or isinstance(each, io.TextIOBase):
            raise TypeError(
                f"a source is a path, bytes or a file open for reading bytes, not {type(each).__name__}"
            )
    if not sources:
        raise CommandError("no source is given")
    parts = _batches(sources, others, batch)
    return join(list(parts)) if batch is None else parts


def _is_source(given: object) -> bool:
    return isinstance(given, str | os.PathLike | bytes) or hasattr(given, "read")


def _batches(sources: list[Source], others: tuple[str, ...], batch: int | None) -> Iterator[Games]:
    load_kernels()
    for number, source in enumerate(sources):
        try:
            yield from PgnReader(source, others, number).batches(batch)
        except FileError as problem:
            raise CommandError(str(problem)) from None
