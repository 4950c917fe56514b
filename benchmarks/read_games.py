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
from typing import Final

import chess.pgn

from boomslang.core.jit.jit import load_kernels
from boomslang.engine.games.find import find
from boomslang.engine.games.games import read_games

_GAMES: Final = 1000  # that python-chess reads
_ROUNDS: Final = 3
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
        times = [time.process_time()]
        for work in (
            partial(find, pattern, games),
            partial(find, pattern, path),
            partial(read_games, path),
        ):
            work()
            times.append(time.process_time())
        found, searched, read = (end - begin for begin, end in pairwise(times))
        print(
            f"{pattern}: {found / len(games.moves) * 1e6:.3f} s in a million positions; a file takes "
            f"{searched / read:.2f} times as long as reading it"
        )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
