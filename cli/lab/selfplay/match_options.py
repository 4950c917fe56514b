"""Options shared by the commands that play in-process matches: search parameters and match settings."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Final

from boomslang.cli.terminal.arguments import UsageError, add_option, whole_number
from boomslang.core.system.threads import usable_processors
from boomslang.engine.errors import refuse_errors
from boomslang.engine.search.params import BY_NAME

if TYPE_CHECKING:
    from boomslang.engine.learning.selfplay.in_process_match import MatchWorkspaces

MAX_GAMES: Final = 1_000_000_000
NODES: Final = 8000  # per move; with --movetime only for the check of the openings
_MAX_NODES: Final = 1_000_000_000
_MAX_TIME: Final = 600_000  # milliseconds
_MAX_HASH: Final = 4096  # megabytes
_HASH_OF_TIME: Final = 16  # with --movetime, for some tenths of a second


def setting(text: str) -> tuple[str, int]:
    """An argument type: NAME=VALUE, a search parameter within its bounds."""
    name, _, value = text.partition("=")
    param = BY_NAME.get(name)
    if param is None:
        raise argparse.ArgumentTypeError(
            f"no search parameter is called '{name}' (see boomslang tune --list)"
        )
    try:
        number = int(value)
    except ValueError:
        number = param.low - 1
    if not param.low <= number <= param.high:
        raise argparse.ArgumentTypeError(f"{name} is a number from {param.low} to {param.high}")
    return name, number


def add_match_options(parser: argparse.ArgumentParser) -> None:
    """`--nodes` or `--movetime`, `--hash`, `--seed` and `--workers`, for `open_arenas`."""
    add = parser.add_argument
    limits = parser.add_mutually_exclusive_group()
    add_option(limits, "--nodes N", whole_number(1, _MAX_NODES), f"nodes per move ({NODES})")
    limits.add_argument(
        "--movetime",
        type=whole_number(1, _MAX_TIME),
        metavar="MS",
        help="processor time per move in milliseconds instead of nodes",
    )
    add(
        "--hash",
        type=whole_number(1, _MAX_HASH),
        metavar="MB",
        help=f"hash per engine in MB (2; {_HASH_OF_TIME} with --movetime)",
    )
    add_option(parser, "--seed S", whole_number(0, 1 << 32), "random seed of the openings", 1)
    add(
        "--workers",
        type=whole_number(1, 1024),
        default=usable_processors(),
        metavar="N",
        help="number of threads (all processors)",
    )


def check_clock(arguments: argparse.Namespace) -> None:
    """Raises UsageError for --movetime where threads have no CPU clock."""
    from boomslang.core.jit import instructions

    if arguments.movetime and not instructions.KERNELS_TELL_THREAD_TIME:
        raise UsageError("--movetime: this system has no CPU clock per thread; use --nodes")


def hash_of(arguments: argparse.Namespace) -> int:
    """Hash in MB of each side of each game."""
    from boomslang.engine.learning.selfplay.in_process_match import HASH_MB

    return int(arguments.hash or (_HASH_OF_TIME if arguments.movetime else HASH_MB))


def open_arenas(arguments: argparse.Namespace) -> MatchWorkspaces:
    """The workspaces of the games. Raises UsageError if there is too little memory.

    Kernels must be loaded.
    """
    from boomslang.core.jit.memory import largest_table
    from boomslang.engine.learning.selfplay.in_process_match import MatchWorkspaces

    hash_mb = hash_of(arguments)
    if 2 * hash_mb * arguments.workers > largest_table():
        raise UsageError(
            f"--hash: not enough memory for 2 x {arguments.workers} tables of {hash_mb} MB"
        )
    with refuse_errors(MemoryError):
        return MatchWorkspaces(
            arguments.nodes or NODES, arguments.seed, arguments.workers, arguments.movetime, hash_mb
        )
