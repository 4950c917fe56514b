"""The error of networks on positions not used for training, and comparison of two networks.

The positions are those of held-out games in files of `boomslang datagen`, including sidelines, which
represent positions inside a search tree: most of the positions that a search evaluates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.core.system.files import quote_path
from boomslang.engine.learning.data.game_reader import VALIDATION_SHARE, GameReader
from boomslang.engine.learning.data.records import DECIDED, RECORD
from boomslang.engine.learning.training.quantisation_error import play_scores
from boomslang.eval.network.shape import SCALE, Network

Floats = npt.NDArray[np.float64]
Records = npt.NDArray[np.void]  # dtype RECORD

_MIN_GAMES: Final = 20  # games; the interval of fewer is meaningless
_NORMAL: Final = 1.96  # standard deviations of a two-sided 95 % interval


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, and half the width of its 95 % interval."""

    mean: float
    margin: float


def read_held_out(path: Path) -> Records:
    """The positions of the held-out games of a file; kernels must be loaded.

    RECORDs, of the games that `boomslang train` holds out for validation. Raises GameFileError if it is not a
    file of games, FileError if it cannot be read, and ValueError if too few games are held out.
    """
    parts = GameReader([path]).shuffle(seed=0, held_out=True, validation=VALIDATION_SHARE)
    records = np.concatenate([np.empty(0, RECORD), *parts])
    games = len(np.unique(records["game"]))
    if games < _MIN_GAMES:
        raise ValueError(
            f"{quote_path(path)} has {games} held-out games, and {_MIN_GAMES} are needed: make a file of"
            f" {round(2 * _MIN_GAMES / VALIDATION_SHARE):,} games or more"
        )
    return records


def squared_errors(network: Network, records: Records) -> Floats:
    """Squared errors of the result predicted by a NETWORK, 0 to 1, against that of the search; float64[n].

    This is the loss of the training (`gradient.add_gradient`) without game results, for the quantised
    network. Kernels must be loaded.
    """
    scores = records["score"].astype(np.float64)
    targets = np.where(records["side"] == 0, scores, -scores)
    return np.square(_expected_results(play_scores(network, records)) - _expected_results(targets))


def estimate(values: Floats, records: Records) -> Estimate:
    """The mean of a value per position; the error is clustered by game, as positions of a game correlate.

    For the difference of two networks, `values` are the differences of their errors.
    """
    mean = float(values.mean())
    _, games = np.unique(records["game"], return_inverse=True)
    sums = np.bincount(games, values - mean)
    spread = float(np.square(sums).sum()) * len(sums) / max(len(sums) - 1, 1)
    return Estimate(mean, _NORMAL * math.sqrt(spread) / len(values))


def _expected_results(scores: npt.NDArray[Any]) -> Floats:
    """The expected result of scores, centipawns."""
    return 1.0 / (1.0 + np.exp(-np.clip(scores.astype(np.float64), -DECIDED, DECIDED) / SCALE))
