"""Fits what a game tells of a rating, and shows how near it comes: see `engine.analysis.performance`.

    python -m tools.levels.performance read --games games.jsonl --store sides.jsonl
    python -m tools.levels.performance fit --store sides.jsonl

The games are lines of JSON with moves (UCI), ratings and evaluations of Lichess; those that the model has
learnt from flatter it. `fit` prints constants, fitted to each half of the games and to all, and with the
constants of today how far from the players' ratings the readings are, and how often the interval has them.
"""

from __future__ import annotations

import argparse
import json
import sys
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np
from chess.engine import Cp, Mate, Score

from boomslang.engine.analysis.performance import (
    GRID,
    LEAST,
    MIN_MOVES,
    performance,
    reading_of,
)
from boomslang.engine.analysis.win_percent import win_chance
from boomslang.engine.people.model import shipped_model

_BAND: Final = 200
_RATINGS: Final = (800, 2400)
_MOVES: Final = 40  # the first ones of a side


def read(path: Path) -> Iterator[dict[str, Any]]:
    """Each side of the games of a file with its likelihoods and losses."""
    model = shipped_model()
    for line in path.read_text(encoding="utf-8").splitlines():
        game = json.loads(line)
        board, chance = chess.Board(), win_chance(Cp(15))
        sums, losses = np.zeros((2, len(GRID))), (list[float](), list[float]())
        for ply, (name, said) in enumerate(zip(game["moves"].split(), game["eval"], strict=False)):
            move, side = chess.Move.from_uci(name), ply % 2
            if said is None:
                break
            after = win_chance(_score(said))
            is_told = len(losses[side]) < _MOVES
            if is_told and board.legal_moves.count() > 1:
                moves, table = model.chances_by_rating(board, GRID, game.get("speed", ""))
                sums[side] += np.log(np.maximum(table[:, moves.index(move)], LEAST))
                lost = (chance - after) * (1 if side == 0 else -1)
                losses[side].append(max(lost, 0.0))
            board.push(move)
            chance = after
        for side, key in enumerate("wb"):
            if losses[side]:
                yield {
                    "game": game["moves"][:60],
                    "rating": game[key],
                    "source": game["source"] if key in game.get("regular", "") else "",
                    "likelihoods": sums[side].round(3).tolist(),
                    "losses": [round(lost, 2) for lost in losses[side]],
                }


def _score(said: str | float) -> Score:
    text = str(said)
    return Mate(int(text[1:])) if text.startswith("#") else Cp(round(100 * float(text)))


def fit(sides: Sequence[dict[str, Any]]) -> None:
    """Print the constants by one half of the games, by the other, by all; and the errors in the others."""
    low, high = _RATINGS
    sides = [
        side for side in sides if len(side["losses"]) >= MIN_MOVES and low <= side["rating"] < high
    ]
    rating = np.array([side["rating"] for side in sides])
    found = (reading_of(side["likelihoods"], side["losses"]) for side in sides)
    readings = [reading for reading in found if reading]
    columns = np.array([reading.columns for reading in readings])
    half = np.array([zlib.crc32(side["game"].encode()) % 2 for side in sides])
    band = (rating - low) // _BAND
    weight = 1 / np.bincount(band)[band]  # each band counts as much
    for learnt in (half == 0, half == 1, half >= 0):
        told = _regress(columns, rating, weight, learnt)
        slope = _regress(
            np.column_stack([np.ones(len(rating)), rating]), columns @ told, weight, learnt
        )
        told[0] -= slope[0]  # of all that have a rating the mean reading is that rating
        told /= slope[1]
        apart = columns @ told - rating
        print(
            f"told {told.round(2).tolist()}, off by {np.average(apart**2, weights=weight) ** 0.5:.0f}"
        )
        others = ~learnt if not learnt.all() else learnt
        given = [performance([reading]) for reading in readings]
        pairs = [(one, true) for one, true in zip(given, rating, strict=True) if one]
        error = [abs(one.rating - true) for one, true in pairs]
        held = [one.low <= true <= one.high for one, true in pairs]
        print(
            f"{others.sum()} sides: error {np.average(np.array(error)[others], weights=weight[others]):.0f}, "
            f"within the interval {np.average(np.array(held)[others], weights=weight[others]):.3f}"
        )


def _regress(columns: Any, wanted: Any, weight: Any, these: Any) -> Any:
    root = np.sqrt(weight[these])
    return np.linalg.lstsq(columns[these] * root[:, None], wanted[these] * root, rcond=None)[0]


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("action", choices=("read", "fit"))
    parser.add_argument("--games", type=Path, metavar="FILE")
    parser.add_argument("--store", type=Path, required=True, metavar="FILE")
    arguments = parser.parse_args()
    if arguments.action == "read":
        with arguments.store.open("w", encoding="utf-8", buffering=1) as file:
            for side in read(arguments.games):
                file.write(json.dumps(side) + "\n")
        return 0
    lines = arguments.store.read_text(encoding="utf-8").splitlines()
    fit([json.loads(line) for line in lines])
    return 0


if __name__ == "__main__":
    sys.exit(main())
