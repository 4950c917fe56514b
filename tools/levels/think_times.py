"""Fits the time that levels take for a move to games of people with clocks, and shows both beside each other.

    python -m tools.levels.think_times games.jsonl.xz --positions 60_000
    python -m tools.levels.think_times games.jsonl.xz --positions 20_000 --show

The games are those of `boomslang people train`, PGN too: of Lichess, with clocks, without owners of
collections. Seven tenths of them are learnt from, the others are shown: deciles of people's times in whole
seconds, and of times that `engine.levels.think_time` draws for the same moments with the shipped weights.
`--show` fits nothing. Clocks are whole seconds there, so a time is known within a second, which the
likelihood takes into account.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np
import numpy.typing as npt

from boomslang.cli.terminal.settings_arguments import argument
from boomslang.engine.driver.clock import allot
from boomslang.engine.levels.think_time import WEIGHTS, Moment, draw_time, inputs, moment_of
from boomslang.engine.limits import Limits
from boomslang.engine.people.model import shipped_model
from boomslang.engine.people.samples import PeopleGame, read_people
from boomslang.engine.settings import whole

Floats = npt.NDArray[np.float64]

_MOST: Final = 1_000_000
_LEARNT, _FOLDS = 7, 10
_STEPS: Final = 200  # of Adam
_RATE: Final = 0.06
_BANDS: Final = ((800, 1200), (1400, 1600), (1900, 2100))  # ratings
_CONTROLS: Final = ((180, 2), (600, 0))
_TENTHS: Final = np.arange(1, 10) / 10


def observe(
    games: list[PeopleGame], count: int
) -> Iterator[tuple[bool, tuple[int, int], Moment, float]]:
    """Some `count` moves of games in random order: is it to learn from, time control, moment, seconds."""
    dice, model = random.Random(1), shipped_model()
    games = [game for game in games if not game.site and game.clock[0] > 0]
    dice.shuffle(games)
    for game in games:
        left, control = game.left.tolist(), game.clock
        bullet = control[0] + 40 * control[1] < 180
        if count <= 0 or np.isnan(left).any() or (bullet and dice.random() > 0.05):
            continue
        is_learnt = dice.random() * _FOLDS < _LEARNT
        board = chess.Board()
        for ply, code in enumerate(game.moves.tolist()):
            promotion = 2 + (code >> 12 & 3) if code >> 14 == 1 else None
            move = chess.Move(code & 63, code >> 6 & 63, promotion)
            move = board.parse_uci(move.uci())  # castling in the way of python-chess
            rating = game.ratings[ply & 1]
            if ply > 1 and rating > 0 and (control in _CONTROLS or dice.random() < 0.25):
                clock = left[ply - 2], control[1]
                moment = moment_of(board, move, model.chances(board, rating), rating, *clock)
                seconds = sum(clock) - left[ply]
                if seconds >= 0 and moment.left > 0:
                    yield is_learnt, control, moment, seconds
                    count -= 1
            board.push(move)


def _below(seconds: Floats, median: Floats, width: Floats) -> tuple[Floats, Floats]:
    """The chance of less than so many seconds, and the logarithm of its odds."""
    odds = (np.log(np.maximum(seconds, 1e-6)) - median) / width
    odds = np.where(seconds > 0, np.clip(odds, -40, 40), -40)
    return 1 / (1 + np.exp(-odds)), odds


def _likelihood(seconds: Floats, median: Floats, width: Floats) -> tuple[Floats, Floats, Floats]:
    """Of a difference of two rounded clocks; with its slopes by median and logarithmic width."""
    edges = [_below(seconds + edge, median, width) for edge in (-1, -0.5, 0, 0.5, 1)]
    total = np.zeros((3, len(seconds)))
    for weight, (low, low_odds), (high, high_odds) in zip(
        (0.25, 0.5, 0.25), edges[:3], edges[2:], strict=True
    ):
        steep, steep_low = high * (1 - high), low * (1 - low)
        total[0] += weight * (high - low)
        total[1] -= weight * (steep - steep_low) / width
        total[2] -= weight * (steep * high_odds - steep_low * low_odds)
    return total[0], total[1], total[2]


def loss(weights: Floats, seen: Floats, seconds: Floats) -> tuple[float, Floats]:
    """Nats of a time, and the slope: [median, odds of a reflex] x inputs, then three more numbers."""
    rows, (wide, reflex, narrow) = weights[:-3].reshape(2, -1), np.split(weights[-3:], 3)
    median, odds = rows @ seen
    chance = 1 / (1 + np.exp(-odds))
    width = np.full(len(seconds), np.exp(wide))
    thought = _likelihood(seconds, median, width)
    quick = _likelihood(
        seconds, np.full(len(seconds), reflex), np.full(len(seconds), np.exp(narrow))
    )
    total = np.maximum(chance * quick[0] + (1 - chance) * thought[0], 1e-7)
    share = -1 / total / len(seconds)
    slopes = np.stack([(1 - chance) * thought[1], chance * (1 - chance) * (quick[0] - thought[0])])
    others = (1 - chance) * thought[2], chance * quick[1], chance * quick[2]
    return float(-np.log(total).mean()), np.concatenate(
        [((slopes * share) @ seen.T).ravel(), [float((one * share).sum()) for one in others]]
    )


def fit(seen: Floats, seconds: Floats) -> Floats:
    """The weights by Adam, with a rate that falls evenly."""
    weights = np.zeros(2 * len(seen) + 3)
    weights[[0, len(seen), -3, -2, -1]] = 1, -2, -0.5, -0.7, -1
    means, squares = np.zeros_like(weights), np.zeros_like(weights)
    for number in range(1, _STEPS + 1):
        nats, slope = loss(weights, seen, seconds)
        means = 0.9 * means + 0.1 * slope
        squares = 0.99 * squares + 0.01 * slope**2
        step = means / (1 - 0.9**number) / (np.sqrt(squares / (1 - 0.99**number)) + 1e-9)
        weights -= _RATE * (1 - 0.97 * number / _STEPS) * step
    print(f"{nats:.4f} nats on what was learnt from")
    return weights


def _draw(moment: Moment, dice: random.Random) -> float:
    """A time in whole seconds, within the bounds of the clock, as a PGN would show it."""
    clock = round(moment.left * 1000), round(moment.increment * 1000)
    limits = Limits(white_time=clock[0], white_increment=clock[1])
    longest = (allot(limits, True, 0, ply=moment.ply).hard or 0) / 1000
    return float(int(min(draw_time(moment, dice), longest) + dice.random()))


def main(argv: Sequence[str]) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("file", type=Path, help="PGN or lines of JSON")
    parser.add_argument("--positions", type=argument(whole(1000, _MOST)), default=60_000)
    parser.add_argument("--show", action="store_true", help="fit nothing")
    arguments = parser.parse_args(argv)
    rows = list(observe(read_people(arguments.file, _MOST), arguments.positions))
    if not arguments.show:
        learnt = [row for row in rows if row[0]]
        table: Any = [list(inputs(moment).values()) for _, _, moment, _ in learnt]
        weights = fit(np.array(table).T, np.array([row[3] for row in learnt]))
        for name, median, reflex in zip(WEIGHTS, *weights[:-3].reshape(2, -1), strict=True):
            print(f"    {name!r}: ({median:.2f}, {reflex:.2f}),")
        print("width {:.2f}, reflex: {:.2f} seconds, width {:.2f}".format(*np.exp(weights[-3:])))
    dice = random.Random(2)
    for control in _CONTROLS:
        for low, high in _BANDS:
            chosen = [
                (seconds, _draw(moment, dice))
                for is_learnt, its_control, moment, seconds in rows
                if not is_learnt and its_control == control and low <= moment.rating < high
            ]
            if not chosen:
                continue
            for who, times in zip(("people", "levels"), np.array(chosen).T, strict=True):
                tenths = " ".join(f"{tenth:3.0f}" for tenth in np.quantile(times, _TENTHS))
                about = f"{control[0]}+{control[1]} {low}-{high} {who} {len(times):5}"
                print(f"{about}: {tenths}, mean {times.mean():.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
