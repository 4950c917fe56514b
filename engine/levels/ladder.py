"""The parameters of the levels of limited strength, by Elo.

Standard library only, because the options are declared before other imports.
`docs/measurements/levels.md` has the measurements by which the ladder was made.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

MIN_ELO: Final = 600  # Elo
MAX_ELO: Final = 3000
DEFAULT: Final = 1500  # default of UCI_Elo
FULL_SKILL: Final = 20  # the "Skill Level" of full strength
BALANCED: Final = "balanced"
STYLES: Final = (BALANCED, "attacking", "solid", "gambiteer")  # see `engine.levels.style`


@dataclass(frozen=True, slots=True)
class Level:
    """The parameters of a level."""

    nodes: int  # to search for a move
    lines: int  # root moves to choose from
    reach: float  # effort with which its own ideas are followed, see `engine.levels.sight`
    caution: float  # the same for ideas of the opponent
    trust: float  # centipawns that a first look can add to a line that is not seen, or subtract
    temperature: float  # centipawns: a move that looks worse by this is chosen e times less often

    @property
    def square_bias(self) -> float:
        """Standard deviation of the error in the value of a piece on a square, centipawns."""
        return self.temperature / 3

    @property
    def max_loss(self) -> float:
        """The largest loss against the best move with which a move may be chosen."""
        return 4 * self.temperature


# Between two rows the logarithms of all parameters are interpolated.
LADDER: Final = (
    (MIN_ELO, Level(10_000, 256, 0.69, 0.13, 115.0, 11.5)),
    (1400, Level(10_000, 256, 1.0, 1.6, 350.0, 14.0)),
    (2200, Level(10_000, 256, 2.5, 6.5, 5000.0, 11.5)),
    (2400, Level(10_000, 256, 4.2, 16.0, 5000.0, 9.0)),
    (2600, Level(30_000, 24, 12.0, 20.0, 5000.0, 7.0)),
    (2800, Level(110_000, 6, 30.0, 30.0, 5000.0, 4.5)),
    (MAX_ELO, Level(1_000_000, 1, 1000.0, 1000.0, 5000.0, 2.0)),
)


def level_of_elo(elo: int, ladder: Sequence[tuple[int, Level]] = LADDER) -> Level:
    """The level with the strength `elo`, clipped to 600 to 3000, by the rows of a ladder."""
    elo = min(max(elo, MIN_ELO), MAX_ELO)
    (low, weak), (high, strong) = next(step for step in pairwise(ladder) if elo <= step[1][0])
    part = (elo - low) / (high - low)

    def interpolate(one: float, other: float) -> float:
        return one * math.pow(other / one, part)

    return Level(
        round(interpolate(weak.nodes, strong.nodes)),
        round(interpolate(weak.lines, strong.lines)),
        interpolate(weak.reach, strong.reach),
        interpolate(weak.caution, strong.caution),
        interpolate(weak.trust, strong.trust),
        interpolate(weak.temperature, strong.temperature),
    )


def elo_of_skill(skill: int) -> int:
    """The Elo of "Skill Level" 0 to 19."""
    return MIN_ELO + round((MAX_ELO - MIN_ELO) * skill / (FULL_SKILL - 1))


def rating_in(opponent: str) -> int | None:
    """The rating in a value of UCI_Opponent, "title rating computer/human name"; None without one."""
    words = opponent.split()
    if len(words) < 2 or not (words[1].isascii() and words[1].isdigit() and len(words[1]) < 5):
        return None
    return int(words[1]) or None
