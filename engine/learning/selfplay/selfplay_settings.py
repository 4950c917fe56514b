"""The settings of games within one process: of `boomslang tune`, `trial` and `screening`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boomslang.core.system.threads import usable_processors
from boomslang.engine.errors import CommandError
from boomslang.engine.search.params import BY_NAME, TABLE
from boomslang.engine.settings import (
    PATH,
    TEXT,
    Kind,
    Settings,
    need,
    number,
    setting,
    several,
    whole,
)

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
    games: int = setting(whole(2), "maximum number of games", "N", 1000, kept=False)
    # fmt: on

    def __post_init__(self) -> None:
        super().__post_init__()
        # With a time, nodes are for the check of the openings, and the hash for some tenths of a second.
        for name, value in (("nodes", 8000), ("hash_mb", 16 if self.movetime else 2)):
            if getattr(self, name) is None:
                object.__setattr__(self, name, value)


@dataclass(frozen=True, kw_only=True)
class ScreeningSettings(InProcessSettings):
    """A screening of many changes at once."""

    # fmt: off
    games: int = setting(whole(2), "total number of games", "N", 2400, kept=False)
    out: Path | None = setting(
        PATH, "journal of the results, to resume from", "FILE", flag="-o --out", kept=False)
    # fmt: on
