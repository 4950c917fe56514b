"""Scores of endings near the end of the fifty-move rule, with repetitions behind them, against an oracle.

    python -m tests.stress.table_scores --tables FOLDER FOLDER5 --roots 3000

Each root has a counter of 90 to 100. Its score must be on the side of the draw on which the oracle puts it,
with the fifty-move rule and without, in analysis and in play, and the move that is played must be worth as
much. No table may be given up. Exit status 1: something was wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from boomslang.engine.driver import searcher as search
from boomslang.engine.driver.tablebase import Tablebase
from boomslang.engine.limits import Info, Limits, Score
from tests.support.endgame_oracle import EndgameOracle, TooLongError, random_roots

_NODES = 300


def side_of(score: Score) -> int:
    """1, 0 or -1: won, drawn or lost."""
    worth = score.mate or score.centipawns or 0
    return 0 if score.mate is None and abs(worth) < 1000 else (worth > 0) - (worth < 0)


def compare(
    folders: list[Path], count: int, seed: int, *, fifty: bool = True, playing: bool = False
) -> tuple[int, int, list[str]]:
    """Search that many roots; returns how many the oracle left open and searched, and what was wrong."""
    said: list[str] = []
    tables = Tablebase(said.append)
    tables.open(";".join(map(str, folders)))
    tables.load()
    tables.set_fifty(fifty)
    said.clear()
    limits = Limits(nodes=_NODES, analysing=not playing)
    own = search.Searcher(1)
    own.use_tables(tables)
    oracle = EndgameOracle(folders, fifty)
    names = sorted({path.stem for folder in folders for path in folder.glob("*.rtbz")})
    wrong: list[str] = []
    unknown = 0
    for board in random_roots(names, count, random.Random(seed)):
        try:
            values = oracle.values(board)
        except TooLongError:
            unknown += 1
            continue
        own.new_game()
        own.clear_stop()
        told: list[Info] = []
        best = own.search(board.copy(), limits, told.append).best
        moves = " ".join(move.uci() for move in board.move_stack)
        name = f"{board.root().fen()} moves {moves}"
        if side_of(told[-1].score) != max(values.values()):
            wrong.append(f"{name}: {told[-1].score}, and not {max(values.values())}")
        if best is None or values[best] < max(values.values()):
            wrong.append(f"{name}: {best} is worth less than {max(values.values())}")
    return unknown, oracle.searched, wrong + said


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=Path, nargs="+", required=True, metavar="FOLDER")
    parser.add_argument("--roots", type=int, default=3000, metavar="N", help="positions (3000)")
    parser.add_argument("--seed", type=int, default=1, metavar="S")
    arguments = parser.parse_args()
    search.load()
    failed = 0
    share = arguments.roots // 4
    for fifty in (True, False):
        for playing in (True, False):
            unknown, played, wrong = compare(
                arguments.tables, share, arguments.seed + failed, fifty=fifty, playing=playing
            )
            how = f"{'play' if playing else 'analysis'}, fifty-move rule {fifty}"
            print(
                f"{how}: {share} roots, {len(wrong)} wrong; {unknown} left open, {played} searched"
            )
            print("\n".join(wrong), flush=True)
            failed += len(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
