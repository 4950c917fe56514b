"""Fits the ladder of limited strength to moves of people, and shows how the levels do beside people.

    python -m tests.stress.level_fit search --positions movematch.jsonl rated.epd --store store.jsonl
    python -m tests.stress.level_fit judge --store store.jsonl --judged judged.jsonl --judge stockfish
    python -m tests.stress.level_fit fit --store store.jsonl --judged judged.jsonl
    python -m tests.stress.level_fit show --store store.jsonl --judged judged.jsonl --judge stockfish

`search` and `judge` do the work, some minutes for 1,000 positions, and go on where they were interrupted.
`fit` then takes some minutes: it prints rows of `engine.levels.ladder`, between which the logarithms of the
parameters are interpolated, and with `--folds 5` how levels do that were fitted to the other games alone. The
parameters are chosen for the share of the moves of people that the level of their rating plays, less what
its errors, its castling and its monotony differ from people's. `show` prints the tables of
`docs/measurements/levels.md`. Every choice hangs on the seed alone.

A level chooses by the very search that says what its moves lose, so it loses more than that says. `judge`
compares all moves of some positions by Stockfish, 3,000 nodes for each: from these `fit` knows how often a
move that loses so much by the search is an error. `show` judges moves of people and levels by 50,000 nodes.
"""

from __future__ import annotations

import argparse
import math
import sys
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, replace
from itertools import pairwise, product
from pathlib import Path
from typing import Final, TypeAlias

import chess
import numpy as np

from boomslang.engine.levels.ladder import BALANCED, Level, level_of_elo
from boomslang.engine.levels.style import BY_NAME
from tests.stress.level_model import Bools, Floats, Integers, Positions
from tests.stress.level_store import Judge, Row, chance, positions, read_rows, search

BANDS: Final = (800, 1200, 1600, 2000)  # the lower of two bands of 200 points
_KNOTS: Final = (800, 2200)  # Elo of the rows that are fitted
_BEYOND: Final = (10, 20, 30)  # percent of the winning chances lost: an error
# Percent of the winning chances lost by the search, between which moves are errors equally often.
_BINS: Final = (*(0.01, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 17, 20, 23, 26, 30, 35, 40, 50, 60),)
_SCALE: Final = 1.9  # centipawns of the search to one of Stockfish
_ALLOWED: Final = (3.0, 2.0, 1.5)  # points that these may differ from people's
_MAX_ALIKE: Final = 0.6  # share of positions that two seeds should answer alike at most
_MIN_COUNT: Final = 30  # positions of a band
_STEPS: Final = (1.4, 1.2, 1.1, 1.05)
_FIXED: Final = 2  # of the parameters of a level: nodes and lines
_LEVELS: Final = tuple(range(600, 2401, 200))
_BAND_RADIUS: Final = 100  # points of a band of puzzles to each side
_MIN_PUZZLES: Final = 10

Ladder: TypeAlias = Callable[[int], Level]


@dataclass(slots=True)
class Band:
    """Positions of people of two bands, with their moves."""

    low: int
    source: str
    positions: Positions
    ratings: Integers
    human: Integers  # the move of the person, as a column; -1 where a mate is to be played instead
    lost: Floats  # percent of the winning chances that each move loses by the search
    risks: Floats  # the probability that it loses more than each of `_BEYOND` by Stockfish
    folds: Integers

    @classmethod
    def of(cls, every: Positions, low: int, source: str, table: Floats, folds: int) -> Band:
        """The positions of a band, with a table of `calibrate`."""
        found = every.part(
            np.array(
                [row["source"] == source and low <= row["band"] < low + 400 for row in every.rows],
                np.bool_,
            )
        )
        games = [zlib.crc32(row["id"].rpartition("-")[0].encode()) % folds for row in found.rows]
        ratings = np.array([row["band"] for row in found.rows])
        lost = losses(found)
        risks = table[np.digitize(lost, _BINS)]
        return cls(low, source, found, ratings, found.index("human"), lost, risks, np.array(games))

    def part(self, chosen: Bools) -> Band:
        """Some of its positions."""
        arrays = ("ratings", "human", "lost", "risks", "folds")
        return replace(
            self,
            positions=self.positions.part(chosen),
            **{name: getattr(self, name)[chosen] for name in arrays},
        )

    def chances(self, ladder: Ladder) -> Floats:
        """The probability of each move at the level of the player's rating."""
        chances = np.zeros_like(self.positions.looks)
        for elo in np.unique(self.ratings):
            these = self.ratings == elo
            chances[these] = self.positions.part(these).chances(ladder(int(elo)))
        return chances

    def match(self, chances: Floats) -> Floats:
        """The probability of the move of the person, by position."""
        found = chances[np.arange(len(self.human)), self.human]
        return np.where(self.human < 0, 0, found)

    def castling(self, chances: Floats) -> tuple[float, float]:
        """The shares of castling where it is legal: the level's, people's."""
        able = self.positions.castling.any(1)
        castled = self.positions.castling[np.arange(len(self.human)), self.human]
        if not able.any():
            return math.nan, math.nan
        return (
            float((chances * self.positions.castling).sum(1)[able].mean()),
            float(castled[able].mean()),
        )

    def errors(self, chances: Floats) -> tuple[list[float], list[float]]:
        """Percent of the moves that lose more than each bound: the level's, people's by the search."""
        known = self.human >= 0
        people = self.lost[np.arange(len(known)), self.human][known]
        return (
            [100 * float(share) for share in (chances[..., None] * self.risks).sum(1).mean(0)],
            [100 * float((people > bound).mean()) for bound in _BEYOND],
        )


