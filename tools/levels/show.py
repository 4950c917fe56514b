"""Shows how the levels of limited strength do beside people: moves, errors, castling, puzzles.

    python -m tools.levels.show search --positions movematch.jsonl rated.epd --store store.jsonl
    python -m tools.levels.show judge --store store.jsonl --judged judged.jsonl --judge stockfish
    python -m tools.levels.show show --store store.jsonl --judged judged.jsonl

`search` and `judge` do the work, some ten minutes for 1,000 positions, and go on where they were interrupted.
`judge` lets Stockfish search the player's move in each position, and those that the level of the player's
rating plays often, with 50,000 nodes for each, in random order, so an interrupted run has judged a random
sample. `show` prints the tables of `docs/measurements/levels.md`, of chances and not of draws: each level is
that of the player's rating, and what it plays counts by how often it plays it.
"""

from __future__ import annotations

import argparse
import math
import random
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import chess
import numpy as np

from boomslang.engine.levels.ladder import level_of_elo
from boomslang.engine.people.model import PeopleModel, shipped_model
from tools.levels.store import Judge, Row, board_of, chances, pair_of, positions, read_rows, search

_BEYOND: Final = (10, 20, 30)  # percent of the winning chances lost: an error
_MIN_CHANCE: Final = 0.02  # of a move that is judged
_LEVELS: Final = tuple(range(600, 2401, 200))
_BAND_RADIUS: Final = 100  # points of a band of puzzles to each side
_MIN_PUZZLES: Final = 10


def judge_moves(rows: Sequence[Row], judge: Judge) -> None:
    """Judge the moves of people, and those that the level of their rating plays often."""
    model = shipped_model()
    for row in random.Random(7).sample(rows, len(rows)):
        likely = chances(row, level_of_elo(row["band"]), model)
        if row["human"] in likely:
            for move in {row["human"], *(m for m, p in likely.items() if p >= _MIN_CHANCE)}:
                judge.loss(row, move)


def show(rows: Sequence[Row], judge: Judge) -> None:
    """Print what levels play where people were, by pairs of bands and by phases."""
    model, found = shipped_model(), defaultdict[str, list[tuple[float, ...]]](list)
    errors = defaultdict[str, list[tuple[float, ...]]](list)
    for row in rows:
        likely = chances(row, level_of_elo(row["band"]), model)
        human, board = row["human"], board_of(row)
        names = pair_of(row), f"{row['source']} all", "all", phase(board)
        castling = {move.uci() for move in board.legal_moves if board.is_castling(move)}
        castled = sum(likely.get(move, 0.0) for move in castling)
        theirs = float(human in castling)
        line = (
            likely.get(human, 0.0),
            float(max(likely, key=lambda move: likely[move]) == human),
            sum(chance**2 for chance in likely.values()),
            -math.log(max(likely.get(human, 0.0), 1e-4)),
            *((castled, theirs) if castling else (math.nan, math.nan)),
        )
        for name in names:
            found[name].append(line)
        if (mistake := errors_of(row, likely, judge)) is not None:
            for name in names:
                errors[name].append(mistake)
    print("people         positions  their move   top   alike   nats   castling / people")
    for name in sorted(found):
        table = np.array(found[name])
        error = 196 * table[:, 0].std() / math.sqrt(len(table))
        match, top, alike, nats = table[:, :4].mean(0)
        own, people = (
            100 * np.nanmean(column) if np.isfinite(column).any() else math.nan
            for column in table[:, 4:].T
        )
        print(
            f"{name:14s} {len(table):6d}  {100 * match:5.1f} ± {error:.1f} {100 * top:6.1f} "
            f"{100 * alike:6.1f} {nats:6.2f} {own:8.1f} / {people:4.1f}"
        )
    print("people        positions  judged   level > 10, 20, 30 %   people   ± difference")
    for name in sorted(errors):
        table = np.array(errors[name])
        share, own, people = table[:, 0].mean(), table[:, 1:4], table[:, 4:]
        error = 1.96 * (own - people).std(0) / math.sqrt(len(table))
        columns = (100 * own.mean(0), 100 * people.mean(0), 100 * error)
        said = "    ".join("  ".join(f"{one:4.1f}" for one in three) for three in columns)
        print(f"{name:14s} {len(table):6d}    {share:.2f}   {said}")


def errors_of(row: Row, likely: dict[str, float], judge: Judge) -> tuple[float, ...] | None:
    """The judged share, how often the level errs by each bound, and if the person did; None: not judged."""
    lost = {move: judge.loss(row, move) for move in likely}
    known = {move: loss for move, loss in lost.items() if loss is not None}
    share = sum(likely[move] for move in known)
    if row["human"] not in known or share < 0.5:
        return None
    own = [
        sum(likely[move] for move, loss in known.items() if loss > bound) / share
        for bound in _BEYOND
    ]
    return share, *own, *(float(known[row["human"]] > bound) for bound in _BEYOND)


def show_puzzles(puzzles: Sequence[Row]) -> None:
    """Print the share of the rated puzzles whose first move each level finds."""
    model = shipped_model()
    print("rated puzzles  solved by " + " ".join(f"{elo:5d}" for elo in _LEVELS))
    for rating in _LEVELS:
        these = [row for row in puzzles if abs(row["rating"] - rating) <= _BAND_RADIUS]
        if len(these) >= _MIN_PUZZLES:
            shares = " ".join(
                f"{np.mean([_solved(row, elo, model) for row in these]):5.2f}" for elo in _LEVELS
            )
            print(f"{rating:5d} {len(these):7d}            {shares}", flush=True)


def _solved(row: Row, elo: int, model: PeopleModel) -> float:
    likely = chances(row, level_of_elo(elo), model)
    return sum(likely.get(move, 0.0) for move in row["best"])


def phase(board: chess.Board) -> str:
    """Opening, middlegame or endgame, by moves and pieces."""
    pieces = chess.popcount(board.occupied & ~board.pawns & ~board.kings)
    if pieces <= 6:
        return "ending"
    return "opening" if board.ply() < 24 else "middle"


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=("search", "judge", "show"))
    parser.add_argument("--positions", type=Path, nargs="+", default=[], metavar="FILE")
    parser.add_argument("--store", type=Path, required=True, metavar="FILE")
    parser.add_argument("--judged", type=Path, default=Path("judged.jsonl"), metavar="FILE")
    parser.add_argument("--judge", metavar="COMMAND", help="Stockfish")
    arguments = parser.parse_args()
    if arguments.action == "judge" and not arguments.judge:
        parser.error("judge needs --judge")
    if arguments.action == "search":
        search((row for path in arguments.positions for row in positions(path)), arguments.store)
        return 0
    stored = read_rows(arguments.store)
    people = [row for row in stored if "human" in row]
    with Judge(arguments.judged, arguments.judge) as judge:
        if arguments.action == "judge":
            judge_moves(people, judge)
            return 0
        show(people, judge)
    if puzzles := [row for row in stored if "rating" in row and "best" in row]:
        show_puzzles(puzzles)
    return 0


if __name__ == "__main__":
    sys.exit(main())
