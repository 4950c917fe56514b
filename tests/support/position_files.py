"""Files of many positions, as `boomslang label` reads them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import chess

from tests.support.oracle import random_game


def positions(path: Path, count: int, spoilt: float = 0.01) -> Path:
    """A file of so many positions of random games; of a share of them no black king is left."""
    source = random.Random(count)
    with path.open("w") as file:
        for board in islice(_boards(), count):
            fen = board.fen(shredder=board.chess960)
            file.write(f"{fen.replace('k', 'q') if source.random() < spoilt else fen}\n")
    return path


def _boards() -> Iterator[chess.Board]:
    for seed in range(1_000_000):
        yield from random_game(seed, 100, chess960=seed % 5 == 0)
