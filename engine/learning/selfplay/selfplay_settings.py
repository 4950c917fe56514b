"""The settings of games within one process: of `boomslang tune` and `trial`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from boomslang.core.system.threads import usable_processors
from boomslang.engine.errors import CommandError, refuse_errors
from boomslang.engine.search.params import BY_NAME, TABLE
from boomslang.engine.settings import (
    TEXT,
    Kind,
    Settings,
    SettingsError,
    need,
    number,
    setting,
    several,
    whole,
)

if TYPE_CHECKING:
    from boomslang.engine.learning.selfplay.in_process_match import MatchWorkspaces

TUNABLE: Final = tuple(param.name for param in TABLE if not param.is_switch)
_SEED: Final = whole(0, 1 << 32)


def _check_names(value: Any) -> tuple[str, ...]:
    names = tuple(dict.fromkeys(several(TEXT).check(value)))
    need(bool(names))
    for name in names:
        if name not in TUNABLE:
            raise CommandError(f"no number to tune is called '{name}' (see boomslang tune --list)")
    return names


def _parse_names(text: str) -> tuple[str, ...]:
    return _check_names(text.replace(",", " ").split())


def parse_parameter(text: str) -> tuple[str, int]:
    """Of NAME=VALUE a search parameter and its value, within its bounds; raises CommandError."""
    name, _, value = text.partition("=")
    if (param := BY_NAME.get(name)) is None:
        raise CommandError(f"no search parameter is called '{name}' (see boomslang tune --list)")
    try:
        return name, whole(param.low, param.high).parse(value)
    except ValueError:
        bounds = f"from {param.low} to {param.high}"
        raise CommandError(f"{name} is a number {bounds}") from None


_NAMES: Final = Kind("names of parameters", {"type": "array"}, _check_names, _parse_names)
PARAMETER: Final = Kind("NAME=VALUE", TEXT.schema, parse_parameter, parse_parameter)


@dataclass(frozen=True)
class ThreadSettings(Settings):
    """How many threads play."""

    workers: int | None = setting(
        whole(1, 1024), "number of threads", "N", usual="all processors", kept=False
    )

    @property
    def count(self) -> int:
        """The number of threads."""
        return self.workers or usable_processors()


@dataclass(frozen=True)
class SpsaPlan(Settings):
    """Parameters and settings of a tuning."""

    # fmt: off
    names: tuple[str, ...] = setting(
        _NAMES, "search parameters to tune", "A,B,...", TUNABLE, usual="all", flag="--parameters")
    iterations: int = setting(whole(), "number of iterations", "N", 1000)
    pairs: int = setting(whole(), "pairs of games with colours reversed per iteration", "N", 8)
    nodes: int = setting(whole(), "nodes per move", "N", 5000)
    rate: float = setting(
        number(0, 10, above=True), "final learning rate, in steps of the parameter per point scored", "R",
        0.01)
    seed: int = setting(_SEED, "random seed", "N", 1)
    # fmt: on


@dataclass(frozen=True, kw_only=True)
class InProcessSettings(ThreadSettings):
    """Games of two versions of the search within this process."""

    # fmt: off
    nodes: int = setting(whole(), "nodes per move", "N", usual="8,000", instead="limit")
    movetime: int | None = setting(
        whole(1, 600_000), "processor time per move in milliseconds instead of nodes", "MS", instead="limit")
    hash_mb: int = setting(
        whole(1, 4096), "hash per engine in MB", "MB", usual="2; 16 with --movetime", flag="--hash")
    seed: int = setting(_SEED, "random seed of the openings", "S", 1)
    games: int = setting(whole(2, even=True), "maximum number of games, an even one", "N", 1000, kept=False)
    # fmt: on

    def __post_init__(self) -> None:
        super().__post_init__()
        # With a time, nodes are for the check of the openings, and the hash for some tenths of a second.
        for name, value in (("nodes", 8000), ("hash_mb", 16 if self.movetime else 2)):
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)

    def find_problem(self) -> str:  # noqa: D102
        if self.movetime:
            from boomslang.core.jit import instructions

            if not instructions.KERNELS_TELL_THREAD_TIME:
                return "{movetime}: this system has no CPU clock per thread; use {nodes}"
        return ""

    def workspaces(self) -> MatchWorkspaces:
        """Where the games are played. Raises CommandError if there is too little memory.

        Kernels must be loaded.
        """
        from boomslang.core.jit.memory import largest_table
        from boomslang.engine.learning.selfplay.in_process_match import MatchWorkspaces

        if 2 * self.hash_mb * self.count > largest_table():
            needed = f": not enough memory for 2 x {self.count} tables of {self.hash_mb} MB"
            raise SettingsError(type(self), "{hash_mb}", needed)
        with refuse_errors(MemoryError):
            return MatchWorkspaces(self.nodes, self.seed, self.count, self.movetime, self.hash_mb)
