"""`boomslang datainfo`: statistics and integrity of files of training data."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Final

import numpy as np

from boomslang.cli.terminal.arguments import Parser, with_arguments
from boomslang.cli.terminal.console import Console
from boomslang.cli.terminal.output import complain
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.core.system.files import FileError, sha256_of
from boomslang.engine.learning.data.game_files import MAX_BYTES, DamagedBlock, header_of

SOUND, DAMAGED, REFUSED = 0, 1, 2

_DESCRIPTION: Final = """\
Show statistics of game files from `boomslang datagen`: games and results, positions and how many of them are
usable for training. The exit status is 1 if a file is damaged (its readable part is counted), and 2 if a file
is missing or no game file (the others are counted).
"""
_EXAMPLES: Final = """\
examples:
  boomslang datainfo games.bin
  boomslang datainfo data/*.bin
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang datainfo", _DESCRIPTION, _EXAMPLES)
    parser.option("files FILE", Path, "game files of boomslang datagen", nargs="+")
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    console = Console(soft_wrap=True)
    status = SOUND
    of_games = []
    for path in arguments.files:
        try:
            header_of(path)
            of_games.append(path)
        except FileError as problem:
            complain(f"boomslang datainfo: {problem}")
            status = REFUSED
    if of_games:
        import boomslang.engine.learning.data.game_reader  # noqa: F401 - loaded is what is imported

        load_kernels()
    for number, path in enumerate(of_games):
        if number:
            console.print()
        damage: list[DamagedBlock] = []
        try:
            _print(console, path, damage)
        except ValueError as problem:
            complain(f"boomslang datainfo: {problem}")
            status = REFUSED
        if damage:
            status = max(status, DAMAGED)
    return status


def _print(console: Console, path: Path, damage: list[DamagedBlock]) -> None:
    """Print the statistics of one file, up to its first damage, which is noted."""
    from boomslang.engine.learning.data.game_encoding import ALL, FIT
    from boomslang.engine.learning.data.game_reader import GameReader
    from boomslang.engine.learning.data.records import CHESS960, IN_SIDELINE

    reader = GameReader([path], damage.append)
    results = np.zeros(3, dtype=np.int64)
    chess960 = positions = in_sidelines = fit = 0
    with progress(f"Counting {path.name}", None) as advance:
        for _, records in reader.in_order(ALL):
            beside = records["traits"] & IN_SIDELINE != 0
            starts = records[(records["ply"] == 0) & ~beside]
            results += np.bincount(starts["result"], minlength=3)
            chess960 += int(np.count_nonzero(starts["traits"] & CHESS960))
            in_sidelines += int(np.count_nonzero(beside))
            positions += int(np.count_nonzero(~beside))
            fit += int(np.count_nonzero(FIT.takes(records)))
            advance(done=positions, total=reader.plies)
    black, drawn, white = results.tolist()
    games = max(int(results.sum()), 1)
    size = path.stat().st_size
    console.print(f"{path}: {size:,} bytes, SHA-256 {sha256_of(path, MAX_BYTES)}")
    settings = ", ".join(f"{name} {value}" for name, value in sorted(reader.headers[0].items()))
    console.print(f"settings: {settings}")
    console.print(
        f"{results.sum():,} games: {white / games:.1%} won by White, {drawn / games:.1%} drawn, "
        f"{black / games:.1%} lost; {chess960 / games:.1%} from random Chess960 start positions"
    )
    console.print(
        f"{positions:,} positions, {positions / games:.0f} per game"
        f"{f', and {in_sidelines:,} in sidelines' if in_sidelines else ''}; "
        f"{fit:,} usable for training, {size / max(fit, 1):.2f} bytes each"
    )
    for block in damage:
        console.print(f"DAMAGED: {block}")
