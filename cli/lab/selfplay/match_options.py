"""What the commands that play matches within one process share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from boomslang.cli.terminal.arguments import UsageError
from boomslang.engine.errors import refuse_errors
from boomslang.engine.learning.selfplay.selfplay_settings import InProcessSettings

if TYPE_CHECKING:
    from boomslang.engine.learning.selfplay.in_process_match import MatchWorkspaces


def check_clock(settings: InProcessSettings) -> None:
    """Raises UsageError for --movetime where threads have no CPU clock."""
    from boomslang.core.jit import instructions

    if settings.movetime and not instructions.KERNELS_TELL_THREAD_TIME:
        raise UsageError("--movetime: this system has no CPU clock per thread; use --nodes")


def open_arenas(settings: InProcessSettings) -> MatchWorkspaces:
    """The workspaces of the games. Raises UsageError if there is too little memory.

    Kernels must be loaded.
    """
    from boomslang.core.jit.memory import largest_table
    from boomslang.engine.learning.selfplay.in_process_match import MatchWorkspaces

    hash_mb, workers = settings.hash_mb, settings.count
    if 2 * hash_mb * workers > largest_table():
        raise UsageError(f"--hash: not enough memory for 2 x {workers} tables of {hash_mb} MB")
    with refuse_errors(MemoryError):
        return MatchWorkspaces(settings.nodes, settings.seed, workers, settings.movetime, hash_mb)
