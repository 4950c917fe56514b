"""`boomslang datagen`: games of the engine against itself, to learn evaluations from."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    add_jobs,
    in_words,
    refusing,
    run_command,
    share,
    warner,
    whole_number,
)
from boomslang.cli.terminal.output import say
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.engine.core.system.files import check_writable
from boomslang.engine.identity import NAME, VERSION

_MANY: Final = 1 << 32
_FEWEST_NODES: Final = 200
_MOST_NODES: Final = 20_000
_NODES: Final = 1500  # if nothing is asked for
_DEEPEST: Final = 12  # plies; beyond, most moves would end at the most nodes

_DESCRIPTION: Final = """\
Let the engine play against itself and write these games, with the score that the search gave each move
and the result of the game, to a file for `boomslang tune-eval` and others. Fit to learn from are the
quiet positions from ply 16 on, out of check and with less than 15 pawns to a side.
"""
_EXAMPLES: Final = """\
examples:
  boomslang datagen --positions 1_000_000 --jobs 4 --out games.bin
  boomslang datagen --games 200 --nodes 5000 --seed 7 --chess960 0.25 --out few.bin
  boomslang datagen --positions 5_000_000 --depth 4 --network mine.net --sidelines 1 --out more.bin
  boomslang datagen --games 100_000 --cluster tcp://192.168.1.10:8786 --out many.bin

A file that exists is continued. Interrupt the command whenever you like, and repeat it to go on.
What is played depends on the seed, the nodes or the depth, the shares, the judge and the engine's version,
not on who plays it. `boomslang tune-eval` wants games of the classical evaluation.
`boomslang datainfo games.bin` tells what is in a file.
"""


def _parser() -> Parser:
    parser = Parser("boomslang datagen", _DESCRIPTION, _EXAMPLES)
    amount = parser.add_mutually_exclusive_group(required=True)
    many = whole_number(1, _MANY)
    amount.add_argument("--games", type=many, metavar="N", help="games in the file at the end")
    amount.add_argument(
        "--positions", type=many, metavar="N", help="fit positions at the end, sidelines included"
    )
    parser.add_argument("--out", type=Path, required=True, metavar="FILE", help="file to write")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument(
        "--nodes",
        type=whole_number(_FEWEST_NODES, _MOST_NODES),
        metavar="N",
        help=f"positions to search for a move, {_FEWEST_NODES} to {_MOST_NODES} ({_NODES})",
    )
    limit.add_argument(
        "--depth",
        type=whole_number(1, _DEEPEST),
        metavar="N",
        help=f"plies to look ahead instead, 1 to {_DEEPEST}, and prune less: better scores for the same "
        f"work; deepens no more after {_MOST_NODES} positions",
    )
    parser.add_argument(
        "--chess960",
        type=share,
        default=0.0,
        metavar="X",
        help="share of the games in which both sides begin from random arrays (0)",
    )
    parser.add_argument(
        "--stray",
        type=share,
        default=0.0,
        metavar="X",
        help="chance that a random move is played which loses nothing on its square (0)",
    )
    parser.add_argument(
        "--sidelines",
        type=share,
        default=0.0,
        metavar="X",
        help="chance that a position beside the game, such as searches look at, is judged too (0)",
    )
    judge = parser.add_mutually_exclusive_group()
    judge.add_argument(
        "--network", type=Path, metavar="FILE", help="that judges (the one that ships)"
    )
    judge.add_argument(
        "--classical", action="store_true", help="the hand-made evaluation judges instead"
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
    from boomslang.engine.selfplay.datagen import DatagenSettings, check, generate
    from boomslang.eval.network.file import SHIPPED, read, sha256_of

    engine = f"{NAME} {VERSION}"
    with refusing(OSError, ValueError):
        network = None if arguments.classical else read(arguments.network or SHIPPED)[0]
    settings = DatagenSettings(
        seed=arguments.seed,
        nodes=arguments.nodes or (_MOST_NODES if arguments.depth else _NODES),
        engine=engine,
        chess960=arguments.chess960,
        stray=arguments.stray,
        sidelines=arguments.sidelines,
        judge="classical" if network is None else sha256_of(network),
        depth=arguments.depth or 0,
    )
    check_writable(arguments.out)
    with refusing(OSError, ValueError):
        check(arguments.out, settings)
    if not arguments.cluster:
        load_kernels()
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
                warner("datagen"),
                network,
            )
    except OSError as problem:
        raise UsageError(f"cannot write {in_words(problem)}") from None
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    say(f"{arguments.out}: {positions} fit positions of {games} games")
    return 0
