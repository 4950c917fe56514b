"""The parameters of the levels of limited strength, by Elo.

Standard library only, because the options are declared before other imports.
`docs/measurements/levels.md` has the measurements by which the ladder was made.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

MIN_ELO: Final = 600  # Elo
MAX_ELO: Final = 3000
DEFAULT: Final = 1500  # default of UCI_Elo
FULL_SKILL: Final = 20  # the "Skill Level" of full strength
BALANCED: Final = "balanced"
TIME_OPTION: Final = "Human Time"
STYLES: Final = (BALANCED, "attacking", "solid", "gambiteer")  # see `engine.levels.style`


@dataclass(frozen=True, slots=True)
class Level:
    """The parameters of a level."""

    rating: int  # of the people whose moves it plays
    nodes: int  # to search for a move
    lines: int  # root moves to choose from
    temperature: (
        float  # centipawns: a move worse by this is chosen e times less often than by people
    )


# Between two rows the logarithms of nodes, lines and temperature are interpolated.
LADDER: Final = (
    (MIN_ELO, (10_000, 256, 100_000.0)),
    (2200, (10_000, 256, 2_000.0)),
    (2400, (10_000, 256, 300.0)),
    (2600, (30_000, 24, 20.0)),
    (2800, (110_000, 6, 6.0)),
    (MAX_ELO, (1_000_000, 1, 2.0)),
)


def level_of_elo(elo: int) -> Level:
    """The level with the strength `elo`, clipped to 600 to 3000."""
    elo = min(max(elo, MIN_ELO), MAX_ELO)
    (low, weak), (high, strong) = next(step for step in pairwise(LADDER) if elo <= step[1][0])
    part = (elo - low) / (high - low)
    nodes, lines, temperature = (
        one * math.pow(other / one, part) for one, other in zip(weak, strong, strict=True)
    )
    return Level(elo, round(nodes), round(lines), temperature)


def elo_of_skill(skill: int) -> int:
    """The Elo of "Skill Level" 0 to 19."""
    return MIN_ELO + round((MAX_ELO - MIN_ELO) * skill / (FULL_SKILL - 1))


def rating_in(opponent: str) -> int | None:
    """The rating in a value of UCI_Opponent, "title rating computer/human name"; None without one."""
    words = opponent.split()
    if len(words) < 2 or not (words[1].isascii() and words[1].isdigit() and len(words[1]) < 5):
        return None
    return int(words[1]) or None
