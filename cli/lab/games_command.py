"""`boomslang games`: the games of PGN files as a table."""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boomslang.cli.terminal.arguments import Parser, UsageError, check_outputs, with_arguments
from boomslang.cli.terminal.output import complain, say
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.core.system.files import quote_path, whole_file
from boomslang.engine.games.sources import check_source

if TYPE_CHECKING:
    from boomslang.engine.games.columns import Games

DONE, PROBLEMS = 0, 1
_BATCH: Final = 10_000  # games
_MAX_TOLD: Final = 1000  # odd games reported one by one

_DESCRIPTION: Final = """\
Read the main lines of games, and write them as a table with a row for each game: players, ratings, result,
time control and other tags, moves, clocks and scores. A game in which something is odd is read as far as it
is sound, and named.
"""
_EXAMPLES: Final = """\
examples:
  boomslang games lichess_2024-01.pgn.zst -o games.parquet
  boomslang games a.pgn b.pgn -o games.csv --tags WhiteTitle BlackTitle
  zcat month.pgn.gz | boomslang games - -o games.npz

The columns are those of boomslang.read_games. CSV has moves in UCI notation; NPZ, for NumPy, is made in
memory; Parquet needs the package pyarrow, and .pgn.zst the package zstandard. Without -o the games are only
counted. The exit status is 1 if the moves of a game could not be read to its end.
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang games", _DESCRIPTION, _EXAMPLES)
    parser.option(
        "files FILE", Path, "PGN, also as .gz, .bz2 or .zst; - for standard input", nargs="+"
    )
    parser.option("-o --out FILE", Path, "file to write: .csv, .npz or .parquet")
    parser.option("--tags NAME", str, "other tags that become columns", default=[], nargs="+")
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    files, out = arguments.files, arguments.out
    check_outputs(out, sources=files)
    if out and out.suffix.lower() not in (".csv", ".npz", ".parquet"):
        raise UsageError(f"--out writes .csv, .npz or .parquet: rename {quote_path(out)}")
    for path in files:
        check_source(path)

    from boomslang.engine.games.games import read_games
    from boomslang.engine.games.tables import WRITERS

    load_kernels()
    games = plies = odd = cut = 0
    remarks: list[str] = []

    def batches() -> Iterator[Games]:
        nonlocal games, plies, odd, cut
        for batch in read_games(files, batch=_BATCH, tags=arguments.tags):
            games, plies = games + len(batch), plies + len(batch.moves)
            odd += int((batch["odd"] > 0).sum())
            cut += int((batch["odd"] > 1).sum())
            remarks.extend(
                f"{quote_path(problem.source)}, game {problem.game} in line {problem.line}: {problem.text}"
                for problem in batch.problems[: _MAX_TOLD - len(remarks)]
            )
            advance(title=f"Reading games: {games:,}")
            yield batch

    with progress("Reading games", None) as advance:
        if out:
            with whole_file(out) as file:
                WRITERS[out.suffix.lower()](batches(), file)
        else:
            deque(batches(), maxlen=0)
    for line in remarks:
        complain(f"boomslang games: {line}")
    say(f"games: {games:,}, plies: {plies:,}, odd games: {odd:,}")
    return PROBLEMS if cut else DONE