def losses(found: Positions) -> Floats:
    """Percent of the winning chances that each move loses by the search."""
    lost = np.zeros(found.looks.shape, np.float32)
    for number, row in enumerate(found.rows):
        chances = [chance(score / _SCALE) for score, _, _ in row["lines"]]
        lost[number, : len(chances)] = max(chances) - np.array(chances)
    return lost


def calibrate(every: Positions, judge: Judge) -> Floats:
    """By bins of what moves lose by the search, how often they lose more than each bound by Stockfish."""
    lost = np.digitize(losses(every), _BINS)
    found, judged = list[int](), list[float]()
    for bins, row, moves in zip(lost, every.rows, every.moves, strict=True):
        chances = judge.chances(row)
        if chances and len(moves) > 1:
            best = max(chances.values())
            found += bins[: len(moves)].tolist()
            judged += [best - chances[move] for move in moves]
    rates = np.zeros((len(_BINS) + 1, len(_BEYOND)), np.float32)
    for place in set(found):
        these = np.array(judged)[np.array(found) == place]
        rates[place] = [(these > bound).mean() for bound in _BEYOND]
    return rates


def alike(chances: Floats) -> float:
    """The share of positions in which two seeds choose alike."""
    return float((chances**2).sum(1).mean())


def price(band: Band, ladder: Ladder) -> float:
    """What is wrong with the levels for people of a band, less their match, in percent."""
    chances = band.chances(ladder)
    total = -100 * float(band.match(chances).mean())
    for own, people, allowed in zip(*band.errors(chances), _ALLOWED, strict=True):
        total += ((own - people) / allowed) ** 2
    total += 400 * max(0.0, alike(chances) - _MAX_ALIKE)
    own, people = band.castling(chances)
    return total + 20 * max(0.0, abs(math.log(max(own, 1e-3) / people)) - math.log(1.3))


def ladder_of(rows: Sequence[Level]) -> Ladder:
    """The ladder whose rows at `_KNOTS` these are; beyond, it goes on in a straight line."""

    knots: Sequence[int] = _KNOTS

    def level(elo: int) -> Level:
        place = next((n for n, knot in enumerate(knots[1:-1]) if elo < knot), len(knots) - 2)
        (start, end), (low, high) = list(pairwise(knots))[place], list(pairwise(rows))[place]
        part = (elo - start) / (end - start)
        pairs = zip(astuple(low)[_FIXED:], astuple(high)[_FIXED:], strict=True)
        return Level(low.nodes, low.lines, *(one * (two / one) ** part for one, two in pairs))

    return level


def fit(bands: Sequence[Band], *, quiet: bool = False) -> list[Level]:
    """The rows at `_KNOTS` with the least price, from those of today on, one parameter after the other."""
    rows = [level_of_elo(elo) for elo in _KNOTS]
    count = len(astuple(rows[0])) - _FIXED

    def total(tried: Sequence[Level]) -> float:
        return sum(price(band, ladder_of(tried)) for band in bands)

    least = total(rows)
    for step in _STEPS:
        improved = True
        while improved:
            improved = False
            for knot, place, factor in product(range(len(rows)), range(count), (step, 1 / step)):
                values = list(astuple(rows[knot]))
                values[_FIXED + place] *= factor
                tried = [*rows]
                tried[knot] = Level(*values)
                if (now := total(tried)) < least - 0.01:
                    rows, least, improved = tried, now, True
        if not quiet:
            print(f"steps of {step}: {least:.2f}", flush=True)
    return rows


def report(bands: Iterable[Band], chances_of: Callable[[Band], Floats]) -> None:
    """Print match, castling, variety and errors of levels beside people."""
    print(
        "people       positions  his move     alike  castling / people  > 10, 20, 30 %    people",
        flush=True,
    )
    for band in bands:
        chances = chances_of(band)
        match, (own, people) = band.match(chances), band.castling(chances)
        error = 196 * match.std() / math.sqrt(len(match))
        errors = "   ".join(
            " ".join(f"{share:5.1f}" for share in shares) for shares in band.errors(chances)
        )
        print(
            f"{band.source:8s} {band.low:5d} {len(match):6d}  {100 * match.mean():5.1f} ± {error:.1f}"
            f"  {100 * alike(chances):6.1f} {100 * own:9.1f} / {100 * people:4.1f}  {errors}",
            flush=True,
        )


