"""How weak a level of limited strength plays, by its Elo.

Standard library only, for the options are declared before anything else is there.
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
FULL_SKILL: Final = 20  # the "Skill Level" that is no limit

# Positions looked at for a move, by Elo; between two rows the logarithm is interpolated.
_LADDER: Final = (
    (LOWEST, 1200),
    (1800, 7000),
    (2200, 62_000),
    (2600, 210_000),
    (HIGHEST, 1_000_000),
)

_FEWEST: Final = 32  # positions, for the wildest choice
_DOUBLINGS: Final = 13  # of them; from there on it is always the best move


@dataclass(frozen=True, slots=True)
class Level:
    """How weak; centipawns, for scores near zero."""

    nodes: int  # positions to look at for a move
    lines: int  # root moves to choose from
    temperature: float  # a move that looks so much worse is chosen e times less often
    taste: float  # standard deviation of what a piece on a square is liked too well

    @property
    def forgiven(self) -> float:
        """A move that looks worse than the best by more is never chosen."""
        return 4 * self.temperature


def level_of_nodes(nodes: int) -> Level:
    """The level that looks at so many positions: the fewer, the wilder is its choice of a move."""
    weakness = 1 - min(max(math.log2(nodes / _FEWEST) / _DOUBLINGS, 0.0), 1.0)
    return Level(
        nodes=nodes,
        lines=1 + math.ceil(6 * weakness),
        temperature=2 + 64 * weakness**1.5,
        taste=1 + 19 * weakness,
    )


def level_of_elo(elo: int) -> Level:
    """The level that plays with the strength of `elo`, as far as the ladder reaches."""
    elo = min(max(elo, LOWEST), HIGHEST)
    (low, few), (high, many) = next(step for step in pairwise(_LADDER) if elo <= step[1][0])
    return level_of_nodes(round(few * (many / few) ** ((elo - low) / (high - low))))


def elo_of_skill(skill: int) -> int:
    """What "Skill Level" 0 to 19 means in Elo."""
    return LOWEST + round((HIGHEST - LOWEST) * skill / (FULL_SKILL - 1))
