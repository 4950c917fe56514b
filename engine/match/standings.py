"""Where the engines of a match stand: points, ratings, crosstable and failures, for people and as JSON."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.table import Table

from boomslang.engine.match.match_game import CRASH, ILLEGAL, MEMORY, NO_MOVE, STALL, TIME, MoveCost
from boomslang.engine.match.pairs import Pair
from boomslang.engine.match.ratings import PairResult, Ratings, rate

_FAILURES: Final = (TIME, CRASH, STALL, ILLEGAL, NO_MOVE, MEMORY)
_MAX_REASONS: Final = 3  # told for each engine
_PRIOR: Final = (
    "one engine won or lost everything: a drawn pair was added to each pairing for the ratings"
)


class Standings:
    """The results of all pairs. `anchors` are fixed ratings, by number of engine."""

    def __init__(self, names: Sequence[str], anchors: Mapping[int, float]) -> None:
        self._names = names
        self._anchors = anchors
        self._pairs: list[PairResult] = []
        self._games = [[0, 0, 0] for _ in names]  # won, drawn, lost
        self._efforts: list[list[MoveCost]] = [[] for _ in names]
        self._failures: list[Counter[str]] = [Counter() for _ in names]
        self._reasons: list[Counter[str]] = [Counter() for _ in names]  # with details
        self._remarks: dict[str, tuple[str, ...]] = {}  # the first by reason
        self._ratings: Ratings | None = None

    def add(self, pair: Pair) -> None:
        """Count a pair."""
        self._ratings = None
        self._pairs.append(PairResult(*pair.players, 1.0 + sum(pair.results) / 2.0))
        for turn, (game, result) in enumerate(zip(pair.games, pair.results, strict=True)):
            for side, number in enumerate(pair.players):
                own = result if side == 0 else -result
                self._games[number][1 - own] += 1
                self._efforts[number].append(game.efforts[side ^ turn])
                kind, _, detail = game.reason.partition(": ")
                if own < 0 and kind in _FAILURES:
                    self._failures[number][kind] += 1
                    self._reasons[number][game.reason] += bool(detail)
                    self._remarks.setdefault(game.reason, game.remarks)

    @property
    def ratings(self) -> Ratings:
        """The ratings so far."""
        if self._ratings is None:
            self._ratings = rate(len(self._names), self._pairs, self._anchors)
        return self._ratings

    @property
    def has_failures(self) -> bool:
        """True if an engine has lost otherwise than on the board or on time."""
        return any(set(failed) - {TIME} for failed in self._failures)

    def remarks(self) -> list[str]:
        """What is to be said about the ratings."""
        return [_PRIOR] if self._pairs and self.ratings.with_prior else []

    def reasons(self, verbose: bool = False) -> list[str]:
        """Why the engines have lost off the board, the commonest first; `verbose` with what they wrote."""
        return [
            line
            for name, counts in zip(self._names, self._reasons, strict=True)
            for reason, count in counts.most_common(_MAX_REASONS)
            if count
            for line in (
                f"{name} lost {count} by {reason}",
                *(f"  {remark}" for remark in self._remarks[reason] if verbose),
            )
        ]

    def table(self) -> Table:
        """Ratings with 95 % errors, points, and the likelihood of superiority over the next."""
        table = Table("", "", "Elo", "+/-", "points", "games", "%", "+ = -", "LOS %", box=None)
        for column in table.columns[2:]:
            column.justify = "right"
        order = self._order()
        errors = self.ratings.errors()
        for place, number in enumerate(order):
            won, drawn, lost = self._games[number]
            points, games = won + drawn / 2, won + drawn + lost
            below = order[place + 1] if place + 1 < len(order) else None
            likelihood = (
                "" if below is None else _or_unknown(100 * self._superiority(number, below))
            )
            fixed = number in self._anchors
            table.add_row(
                str(place + 1),
                self._names[number],
                f"{self.ratings.elo[number]:.0f}",
                "fixed" if fixed else _or_unknown(errors[number]),
                f"{points:g}",
                str(games),
                f"{points / games:.1%}" if games else "",
                f"+{won} ={drawn} -{lost}",
                likelihood,
            )
        return table

    def crosstable(self) -> Table:
        """The points of each engine against each other one."""
        order = self._order()
        places = [str(place + 1) for place in range(len(order))]
        table = Table("", "", *places, box=None)
        points = self._points()
        for place, number in enumerate(order):
            cells = []
            for other in order:
                mine, theirs = points[number][other], points[other][number]
                cells.append(f"{mine:g}-{theirs:g}" if mine + theirs else "")
            table.add_row(places[place], self._names[number], *cells)
        return table

    def costs(self) -> Table:
        """Wins, speed, depth, clocks and failures."""
        table = Table("", "won", "nodes/s", "depth", "minimum clock", "failures", box=None)
        for number, name in enumerate(self._names):
            lost = self._failures[number]
            counts = [f"{lost[reason]} {reason}" for reason in _FAILURES if lost[reason]]
            won = str(self._games[number][0])
            table.add_row(name, won, *_sums(self._efforts[number]), ", ".join(counts))
        return table

    def summary(self) -> dict[str, Any]:
        """Everything as plain data; engines in the order of the command."""
        errors = self.ratings.errors()
        count = range(len(self._names))
        engines: list[dict[str, Any]] = []
        for number in count:
            won, drawn, lost = self._games[number]
            engines.append(
                {
                    "name": self._names[number],
                    "elo": _rounded(self.ratings.elo[number]),
                    "error": None if number in self._anchors else _rounded(errors[number]),
                    "won": won,
                    "drawn": drawn,
                    "lost": lost,
                    "failures": {reason: self._failures[number][reason] for reason in _FAILURES},
                }
            )
        superiority = [
            [
                None if one == other else _rounded(self._superiority(one, other), 4)
                for other in count
            ]
            for one in count
        ]
        return {
            "engines": engines,
            "points": self._points(),
            "superiority": superiority,
            "prior": self.ratings.with_prior,
        }

    def _superiority(self, one: int, other: int) -> float:
        return self.ratings.superiority(one, other)

    def _order(self) -> list[int]:
        return sorted(range(len(self._names)), key=lambda number: -self.ratings.elo[number])

    def _points(self) -> list[list[float]]:
        points = [[0.0] * len(self._names) for _ in self._names]
        for first, second, scored in self._pairs:
            points[first][second] += scored
            points[second][first] += 2.0 - scored
        return points


def _rounded(value: float, digits: int = 2) -> float | None:
    return round(float(value), digits) if math.isfinite(value) else None


def _or_unknown(value: float) -> str:
    return "?" if math.isnan(value) else f"{value:.0f}"


def _sums(efforts: Sequence[MoveCost]) -> tuple[str, str, str]:
    seconds, moves = sum(e.seconds for e in efforts), sum(e.moves for e in efforts)
    clocks = [e.least_clock for e in efforts if e.least_clock is not None]
    return (
        f"{sum(e.nodes for e in efforts) / seconds:,.0f}" if seconds else "",
        f"{sum(e.depths for e in efforts) / moves:.1f}" if moves else "",
        f"{min(clocks):.2f} s" if clocks else "",
    )
