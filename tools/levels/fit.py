"""Fits the ladder of limited strength to moves of people, and shows how the levels do beside people.

    python -m tools.levels.fit search --positions movematch.jsonl rated.epd --store store.jsonl
    python -m tools.levels.fit judge --store store.jsonl --judged judged.jsonl --judge stockfish
    python -m tools.levels.fit fit --store store.jsonl --judged judged.jsonl
    python -m tools.levels.fit show --store store.jsonl --judged judged.jsonl

`search` and `judge` do the work, some ten minutes for 1,000 positions, and go on where they were interrupted.
`judge` lets Stockfish search the player's move in each position, and those that levels choose, with 50,000
nodes for each. `fit` then takes some minutes: it prints rows of `engine.levels.ladder`, between which the
logarithms of the parameters are interpolated, and with `--folds 5` how levels do that were fitted to the
other games alone. The parameters are chosen for the share of the moves of people that the level of their
rating plays, less what its errors and its castling differ from people's, and what two seeds play alike too
often. `show` prints the tables of `docs/measurements/levels.md`. The random draws are the same each time.

`judge` knows the ladder of today alone: after a large change of the ladder it has to run again. It takes the
positions in random order, so an interrupted run has judged a random sample.
"""

from __future__ import annotations

import argparse
import math
import sys
import zlib
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import Final, TypeAlias

import chess
import numpy as np
import numpy.typing as npt

from boomslang.cli.terminal.settings_arguments import argument
from boomslang.engine.levels.ladder import BALANCED, LADDER, MIN_ELO, Level, level_of_elo
from boomslang.engine.levels.style import BY_NAME
from boomslang.engine.settings import whole
from tools.levels.model import Bools, Floats, Integers, Positions
from tools.levels.store import Judge, Row, pair_of, positions, read_rows, search

_KNOTS: Final = (MIN_ELO, 1400, 2200)  # Elo of the rows that are fitted
_BEYOND: Final = (10, 20, 30)  # percent of the winning chances lost: an error
_TOLERANCE: Final = (3.0, 2.0, 1.5)  # points by which these may differ from people's
# Per cent of people's moves: as many as a network plays that has learnt from people. One more counts less.
_FULL_MATCH: Final = 36.0
_SURPLUS_WEIGHT: Final = 0.3
_MAX_ALIKE: Final = 0.6  # share of positions that two seeds should answer alike at most
_LEVELS_BELOW: Final = (0, 400)  # Elo below that of the player: levels whose moves are judged
_MIN_CHANCE: Final = 0.02  # the probability from which one is
_MIN_COUNT: Final = 30  # positions of a band
_DRAWS: Final = 16  # for a report
_STEPS: Final = (1.4, 1.2, 1.1, 1.05)
_FIXED: Final = 2  # of the parameters of a level: nodes and lines
_LEVELS: Final = tuple(range(600, 2401, 200))
_BAND_RADIUS: Final = 100  # points of a band of puzzles to each side
_MIN_PUZZLES: Final = 10

Ladder: TypeAlias = Callable[[int], Level]


