"""How well a model tells people's moves: its likeliest move, nats, draws by lot, and calibration."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from boomslang.engine.people.network import SPEEDS
from boomslang.engine.people.trainer import HELD_OUT

FIRST_PLY: Final = 10  # earlier moves are known by heart
RATINGS: Final = (900, 2300)  # of the movers
_ERRORS: Final = (0.1, 0.2, 0.3)  # winning chances lost
_LEAST: Final = 1e-9  # a chance
_BAND: Final = 200
_TENTHS: Final = 10


def is_measured(samples: Any, ratings: tuple[int, int] = RATINGS) -> npt.NDArray[np.bool_]:
    """True for the samples of the published tables: blitz to classical on Lichess, from ply 10 on."""
    low, high = ratings
    timed = (samples.speed >= SPEEDS.index("blitz")) & (samples.speed <= SPEEDS.index("classical"))
    rated = (samples.rating >= low) & (samples.rating <= high)
    return np.asarray(timed & rated & (samples.ply >= FIRST_PLY))


def is_held_out(samples: Any) -> npt.NDArray[np.bool_]:
    """True for the samples of games that neither the network nor the combination has seen."""
    return np.asarray(samples.fold < HELD_OUT - 1)


@dataclass(slots=True)
class Tally:
    """Sums over positions; `add` takes them one by one."""

    rows: dict[int, npt.NDArray[np.float64]] = field(default_factory=dict)  # by band
    tenths: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros((_TENTHS, 3)))
    judged: int = 0  # positions with the value of each move
    lost: npt.NDArray[np.float64] = field(default_factory=lambda: np.zeros((2, 3)))  # model, people

    def add(
        self,
        rating: int,
        chances: npt.NDArray[Any],
        played: int,
        values: npt.NDArray[np.float64] | None = None,
    ) -> None:
        """A position: the chances of its moves, the number of the move played, the value of each move."""
        row = self.rows.setdefault(rating // _BAND * _BAND, np.zeros(4))
        chance = float(chances[played])
        row += 1, chances.argmax() == played, -np.log(max(chance, _LEAST)), chance
        tenth = np.minimum((chances * _TENTHS).astype(int), _TENTHS - 1)
        np.add.at(self.tenths, (tenth, 0), 1)
        np.add.at(self.tenths, (tenth, 1), chances)
        self.tenths[tenth[played], 2] += 1
        if values is not None:
            wrong = (values.max() - values)[:, None] > np.array(_ERRORS)
            self.lost += chances @ wrong, wrong[played]
            self.judged += 1

    def table(self) -> Iterable[tuple[str, int, float, float, float]]:
        """Band, positions, share at the top in per cent, nats, per cent by lot; the last row is of all."""
        whole = np.sum([row[1:] for row in self.rows.values()], 0), self.positions
        bands = [(str(band), row[1:], int(row[0])) for band, row in sorted(self.rows.items())]
        for name, sums, count in [*bands, ("all", *whole)]:
            top, nats, chance = (sums / max(count, 1)).tolist()
            yield name, count, 100 * top, nats, 100 * chance

    @property
    def positions(self) -> int:
        """How many there are."""
        return int(sum(row[0] for row in self.rows.values()))

    def calibration(self) -> Iterable[tuple[str, int, float, float]]:
        """Tenth, moves, their mean chance and how many of them were played, both in per cent."""
        for number, (count, chances, played) in enumerate(self.tenths):
            if count:
                name = f"{100 * number // _TENTHS}-{100 * (number + 1) // _TENTHS}"
                yield name, int(count), 100 * chances / count, 100 * played / count

    def errors(self) -> tuple[list[float], list[float]]:
        """Per cent of moves that lose more than 10, 20, 30 % of the winning chances: model, people."""
        model, people = (100 * self.lost / max(self.judged, 1)).tolist()
        return model, people
