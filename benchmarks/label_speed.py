"""Rows per second of `boomslang.label`, of the command, and of python-chess with another engine.

    python -m benchmarks.label_speed --positions 20000 --nodes 200 --engine stockfish

All work on one processor, in alternation, and search equal nodes in positions of random games. Seconds are
those of the processor, which other programs do not change much. The values of the function and of the command
must be the same; else the exit status is 1.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import chain, count, islice
from pathlib import Path
from statistics import median

import chess
import chess.engine

import boomslang
from tests.support.oracle import random_game


def by_command(path: Path, nodes: int) -> list[str]:
    """The best moves by the command."""
    words = ["label", str(path), "--nodes", str(nodes), "--jobs", "1"]
    done = subprocess.run(
        [*boomslang.command(), *words], check=True, capture_output=True, text=True
    )
    return [
        ",".join(row[name] for name in ("score", "mate", "move", "win", "depth", "nodes"))
        for row in csv.DictReader(done.stdout.splitlines())
    ]


def by_function(fens: list[str], nodes: int) -> list[str]:
    """The same by the function."""
    found = boomslang.label(fens, nodes=nodes, jobs=1)
    names = ["score", "mate", "move", "win", "depth", "nodes"]
    return [
        ",".join("" if value != value else str(value).removesuffix(".0") for value in row)
        for row in found[names].tolist()
    ]


def by_engine(command: str, fens: list[str], nodes: int) -> None:
    """Ask another engine, whose hash table is as small and emptied as often."""
    limit = chess.engine.Limit(nodes=nodes)
    with chess.engine.SimpleEngine.popen_uci(command) as engine:
        process = engine.transport.get_pid()
        engine.configure({"Hash": 1})
        for fen in fens:
            engine.analyse(chess.Board(fen), limit, game=fen)
    with suppress(ProcessLookupError):  # its seconds count when it has been waited for
        while True:
            os.kill(process, 0)
            time.sleep(0.01)


def processor_seconds() -> float:
    """What this process has used, and its children that have ended."""
    return sum(os.times()[:4])


def main() -> int:
    """Print the rows per second of each, as medians of the rounds."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("--positions", type=int, default=20_000, metavar="N", help="positions (20,000)")
    add("--nodes", type=int, default=200, metavar="N", help="nodes per position (200)")
    add("--rounds", type=int, default=3, metavar="N", help="rounds (3)")
    add("--engine", metavar="COMMAND", help="another engine of UCI (none)")
    arguments = parser.parse_args()
    nodes = arguments.nodes
    boards = chain.from_iterable(random_game(seed, 100) for seed in count())
    playable = (board for board in boards if not board.is_game_over())
    fens = [board.fen() for board in islice(playable, arguments.positions)]
    boomslang.label(fens[:1], nodes=nodes)  # loads the kernels
    values: dict[str, list[str]] = {}
    rates: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "positions.fen"
        path.write_text("".join(f"{fen}\n" for fen in fens))
        ways: dict[str, Callable[[], list[str] | None]] = {
            "function": lambda: by_function(fens, nodes),
            "command": lambda: by_command(path, nodes),
        }
        if arguments.engine:
            ways["engine"] = lambda: by_engine(arguments.engine, fens, nodes)
        for _ in range(arguments.rounds):
            for name, way in ways.items():
                begun = processor_seconds()
                values[name] = way() or []
                rates.setdefault(name, []).append(len(fens) / (processor_seconds() - begun))
                print(f"{name:9}{rates[name][-1]:9,.0f} positions per second", flush=True)
    for name, found in rates.items():
        ratio = median(found) / median(rates["function"])
        print(f"{name:9}{median(found):9,.0f} positions per second, {ratio:.2f} of the function")
    differences = sum(map(str.__ne__, values["function"], values["command"]))
    print(f"{differences} of {len(fens)} values differ")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