@dataclass(slots=True)
class Band:
    """Positions of people of two bands, with their moves."""

    name: str  # of `pair_of`
    positions: Positions
    ratings: Integers
    human: Integers  # the move of the person, as a column; -1 where a mate is to be played instead
    lost: Floats  # percent of the winning chances that each move loses; NaN: not judged
    folds: Integers

    @classmethod
    def of(cls, name: str, found: Positions, judge: Judge, folds: int) -> Band:
        """The positions of a band."""
        games = [zlib.crc32(game_of(row).encode()) % folds for row in found.rows]
        ratings = np.array([row["band"] for row in found.rows])
        lost = losses(found, judge)
        return cls(name, found, ratings, found.index("human"), lost, np.array(games))

    def part(self, chosen: Bools) -> Band:
        """Some of its positions."""
        arrays = ("ratings", "human", "lost", "folds")
        return replace(
            self,
            positions=self.positions.part(chosen),
            **{name: getattr(self, name)[chosen] for name in arrays},
        )

    def chances(self, ladder: Ladder, draws: int = 4) -> Floats:
        """The probability of each move at the level of the player's rating."""
        chances = np.zeros_like(self.positions.looks)
        for elo in np.unique(self.ratings):
            these = self.ratings == elo
            chances[these] = self.positions.part(these).chances(ladder(int(elo)), draws)
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

    def errors(self, chances: Floats) -> tuple[Floats, Floats]:
        """The probability of an error, by judged position and bound: the level's, and people's (0 or 1)."""
        lost = self.lost[self.judged]
        chances = np.where(np.isnan(lost), 0, chances[self.judged])
        chances /= np.maximum(chances.sum(1, keepdims=True), 1e-9)
        wrong = lost[..., None] > np.array(_BEYOND)
        people = wrong[np.arange(len(lost)), self.human[self.judged]]
        return (chances[..., None] * wrong).sum(1), people.astype(np.float32)

    def share_judged(self, chances: Floats) -> Floats:
        """The probability of the moves that are judged, by judged position."""
        shares: Floats = np.where(np.isnan(self.lost), 0, chances).sum(1)[self.judged]
        return shares

    @property
    def judged(self) -> Bools:
        """The positions in which the person's move is judged."""
        person = self.lost[np.arange(len(self.human)), self.human]
        played: Bools = (self.human >= 0) & ~np.isnan(person)
        return played


def losses(found: Positions, judge: Judge) -> Floats:
    """Percent of the winning chances that each move loses, NaN where that is not known."""
    lost = np.full(found.looks.shape, math.nan, np.float32)
    for number, (row, moves) in enumerate(zip(found.rows, found.moves, strict=True)):
        for place, move in enumerate(moves):
            if (loss := judge.loss(row, move)) is not None:
                lost[number, place] = loss
    return lost


def judge_moves(every: Positions, judge: Judge) -> None:
    """Judge the moves of people, and those that the level of their rating or a lower one chooses often."""
    dice = np.random.default_rng(7)
    for number in dice.permutation(len(every.rows)):
        one = every.part(np.arange(len(every.rows)) == number)
        row, moves = one.rows[0], one.moves[0]
        levels = (level_of_elo(row["band"] - below) for below in _LEVELS_BELOW)
        likely = np.max([one.chances(level)[0] for level in levels], 0)
        for move, chance in zip(moves, likely, strict=False):
            if chance >= _MIN_CHANCE or move == row["human"]:
                judge.loss(row, move)


def alike(chances: Floats) -> float:
    """The share of positions in which two seeds choose alike."""
    return float((chances**2).sum(1).mean())


def price(band: Band, ladder: Ladder) -> float:
    """What is wrong with the levels for people of a band, less their match, in percent."""
    chances = band.chances(ladder)
    match = 100 * float(band.match(chances).mean())
    total = -min(match, _FULL_MATCH) - _SURPLUS_WEIGHT * max(match - _FULL_MATCH, 0.0)
    own_errors, theirs = band.errors(chances)
    if len(theirs):
        apart = 100 * (own_errors - theirs).mean(0)
        total += float(((apart / np.array(_TOLERANCE)) ** 2).sum()) / 2
    total += 400 * max(0.0, alike(chances) - _MAX_ALIKE)
    own, people = (max(share, 1e-3) for share in band.castling(chances))
    return total + 20 * max(0.0, abs(math.log(own / people)) - math.log(1.3))


def ladder_of(rows: Sequence[Level]) -> Ladder:
    """The ladder of today, with these rows at `_KNOTS`."""
    higher = [row for row in LADDER if row[0] > _KNOTS[-1]]
    return partial(level_of_elo, ladder=[*zip(_KNOTS, rows, strict=True), *higher])


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
                if (now := total(tried)) < least - 0.05:
                    rows, least, improved = tried, now, True
        if not quiet:
            print(f"steps of {step}: {least:.2f}", flush=True)
    return rows


def report(bands: Sequence[Band], chances_of: Callable[[Band], Floats]) -> None:
    """Print match, castling, variety and errors of levels beside people."""
    print("people         positions  their move   alike  castling / people", flush=True)
    found = [(band, chances_of(band)) for band in bands]
    for band, chances in found:
        match, (own, people) = band.match(chances), band.castling(chances)
        error = 196 * match.std() / math.sqrt(len(match))
        print(
            f"{band.name:14s} {len(match):6d}  {100 * match.mean():5.1f} ± {error:.1f}"
            f"  {100 * alike(chances):6.1f} {100 * own:9.1f} / {100 * people:4.1f}",
            flush=True,
        )
    show_errors(found)


