"""How many moves of people a UCI engine plays, beside the levels.

    python -m tools.levels.match --store store.jsonl --engine stockfish --depth 1
    python -m tools.levels.match --store store.jsonl --engine stockfish --nodes 10_000 --limited

The positions are those of `tools.levels.show search`. With `--limited` the engine plays at the rating
of the player by `UCI_Elo`, as near to it as its range allows. A position with a mate in three, which levels
always play, counts as matched only if the engine and the person play it, as for the levels.
"""

from __future__ import annotations

import argparse
import math
import shlex
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import chess
import chess.engine

from boomslang.cli.terminal.settings_arguments import argument
from boomslang.engine.settings import whole
from tools.levels.store import Row, pair_of, read_rows


def is_matched(engine: chess.engine.SimpleEngine, row: Row, limit: chess.engine.Limit) -> bool:
    """True if the engine plays the move of the person, and is not held to a mate instead."""
    if row["human"] not in (line[2][0] for line in row["lines"]):
        return False
    move = engine.play(chess.Board(row["fen"]), limit, game=row["id"]).move
    return move is not None and move.uci() == row["human"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--store", type=Path, required=True, metavar="FILE")
    parser.add_argument("--engine", required=True, metavar="COMMAND")
    parser.add_argument("--limited", action="store_true", help="at the rating of the player")
    limit = parser.add_mutually_exclusive_group(required=True)
    for name in ("--nodes", "--depth"):
        limit.add_argument(name, type=argument(whole(1, 1_000_000_000)), metavar="N")
    arguments = parser.parse_args(argv)
    rows = [row for row in read_rows(arguments.store) if "human" in row]
    found = defaultdict[str, list[bool]](list)
    bound = chess.engine.Limit(nodes=arguments.nodes, depth=arguments.depth)
    with chess.engine.SimpleEngine.popen_uci(shlex.split(arguments.engine)) as engine:
        if arguments.limited and "UCI_Elo" not in engine.options:
            parser.error("--limited: the engine has no UCI_Elo")
        for row in sorted(rows, key=lambda row: row["band"]):
            if arguments.limited:
                elo = engine.options["UCI_Elo"]
                rating = min(max(row["band"], elo.min or 0), elo.max or row["band"])
                engine.configure({"UCI_LimitStrength": True, "UCI_Elo": rating})
            found[pair_of(row)].append(is_matched(engine, row, bound))
    for name, matched in sorted(found.items()):
        share = sum(matched) / len(matched)
        error = 196 * math.sqrt(share * (1 - share) / len(matched))
        print(f"{name:14s} {len(matched):6d}  {100 * share:5.1f} ± {error:.1f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
