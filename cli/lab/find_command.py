"""`boomslang find`: games of PGN files in which a position fits a pattern."""

from __future__ import annotations

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    check_kind,
    check_outputs,
    with_arguments,
)
from boomslang.cli.terminal.output import say
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.core.system.files import FileError, is_open_already, quote_path, whole_file
from boomslang.engine.games.sources import check_source, copy_games

FOUND, NOTHING = 0, 1
_BATCH: Final = 10_000  # games

_DESCRIPTION: Final = """\
Find the games of PGN files in which a position fits a pattern: one condition or several, with commas between
them. Each is a line: file, number of the game, and plies played when the position first stands on the board.
With --out the games themselves are written.
"""
_EXAMPLES: Final = """\
conditions:
  KRP v KR            material, with all pieces; either side may have the first
  Q v RR              material, with all pieces but pawns; no pawns: without those
  Nd5 pe6 -e5         pieces on squares, small letters for Black's, - for an empty square
  8/8/8/8/4?3/8/8/?7  a position as in a FEN, ? for any square
  isolated d-pawn     or doubled, passed, hanging pawns; on a file, on squares (passed pawn e6) or anywhere
  chain d4 e5         pawns on these squares
  mate                or check, double check, stalemate, back rank, smothered, arabian or anastasia mate
  white to move       or black
  1-0                 the result
  rating >= 2400      of both, or of white or black; with <, <=, =, >= or >
  move <= 20          moves into the game

White or black before material, pawns, checks and mates is whose they are; else they are of either side.

examples:
  boomslang find "KRP v KR, rating >= 2400" month.pgn.zst -o rook-endings.pgn
  boomslang find "white isolated d-pawn, 1-0" games.pgn

The exit status is 1 if there is nothing to be found.
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang find", _DESCRIPTION, _EXAMPLES)
    parser.option("pattern PATTERN", str, "conditions, in quotes")
    parser.option(
        "files FILE",
        Path,
        "PGN, also as .gz, .bz2 or .zst; - for standard input, without --out",
        nargs="+",
    )
    parser.option("-o --out FILE", Path, "PGN file to write")
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    files, out = arguments.files, arguments.out
    check_kind("--out", out, "pgn")
    check_outputs(out, sources=files)
    if out and any(map(is_open_already, files)):
        raise UsageError("with --out games are read twice: name files instead of what is read once")
    for path in files:
        check_source(path)

    import numpy as np

    from boomslang.engine.games.find import Pattern
    from boomslang.engine.games.games import read_games

    pattern = Pattern(arguments.pattern)
    load_kernels()
    count = 0
    with ExitStack() as stack:
        file = stack.enter_context(whole_file(out)) if out else None
        advance = stack.enter_context(progress("Searching games", None))
        for path in files:
            lines, wanted, size = [], [], path.stat().st_size if file else 0
            for games in read_games(path, batch=_BATCH):
                found = pattern.find(games, every=False)
                lines.append(games["line"])
                wanted.append(np.isin(games["game"], found["game"]))
                count += len(found)
                if not file and len(found):
                    say(
                        *(
                            f"{quote_path(path)}, game {game}, ply {ply}"
                            for _, game, ply in found.tolist()
                        )
                    )
                advance(title=f"Searching games: {count:,} found")
            if file:
                copy_games(path, np.concatenate(lines), np.concatenate(wanted), file)
                if path.stat().st_size != size:  # the second reading was of other games
                    raise FileError(f"{quote_path(path)} changes while it is read: search a copy")
    if file:
        say(f"{count:,} game{'s' * (count != 1)} found")
    return FOUND if count else NOTHING
