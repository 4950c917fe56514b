"""`make signals`: commands end when they are asked to, at every moment of their work.

    python -m tests.stress.signals --times 24          # 24 moments for each signal, command and cache

Each of the commands gets SIGTERM and SIGINT, with kernels that are in the cache and with an empty one. The
moments are spread over the first seconds and, where the kernels are there, over as many of the work. All
tries of a command go on in one folder, so that a file which one of them has spoilt is refused by the
next. Exit status 1: one took longer than a second, had another status, said something of its own inside, or
left processes or files behind. What else the machine has to do makes it late, so its load is reported.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import chess
from chess.pgn import Game

from tests.support.process import COMMAND, end, strays

MAX_EXIT_TIME: Final = 1.0  # seconds
_COLD: Final = 5.0  # seconds: importing and compiling
_WARM: Final = 6.0  # seconds: loading, then at work
_GAMES: Final = 500  # by chance: more than is looked at in all tries
_PLIES: Final = 30
COMMANDS: Final = {
    "perft": ["perft", "9"],
    "train": ["train", "own.bin", "--out", "own.net", "--epochs", "10000"],
    "datagen": ["datagen", "--out", "new.bin", "--games", "100000", "--jobs", "2"],
    "label": ["label", "many.epd", "-o", "many.csv", "--nodes", "3000000"],
    "analyse": ["analyse", "games.pgn", "--out", "report", "--nodes", "3000000"],
}


def prepare(folder: Path) -> None:
    """The files that the commands work on."""
    words = ["datagen", "--out", "own.bin", "--games", "200", "--nodes", "200", "--classical"]
    subprocess.run([*COMMAND, *words], cwd=folder, check=True)
    source = random.Random(1)
    boards = []
    for _ in range(_GAMES):
        board = chess.Board()
        while board.ply() < _PLIES and not board.is_game_over():
            board.push(source.choice(list(board.legal_moves)))
        boards.append(board)
    (folder / "games.pgn").write_text("".join(f"{Game.from_board(board)}\n\n" for board in boards))
    (folder / "many.epd").write_text("".join(f"{board.fen()}\n" for board in boards))


def tries(
    name: str, number: signal.Signals, times: int, cold: bool, folder: Path
) -> tuple[list[float], list[str]]:
    """Seconds that each try took to end, and what was wrong."""
    seconds, wrong = [], []
    for turn in range(times):
        moment = (turn + 0.5) / times * (_COLD if cold else _WARM)
        with tempfile.TemporaryDirectory() as empty:
            cache = Path(empty) if cold else None
            ended = end(COMMANDS[name], number, moment, folder=folder, cache=cache)
        seconds.append(ended.seconds)
        faults = ended.faults + [f"leaves {stray}" for stray in strays(folder)]
        if ended.seconds > MAX_EXIT_TIME:
            faults.append(f"takes {ended.seconds:.2f} s")
        wrong += [
            f"{name}, {number.name} after {moment:.2f} s, cold={cold}: {fault}" for fault in faults
        ]
    return seconds, wrong


def main() -> int:
    """Run the command line; returns the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--times", type=int, default=24, metavar="N", help="of each kind (24)")
    parser.add_argument("commands", nargs="*", metavar="COMMAND", help=f"of {', '.join(COMMANDS)}")
    arguments = parser.parse_args()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as made:
        prepare(Path(made))
        for name in arguments.commands or COMMANDS:
            folder = Path(made, name)
            folder.mkdir()
            for file in ("own.bin", "games.pgn", "many.epd"):
                shutil.copy(Path(made, file), folder)
            for cold in (False, True):
                for number in (signal.SIGTERM, signal.SIGINT):
                    seconds, faults = tries(name, number, arguments.times, cold, folder)
                    wrong += faults
                    ordered = sorted(seconds)
                    print(
                        f"{name}, {number.name}, {'cold' if cold else 'warm'}, {len(seconds)} times: "
                        f"gone after {ordered[len(ordered) // 2]:.2f} s, {ordered[-1]:.2f} s at most, "
                        f"{len(faults)} wrong; load {os.getloadavg()[0]:.1f} on {os.cpu_count()}",
                        flush=True,
                    )
    print(f"{len(wrong)} were not right", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
