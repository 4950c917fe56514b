"""The choice of a level in many stored positions at once, as probabilities.

It is the rule of `engine.levels.handicap`, with arrays: a row for each position, a column for each move.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from boomslang.engine.levels.handicap import HALFWAY, UNSTEADY
from boomslang.engine.levels.ladder import Level
from boomslang.engine.levels.style import Style
from tools.levels.store import Row, sight_of

Floats: TypeAlias = npt.NDArray[np.float32]
Integers: TypeAlias = npt.NDArray[np.int64]
Bools: TypeAlias = npt.NDArray[np.bool_]

_MAX_EFFORTS: Final = 16  # of a line: as many are looked at
_NEVER: Final = 1e9


@dataclass(slots=True)
class Positions:
    """Stored searches, as arrays by position and move."""

    rows: npt.NDArray[np.object_]
    moves: npt.NDArray[np.object_]  # lists of UCI strings
    efforts: Floats  # by effort too
    worths: Floats  # by effort too
    last: Integers  # efforts of the line
    looks: Floats
    likings: Floats
    own: Bools
    legal: Bools
    castling: Bools

    @classmethod
    def of(cls, rows: Sequence[Row], style: Style) -> Positions:
        """Arrays of stored searches."""
        sights = [sight_of(row) for row in rows]
        shape = len(rows), max(len(sight.lines) for sight in sights)
        efforts = np.full((*shape, _MAX_EFFORTS), _NEVER, np.float32)
        worths = np.zeros((*shape, _MAX_EFFORTS + 1), np.float32)
        last = np.zeros(shape, np.int64)
        looks, likings = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        own, legal, castling = (np.zeros(shape, np.bool_) for _ in range(3))
        moves = np.empty(len(rows), np.object_)
        for n, sight in enumerate(sights):
            moves[n] = [line.pv[0].uci() for line in sight.lines]
            looks[n, : len(sight.looks)] = sight.looks
            for m, (line, view) in enumerate(zip(sight.lines, sight.views, strict=True)):
                count = min(len(view.efforts), _MAX_EFFORTS)
                efforts[n, m, :count] = view.efforts[:count]
                worths[n, m, : count + 1] = (*view.worths[:count], view.worths[-1])
                last[n, m], own[n, m], legal[n, m] = count, view.is_own, True
                castling[n, m] = sight.board.is_castling(line.pv[0])
                likings[n, m] = style.liking(sight.board, line.pv[0])
        kept = np.array(rows, np.object_)
        return cls(kept, moves, efforts, worths, last, looks, likings, own, legal, castling)

    def part(self, chosen: Bools) -> Positions:
        """Some of the positions."""
        return replace(
            self, **{field.name: getattr(self, field.name)[chosen] for field in fields(self)}
        )

    def index(self, key: str) -> Integers:
        """The column of the move that each row has under a key; -1 without one."""
        return np.array(
            [
                moves.index(row[key]) if row.get(key) in moves else -1
                for row, moves in zip(self.rows, self.moves, strict=True)
            ],
            np.int64,
        )

    def chances(self, level: Level, draws: int = 4, seed: int = 1) -> Floats:
        """The probability of each move at a level, by draws of steadiness and bias."""
        dice = np.random.default_rng(seed)
        shape = self.looks.shape
        look = np.clip(self.looks, -level.trust, level.trust)
        total = np.zeros(shape, np.float32)
        for _ in range(draws):
            steady = np.exp(UNSTEADY * dice.standard_normal(shape, np.float32))
            attention = np.where(self.own, level.reach, level.caution) * steady
            seen = (self.efforts <= attention[..., None]).sum(-1)
            worth = np.take_along_axis(self.worths, seen[..., None], 2)[..., 0]
            worth = worth + np.where(seen < self.last, look, 0) + self.likings
            worth = np.where(self.legal, worth / (1 + abs(worth) / HALFWAY), -_NEVER)
            best = worth.max(1, keepdims=True)
            preference = worth + level.square_bias * dice.standard_normal(shape, np.float32)
            apart = np.where(
                best - worth <= level.max_loss, (preference - best) / level.temperature, -math.inf
            )
            weight = np.exp(apart - apart.max(1, keepdims=True))
            total += weight / weight.sum(1, keepdims=True)
        return (total / draws).astype(np.float32)
