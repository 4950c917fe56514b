"""Fitting the model of `eval.wdl.conversion` to games: maximum likelihood, by Fisher scoring."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from boomslang.eval.wdl.conversion import FULL_MATERIAL, PIECE_VALUES

Floats = npt.NDArray[np.float64]

POWERS: Final = 4  # cubic polynomials
NORMAL_PLIES: Final = (62, 63)  # move 32, where a displayed score of +1.00 wins half of the games
_RARE: Final = 0.002  # material counts with a smaller share of all positions join the next one
_CHUNK: Final = 1 << 18
_STEPS: Final = 100
_SETTLED: Final = 1e-12  # convergence threshold: gain in loss per position


@dataclass(frozen=True, slots=True)
class GameOutcomes:
    """Positions grouped by score and material; all arrays have one row per group.

    `results` is float64[n, 3]: numbers of games won by Black, drawn, won by White.
    """

    score: Floats  # centipawns, White's view
    material: npt.NDArray[np.int64]
    results: Floats

    @property
    def positions(self) -> int:
        """The number of positions."""
        return int(self.results.sum())


@dataclass(frozen=True, slots=True)
class WdlModel:
    """Coefficients of 1, m, m^2, m^3 with m = material / FULL_MATERIAL, valid between two materials."""

    a: Floats
    b: Floats
    materials: tuple[int, int]
    reference: int  # material at NORMAL_PLIES, on average
    loss: float  # mean of -log(probability of the result)

    @property
    def pawn(self) -> float:
        """Centipawns of the search that are displayed as +1.00."""
        return float(_powers(np.array([self.reference]))[0] @ self.a)


def materials(records: npt.NDArray[np.void]) -> npt.NDArray[np.int64]:
    """Material of both sides together, int64[n], of `engine.learning.data.records.RECORD`."""
    values = np.array([*PIECE_VALUES, *PIECE_VALUES, 0, 0, 0, 0], dtype=np.int64)
    counts = np.empty(len(records), dtype=np.int64)
    for start in range(0, len(records), _CHUNK):
        part = records[start : start + _CHUNK]
        both = part["pieces"]
        codes = np.stack((both & 15, both >> 4), axis=2).reshape(len(part), 32)
        there = np.arange(32) < np.bitwise_count(part["occupied"])[:, None]
        counts[start : start + len(part)] = (values[codes] * there).sum(axis=1)
    return counts


def collect(records: npt.NDArray[np.void], material: npt.NDArray[np.int64]) -> GameOutcomes:
    """The outcomes of records; the grouping loses nothing that the model uses."""
    scores = records["score"].astype(np.int64)
    lowest = int(scores.min())
    span = int(scores.max()) - lowest + 1
    kinds, place = np.unique(material * span + scores - lowest, return_inverse=True)
    results = np.zeros((len(kinds), 3))
    np.add.at(results, (place, records["result"].astype(np.int64)), 1.0)
    return GameOutcomes((kinds % span + lowest).astype(np.float64), kinds // span, results)


def fit(records: npt.NDArray[np.void]) -> tuple[WdlModel, GameOutcomes]:
    """The maximum likelihood model, and the outcomes that it was fitted to.

    Raises ValueError if the records do not determine it.
    """
    material = materials(records)
    normal = np.isin(records["ply"], NORMAL_PLIES)
    if not normal.any():
        raise ValueError("no position of move 32: too few games")
    shares = np.bincount(material, minlength=FULL_MATERIAL + 1) / len(material)
    common = np.flatnonzero(shares > _RARE)
    if len(common) < 2 * POWERS:
        raise ValueError("too few positions, or too much alike")
    limits = int(common[0]), int(common[-1])
    outcomes = collect(records, np.clip(material, *limits))
    if (outcomes.results.sum(axis=0) == 0.0).any():
        raise ValueError("wins, draws and losses are needed, and one of them is missing")
    parameters, loss = _newton(outcomes)
    model = WdlModel(
        parameters[:POWERS],
        parameters[POWERS:],
        limits,
        round(float(material[normal].mean())),
        loss,
    )
    range_ = _powers(np.arange(limits[0], limits[1] + 1))
    if (range_ @ model.a <= 0.0).any() or (range_ @ model.b <= 0.0).any():
        raise ValueError("the fit makes no sense: more games are needed")
    return model, outcomes


def chances(model: WdlModel, outcomes: GameOutcomes) -> Floats:
    """Probabilities of a win of Black, a draw, a win of White; float64[n, 3]."""
    powers = _powers(outcomes.material)
    return _chances(outcomes.score, powers @ model.a, powers @ model.b)


def _powers(material: npt.NDArray[np.int64]) -> Floats:
    return np.vander(material / FULL_MATERIAL, POWERS, increasing=True)


def _chances(score: Floats, a: Floats, b: Floats) -> Floats:
    win = 1.0 / (1.0 + np.exp(np.clip((a - score) / b, -40.0, 40.0)))
    loss = 1.0 / (1.0 + np.exp(np.clip((a + score) / b, -40.0, 40.0)))
    return np.stack((loss, np.maximum(1.0 - win - loss, 1e-12), win), axis=1)


def _newton(outcomes: GameOutcomes) -> tuple[Floats, float]:
    """The coefficients of a, then of b, and the loss; each step is halved until the loss falls."""
    powers = _powers(outcomes.material)
    parameters = np.zeros(2 * POWERS)
    parameters[0], parameters[POWERS] = 150.0, 100.0
    loss, gradient, information = _look(outcomes, powers, parameters)
    for _ in range(_STEPS):
        step = np.linalg.lstsq(information, gradient, rcond=None)[0]
        while True:
            tried = _look(outcomes, powers, parameters - step)
            if tried[0] < loss or np.abs(step).max() < 1e-6:
                break
            step /= 2.0
        gain = loss - tried[0]
        if gain <= 0.0:
            break
        parameters -= step
        loss, gradient, information = tried
        if gain < _SETTLED:
            break
    return parameters, loss


def _look(
    outcomes: GameOutcomes, powers: Floats, parameters: Floats
) -> tuple[float, Floats, Floats]:
    """Mean loss, its gradient and the expected second derivative (Fisher's information)."""
    a, b = powers @ parameters[:POWERS], powers @ parameters[POWERS:]
    if a.min() <= 0.0 or b.min() <= 0.0:
        return np.inf, np.zeros(2 * POWERS), np.eye(2 * POWERS)
    probable = _chances(outcomes.score, a, b)
    loss, _, win = probable.T
    slope_win, slope_loss = win * (1.0 - win) / b, loss * (1.0 - loss) / b
    by_a = np.stack((-slope_loss, slope_win + slope_loss, -slope_win), axis=1)
    win_by_b = -slope_win * (outcomes.score - a) / b
    loss_by_b = slope_loss * (outcomes.score + a) / b
    by_b = np.stack((loss_by_b, -win_by_b - loss_by_b, win_by_b), axis=1)
    number = outcomes.results.sum()
    expected = outcomes.results.sum(axis=1)
    gradient = [
        powers.T @ (-(outcomes.results / probable) * by).sum(axis=1) / number for by in (by_a, by_b)
    ]
    information = np.block(
        [
            [
                powers.T @ (powers * (expected * (x * y / probable).sum(axis=1))[:, None])
                for y in (by_a, by_b)
            ]
            for x in (by_a, by_b)
        ]
    )
    value = float(-(outcomes.results * np.log(probable)).sum() / number)
    return value, np.concatenate(gradient), information / number
