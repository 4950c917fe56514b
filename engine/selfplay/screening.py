"""What each of many changes is worth, by one set of games: a factorial design.

In every pair of games each change is given by lot to one of the two sides and kept from the other. So all
games tell of all changes at once, where a match for each of them would need as many games again for every
change; what the others do is noise that the lot makes even. A least-squares regression of the results on
the lots says what each change is worth. After Fisher ("The Design of Experiments", 1935).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from boomslang.engine.selfplay.pentanomial import Games

_ELO: Final = 1600.0 / math.log(10.0)  # for a point a game, at even chances
_NORMAL: Final = 1.96  # standard deviations to either side that hold 95 %
_EXACT: Final = 1e-9  # points a game: a smaller deviation is rounding

Signs = tuple[int, ...]  # for each change 1 if the first side has it, -1 if the second has


@dataclass(frozen=True, slots=True)
class EffectEstimate:
    """What a change is worth to the side that has it, in Elo, and half of its 95 % interval.

    The error is None where the results fit without any: they do not tell how far others may lie off then.
    """

    elo: float
    error: float | None

    @property
    def is_promising(self) -> bool:
        """True if it is above zero by more than half of its error."""
        return self.error is not None and self.elo > self.error / 2.0


def share_kept(found: Sequence[EffectEstimate]) -> float:
    """The part of what the changes seem to be worth that is not luck, as far as their spread tells, 0..1.

    Of estimates that scatter by chance and by worth, so much is by worth; chosen from such ones, a change
    is expected to bring that part of what it shows ("shrinkage", after James and Stein, 1961).
    """
    known = [(worth.elo, worth.error / _NORMAL) for worth in found if worth.error is not None]
    seen = sum(elo**2 for elo, _ in known)
    chance = sum(error**2 for _, error in known)
    return max(0.0, 1.0 - chance / seen) if seen else 0.0


def draw(seed: int, pair: int, changes: int) -> Signs:
    """The lot for a pair of games: a sign for each of so many changes."""
    source = random.Random(f"{seed} {pair}")  # noqa: S311
    return tuple(source.choice((-1, 1)) for _ in range(changes))


def worths(signs: Sequence[Signs], results: Sequence[Games]) -> list[EffectEstimate] | None:
    """What each change is worth, or None if there are too few pairs to tell them apart.

    `signs` holds the lot of each pair, `results` its two games as the first side sees them. Raises
    ValueError if one is longer than the other.
    """
    if len(signs) != len(results):
        raise ValueError(f"{len(signs)} lots for {len(results)} pairs")
    pairs, changes = len(signs), len(signs[0]) if signs else 0
    if pairs <= changes:
        return None
    design = np.array(signs, dtype=np.float64)
    points = np.array([sum(games) / 4.0 for games in results])  # a game, above one half
    gains, _, rank, _ = np.linalg.lstsq(design, points)
    if rank < changes:
        return None
    deviation = math.sqrt(float(np.sum((points - design @ gains) ** 2)) / (pairs - changes))
    spread = np.sqrt(np.diag(np.linalg.inv(design.T @ design)))
    known = deviation > _EXACT
    return [
        EffectEstimate(
            _ELO * float(gain), _NORMAL * _ELO * deviation * float(share) if known else None
        )
        for gain, share in zip(gains, spread, strict=True)
    ]
