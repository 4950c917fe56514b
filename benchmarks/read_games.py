"""Positions a second of `boomslang.read_games` and of python-chess, on the same games, by processor time.

Then the time that `boomslang.find` takes.

python -m benchmarks.read_games month.pgn
"""

from __future__ import annotations

import io
import sys
import time
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Final

import chess.pgn

from boomslang.core.jit.jit import load_kernels
from boomslang.engine.games.find import find
from boomslang.engine.games.games import read_games

_GAMES: Final = 1000  # that python-chess reads
_ROUNDS: Final = 3
_TURNS: Final = 7  # of finding and reading, since other programs disturb single ones
_PATTERNS: Final = ("KRP v KR", "Nd5 pe6 -e5", "hanging pawns", "smothered mate", "stalemate")


def main(path: Path) -> None:
    """Print both speeds, and their ratio in each round."""
    begin = time.process_time()
    load_kernels()
    print(f"loading the kernels: {time.process_time() - begin:.2f} s")
    first = next(read_games(path, batch=_GAMES + 1))
    with path.open("rb") as file:
        data = b"".join(
            line for line, _ in zip(file, range(int(first["line"][-1]) - 1), strict=False)
        )
    for _ in range(_ROUNDS):
        begin = time.process_time()
        games = read_games(path)
        ours = len(games.moves) / (time.process_time() - begin)
        begin, plies, file_ = time.process_time(), 0, io.StringIO(data.decode())
        while game := chess.pgn.read_game(file_):
            plies += sum(1 for _ in game.mainline())
        theirs = plies / (time.process_time() - begin)
        print(
            f"{len(games):,} games: {ours:,.0f} positions a second; python-chess {theirs:,.0f}; "
            f"{ours / theirs:.0f} times"
        )
    for pattern in _PATTERNS:
        ways = (
            partial(find, pattern, games),
            partial(find, pattern, path),
            partial(read_games, path),
        )
        ratios = []
        for _ in range(_TURNS):
            times = [time.process_time()]
            for work in ways:
                work()
                times.append(time.process_time())
            found, searched, read = (end - begin for begin, end in pairwise(times))
            ratios.append(searched / read)
        print(
            f"{pattern}: {found / len(games.moves) * 1e6:.3f} s in a million positions; a file takes "
            f"{median(ratios):.2f} times as long as reading it ({min(ratios):.2f} to {max(ratios):.2f})"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
