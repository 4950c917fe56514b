"""The effect of each of many changes, from one set of games: a factorial design.

In every pair of games each change is assigned at random to one of the two sides. So every game is
evidence about all changes at once, where separate matches would need the same number of games for each
change; the effects of the other changes are noise that the random assignment averages out. A
least-squares regression of the results on the assignments estimates the effect of each change. After
Fisher ("The Design of Experiments", 1935).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from boomslang.engine.learning.selfplay.pentanomial import Games

_ELO: Final = 1600.0 / math.log(10.0)  # Elo per point per game, near equality
_NORMAL: Final = 1.96  # standard deviations of a two-sided 95 % interval
_EXACT: Final = 1e-9  # points per game: smaller deviations are rounding

Signs = tuple[int, ...]  # for each change 1 if the first side has it, -1 if the second has


@dataclass(frozen=True, slots=True)
class EffectEstimate:
    """The effect of a change in Elo, for the side that has it, and half of its 95 % interval.

    The error is None if the results fit exactly, since they give no estimate of the variance then.
    """

    elo: float
    error: float | None

    @property
    def is_promising(self) -> bool:
        """True if it is above zero by more than half of its error."""
        return self.error is not None and self.elo > self.error / 2.0


def share_kept(found: Sequence[EffectEstimate]) -> float:
    """The part of the estimated effects that is not chance, estimated from their variance, 0..1.

    The estimates vary by chance and by true effect, and this is the share of the true effect. A selected
    change is expected to gain this part of its estimate ("shrinkage", after James and Stein, 1961).
    """
    estimates = [(worth.elo, worth.error / _NORMAL) for worth in found if worth.error is not None]
    seen = sum(elo**2 for elo, _ in estimates)
    chance = sum(error**2 for _, error in estimates)
    return max(0.0, 1.0 - chance / seen) if seen else 0.0


def draw(seed: int, pair: int, changes: int) -> Signs:
    """The random assignment for a pair of games: a sign for each change."""
    source = random.Random(f"{seed} {pair}")  # noqa: S311
    return tuple(source.choice((-1, 1)) for _ in range(changes))


def worths(signs: Sequence[Signs], results: Sequence[Games]) -> list[EffectEstimate] | None:
    """The effect of each change, or None if there are too few pairs to separate them.

    `signs` holds the assignment of each pair, `results` its two games from the first side's view. Raises
    ValueError if their lengths differ.
    """
    if len(signs) != len(results):
        raise ValueError(f"{len(signs)} lots for {len(results)} pairs")
    pairs, changes = len(signs), len(signs[0]) if signs else 0
    if pairs <= changes:
        return None
    design = np.array(signs, dtype=np.float64)
    points = np.array([sum(games) / 4.0 for games in results])  # per game, above one half
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