def show_errors(found: Sequence[tuple[Band, Floats]]) -> None:
    """Print the errors of levels and people by bands and phases, and the error of their difference."""
    names, games = list[tuple[str, str, str]](), list[str]()
    owns, theirs, shares = list[Floats](), list[Floats](), list[Floats]()
    for band, chances in found:
        for row in band.positions.rows[band.judged]:
            names.append((band.name, phase(row), "all"))
            games.append(game_of(row))
        own, people = band.errors(chances)
        owns, theirs = [*owns, own], [*theirs, people]
        shares.append(band.share_judged(chances))
    if not names:
        print("no judgements of these positions")
        return
    own, people, share = map(np.concatenate, (owns, theirs, shares))
    print("people        positions  judged   level > 10, 20, 30 %   people   ± difference")
    for name in dict.fromkeys(name for kind in zip(*names, strict=True) for name in kind):
        these = np.array([name in position for position in names])
        error = 1.96 * standard_error((own - people)[these], np.array(games)[these])
        columns = (own[these].mean(0), people[these].mean(0), error)
        said = "    ".join("  ".join(f"{100 * one:4.1f}" for one in three) for three in columns)
        print(f"{name:14s} {these.sum():6d}    {share[these].mean():.2f}   {said}", flush=True)


def standard_error(values: Floats, games: npt.NDArray[np.str_]) -> Floats:
    """The standard error of the mean of each column, clustered by game: positions of one game are alike."""
    _, number = np.unique(games, return_inverse=True)
    sums = np.zeros((number.max() + 1, values.shape[1]), np.float32)
    np.add.at(sums, number, values - values.mean(0))
    errors: Floats = np.sqrt((sums**2).sum(0)) / np.float32(len(values))
    return errors


def game_of(row: Row) -> str:
    """The game that a position is of."""
    return str(row["id"]).rpartition("-")[0]


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
            chances[these] = band.part(these).chances(ladder, _DRAWS)
        return chances

    report(bands, chances_of)


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
    parser.add_argument(
        "--folds", type=argument(whole(1, 100)), default=1, metavar="N", help="of the games (1)"
    )
    arguments = parser.parse_args()
    if arguments.action == "judge" and not arguments.judge:
        parser.error("judge needs --judge COMMAND")
    if arguments.action == "search":
        if not arguments.positions:
            parser.error("search needs --positions FILE")
        search((row for path in arguments.positions for row in positions(path)), arguments.store)
        return 0
    stored = read_rows(arguments.store)
    kept = [row for row in stored if "human" in row]
    if not kept:
        parser.error(f"{arguments.store} has no moves of people")
    every = Positions.of(kept, BY_NAME[BALANCED])
    if arguments.action == "judge":
        with Judge(arguments.judged, arguments.judge) as judge:
            judge_moves(every, judge)
        return 0
    judge, names = Judge(arguments.judged, None), np.array([pair_of(row) for row in kept])
    bands = [
        Band.of(name, every.part(names == name), judge, arguments.folds)
        for name in np.unique(names)
        if (names == name).sum() >= _MIN_COUNT
    ]
    if not bands:
        parser.error(f"no two bands have {_MIN_COUNT} positions")
    if arguments.action == "show":
        report(bands, lambda band: band.chances(level_of_elo, _DRAWS))
        if puzzles := [row for row in stored if "rating" in row]:
            show_puzzles(Positions.of(puzzles, BY_NAME[BALANCED]))
    elif arguments.folds > 1:
        cross_validate(bands, arguments.folds)
    else:
        levels = fit(bands)
        for elo, level in zip(_KNOTS, levels, strict=True):
            print(elo, ", ".join(f"{value:.3g}" for value in astuple(level)))
        report(bands, lambda band: band.chances(ladder_of(levels), _DRAWS))
    return 0


if __name__ == "__main__":
    sys.exit(main())
