"""`boomslang exam`: positions with scores by which networks are told apart."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

import chess.engine

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    add_jobs,
    refuse_overwriting,
    refusing,
    run_command,
    whole_number,
)
from boomslang.cli.terminal.output import say
from boomslang.cli.terminal.progress import progress
from boomslang.engine.core.system.files import check_writable, write_whole

_MOST: Final = 1_000_000_000
_DESCRIPTION: Final = """\
Set an exam for `boomslang network --exam`: from positions of games, quiet moves are tried, and an engine
judges what follows. Moves that lose much are left out, and so are positions that are decided.
"""
_EXAMPLES: Final = """\
examples:
  boomslang match . . --nodes 5_000 --games 100 --jobs 2 --pgn games.pgn
  boomslang exam games.pgn --engine stockfish --jobs 2 --out exam.epd
  boomslang network mine.net --exam exam.epd

FILES are of FEN or EPD, or games in PGN. Of 1,000 positions the engine makes a thousand questions or more, in
a quarter of an hour; to mark them takes seconds. Exams are to compare networks, not to teach them: what
Boomslang knows it has from its own games.
"""


def _parser() -> Parser:
    parser = Parser("boomslang exam", _DESCRIPTION, _EXAMPLES)
    add, many = parser.add_argument, whole_number(1, _MOST)
    add("files", nargs="+", metavar="FILE", help="positions or games")
    add("-o", "--out", type=Path, required=True, metavar="EPD", help="file to write")
    add("--engine", required=True, metavar="COMMAND", help="of a UCI engine that judges")
    add("--nodes", type=many, default=30_000, metavar="N", help="for each position (30,000)")
    add("--roots", type=many, default=1000, metavar="N", help="positions to begin with (1000)")
    add("--seed", type=whole_number(0, _MOST), default=1, metavar="S", help="other ones (1)")
    add_jobs(parser)
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `exam`; return the exit status."""
    return run_command(_parser(), argv, _set)


def _set(arguments: argparse.Namespace) -> int:
    from boomslang.cli.exams.setting import Terms, roots, setter
    from boomslang.cli.match.engine_spec import described
    from boomslang.engine.jobs.run import run_in_order

    check_writable(arguments.out)
    refuse_overwriting(arguments.out, map(Path, arguments.files))
    with refusing(OSError, ValueError, about=f"{arguments.engine}: "):
        judge = described(arguments.engine, {})
    drawn = roots(arguments.files, arguments.roots, arguments.seed)
    if not drawn:
        raise UsageError("no positions in these files")
    make = partial(setter, Terms(judge, arguments.nodes, arguments.seed))
    work = run_in_order(make, drawn, jobs=arguments.jobs, cluster=arguments.cluster)
    lines: list[str] = []
    with (
        refusing(OSError, ValueError, chess.engine.EngineError, about=f"{judge.name}: "),
        progress("Judging", len(drawn), counted=True) as advance,
        contextlib.closing(work),
    ):
        for found in work:
            lines += found
            advance(1, title=f"{len(lines)} questions")
    if not lines:
        raise UsageError("no questions: positions are decided, or the engine cannot play them")
    head = f"# {arguments.engine}, {arguments.nodes} nodes; seed {arguments.seed}; boomslang exam"
    write_whole(arguments.out, "\n".join([head, *lines]) + "\n")
    say(f"{arguments.out}: {len(lines)} positions that follow from {len(drawn)}")
    return 0
