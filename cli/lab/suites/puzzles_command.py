"""`boomslang puzzles`: a test suite of tactics from games."""

from __future__ import annotations

import argparse
import contextlib
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boomslang.cli.terminal.arguments import (
    Parser,
    UsageError,
    check_kind,
    check_outputs,
    warner,
    with_arguments,
)
from boomslang.cli.terminal.output import complain, say
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.cli.terminal.settings_arguments import add_settings, read_settings
from boomslang.core.system.files import write_whole
from boomslang.core.system.identity import NAME, VERSION
from boomslang.engine.search_settings import TacticCriteria, WorkSettings
from boomslang.engine.settings import whole

if TYPE_CHECKING:
    from boomslang.cli.lab.suites.puzzles import Candidate, Tactic

DONE, NOTHING_FOUND = 0, 1
_MAX_COUNT: Final = 1_000_000_000
_DESCRIPTION: Final = """\
Search games for positions in which one move is clearly better than all others and a search of two plies
misses it, confirm each by two deeper searches, and write them as a suite for `boomslang suite`, at most one
position per game.
"""
_EXAMPLES: Final = """\
examples:
  boomslang puzzles games.pgn --most 200 --jobs 2 -o tactics.epd
  boomslang puzzles club.pgn --nodes 200_000 --deep-nodes 2_000_000 -o club.epd

The result depends only on the games and the options,
not on the number of processes. Ctrl-C writes the tactics found so far. The exit status is 1 if no tactic was
found, 2 after a usage error.
"""


def new_parser() -> Parser:
    """The arguments of the command."""
    parser = Parser("boomslang puzzles", _DESCRIPTION, _EXAMPLES)
    many = whole(1, _MAX_COUNT)
    parser.option("games GAMES", Path, "PGN files", nargs="+")
    parser.option("-o --out FILE", Path, "EPD file to write", required=True)
    parser.option("--most N", many, "maximum number of positions", 100)
    add_settings(parser, TacticCriteria)
    add_settings(parser, WorkSettings)
    return parser


@with_arguments(new_parser)
def main(arguments: argparse.Namespace) -> int:
    check_kind("--out", arguments.out, "epd")
    check_outputs(arguments.out, sources=arguments.games)
    demand = read_settings(TacticCriteria, arguments)
    pool = list(_candidates(arguments.games))
    if not pool:
        raise UsageError("no positions to search in these files")
    tactics: list[Tactic] = []
    interrupted = False
    try:
        tactics.extend(_search(pool, demand, arguments))
    except KeyboardInterrupt:
        interrupted = True
    if not tactics:
        if interrupted:
            raise KeyboardInterrupt
        complain(f"boomslang puzzles: no tactics found in {len(pool):,} positions")
        return NOTHING_FOUND
    head = [
        f"# Tactics, found by {NAME} {VERSION} with `boomslang puzzles`, from:",
        *(f"#   {path.name}" for path in arguments.games),
        f"# In each, bm is at least {demand.margin} centipawns better than any other move after"
        f" {demand.nodes:,}",
        f"# and again after {demand.deep_nodes:,} nodes (ce is its score, acd the depth), and a search"
        " of 2 plies misses it.",
    ]
    stem = arguments.out.stem
    lines = [tactic.epd(f"{stem}.{number:03}") for number, tactic in enumerate(tactics, start=1)]
    write_whole(arguments.out, "\n".join([*head, *lines]) + "\n")
    say(f"{arguments.out}: {len(tactics)} tactics from {len(pool):,} positions")
    if interrupted:
        raise KeyboardInterrupt
    return DONE


def _candidates(paths: Sequence[Path]) -> Iterator[Candidate]:
    from boomslang.cli.lab.suites.puzzles import candidates

    seen = set()
    report = warner("puzzles")
    for candidate in chain.from_iterable(candidates(path, report) for path in paths):
        position = candidate.fen.rsplit(" ", 2)[0]
        if position not in seen:
            seen.add(position)
            yield candidate


def _search(
    pool: Sequence[Candidate], demand: TacticCriteria, arguments: argparse.Namespace
) -> Iterator[Tactic]:
    from boomslang.cli.lab.suites.puzzles import verifier
    from boomslang.engine.jobs.run import run_in_order

    settings = read_settings(WorkSettings, arguments)
    if not settings.cluster:
        load_kernels()
    make = partial(verifier, demand)
    work = run_in_order(make, pool, jobs=settings.count(), cluster=settings.cluster)
    games: set[str] = set()
    with progress("Searching", len(pool), counted=True) as advance, contextlib.closing(work):
        for tactic in work:
            advance(1, title=f"{len(games)} found")
            if tactic and tactic.candidate.game not in games:
                games.add(tactic.candidate.game)
                yield tactic
                if len(games) == arguments.most:
                    return
