"""What makes a position a tactic."""

from __future__ import annotations

from dataclasses import dataclass

from boomslang.engine.settings import Settings, setting, whole


@dataclass(frozen=True)
class TacticCriteria(Settings):
    """The requirements of a tactic; scores are centipawns for the side to move."""

    nodes: int = setting(whole(), "nodes of the first search", "N", 50_000)
    deep_nodes: int = setting(whole(), "nodes of the second search", "N", 500_000)
    margin: int = setting(
        whole(1, 1000), "minimum lead of the best move over the second, in centipawns", "CP", 200
    )
    least: int = 150  # score of the best move
