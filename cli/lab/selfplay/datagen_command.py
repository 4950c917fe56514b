"""`boomslang datagen`: self-play games as training data."""

from __future__ import annotations

import argparse
from typing import Any, Final

from boomslang.cli.terminal.arguments import Parser, UsageError, warner, with_arguments
from boomslang.cli.terminal.output import say
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.files import check_writable, quote_path, sole_writer
from boomslang.core.system.identity import NAME, VERSION
from boomslang.engine.errors import in_words, refuse_errors
from boomslang.engine.learning.selfplay.datagen_settings import DatagenSettings, DatagenWork

_DESCRIPTION: Final = """\
Play the engine against itself and write the games, with the search score of every move and the result, to a
file for `boomslang train` and `boomslang fit-wdl`. Usable for training are the quiet positions from ply 16 on
in which the side to move is not in check and neither side leads by 1,500 centipawns.
"""
_EXAMPLES: Final = """\
examples:
  boomslang datagen --positions 1_000_000 --jobs 4 -o games.bin
  boomslang datagen --games 200 --nodes 5000 --seed 7 --chess960 0.25 -o few.bin
  boomslang datagen --positions 5_000_000 --depth 4 --network mine.net --sidelines 1 -o more.bin
  boomslang datagen --games 100_000 --cluster tcp://192.168.1.10:8786 -o many.bin

An existing file is continued; repeat an interrupted command to resume it. The games depend on the seed, the
limit, the probabilities, the evaluation and the engine's version, not on the number of processes.
`boomslang datainfo games.bin` shows the contents of a file.
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang datagen", _DESCRIPTION, _EXAMPLES)
    add_settings(parser, DatagenWork)
    add_settings(parser, DatagenSettings)
    return parser


@with_arguments(new_parser, "interrupted; repeat the command to resume")
def main(arguments: argparse.Namespace) -> int:
    from boomslang.eval.network.file import SHIPPED, read, sha256_of

    work = read_settings(DatagenWork, arguments)
    with refuse_errors(OSError, ValueError):
        network = None if work.classical else read(work.network or SHIPPED)[0]
    evaluation = "classical" if network is None else sha256_of(network)
    origin = {"engine": f"{NAME} {VERSION}", "evaluation": evaluation}
    settings = read_settings(DatagenSettings, arguments, **origin)
    check_writable(work.out)
    with sole_writer(work.out):
        return _write(work, settings, network)


def _write(work: DatagenWork, settings: DatagenSettings, network: Any) -> int:
    from boomslang.engine.learning.selfplay.datagen import check, generate

    with refuse_errors(OSError, ValueError):
        check(work.out, settings)
    if not work.cluster:
        load_kernels()
    unit = "games" if work.games else "positions"
    total = work.games or work.positions
    try:
        with progress(f"Playing ({unit})", total, counted=True) as advance:
            games, positions = generate(
                work.out,
                settings,
                work.games,
                work.positions,
                work.count(),
                work.cluster,
                lambda games, positions: advance(done=games if work.games else positions),
                warner("datagen"),
                network,
            )
    except OSError as problem:
        about = "" if problem.filename else f"{quote_path(work.out)}: "
        raise UsageError(f"cannot write {about}{in_words(problem)}") from None
    except ValueError as problem:
        raise UsageError(str(problem)) from None
    say(f"{work.out}: {games:,} games, {positions:,} usable positions")
    return 0
