"""`boomslang datagen`: games of the engine against itself, for tuning its evaluation."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cli.arguments import Parser, UsageError, add_jobs, run_command, whole_number
from cli.progress import progress
from uci.report import NAME, VERSION

_MANY: Final = 1 << 32

_DESCRIPTION: Final = """\
Let the engine play against itself and write the quiet positions of these games, with the score that
the search gave them and the result of the game, to a file for `boomslang tune-eval`.
"""
_EXAMPLES: Final = """\
examples:
  boomslang datagen --positions 1_000_000 --jobs 4 --out games.bin
  boomslang datagen --games 200 --nodes 5000 --seed 7 --out few.bin
  boomslang datagen --games 100_000 --cluster tcp://192.168.1.10:8786 --out many.bin

A file that exists is continued. Interrupt the command whenever you like, and repeat it to go on.
What is played depends on the seed, the nodes and the engine's version, not on who plays it.
"""


def _parser() -> Parser:
    parser = Parser("boomslang datagen", _DESCRIPTION, _EXAMPLES)
    amount = parser.add_mutually_exclusive_group(required=True)
    many = whole_number(1, _MANY)
    amount.add_argument("--games", type=many, metavar="N", help="games in the file at the end")
    amount.add_argument("--positions", type=many, metavar="N", help="positions at the end, or more")
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="file to write")
    parser.add_argument(
        "--nodes",
        type=whole_number(1, 10_000_000),
        default=1500,
        metavar="N",
        help="positions to search for a move (1500)",
    )
    parser.add_argument(
        "--seed", type=whole_number(0, _MANY), default=1, metavar="S", help="other games (1)"
    )
    add_jobs(parser)
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `datagen`; return the exit status."""
    return run_command(_parser(), argv, _generate, "interrupted; repeat the command to go on")


def _generate(arguments: argparse.Namespace) -> int:
    from engine.selfplay.datagen import Settings, generate

    settings = Settings(arguments.seed, arguments.nodes, f"{NAME} {VERSION}")
    unit = "games" if arguments.games else "positions"
    total = arguments.games or arguments.positions
    try:
        with progress(f"Playing, {unit}", total, counted=True) as advance:
            games, positions = generate(
                arguments.out,
                settings,
                arguments.games,
                arguments.positions,
                arguments.jobs,
                arguments.cluster,
                lambda games, positions: advance(done=games if arguments.games else positions),
            )
    except OSError as problem:
        raise UsageError(f"cannot write {arguments.out}: {problem.strerror}") from None
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    print(f"{arguments.out}: {positions} positions of {games} games")
    return 0
