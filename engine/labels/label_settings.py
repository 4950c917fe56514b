"""The settings of `boomslang.label` and its command."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from boomslang.engine.other_engines.engine_settings import EngineSettings
from boomslang.engine.search_settings import (
    HASH,
    AnalysisSettings,
    EvaluationSettings,
    PositionLimits,
    TablesSettings,
)
from boomslang.engine.settings import setting

if TYPE_CHECKING:
    from boomslang.engine.other_engines.engine_runner import KnownEngine

_FEW_NODES: Final = 20_000
_HASH_MB: Final = 16


@dataclass(frozen=True, kw_only=True)
class LabelSettings(EvaluationSettings, TablesSettings, PositionLimits, EngineSettings):
    """How positions get their scores: without a limit by the static evaluation."""

    hash_mb: int | None = setting(
        HASH, "transposition table in MB", "MB", usual="16; 1 up to 20,000 nodes", flag="--hash"
    )

    def find_problem(self) -> str:  # noqa: D102
        if not self.is_limited:
            for name in ("hash_mb", "tables", "engine"):
                if getattr(self, name) is not None:
                    return f"{{{name}}} needs {{nodes}}, {{depth}} or {{movetime}}"
        if self.engine is not None and (self.network or self.classical):
            return "{network} and {classical} are for this engine, not for that of {engine}"
        return super().find_problem()

    def search(self, engine: KnownEngine | None) -> AnalysisSettings | None:
        """The search of each position, by another engine if there is one; None without a limit."""
        if not self.is_limited:
            return None
        is_short = self.nodes is not None and self.nodes <= _FEW_NODES
        return AnalysisSettings(
            nodes=self.nodes,
            depth=self.depth,
            movetime=self.movetime,
            hash_mb=self.hash_mb or (1 if is_short else _HASH_MB),
            tables=self.tables,
        ).by(engine)