def cross_validate(bands: Sequence[Band], folds: int) -> None:
    """Print how levels do in each game that were fitted without it."""
    ladders = [
        ladder_of(fit([band.part(band.folds != fold) for band in bands], quiet=True))
        for fold in range(folds)
    ]

    def chances_of(band: Band) -> Floats:
        chances = np.zeros_like(band.positions.looks)
        for fold, ladder in enumerate(ladders):
            these = band.folds == fold
            chances[these] = band.part(these).chances(ladder)
        return chances

    report(bands, chances_of)


def show_errors(bands: Sequence[Band], judge: Judge) -> None:
    """Print the errors of levels and people, by 50,000 nodes of Stockfish for each move."""
    dice = np.random.default_rng(1)
    asked = list[tuple[str, Row, str]]()
    for band in bands:
        every, found = band.chances(level_of_elo), band.positions
        for row, moves, chances in zip(found.rows, found.moves, every, strict=True):
            weights = chances[: len(moves)] / chances[: len(moves)].sum()
            asked.append((f"{band.source} {band.low}", row, str(dice.choice(moves, p=weights))))
    losses = list[tuple[tuple[str, str, str], float, float]]()
    for number in dice.permutation(len(asked)):
        name, row, pick = asked[number]
        own, people = judge.loss(row, pick), judge.loss(row, row["human"])
        if own is not None and people is not None:
            losses.append(((name, phase(row), "all"), own, people))
    print("people         judged   level > 10, 20, 30 %   people > 10, 20, 30 %")
    for name in sorted({name for names, _, _ in losses for name in names}):
        these = [(own, people) for names, own, people in losses if name in names]
        own_shares, peoples = (
            "  ".join(f"{100 * np.mean([loss[side] > b for loss in these]):5.1f}" for b in _BEYOND)
            for side in (0, 1)
        )
        print(f"{name:14s} {len(these):6d}   {own_shares}    {peoples}", flush=True)


def show_puzzles(puzzles: Positions) -> None:
    """Print the share of the rated puzzles whose first move each level finds."""
    ratings = np.array([row["rating"] for row in puzzles.rows])
    best = np.array(
        [
            [
                number < len(moves) and moves[number] in row["best"]
                for number in range(puzzles.looks.shape[1])
            ]
            for row, moves in zip(puzzles.rows, puzzles.moves, strict=True)
        ]
    )
    solved = [(puzzles.chances(level_of_elo(elo)) * best).sum(1) for elo in _LEVELS]
    print("rated puzzles  solved by " + " ".join(f"{elo:5d}" for elo in _LEVELS))
    for rating in _LEVELS:
        these = abs(ratings - rating) <= _BAND_RADIUS
        if these.sum() >= _MIN_PUZZLES:
            shares = " ".join(f"{share[these].mean():5.2f}" for share in solved)
            print(f"{rating:5d} {these.sum():7d}            {shares}", flush=True)


def phase(row: Row) -> str:
    """Opening, middlegame or endgame, by moves and pieces."""
    board = chess.Board(row["fen"])
    pieces = chess.popcount(board.occupied & ~board.pawns & ~board.kings)
    if pieces <= 6:
        return "ending"
    return "opening" if board.ply() < 24 else "middle"


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=("search", "judge", "fit", "show"))
    parser.add_argument("--positions", type=Path, nargs="+", default=[], metavar="FILE")
    parser.add_argument("--store", type=Path, required=True, metavar="FILE")
    parser.add_argument("--judged", type=Path, default=Path("judged.jsonl"), metavar="FILE")
    parser.add_argument("--judge", metavar="COMMAND", help="Stockfish")
    parser.add_argument("--count", type=int, default=300, metavar="N", help="to judge (300)")
    parser.add_argument("--folds", type=int, default=1, metavar="N", help="of the games (1)")
    arguments = parser.parse_args()
    if arguments.action == "search":
        search((row for path in arguments.positions for row in positions(path)), arguments.store)
        return 0
    judge = Judge(arguments.judged, arguments.judge)
    stored = read_rows(arguments.store)
    kept = [row for row in stored if "human" in row]
    if arguments.action == "judge":
        for row in kept[: arguments.count]:
            judge.chances(row)
        judge.close()
        return 0
    every = Positions.of(kept, BY_NAME[BALANCED])
    table = calibrate(every, Judge(arguments.judged, None))
    sources = ("lichess", "otb")
    bands = [
        Band.of(every, low, source, table, arguments.folds) for source in sources for low in BANDS
    ]
    bands = [band for band in bands if len(band.human) >= _MIN_COUNT]
    if arguments.action == "show":
        report(bands, lambda band: band.chances(level_of_elo))
        if puzzles := [row for row in stored if "rating" in row]:
            show_puzzles(Positions.of(puzzles, BY_NAME[BALANCED]))
        show_errors(bands, judge)
    elif arguments.folds > 1:
        cross_validate(bands, arguments.folds)
    else:
        levels = fit(bands)
        for elo, level in zip(_KNOTS, levels, strict=True):
            print(elo, ", ".join(f"{value:.3g}" for value in astuple(level)))
        report(bands, lambda band: band.chances(ladder_of(levels)))
    judge.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
