"""What commands share that play the engine against itself: numbers of the search, conditions of games."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING, Final

from boomslang.cli.terminal.arguments import UsageError, refusing, whole_number
from boomslang.engine.search.params import BY_NAME, FORMER_NAMES

if TYPE_CHECKING:
    from boomslang.engine.selfplay.in_process_match import MatchWorkspaces

MOST_GAMES: Final = 1_000_000_000
NODES: Final = 8000  # a move; with --movetime for the judge of openings alone
_MOST_NODES: Final = 1_000_000_000
_LONGEST_TIME: Final = 600_000  # milliseconds
_LARGEST_HASH: Final = 4096  # megabytes
_HASH_OF_TIME: Final = 16  # for the nodes of some tenths of a second


def setting(text: str) -> tuple[str, int]:
    """An argument type: NAME=VALUE, a search parameter within its bounds."""
    name, _, value = text.partition("=")
    name = FORMER_NAMES.get(name, name)
    param = BY_NAME.get(name)
    if param is None:
        raise argparse.ArgumentTypeError(
            f"no number is called '{name}' (see boomslang tune --list)"
        )
    try:
        number = int(value)
    except ValueError:
        number = param.low - 1
    if not param.low <= number <= param.high:
        raise argparse.ArgumentTypeError(f"{name} goes from {param.low} to {param.high}")
    return name, number


def add_conditions(parser: argparse.ArgumentParser) -> None:
    """`--nodes` or `--movetime`, `--hash`, `--seed` and `--workers`, for `open_arenas`."""
    add = parser.add_argument
    limits = parser.add_mutually_exclusive_group()
    limits.add_argument(
        "--nodes", type=whole_number(1, _MOST_NODES), metavar="N", help=f"a move ({NODES})"
    )
    limits.add_argument(
        "--movetime",
        type=whole_number(1, _LONGEST_TIME),
        metavar="MS",
        help="processor time a move instead",
    )
    add(
        "--hash",
        type=whole_number(1, _LARGEST_HASH),
        metavar="MB",
        help=f"of each side in each game (2, with --movetime {_HASH_OF_TIME})",
    )
    add("--seed", type=whole_number(0, 1 << 32), default=1, metavar="S", help="other openings (1)")
    add(
        "--workers",
        type=whole_number(1, 1024),
        default=os.cpu_count() or 1,
        metavar="N",
        help="threads (one for each processor)",
    )


def check_clock(arguments: argparse.Namespace) -> None:
    """Raises UsageError for --movetime where the system has no clock for it."""
    from boomslang.engine.core.system import instructions

    if arguments.movetime and not instructions.KERNELS_TELL_THREAD_TIME:
        raise UsageError("--movetime: this system does not tell the processor time of a thread")


def hash_of(arguments: argparse.Namespace) -> int:
    """Megabytes of each side in each game."""
    from boomslang.engine.selfplay.in_process_match import HASH_MB

    return int(arguments.hash or (_HASH_OF_TIME if arguments.movetime else HASH_MB))


def open_arenas(arguments: argparse.Namespace) -> MatchWorkspaces:
    """Where the games are played. Raises UsageError if there is too little memory for them.

    Kernels must be loaded.
    """
    from boomslang.engine.core.system.memory import largest_table
    from boomslang.engine.selfplay.in_process_match import MatchWorkspaces

    hash_mb = hash_of(arguments)
    if 2 * hash_mb * arguments.workers > largest_table():
        raise UsageError(
            f"--hash: {arguments.workers} games of twice {hash_mb} MB are too much memory"
        )
    with refusing(MemoryError):
        return MatchWorkspaces(
            arguments.nodes or NODES,
            arguments.seed,
            arguments.workers,
            arguments.movetime,
            hash_mb,
        )
