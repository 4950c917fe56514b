"""The parameters of the levels of limited strength, by Elo.

Standard library only, because the options are declared before other imports.
`docs/strength-levels.md` has the games by which the ladder was measured.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

LOWEST: Final = 1350  # Elo
HIGHEST: Final = 3000
DEFAULT: Final = 1500  # of UCI_Elo
FULL_SKILL: Final = 20  # the "Skill Level" of full strength

# Nodes for a move, by Elo; between two rows the logarithm is interpolated.
_LADDER: Final = (
    (LOWEST, 1200),
    (1800, 7000),
    (2200, 62_000),
    (2600, 210_000),
    (HIGHEST, 1_000_000),
)

_FEWEST: Final = 32  # nodes, for the most random choice
_DOUBLINGS: Final = 13  # of the nodes; from there on the best move is always chosen


@dataclass(frozen=True, slots=True)
class Level:
    """The parameters of a level; centipawns are for scores near zero."""

    nodes: int  # to search for a move
    lines: int  # root moves to choose from
    temperature: float  # a move that looks worse by this is chosen e times less often
    taste: float  # standard deviation of the error in the value of a piece on a square

    @property
    def forgiven(self) -> float:
        """The largest loss against the best move with which a move may be chosen."""
        return 4 * self.temperature


def level_of_nodes(nodes: int) -> Level:
    """The level that searches `nodes` nodes; fewer nodes mean a more random choice of moves."""
    weakness = 1 - min(max(math.log2(nodes / _FEWEST) / _DOUBLINGS, 0.0), 1.0)
    return Level(
        nodes=nodes,
        lines=1 + math.ceil(6 * weakness),
        temperature=2 + 64 * weakness**1.5,
        taste=1 + 19 * weakness,
    )


def level_of_elo(elo: int) -> Level:
    """The level with the strength `elo`, clipped to the ladder."""
    elo = min(max(elo, LOWEST), HIGHEST)
    (low, few), (high, many) = next(step for step in pairwise(_LADDER) if elo <= step[1][0])
    return level_of_nodes(round(few * (many / few) ** ((elo - low) / (high - low))))


def elo_of_skill(skill: int) -> int:
    """The Elo of "Skill Level" 0 to 19."""
    return LOWEST + round((HIGHEST - LOWEST) * skill / (FULL_SKILL - 1))
