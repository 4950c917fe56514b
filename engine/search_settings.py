"""The settings that many features share: of searches of positions, and of work of many processes."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final

from boomslang.engine.errors import CommandError
from boomslang.engine.limits import Limits
from boomslang.engine.settings import (
    FLAG,
    PATH,
    TEXT,
    Kind,
    Settings,
    SettingsError,
    need,
    number,
    setting,
    whole,
)

if TYPE_CHECKING:  # it imports python-chess
    from boomslang.engine.other_engines.engine_connection import EngineCommand
    from boomslang.engine.other_engines.engine_runner import KnownEngine

MAX_DEPTH: Final = 120  # plies
_MAX_HASH: Final = 1 << 17  # megabytes
_MAX_JOBS: Final = 1024
_ADDRESS: Final = re.compile(r"(\w+://)?([\w.-]+|\[[\da-fA-F:]+\]):\d{1,5}")


def _check_tables(value: Any) -> str | None:
    from boomslang.engine.driver.tablebase import folders_of

    folders = os.fspath(value)
    if not isinstance(folders, str):
        raise TypeError
    try:
        return folders_of(folders) or None
    except ValueError as problem:
        raise CommandError(str(problem)) from None


def _check_address(value: Any) -> str:
    if not _ADDRESS.fullmatch(TEXT.check(value)):
        raise ValueError
    return str(value)


# Winning chances in per cent whose loss makes an inaccuracy, a mistake, a blunder; as these sites have them.
PRESETS: Final = {"lichess": (5.0, 10.0, 15.0), "chess.com": (5.0, 10.0, 20.0)}
_LOSS: Final = number(0, 100, above=True)


def _check_thresholds(value: Any) -> tuple[float, ...]:
    if isinstance(value, str):
        value = PRESETS.get(value.lower()) or [float(part) for part in value.split(",")]
    losses = tuple(map(_LOSS.check, value))
    need(len(losses) == 3 and sorted(set(losses)) == list(losses))
    return losses


THRESHOLDS: Final = Kind(
    f"{', '.join(PRESETS)} or three rising numbers like 5,10,15",
    {"type": "string"},
    _check_thresholds,
    _check_thresholds,
)
TABLES: Final = Kind("folders", {"type": "string"}, _check_tables, _check_tables)
HASH: Final = whole(1, _MAX_HASH)
_CLUSTER: Final = Kind(
    "an address like tcp://HOST:8786", TEXT.schema, _check_address, _check_address
)


@dataclass(frozen=True, kw_only=True)
class PositionLimits(Settings):
    """Limits of the search of a position, of which the first ends it; without one there is a `USUAL` one."""

    USUAL: ClassVar[Mapping[str, int]] = {}
    nodes: int | None = setting(whole(), "nodes per position", "N")
    depth: int | None = setting(whole(1, MAX_DEPTH), "search depth in plies", "N")
    movetime: int | None = setting(whole(), "time per position in milliseconds", "MS")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.is_limited:
            for name, value in self.USUAL.items():
                object.__setattr__(self, name, value)

    @property
    def is_limited(self) -> bool:
        """True if one is given."""
        return not (self.nodes is self.depth is self.movetime is None)

    @property
    def limits(self) -> Limits:
        """Those of a search."""
        return Limits(self.depth, self.nodes, self.movetime)


@dataclass(frozen=True, kw_only=True)
class TablesSettings(Settings):
    """Endgame tablebases."""

    tables: str | None = setting(
        TABLES, "folders of Syzygy tablebases, separated by semicolons", "FOLDERS", usual="none"
    )


@dataclass(frozen=True, kw_only=True)
class LikeSettings(Settings):
    """A person whom the engine plays like."""

    like: Path | None = setting(
        PATH, "games (PGN) of a person to play like: his openings, habits and errors", "GAMES"
    )
    player: str | None = setting(
        TEXT, "name of that person in the games", "NAME", usual="that of most games"
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.player and not self.like:
            raise SettingsError(type(self), "{player} needs {like}")

    @property
    def options(self) -> dict[str, str]:
        """Those of an engine."""
        if not self.like:
            return {}
        return {"Like": str(self.like.resolve()), "Like Player": self.player or ""}


@dataclass(frozen=True, kw_only=True)
class SearchSettings(TablesSettings, PositionLimits):
    """A search of each position."""

    threads: int = setting(whole(1, _MAX_JOBS), "threads per search", "T", 1)
    hash_mb: int = setting(HASH, "transposition table in MB", "MB", 16, flag="--hash")


@dataclass(frozen=True, kw_only=True)
class SuiteSettings(SearchSettings):
    """The search of each position of a test suite."""

    USUAL: ClassVar[Mapping[str, int]] = {"movetime": 1000}
    movetime: int | None = setting(
        whole(), "time per position in milliseconds", "MS", usual="1,000"
    )


@dataclass(frozen=True, kw_only=True)
class AnalysisSettings(SearchSettings):
    """The search of every position of a game, by another engine if one is named.

    This engine proves the reasons all the same. `by_wdl`: the other one is asked for win, draw and loss, and
    judged by them.
    """

    USUAL: ClassVar[Mapping[str, int]] = {"nodes": 250_000}
    nodes: int | None = setting(whole(), "nodes per position", "N", usual="250,000")
    multipv: int = setting(whole(1, 256), "number of best lines", "K", 1)
    thresholds: tuple[float, float, float] = setting(
        THRESHOLDS,
        "losses in per cent of winning chances that make an inaccuracy, a mistake, a blunder",
        "A,B,C",
        "lichess",
    )
    engine: EngineCommand | None = None
    engine_name: str | None = None
    by_wdl: bool = False

    @property
    def limits(self) -> Limits:
        """Those of a search, with the number of lines."""
        return replace(super().limits, multipv=self.multipv)

    def by(self, engine: KnownEngine | None, *, by_wdl: bool = True) -> AnalysisSettings:
        """The same search by another engine, if there is one; judged `by_wdl` where it says them."""
        if engine is None:
            return self
        by_wdl = by_wdl and engine.shows_wdl
        return replace(self, engine=engine.command, engine_name=engine.name, by_wdl=by_wdl)


@dataclass(frozen=True)
class TacticCriteria(Settings):
    """The requirements of a tactic; scores are centipawns for the side to move."""

    nodes: int = setting(whole(), "nodes of the first search", "N", 50_000)
    deep_nodes: int = setting(whole(), "nodes of the second search", "N", 500_000)
    margin: int = setting(
        whole(1, 1000), "minimum lead of the best move over the second, in centipawns", "CP", 200
    )
    least: int = 150  # score of the best move


@dataclass(frozen=True, kw_only=True)
class EvaluationSettings(Settings):
    """The evaluation of positions."""

    # fmt: off
    network: Path | None = setting(
        PATH, "network to evaluate with", "FILE", usual="the built-in one", instead="evaluation")
    classical: bool = setting(
        FLAG, "classical evaluation instead of a network", default=False, instead="evaluation")
    # fmt: on


@dataclass(frozen=True, kw_only=True)
class WorkSettings(Settings):
    """Who does the work: processes of this computer, or a cluster."""

    # fmt: off
    jobs: int | None = setting(
        whole(1, _MAX_JOBS), "number of parallel processes", "N", usual="all processors", kept=False)
    cluster: str | None = setting(
        _CLUSTER, "address of a Dask scheduler to run on instead", "ADDRESS", kept=False)
    # fmt: on

    def count(self, threads: int = 1) -> int:
        """The number of processes, with so many threads each."""
        from boomslang.core.system.threads import usable_processors

        return self.jobs or max(usable_processors() // threads, 1)
