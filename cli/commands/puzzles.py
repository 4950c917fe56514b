"""`boomslang puzzles`: a suite of tactics out of games."""

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
    add_jobs,
    run_command,
    warner,
    whole_number,
)
from boomslang.cli.terminal.output import complain, say
from boomslang.cli.terminal.progress import load_kernels, progress
from boomslang.engine.core.system.files import check_writable, write_whole
from boomslang.engine.identity import NAME, VERSION

if TYPE_CHECKING:
    from boomslang.cli.suites.candidates import Candidate
    from boomslang.cli.suites.puzzles import Demand, Tactic

DONE, NOTHING_FOUND = 0, 1
_MOST: Final = 1_000_000_000
_DESCRIPTION: Final = """\
Look through games for positions in which the best move wins clearly over the second best and is not seen
at once, check that with two deeper searches, and write them as a suite for `boomslang suite`. At most one
position of a game is taken.
"""
_EXAMPLES: Final = """\
examples:
  boomslang datagen --games 2_000 --jobs 2 --out games.bin
  boomslang puzzles games.bin --most 200 --jobs 2 -o tactics.epd
  boomslang puzzles club.pgn --nodes 200_000 --deep-nodes 2_000_000 -o club.epd

GAMES are PGN files or files of boomslang datagen. The result depends on the games and the numbers alone, not
on who does the work; what is found before Ctrl-C is written too. The exit status is 1 if there is no tactic
in the games, 2 after bad usage.
"""


def _parser() -> Parser:
    parser = Parser("boomslang puzzles", _DESCRIPTION, _EXAMPLES)
    add, many = parser.add_argument, whole_number(1, _MOST)
    add("games", nargs="+", type=Path, metavar="GAMES", help="files of games")
    add("-o", "--out", type=Path, required=True, metavar="FILE", help="suite to write")
    add("--most", type=many, default=100, metavar="N", help="positions to find (100)")
    add("--nodes", type=many, default=50_000, metavar="N", help="of the first check (50,000)")
    add("--deep-nodes", type=many, default=500_000, metavar="N", help="of the second (500,000)")
    add(
        "--margin",
        type=whole_number(1, 1000),
        default=200,
        metavar="CP",
        help="centipawns between the best move and the next (200)",
    )
    add_jobs(parser)
    return parser


def main(argv: Sequence[str]) -> int:
    """Run the command with the arguments after `puzzles`; return the exit status."""
    return run_command(_parser(), argv, _mine)


def _mine(arguments: argparse.Namespace) -> int:
    from boomslang.cli.selfplay.game_files import check_games
    from boomslang.cli.suites.candidates import describe, is_self_play
    from boomslang.cli.suites.puzzles import Demand

    check_writable(arguments.out)
    demand = Demand(arguments.nodes, arguments.deep_nodes, arguments.margin)
    sources = [describe(path) for path in arguments.games]
    check_games(filter(is_self_play, arguments.games))
    if any(map(is_self_play, arguments.games)):
        load_kernels()
    pile = list(_candidates(arguments.games))
    if not pile:
        raise UsageError("no positions of games in these files")
    tactics: list[Tactic] = []
    interrupted = False
    try:
        tactics.extend(_dig(pile, demand, arguments))
    except KeyboardInterrupt:
        interrupted = True
    if not tactics:
        if interrupted:
            raise KeyboardInterrupt
        complain(f"boomslang puzzles: no tactics in {len(pile)} positions")
        return NOTHING_FOUND
    head = [
        f"# Tactics, found by {NAME} {VERSION} with `boomslang puzzles`, from:",
        *(f"#   {source}" for source in sources),
        f"# In each, bm is at least {demand.margin} centipawns better than any other move after"
        f" {demand.nodes:,}",
        f"# and again after {demand.deep_nodes:,} nodes (ce is its score, acd the depth), and a search"
        " of 2 plies misses it.",
    ]
    stem = arguments.out.stem
    lines = [tactic.epd(f"{stem}.{number:03}") for number, tactic in enumerate(tactics, start=1)]
    write_whole(arguments.out, "\n".join([*head, *lines]) + "\n")
    say(f"{arguments.out}: {len(tactics)} tactics of {len(pile)} positions")
    if interrupted:
        raise KeyboardInterrupt
    return DONE


def _candidates(paths: Sequence[Path]) -> Iterator[Candidate]:
    """The positions to look at, each once."""
    from boomslang.cli.suites.candidates import candidates

    seen = set()
    report = warner("puzzles")
    for candidate in chain.from_iterable(candidates(path, report) for path in paths):
        position = candidate.fen.rsplit(" ", 2)[0]
        if position not in seen:
            seen.add(position)
            yield candidate


def _dig(
    pile: Sequence[Candidate], demand: Demand, arguments: argparse.Namespace
) -> Iterator[Tactic]:
    """The first tactics of the pile, at most one of a game."""
    from boomslang.cli.suites.puzzles import prospector
    from boomslang.engine.jobs.run import run_in_order

    if not arguments.cluster:
        load_kernels()
    make = partial(prospector, demand)
    work = run_in_order(make, pile, jobs=arguments.jobs, cluster=arguments.cluster)
    games: set[str] = set()
    with progress("Digging", len(pile), counted=True) as advance, contextlib.closing(work):
        for tactic in work:
            advance(1, title=f"{len(games)} found")
            if tactic and tactic.candidate.game not in games:
                games.add(tactic.candidate.game)
                yield tactic
                if len(games) == arguments.most:
                    return
