"""The settings of `boomslang datagen`."""

from __future__ import annotations

from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import Final

from boomslang.engine.search_settings import EvaluationSettings, WorkSettings
from boomslang.engine.settings import PATH, Settings, number, setting, whole

_MANY: Final = 1 << 32
_MAX_NODES: Final = 20_000
_MAX_DEPTH: Final = 12  # plies; beyond, most moves would end at the node limit
_SHARE: Final = number(0, 1)


@dataclass(frozen=True, kw_only=True)
class DatagenSettings(Settings):
    """What the games depend on; `evaluation` is "classical" or the SHA-256 of a network."""

    # fmt: off
    # An iteration that has begun is finished, up to four times as many.
    nodes: int = setting(
        whole(1, _MAX_NODES), "nodes per move", "N", usual=f"1,500; {_MAX_NODES:,} with --depth")
    depth: int = setting(
        whole(0, _MAX_DEPTH), "search depth per move in plies, with less pruning: better scores for the same "
        "time; 0: by nodes only", "N", 0)
    chess960: float = setting(
        _SHARE, "share of games with random, unequal Chess960 start positions", "X", 0.0)
    random_moves: float = setting(
        _SHARE, "probability of playing a random move that loses no material (SEE >= 0)", "X", 0.0)
    sidelines: float = setting(
        _SHARE, "probability of also scoring a sideline, a position near the game as searches visit it", "X",
        0.0)
    seed: int = setting(whole(0, _MANY), "random seed", "S", 1)
    # fmt: on
    engine: str = "Boomslang"  # name and version
    evaluation: str = "classical"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.nodes is None:
            object.__setattr__(self, "nodes", _MAX_NODES if self.depth else 1500)


@dataclass(frozen=True, kw_only=True)
class DatagenWork(EvaluationSettings, WorkSettings):
    """How much is to be played, by which evaluation and by whom."""

    # fmt: off
    games: int | None = setting(whole(1, _MANY), "total number of games in the file", "N", instead="amount")
    positions: int | None = setting(
        whole(1, _MANY), "total number of usable positions in the file, sidelines included", "N",
        instead="amount")
    out: Path = setting(PATH, "game file to write", "FILE", MISSING, flag="-o --out")
    # fmt: on

    def find_problem(self) -> str:  # noqa: D102
        return "" if self.games or self.positions else "{games} or {positions} is needed"
