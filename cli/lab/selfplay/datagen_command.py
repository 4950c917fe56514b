"""`boomslang datagen`: self-play games as training data."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    add_jobs,
    add_option,
    share,
    warner,
    whole_number,
    with_arguments,
)
from boomslang.cli.terminal.output import say
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.core.system.files import check_writable, quote_path, sole_writer
from boomslang.core.system.identity import NAME, VERSION
from boomslang.engine.errors import in_words, refuse_errors

if TYPE_CHECKING:
    from boomslang.engine.learning.selfplay.datagen import DatagenSettings

_MANY: Final = 1 << 32
_MIN_NODES: Final = 200
_MAX_NODES: Final = 20_000
_NODES: Final = 1500  # default
_MAX_DEPTH: Final = 12  # plies; beyond, most moves would end at the node limit

_DESCRIPTION: Final = """\
Play the engine against itself and write the games, with the search score of every move and the result, to a
file for `boomslang train`, `boomslang tune-eval` and `boomslang fit-wdl`. Usable for training are the quiet
positions from ply 16 on in which the side to move is not in check and neither side leads by 1,500 centipawns.
"""
_EXAMPLES: Final = """\
examples:
  boomslang datagen --positions 1_000_000 --jobs 4 -o games.bin
  boomslang datagen --games 200 --nodes 5000 --seed 7 --chess960 0.25 -o few.bin
  boomslang datagen --positions 5_000_000 --depth 4 --network mine.net --sidelines 1 -o more.bin
  boomslang datagen --games 100_000 --cluster tcp://192.168.1.10:8786 -o many.bin

An existing file is continued; repeat an interrupted command to resume it. The games depend on the seed, the
limit, the probabilities, the evaluation and the engine's version, not on the number of processes.
`boomslang tune-eval` needs games of the classical evaluation. `boomslang datainfo games.bin` shows the
contents of a file.
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang datagen", _DESCRIPTION, _EXAMPLES)
    amount = parser.add_mutually_exclusive_group(required=True)
    many = whole_number(1, _MANY)
    amount.add_argument("--games", type=many, metavar="N", help="total number of games in the file")
    amount.add_argument(
        "--positions",
        type=many,
        metavar="N",
        help="total number of usable positions in the file, sidelines included",
    )
    parser.add_argument(
        "-o", "--out", type=Path, required=True, metavar="FILE", help="game file to write"
    )
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument(
        "--nodes",
        type=whole_number(_MIN_NODES, _MAX_NODES),
        metavar="N",
        help=f"nodes per move, {_MIN_NODES} to {_MAX_NODES} ({_NODES})",
    )
    add_option(
        limit,
        "--depth N",
        whole_number(1, _MAX_DEPTH),
        f"search depth per move in plies, 1 to {_MAX_DEPTH}, with less pruning: better scores for the "
        f"same time; no new iteration after {_MAX_NODES} nodes",
    )
    parser.add_argument(
        "--chess960",
        type=share,
        default=0.0,
        metavar="X",
        help="share of games with random, unequal Chess960 start positions (0)",
    )
    parser.add_argument(
        "--random-moves",
        type=share,
        default=0.0,
        metavar="X",
        help="probability of playing a random move that loses no material (SEE >= 0) (0)",
    )
    parser.add_argument(
        "--sidelines",
        type=share,
        default=0.0,
        metavar="X",
        help="probability of also scoring a sideline, a position near the game as searches visit it (0)",
    )
    evaluation = parser.add_mutually_exclusive_group()
    add_option(evaluation, "--network FILE", Path, "network to evaluate with (the built-in one)")
    evaluation.add_argument(
        "--classical", action="store_true", help="classical evaluation instead of a network"
    )
    add_option(parser, "--seed S", whole_number(0, _MANY), "random seed", 1)
    add_jobs(parser)
    return parser


@with_arguments(new_parser, "interrupted; repeat the command to resume")
def main(arguments: argparse.Namespace) -> int:
    """Run `boomslang datagen`; returns the exit status."""
    from boomslang.engine.learning.selfplay.datagen import DatagenSettings
    from boomslang.eval.network.file import SHIPPED, read, sha256_of

    engine = f"{NAME} {VERSION}"
    with refuse_errors(OSError, ValueError):
        network = None if arguments.classical else read(arguments.network or SHIPPED)[0]
    settings = DatagenSettings(
        seed=arguments.seed,
        nodes=arguments.nodes or (_MAX_NODES if arguments.depth else _NODES),
        engine=engine,
        chess960=arguments.chess960,
        random_moves=arguments.random_moves,
        sidelines=arguments.sidelines,
        evaluation="classical" if network is None else sha256_of(network),
        depth=arguments.depth or 0,
    )
    check_writable(arguments.out)
    with sole_writer(arguments.out):
        return _write(arguments, settings, network)


def _write(arguments: argparse.Namespace, settings: DatagenSettings, network: Any) -> int:
    """Write the games; `network` is a NETWORK record, None for the classical evaluation."""
    from boomslang.engine.learning.selfplay.datagen import check, generate

    with refuse_errors(OSError, ValueError):
        check(arguments.out, settings)
    if not arguments.cluster:
        load_kernels()
    unit = "games" if arguments.games else "positions"
    total = arguments.games or arguments.positions
    try:
        with progress(f"Playing ({unit})", total, counted=True) as advance:
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
        about = "" if problem.filename else f"{quote_path(arguments.out)}: "
        raise UsageError(f"cannot write {about}{in_words(problem)}") from None
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    say(f"{arguments.out}: {games:,} games, {positions:,} usable positions")
    return 0
